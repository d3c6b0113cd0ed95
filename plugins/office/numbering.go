package office

import (
	"encoding/xml"
	"strconv"
	"strings"

	"golang.org/x/text/width"

	"github.com/sagasu-search/sagasu/sdk/x/archive"
)

const maxLevels = 9

// level is how a level of a list is numbered.
type level struct {
	format, text string // text has %1 for the number of the first level, and so on
	start        int
	below        int  // an item of a level before this one restarts the count
	legal        bool // all numbers in its labels are decimal
}

// list is a list in a document.
type list struct {
	levels  [maxLevels]level
	reached *[maxLevels]int // the current numbers, or [unreached]; shared by all lists with the same definition
	anew    [maxLevels]bool // levels that restart the count at their first item in this list
}

const unreached = -1

// numbering are the lists in a document. Lists with the same definition continue the count.
type numbering struct {
	lists map[int]*list
}

func (p *pkg) readNumbering(part string) *numbering {
	n := &numbering{lists: map[int]*list{}}
	defined := map[int]*list{}
	p.each(part, func(x *archive.XML, e xml.StartElement) (bool, error) {
		switch e.Name.Local {
		case "abstractNum":
			l := newList()
			defined[number(e, "abstractNumId", 0)] = l
			return false, l.read(x)
		case "num":
			id, own := number(e, "numId", 0), (*list)(nil)
			err := x.Each(func(e xml.StartElement) (bool, error) {
				switch e.Name.Local {
				case "abstractNumId":
					own = defined[number(e, "val", 0)]
				case "lvlOverride":
					if own != nil {
						copied := *own
						own = &copied
						return false, own.override(x, number(e, "ilvl", 0))
					}
				}
				return false, nil
			})
			if own != nil {
				n.lists[id] = own
			}
			return false, err
		}
		return e.Name.Local == "numbering", nil
	})
	return n
}

func newList() *list {
	l := &list{reached: new([maxLevels]int)}
	for i := range l.levels {
		l.levels[i], l.reached[i] = level{start: 1, below: i}, unreached
	}
	return l
}

func (l *list) read(x *archive.XML) error {
	return x.Each(func(e xml.StartElement) (bool, error) {
		if e.Name.Local != "lvl" {
			return false, nil
		}
		return false, x.Each(l.levels[depthOf(number(e, "ilvl", 0))].property)
	})
}

// override reads the settings of a list for one level.
func (l *list) override(x *archive.XML, depth int) error {
	depth = depthOf(depth)
	return x.Each(func(e xml.StartElement) (bool, error) {
		switch e.Name.Local {
		case "startOverride":
			l.levels[depth].start, l.anew[depth] = max(number(e, "val", 1), 0), true
		case "lvl":
			return true, nil
		}
		return l.levels[depth].property(e)
	})
}

func (at *level) property(e xml.StartElement) (bool, error) {
	switch e.Name.Local {
	case "start":
		at.start = max(number(e, "val", 1), 0)
	case "numFmt":
		at.format = archive.Attribute(e, "val")
	case "lvlText":
		at.text = archive.Attribute(e, "val")
	case "lvlRestart":
		at.below = min(number(e, "val", at.below), at.below)
	case "isLgl":
		at.legal = isOn(e)
	}
	return false, nil
}

func depthOf(level int) int { return min(max(level, 0), maxLevels-1) }

// next counts an item. It returns the item's label, and its number if the label is only that. Both are empty for a
// bullet.
func (n *numbering) next(id, depth int) (label string, value int) {
	l := n.lists[id]
	if l == nil {
		return "", 0
	}
	depth = depthOf(depth)
	at := l.levels[depth]
	for i := range l.reached {
		if i == depth && l.anew[i] || i > depth && depth < l.levels[i].below {
			l.reached[i] = unreached
		}
	}
	l.anew[depth] = false
	if l.reached[depth]++; l.reached[depth] == unreached+1 {
		l.reached[depth] = at.start
	}
	if at.format == "bullet" || at.format == "none" || at.format == "" {
		return "", 0
	}
	label = at.text
	for i := range depth + 1 {
		reached, format := l.reached[i], l.levels[i].format
		if reached == unreached {
			reached = l.levels[i].start
		}
		if at.legal {
			format = "decimal"
		}
		label = strings.ReplaceAll(label, "%"+strconv.Itoa(i+1), count(reached, format))
	}
	if own := "%" + strconv.Itoa(depth+1); at.format == "decimal" && strings.TrimRight(at.text, ".)") == own {
		value = l.reached[depth]
	}
	return label, value
}

// count formats a number in a format of Word.
func count(n int, format string) string {
	switch format {
	case "lowerLetter":
		return letters(n, 'a')
	case "upperLetter":
		return letters(n, 'A')
	case "lowerRoman":
		return strings.ToLower(roman(n))
	case "upperRoman":
		return roman(n)
	case "decimalZero":
		if n < 10 {
			return "0" + strconv.Itoa(n)
		}
	case "decimalFullWidth", "decimalFullWidth2":
		return width.Widen.String(strconv.Itoa(n))
	case "decimalEnclosedCircle":
		if n >= 1 && n <= 20 {
			return string(rune('①' + n - 1))
		}
	case "aiueo", "aiueoFullWidth":
		return nth("アイウエオカキクケコサシスセソタチツテトナニヌネノハヒフヘホマミムメモヤユヨラリルレロワヲン", n)
	case "iroha", "irohaFullWidth":
		return nth("イロハニホヘトチリヌルヲワカヨタレソツネナラムウヰノオクヤマケフコエテアサキユメミシヱヒモセス", n)
	case "japaneseCounting", "chineseCounting", "chineseCountingThousand", "japaneseLegal", "ideographDigital",
		"taiwaneseCounting", "japaneseDigitalTenThousand":
		return kanji(n)
	}
	return strconv.Itoa(n)
}

func nth(signs string, n int) string {
	if all := []rune(signs); n >= 1 && n <= len(all) {
		return string(all[n-1])
	}
	return strconv.Itoa(n)
}

// letters formats a number as a to z, aa to zz and so on.
func letters(n int, first rune) string {
	if n < 1 || n > 26*9 {
		return strconv.Itoa(n)
	}
	return strings.Repeat(string(first+rune((n-1)%26)), (n-1)/26+1)
}

func roman(n int) string {
	if n < 1 || n > 3999 {
		return strconv.Itoa(n)
	}
	var b strings.Builder
	values := []int{1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1}
	for i, sign := range strings.Fields("M CM D CD C XC L XL X IX V IV I") {
		for ; n >= values[i]; n -= values[i] {
			b.WriteString(sign)
		}
	}
	return b.String()
}

// kanji formats a number below a thousand as in Japanese laws.
func kanji(n int) string {
	if n < 1 || n > 999 {
		return strconv.Itoa(n)
	}
	digits := []rune("一二三四五六七八九")
	var b strings.Builder
	for _, unit := range []struct {
		value int
		sign  string
	}{{100, "百"}, {10, "十"}, {1, ""}} {
		if d := n / unit.value; d > 0 {
			if d > 1 || unit.value == 1 {
				b.WriteRune(digits[d-1])
			}
			b.WriteString(unit.sign)
		}
		n %= unit.value
	}
	return b.String()
}
