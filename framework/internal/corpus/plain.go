package corpus

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/width"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// lineReader reads the lines of a text one by one.
type lineReader struct {
	src   []byte
	lines Lines
}

// at returns a line without trailing space, or "" after the last one.
func (r lineReader) at(line int) string {
	if line < 1 || line > r.lines.Count() {
		return ""
	}
	return strings.TrimRight(strings.TrimPrefix(r.lines.Text(r.src, line), bom), " \t\r\n")
}

// underlinedHeadings finds titles with a line of one repeated sign below them, as in reStructuredText. The kind of line
// that comes first is the highest level.
func underlinedHeadings(src []byte, lines Lines) []heading {
	r, found, kinds := lineReader{src, lines}, []heading{}, []string{}
	for n := 1; n < lines.Count(); n++ {
		first, text, sign := n, r.at(n), adornment(r.at(n+1))
		if over := adornment(text); over != 0 && over == adornment(r.at(n+2)) && adornment(r.at(n+1)) == 0 {
			text, sign = r.at(n+1), over
			n++
		} else if strings.TrimLeft(text, " \t") != text {
			continue // a title is indented only between two such lines
		}
		text = strings.TrimSpace(text)
		if sign == 0 || adornment(text) != 0 || !titled(text) || Columns(text) > Columns(r.at(n+1))+1 {
			n = first
			continue
		}
		kind := strings.Repeat(string(sign), n-first+1)
		level := 0
		for level < len(kinds) && kinds[level] != kind {
			level++
		}
		if level == len(kinds) {
			kinds = append(kinds, kind)
		}
		found = append(found, heading{
			title: oneLine(text), line: uint32(first), body: uint32(n + 2), level: uint8(min(level+1, 6)),
		})
		n++
	}
	return found
}

// asciidocHeadings finds the titles of AsciiDoc outside of literal blocks.
func asciidocHeadings(src []byte, lines Lines) []heading {
	const levels = "=-~^+"
	r, found, block := lineReader{src, lines}, []heading{}, ""
	for n := 1; n <= lines.Count(); n++ {
		text := r.at(n)
		level := len(text) - len(strings.TrimLeft(text, "="))
		sign := adornment(r.at(n + 1))
		switch {
		case block != "":
			if text == block {
				block = ""
			}
		case len(text) >= 4 && adornment(text) != 0 && strings.ContainsRune("-.+/", adornment(text)):
			block = text
		case level >= 1 && level <= 6 && strings.HasPrefix(text[level:], " "):
			title := oneLine(strings.Trim(text, "= "))
			found = append(found, heading{title: title, line: uint32(n), body: uint32(n + 1), level: uint8(level)})
		case sign != 0 && strings.ContainsRune(levels, sign) && titled(text) &&
			!strings.ContainsAny(text[:1], ".[|") && max(Columns(text), Columns(r.at(n+1))) <=
			min(Columns(text), Columns(r.at(n+1)))+2:
			found = append(found, heading{title: oneLine(text), line: uint32(n), body: uint32(n + 2),
				level: uint8(strings.IndexRune(levels, sign) + 1)})
			n++
		}
	}
	return found
}

// adornment returns the punctuation character that a line consists of, at least three times, or 0.
func adornment(line string) rune {
	sign, size := utf8.DecodeRuneInString(line)
	if len(line) < 3 || size != 1 || !unicode.IsPunct(sign) && !unicode.IsSymbol(sign) ||
		strings.Trim(line, string(sign)) != "" {
		return 0
	}
	return sign
}

// titled reports whether a line can be a title.
func titled(text string) bool {
	spoken := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	return len(text) <= maxMarkup && strings.ContainsFunc(text, spoken)
}

// Columns returns the width of a line, in which East Asian characters take two columns.
func Columns(line string) (n int) {
	for _, r := range line {
		switch kind := width.LookupRune(r).Kind(); {
		case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		case kind == width.EastAsianWide || kind == width.EastAsianFullwidth:
			n += 2
		default:
			n++
		}
	}
	return n
}

// windowLines is the number of lines per section in a file without headings.
const windowLines = 40

// cutLines cuts a file without headings into runs of lines.
func cutLines(name string, src []byte) []Section {
	lines, title := NewLines(src), fileStem(name)
	sections, names := []Section{}, newFileNames(name, title)
	for first := 1; first <= lines.Count(); first += windowLines {
		last := min(first+windowLines-1, lines.Count())
		sections = append(sections, Section{
			Section: snapshot.Section{
				Title: title, Node: snapshot.NodeLines, Start: first, End: last, OwnEnd: last, Body: first,
				Parent: snapshot.None,
			},
			HeadingPath: title,
			Names:       names.of(len(sections)),
			Text:        readable([]byte(between(src, lines, first, last))),
		})
	}
	return sections
}
