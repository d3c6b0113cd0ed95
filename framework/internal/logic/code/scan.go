package code

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// scanner cuts a file into tokens and matches its brackets. It reads each byte a bounded number of times.
type scanner struct {
	source
	at       int
	newline  bool     // a line has ended since the last token
	open     []int    // tokens of the open brackets
	frames   []frame  // what continues when an interpolation ends
	heredocs []string // terminators of the here-documents that start on the next line
}

// frame is text that is interrupted by an interpolation.
type frame struct {
	form  form
	depth int  // number of open brackets, including that of the interpolation
	jsx   bool // an element of JSX, not a string
	tag   bool // the interruption is in a tag
	level int  // number of open elements
}

func scan(lang *language, src []byte) *source {
	s := &scanner{source: source{lang: lang, src: src}, newline: true}
	s.tokens = make([]token, 0, len(src)/4)
	if lang.markup != "" {
		s.outside()
	}
	for s.at < len(src) {
		special := func(read func(*scanner) bool) bool { return read(s) }
		if !s.space() && !s.comment() && !slices.ContainsFunc(lang.special, special) && !s.literal() &&
			!s.number() && !s.word() {
			s.sign()
		}
	}
	s.broken = s.broken || len(s.open) > 0
	for _, i := range s.open { // brackets that are never closed reach to the end of the file
		s.tokens[i].match = int32(len(s.tokens) - 1)
	}
	return &s.source
}

// emit makes a token of the text from start to the scanner's position.
func (s *scanner) emit(kind tokenKind, start int) {
	s.tokens = append(s.tokens, token{kind, s.newline, int32(start), int32(s.at), none})
	s.newline = false
}

func (s *scanner) has(prefix string) bool {
	return prefix != "" && len(s.src)-s.at >= len(prefix) && string(s.src[s.at:s.at+len(prefix)]) == prefix
}

// peek returns the byte at a distance of n, or 0 outside the file.
func (s *scanner) peek(n int) byte {
	if s.at+n < 0 || s.at+n >= len(s.src) {
		return 0
	}
	return s.src[s.at+n]
}

func (s *scanner) space() bool {
	switch c := s.src[s.at]; c {
	case '\n', '\r':
		s.newline = true
		s.at++
		if c == '\n' || s.peek(0) != '\n' {
			for _, end := range s.heredocs { // announced on the line that has just ended
				s.hereDocument(end)
			}
			s.heredocs = s.heredocs[:0]
		}
	case ' ', '\t', '\f', '\v':
		s.at++
	default:
		return false
	}
	return true
}

func (s *scanner) comment() bool {
	for _, c := range s.lang.comments {
		if !s.has(c.open) || s.has(c.unless) || c.column && !s.newline {
			continue
		}
		start := s.at
		s.skipComment(c)
		if !c.directive {
			s.comments = append(s.comments, Span{start, s.at})
		}
		return true
	}
	return false
}

func (s *scanner) skipComment(c commentForm) {
	s.at += len(c.open)
	if c.close == "" {
		end := s.lineEnd(s.at)
		if n := bytes.Index(s.src[s.at:end], []byte(c.until)); c.until != "" && n >= 0 {
			end = s.at + n
		}
		s.at = end
		return
	}
	for depth := 1; s.at < len(s.src); s.at++ {
		switch {
		case c.nests && s.has(c.open):
			depth++
			s.at += len(c.open) - 1
		case s.has(c.close):
			if depth--; depth == 0 {
				s.at += len(c.close)
				return
			}
			s.at += len(c.close) - 1
		}
	}
}

// while returns the end of the run of bytes from at that belong together.
func (s *scanner) while(at int, belongs func(byte) bool) int {
	for at < len(s.src) && belongs(s.src[at]) {
		at++
	}
	return at
}

// lineEnd returns the position of the first line break from at on, or the end of the file.
func (s *scanner) lineEnd(at int) int {
	return s.while(at, func(c byte) bool { return c != '\n' && c != '\r' })
}

func (s *scanner) number() bool {
	c := s.src[s.at]
	if !digit(c) && (c != '.' || !digit(s.peek(1))) {
		return false
	}
	start := s.at
	for s.at++; ; s.at++ {
		switch c := s.peek(0); {
		case digit(c), asciiLetter(c), c == '_':
		case c == '.' && digit(s.peek(1)) && s.src[start] != '.':
		case (c == '+' || c == '-') && s.src[s.at-1]|0x20 == 'e' && digit(s.peek(1)):
		default:
			s.emit(number, start)
			return true
		}
	}
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

func alphanumeric(c byte) bool { return letter(rune(c)) || digit(c) }

func (s *scanner) word() bool {
	start := s.at
	s.at += s.wordStart()
	if s.at == start {
		return false
	}
	for s.at < len(s.src) {
		r, n := utf8.DecodeRune(s.src[s.at:])
		if !letter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(s.lang.wordSigns, r) {
			break
		}
		s.at += n
	}
	if strings.IndexByte(s.lang.wordEnds, s.peek(0)) >= 0 && (s.peek(1) != '=' || s.peek(2) == '=') {
		s.at++
	}
	s.emit(word, start)
	return true
}

// wordStart returns the length of the first letter of a word and its sigils, or 0 if no word begins here.
func (s *scanner) wordStart() int {
	n := 0
	for n < 2 && strings.IndexByte(s.lang.sigils, s.peek(n)) >= 0 {
		n++
	}
	r, size := utf8.DecodeRune(s.src[min(s.at+n, len(s.src)):])
	if letter(r) {
		return n + size
	}
	return 0
}

func letter(r rune) bool {
	return r == '_' || 'a' <= r|0x20 && r|0x20 <= 'z' || r == '$' ||
		r >= utf8.RuneSelf && r != utf8.RuneError && unicode.IsLetter(r)
}
