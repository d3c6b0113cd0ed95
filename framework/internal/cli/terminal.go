package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// output is standard output that remembers the first failure: half an answer must
// not pass for a whole one.
type output struct {
	*os.File
	err error
}

func (o *output) Write(p []byte) (int, error) {
	n, err := o.File.Write(p)
	if o.err == nil {
		o.err = err
	}
	return n, err
}

// style paints text for a terminal, or leaves it alone.
type style struct{ on bool }

// styleFor paints only where a person looks: on a terminal, and unless NO_COLOR
// is set.
func styleFor(w io.Writer) style {
	return style{on: os.Getenv("NO_COLOR") == "" && onTerminal(w)}
}

func (s style) paint(code, text string) string {
	if !s.on || text == "" {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

func (s style) bold(text string) string  { return s.paint("1", text) }
func (s style) faint(text string) string { return s.paint("2", text) }
func (s style) path(text string) string  { return s.paint("36", text) }
func (s style) match(text string) string { return s.paint("1;33", text) }

// line paints a place in a file as PATH:LINE.
func (s style) line(path string, n int) string { return s.path(plain(fmt.Sprintf("%s:%d", path, n))) }

// plain makes control characters visible: a manual's text must not steer the
// terminal of who searches it.
func plain(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return ' '
		case unicode.IsControl(r):
			return '\uFFFD'
		}
		return r
	}, text)
}

// snippet lays a snippet out on one line, its matches painted. Without colour
// they are marked by brackets.
func (s style) snippet(sn search.Snippet) string {
	var b strings.Builder
	at := 0
	for _, m := range sn.Marks {
		b.WriteString(plain(sn.Text[at:m[0]]))
		if s.on {
			b.WriteString(s.match(plain(sn.Text[m[0]:m[1]])))
		} else {
			b.WriteString("[" + plain(sn.Text[m[0]:m[1]]) + "]")
		}
		at = m[1]
	}
	b.WriteString(plain(sn.Text[at:]))
	return strings.Join(strings.Fields(b.String()), " ")
}
