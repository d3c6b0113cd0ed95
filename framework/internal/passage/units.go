package passage

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Unit is the smallest piece of a text that is shown: a sentence, a table row, a list item or a code block.
type Unit struct {
	Text string // as written
	Line int    // of its first byte, from 0
	Over int    // index of the header of its table or the lead of its list; -1 for none
}

// Units cuts a text into its units, in order.
func Units(source string) []Unit {
	units := cut(source)
	out := make([]Unit, len(units))
	for i, u := range units {
		out[i] = Unit{Text: source[u.from:u.to], Line: u.line, Over: u.over}
	}
	return out
}

// Code reports whether the unit is a code block.
func (u Unit) Code() bool { return fenced(u.Text) }

// Aside reports whether the unit says nothing by itself: markup, images with their descriptions, or imports of MDX.
func (u Unit) Aside() bool { return aside(u.Text) }

// Row reports whether the unit is a row of a table.
func (u Unit) Row() bool { return row(u.Text) || htmlRow(u.Text) > 0 }

// Sentence returns the text on one line, without > marks, a table header without the dashes below it, and a row in HTML
// as one in Markdown. It returns a code block as written.
func (u Unit) Sentence() string {
	if htmlRow(u.Text) > 0 {
		cells := tag().ReplaceAllLiteralString(cellEnd().ReplaceAllLiteralString(u.Text, " | "), " ")
		return "| " + strings.Join(strings.Fields(cells), " ")
	}
	if u.Code() || !strings.ContainsAny(u.Text, "\n>") {
		return u.Text
	}
	if row(u.Text) {
		return firstLine(u.Text)
	}
	var out strings.Builder
	before := ' '
	for l := range strings.Lines(u.Text) {
		if l = unquoted(l); l == "" {
			continue
		}
		after, _ := utf8.DecodeRuneInString(l)
		if out.Len() > 0 && !text.IsCJK(before) && !text.IsCJK(after) && before != '、' {
			out.WriteByte(' ')
		}
		out.WriteString(l)
		before, _ = utf8.DecodeLastRuneInString(l)
	}
	return out.String()
}

// sentenceEnd returns the end in bytes of the first sentence of a line, or of lines that belong together. A Latin full
// stop ends a sentence only before a space or the end of a line, and not after a single letter or an abbreviation.
// Marks that close the line after its last word, such as ** or ", belong to its last sentence.
func sentenceEnd(line string, lastWord int) int {
	depth := 0
	for i, r := range line {
		switch r {
		case '「', '『', '（', '(':
			depth++
		case '」', '』', '）', ')':
			depth = max(0, depth-1)
		case '。', '！', '？', '．':
			if end := i + utf8.RuneLen(r); depth == 0 && end <= lastWord {
				return end
			}
		case '.', '!', '?':
			rest := line[i+1:]
			if depth == 0 && rest != "" && strings.Contains(" \r\n", rest[:1]) && !abbreviated(line[:i]) {
				return i + 1
			}
		}
	}
	return len(line)
}

// lastWord returns the place of the last character of a word in a line, or -1.
func lastWord(line string) int { return strings.LastIndexFunc(line, isWord) }

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) }

func abbreviated(before string) bool {
	last := before[strings.LastIndexAny(before, " \n(")+1:]
	switch last {
	case "e.g", "i.e", "No", "no", "vs", "etc", "Mr", "Mrs", "Ms", "Dr", "St", "approx", "Sec", "Art", "Fig", "cf":
		return true
	}
	return len(last) == 1 && last != "I"
}
