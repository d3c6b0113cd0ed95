package code

import "strings"

// tokenKind is all that the scanner knows about a token.
type tokenKind uint8

const (
	word tokenKind = iota
	number
	text // a string or its part beside an interpolation, a character, a regular expression
	punct
)

// none is the match of a bracket without a partner.
const none = -1

// token is a piece of source without the space and comments around it.
type token struct {
	kind       tokenKind
	first      bool // only space and comments precede it on its line
	start, end int32
	match      int32 // index of a bracket's partner, or none
}

// source is a scanned file.
type source struct {
	lang     *language
	src      []byte
	tokens   []token
	comments []Span
	broken   bool // brackets do not match
}

// text returns the text of token i, or "" outside the file.
func (s *source) text(i int) string {
	if i < 0 || i >= len(s.tokens) {
		return ""
	}
	return string(s.src[s.tokens[i].start:s.tokens[i].end])
}

// plain returns the word or sign that token i is, or nothing for a string and outside the file.
func (s *source) plain(i int) []byte {
	if i < 0 || i >= len(s.tokens) || s.tokens[i].kind == text {
		return nil
	}
	return s.src[s.tokens[i].start:s.tokens[i].end]
}

// is reports whether token i is a given word or sign.
func (s *source) is(i int, want string) bool { return string(s.plain(i)) == want }

// kind returns the kind of token i. Outside the file it is punct.
func (s *source) kind(i int) tokenKind {
	if i < 0 || i >= len(s.tokens) {
		return punct
	}
	return s.tokens[i].kind
}

// in reports whether token i is a word or sign of the set.
func (s *source) in(i int, set words) bool { return set[string(s.plain(i))] }

// oneOf reports whether token i is one of the words and signs in a list that is separated by spaces.
func (s *source) oneOf(i int, list string) bool {
	t := s.plain(i)
	for want := range strings.SplitSeq(list, " ") {
		if want == string(t) {
			return true
		}
	}
	return false
}

// first reports whether token i starts its line.
func (s *source) first(i int) bool { return i >= 0 && i < len(s.tokens) && s.tokens[i].first }

// match returns the partner of the bracket i, or none.
func (s *source) match(i int) int {
	if i < 0 || i >= len(s.tokens) {
		return none
	}
	return int(s.tokens[i].match)
}

// glued reports whether token i directly follows the one before it.
func (s *source) glued(i int) bool {
	return i > 0 && i < len(s.tokens) && s.tokens[i-1].end == s.tokens[i].start
}

// opensHole reports whether token i opens an interpolation.
func (s *source) opensHole(i int) bool {
	return s.kind(i) == text && s.src[s.tokens[i].end-1] == '{' && (s.match(i) > i || i == len(s.tokens)-1)
}

// over returns the token after i, or after the group that i opens.
func (s *source) over(i int) int {
	if m := s.match(i); m > i {
		return m + 1
	}
	return i + 1
}

// back returns the token before i, or before the group that i closes.
func (s *source) back(i int) int {
	if m := s.match(i); m != none && m < i {
		return m - 1
	}
	return i - 1
}
