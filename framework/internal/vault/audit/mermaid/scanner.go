package mermaid

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// scanner walks over the text of a chart.
type scanner struct {
	src  string
	at   int
	ends []int // places of the line feeds
	last int   // behind the last that is not white space
	// found holds where marks come next, as far as they were looked for.
	found map[string]int
}

func newScanner(src string) scanner {
	s := scanner{src: src, last: len(strings.TrimRight(src, " \t\n")), found: map[string]int{}}
	for at := range len(src) {
		if src[at] == '\n' {
			s.ends = append(s.ends, at)
		}
	}
	return s
}

func (s *scanner) done() bool { return s.at >= len(s.src) }

// line returns the line of the next byte; behind the end, the last line that holds anything.
func (s *scanner) line() int {
	at := s.at
	if s.done() {
		at = s.last
	}
	before, _ := slices.BinarySearch(s.ends, at)
	return before + 1
}

func (s *scanner) rest() string { return s.src[s.at:] }

func (s *scanner) has(prefix string) bool { return strings.HasPrefix(s.rest(), prefix) }

// take consumes prefix if it comes next.
func (s *scanner) take(prefix string) bool {
	if !s.has(prefix) {
		return false
	}
	s.at += len(prefix)
	return true
}

// peek returns the next byte but n, 0 behind the end.
func (s *scanner) peek(n int) byte {
	if s.at+n >= len(s.src) {
		return 0
	}
	return s.src[s.at+n]
}

// skip consumes a run of the given characters.
func (s *scanner) skip(set string) { s.at += len(s.rest()) - len(strings.TrimLeft(s.rest(), set)) }

// spaces skips white space, line ends too.
func (s *scanner) spaces() { s.skip(" \t\n") }

// blanks skips white space within a line.
func (s *scanner) blanks() {
	isBlank := func(r rune) bool { return r != '\n' && unicode.IsSpace(r) }
	s.at += len(s.rest()) - len(strings.TrimLeftFunc(s.rest(), isBlank))
}

// next returns where a mark comes next, found by find, or the end of the text. It may not be asked for an earlier place
// than before.
func (s *scanner) next(mark string, find func(s, mark string) int) int {
	at, known := s.found[mark]
	if !known || at < s.at {
		if at = find(s.rest(), mark); at < 0 {
			at = len(s.rest())
		}
		at += s.at
		s.found[mark] = at
	}
	return at
}

// until consumes up to one of the given characters, which it leaves.
func (s *scanner) until(set string) string {
	start := s.at
	if length := strings.IndexAny(s.rest(), set); length >= 0 {
		s.at += length
	} else {
		s.at = len(s.src)
	}
	return s.src[start:s.at]
}

// restOfLine consumes up to the end of the line, which it leaves.
func (s *scanner) restOfLine() string { return strings.TrimSpace(s.until("\n")) }

// restOfStatement consumes up to a line's end, or a semicolon or a comment outside quotes.
func (s *scanner) restOfStatement() string {
	start, quoted := s.at, false
	for ; !s.done() && !s.has("\n") && (quoted || !s.has(";") && !s.has("%%")); s.at++ {
		quoted = quoted != s.has(`"`)
	}
	return strings.TrimSpace(s.src[start:s.at])
}

var letters = lazyregexp.New(`^[-\p{L}]*`)

// word returns the run of letters that comes next; it consumes nothing.
func (s *scanner) word() string { return letters().FindString(s.rest()) }

// identifier consumes the ID of a node. A hyphen belongs to it unless it
// begins an arrow, as does an equals sign.
func (s *scanner) identifier() string {
	start := s.at
	for !s.done() {
		r, size := utf8.DecodeRuneInString(s.rest())
		switch next := s.peek(1); {
		case r == '-' && (next == '-' || next == '.' || next == '>'),
			(r == '=' || r == '%') && next == byte(r),
			r == utf8.RuneError && size == 1,
			r < utf8.RuneSelf && strings.IndexByte(identifierSigns, byte(r)) < 0,
			unicode.IsSpace(r):
			return s.src[start:s.at]
		}
		s.at += size
	}
	return s.src[start:]
}

const identifierSigns = "!#$%'*+.`?\\_/-=0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"

// quoted consumes a quoted string that comes next and returns its content.
func (s *scanner) quoted() (string, bool) {
	if !s.has(`"`) {
		return "", false
	}
	text, _, closed := strings.Cut(s.rest()[1:], `"`)
	if !closed {
		return "", false
	}
	s.at += len(text) + 2
	return text, true
}
