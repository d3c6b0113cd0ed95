package layout

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bookmark is an entry of a document's outline.
type Bookmark struct {
	Level int // from 1
	Title string
	Page  int
	Y     float64 // from the top of the page; negative if unknown
}

const (
	larger      = 1.12 // factor by which a heading's type is larger than the body's
	headRunes   = 100  // a longer line is not a heading
	headLines   = 3    // maximum number of lines of a heading
	wideHead    = 1.5  // maximum leading of the lines of a heading, in type sizes
	similar     = 0.85 // minimum length of a truncated title, as a share
	deepest     = 6
	boldBody    = 0.3 // share of bold text from which bold does not mark headings
	matchedHead = 2   // minimum number of outline entries that must be found for the outline to cover all headings
)

var (
	numbering = regexp.MustCompile(`^(chapter|appendix|part|section|第)?([0-9]+|[ivx]+\b|[a-z]\b)?([章部編節条])?`)
	// label matches a separate line above the title of a chapter.
	label = regexp.MustCompile(`(?i)^((chapter|appendix|part)(\s*([0-9ivxa-z]{1,4}|[a-z]{3,12}))?|` +
		`one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|[a-z]+teen|twenty[ -]?[a-z]*|` +
		`第\s*[0-9０-９一二三四五六七八九十]+\s*[章部編]|付録\s*[0-9a-z]{1,2})[\pP\pZ]*$`)
)

// mark is what is known about a line.
type mark struct {
	level  int // of a heading, or 0
	joined bool
}

type style struct {
	size float64
	bold bool
}

func (l *line) style() style { return style{math.Round(l.size*2) / 2, l.bold} }

// bodyStyle returns the style of most characters, and the share of bold ones.
func bodyStyle(sheets []Sheet) (body style, boldShare float64) {
	count := map[float64]int{}
	all, bold := 0, 0
	for _, s := range sheets {
		for i := range s.lines {
			l := &s.lines[i]
			n := utf8.RuneCountInString(l.text())
			all += n
			if l.bold {
				bold += n
			}
			if !l.mono {
				count[l.style().size] += n
			}
		}
	}
	most := -1
	for size, n := range count {
		if n > most || n == most && size < body.size {
			most, body.size = n, size
		}
	}
	boldShare = float64(bold) / float64(max(1, all))
	body.bold = boldShare > 0.5
	return body, boldShare
}

// headings marks the heading lines of each sheet. A bookmark whose title is on no line becomes a line.
func headings(sheets []Sheet, outline []Bookmark) [][]mark {
	marks := make([][]mark, len(sheets))
	pages := map[int]int{}
	for i, s := range sheets {
		marks[i] = make([]mark, len(s.lines))
		pages[s.number] = i
	}
	body, boldShare := bodyStyle(sheets)
	styles := map[style]int{} // styles of the outline's headings, with their lowest level
	found := 0
	for _, b := range outline {
		i, ok := pages[b.Page]
		if !ok || fold(b.Title) == "" || oneLine(b.Title) == "" {
			continue
		}
		level := min(max(b.Level, 1), deepest)
		at, n := -1, 0
		for _, k := range []int{i, i + 1} {
			if k >= len(sheets) {
				break
			}
			y := b.Y
			if k > i {
				y = -1
			}
			if at, n = find(&sheets[k], marks[k], b.Title, y, body); at >= 0 {
				i = k
				break
			}
		}
		if at < 0 {
			marks[i] = insert(&sheets[i], marks[i], b, level)
			continue
		}
		found++
		first := &sheets[i].lines[at]
		for k := at; k < at+n; k++ {
			marks[i][k] = mark{level: level, joined: k > at}
			if l := &sheets[i].lines[k]; l.size > first.size {
				first = l
			}
		}
		if first.size >= body.size*larger {
			styles[first.style()] = max(styles[first.style()], level)
		}
	}
	if found < matchedHead {
		styles = ownStyles(sheets, body, boldShare)
	}
	for i := range sheets {
		byStyle(&sheets[i], marks[i], styles)
	}
	return marks
}

// find returns the lines that contain a title, the nearest to y.
func find(s *Sheet, marks []mark, title string, y float64, body style) (at, n int) {
	want := fold(title)
	bare := numbering.ReplaceAllString(want, "")
	best := math.Inf(1)
	at = -1
	for i := range s.lines {
		text := ""
		for k := i; k < min(len(s.lines), i+headLines); k++ {
			l := &s.lines[k]
			if marks[k].level > 0 || k > i && (l.flow != s.lines[i].flow || l.box.Y0-s.lines[k-1].box.Y1 > 3*l.size) {
				break
			}
			text += s.lines[k].text()
			if utf8.RuneCountInString(text) > 3*headRunes {
				break
			}
			got := fold(text)
			miss := 0.0
			switch rest := numbering.ReplaceAllString(got, ""); {
			case got == want:
			case rest == bare && rest != "" || strings.HasSuffix(got, want) && label.MatchString(s.lines[i].text()):
				miss = 1
			case len(want) > 12 && strings.HasPrefix(want, got) && float64(len(got)) > similar*float64(len(want)):
				miss = 2
			case len(want) > 12 && strings.HasPrefix(got, want) && float64(len(want)) > similar*float64(len(got)):
				miss = 2
			default:
				continue
			}
			if y >= 0 {
				miss += abs(s.lines[i].box.Y0-y) / s.height * 40
			}
			if s.lines[i].size < body.size*0.95 {
				miss += 4
			}
			miss -= s.lines[i].size / max(body.size, 1)
			if miss < best {
				best, at, n = miss, i, k-i+1
			}
		}
	}
	for range 2 {
		if at > 0 && marks[at-1].level == 0 && label.MatchString(strings.TrimSpace(s.lines[at-1].text())) {
			at, n = at-1, n+1
		}
	}
	return at, n
}

// insert adds a line with the title of a bookmark at the bookmark's position.
func insert(s *Sheet, marks []mark, b Bookmark, level int) []mark {
	at := 0
	if b.Y > 0 {
		for at < len(s.lines) && s.lines[at].box.Y1 < b.Y {
			at++
		}
	}
	for at < len(s.lines) && marks[at].level > 0 { // after the headings at this position
		at++
	}
	l := line{size: 1, flow: -1, cells: []cell{{text: b.Title}}}
	s.lines = slices.Insert(s.lines, at, l)
	return slices.Insert(marks, at, mark{level: level})
}

// ownStyles returns the styles of headings in a document without an outline, with their levels.
func ownStyles(sheets []Sheet, body style, boldShare float64) map[style]int {
	count := map[style]int{}
	for _, s := range sheets {
		for i := range s.lines {
			l := &s.lines[i]
			if l.mono || !titled(l) {
				continue
			}
			st := l.style()
			if st.size >= body.size*larger ||
				st.bold && boldShare < boldBody && st.size >= body.size && alone(s.lines, i) {
				count[st]++
			}
		}
	}
	var order []style
	for st := range count {
		order = append(order, st)
	}
	slices.SortFunc(order, func(a, b style) int {
		if c := cmp.Compare(b.size, a.size); c != 0 || a.bold == b.bold {
			return c
		}
		if a.bold {
			return -1
		}
		return 1
	})
	levels := map[style]int{}
	for i, st := range order {
		levels[st] = min(i+1, deepest)
	}
	return levels
}

// alone reports whether a line is separated from the text above and not continued below.
func alone(lines []line, i int) bool {
	l := &lines[i]
	if i > 0 && lines[i-1].flow == l.flow && !lines[i-1].bold && l.box.Y0-lines[i-1].box.Y1 < 0.35*l.size {
		return false
	}
	return len(l.cells) == 1 && l.grid == 0
}

func titled(l *line) bool {
	text := strings.TrimSpace(l.text())
	n := utf8.RuneCountInString(text)
	if n == 0 || n > headRunes || l.row > 0 {
		return false
	}
	last, _ := utf8.DecodeLastRuneInString(text)
	letters := strings.IndexFunc(text, unicode.IsLetter) >= 0
	return letters && !strings.ContainsRune("。．、，,;；", last) && !(last == '.' && n > 40) && len(l.cells) <= 2
}

// byStyle marks lines with the style of headings.
func byStyle(s *Sheet, marks []mark, styles map[style]int) {
	for i := range s.lines {
		l := &s.lines[i]
		level, ok := styles[l.style()]
		if !ok || marks[i].level > 0 || l.mono || !titled(l) || l.size < 2 {
			continue
		}
		if i > 0 && marks[i-1].level == level && s.lines[i-1].style() == l.style() && s.lines[i-1].flow == l.flow &&
			l.box.Y0-s.lines[i-1].box.Y0 < wideHead*l.size {
			marks[i] = mark{level: level, joined: true}
			continue
		}
		if !alone(s.lines, i) && l.size < 1.05*around(s.lines, i) {
			continue
		}
		marks[i] = mark{level: level}
	}
}

// around returns the larger type size of the adjacent lines.
func around(lines []line, i int) float64 {
	size := 0.0
	if i > 0 {
		size = lines[i-1].size
	}
	if i+1 < len(lines) {
		size = max(size, lines[i+1].size)
	}
	return size
}
