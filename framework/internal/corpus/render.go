package corpus

import (
	"bytes"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// programTitle matches a title set by a program, which says nothing about the document.
var programTitle = lazyregexp.New(`(?i)^(?:powerpoint[ -]?\S*|(?:slide|スライド|document|文書) ?\d*|untitled(?: document)?|\(anonymous\)|` +
	`無題(?:のドキュメント)?|(?:unknown|no) title)$`)

// Render writes the blocks of a document as one Markdown text, with the place of each line. Its headings are exactly
// those of the blocks, whatever their texts contain.
func Render(c *sdk.Converted) (src []byte, places Places) {
	var out bytes.Buffer
	line := 1
	write := func(s string) {
		out.WriteString(s)
		line += strings.Count(s, "\n")
	}
	if c.Title != "" && !programTitle().MatchString(c.Title) {
		write("---\ntitle: \"" + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(c.Title) + "\"\n---\n\n")
	}
	for i := range c.Blocks {
		b := &c.Blocks[i]
		if at := places.At(line); b.Place != (sdk.Place{}) && b.Place != at {
			places = append(places, Placed{line, b.Place.Page, b.Place.Anchor, b.Place.Sheet})
		}
		if b.Level > 0 {
			write(strings.Repeat("#", b.Level) + " " + headingMarkup(b.Heading) + "\n\n")
		}
		if text := bodyMarkup(b.Text); text != "" {
			if line == 1 && (strings.HasPrefix(text, "---") || strings.HasPrefix(text, "+++")) {
				write("\n") // otherwise it would begin front matter
			}
			write(text + "\n\n")
		}
	}
	return append(bytes.TrimRight(out.Bytes(), "\n"), '\n'), places
}

// headingMarkup returns the Markdown for a line of plain text, escaped if it would be read as something else.
func headingMarkup(plain string) string {
	plain = oneLine(plain)
	if !strings.ContainsAny(plain, "[]\\`") && !strings.HasSuffix(plain, "#") && reads(plain, plain) {
		return plain
	}
	return escapePunctuation(plain)
}

// reads reports whether a heading with some markup has the wanted title.
func reads(markup, wanted string) bool {
	src := []byte("# " + markup + "\n")
	found, _ := headings(src, 0, NewLines(src))
	return len(found) == 1 && found[0].title == wanted
}

// bodyMarkup returns a text without headings that leaves nothing open which would swallow what follows. Otherwise it
// escapes: first the lines of headings, then every line that could begin a block.
func bodyMarkup(text string) string {
	text = strings.Trim(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
	text = strings.TrimPrefix(text, bom)
	if strings.TrimSpace(text) == "" {
		return ""
	}
	for range 3 {
		found := headingLines(text)
		if found == nil {
			return text
		}
		text = escapeLines(text, func(n int) bool { return found[n] })
	}
	return escapeLines(text, func(int) bool { return true })
}

// headingLines returns the lines, from 0, of the headings in a text and of their underlines, or all lines if something
// stays open. It returns nil if the text can be used unchanged.
func headingLines(text string) map[int]bool {
	const last = "\n\n# last\n"
	src := []byte(text + last)
	lines := NewLines(src)
	found, _ := headings(src, 0, lines)
	end := lines.Count() // of the added heading
	if n := len(found); n == 1 && int(found[0].line) == end && found[0].level == 1 {
		return nil
	}
	out := map[int]bool{}
	for _, h := range found {
		for line := int(h.line); line < int(h.body); line++ {
			out[line-1] = true
		}
	}
	if n := len(found); n == 0 || int(found[n-1].line) != end {
		for line := range strings.Count(text, "\n") + 1 {
			out[line] = true
		}
	}
	return out
}

// escapeLines puts a backslash before the first character of lines where it is punctuation, so that the line begins no
// block. n counts from 0.
func escapeLines(text string, which func(n int) bool) string {
	lines := strings.Split(text, "\n")
	for n, line := range lines {
		rest := strings.TrimLeft(line, " \t")
		if which(n) && punctuation().MatchString(rest[:min(1, len(rest))]) {
			lines[n] = `\` + rest
		}
	}
	return strings.Join(lines, "\n")
}

// punctuation matches the characters that a backslash escapes in Markdown.
var punctuation = lazyregexp.New(`[[:punct:]]`)

func escapePunctuation(s string) string { return punctuation().ReplaceAllString(s, `\$0`) }
