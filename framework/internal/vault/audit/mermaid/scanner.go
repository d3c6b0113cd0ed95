package mermaid

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanner walks over the text of a chart.
type scanner struct {
	src  string
	at   int
	ends []int // places of the line feeds
}

func newScanner(src string) scanner {
	s := scanner{src: src}
	for at := range len(src) {
		if src[at] == '\n' {
			s.ends = append(s.ends, at)
		}
	}
	return s
}

func (s *scanner) done() bool { return s.at >= len(s.src) }

// line is the line of the next byte.
func (s *scanner) line() int {
	before, _ := slices.BinarySearch(s.ends, s.at)
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

// peek is the next byte but n, 0 behind the end.
func (s *scanner) peek(n int) byte {
	if s.at+n >= len(s.src) {
		return 0
	}
	return s.src[s.at+n]
}

// repeat consumes a run of b and returns its length.
func (s *scanner) repeat(b byte) int {
	start := s.at
	for s.peek(0) == b && !s.done() {
		s.at++
	}
	return s.at - start
}

// blanks skips white space within a line.
func (s *scanner) blanks() {
	for !s.done() {
		r, size := utf8.DecodeRuneInString(s.rest())
		if r == '\n' || !unicode.IsSpace(r) {
			return
		}
		s.at += size
	}
}

// restOfLine consumes up to the end of the line, which it leaves.
func (s *scanner) restOfLine() string {
	line, _, _ := strings.Cut(s.rest(), "\n")
	s.at += len(line)
	return strings.TrimSpace(line)
}

// restOfStatement consumes up to a line's end or a semicolon outside quotes.
func (s *scanner) restOfStatement() string {
	start, quoted := s.at, false
	for ; !s.done(); s.at++ {
		switch b := s.peek(0); {
		case b == '\n', b == ';' && !quoted, !quoted && s.has("%%"):
			return strings.TrimSpace(s.src[start:s.at])
		case b == '"':
			quoted = !quoted
		}
	}
	return strings.TrimSpace(s.src[start:])
}

// word is the run of letters that comes next; it consumes nothing.
func (s *scanner) word() string {
	end := strings.IndexFunc(s.rest(), func(r rune) bool { return !(r == '-' || unicode.IsLetter(r)) })
	if end < 0 {
		return s.rest()
	}
	return s.rest()[:end]
}

// identifier consumes the ID of a node. A hyphen belongs to it unless it
// begins an arrow, as does an equals sign.
func (s *scanner) identifier() string {
	start := s.at
	for !s.done() {
		r, size := utf8.DecodeRuneInString(s.rest())
		switch next := s.peek(1); {
		case r == '-' && (next == '-' || next == '.' || next == '>'),
			r == '=' && next == '=', r == '%' && next == '%':
			return s.src[start:s.at]
		case r == utf8.RuneError && size == 1,
			r < utf8.RuneSelf && !strings.ContainsRune(identifierSigns, r) && !isWordByte(byte(r)),
			unicode.IsSpace(r):
			return s.src[start:s.at]
		}
		s.at += size
	}
	return s.src[start:s.at]
}

const identifierSigns = "!#$%'*+.`?\\_/-="

func isWordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9'
}

// quoted consumes a quoted string that comes next and returns its content.
func (s *scanner) quoted() (string, bool) {
	if s.peek(0) != '"' {
		return "", false
	}
	end := strings.IndexByte(s.src[s.at+1:], '"')
	if end < 0 {
		return "", false
	}
	text := s.src[s.at+1 : s.at+1+end]
	s.at += end + 2
	return text, true
}
