package code

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// operators are the operators of more than one byte that must not be split, longest first. ">>" is missing because it
// may close two lists of type arguments.
var operators = []string{
	"<=>", "===", "!==", "...", "**=", "&&=", "||=", "??=", "?->", "..=",
	"=>", "->", "::", "<=", ">=", "==", "!=", "&&", "||", "??", "?.", "&.", "..", "+=", "-=", "*=", "/=", "%=",
	"|=", "&=", "^=", ":=", "=~", "!~", "++", "--", "**", "<>",
}

// closer returns the bracket that closes open, or 0 if open is not a bracket.
func closer(open byte) byte {
	if i := strings.IndexByte("([{<", open); i >= 0 {
		return ")]}>"[i]
	}
	return 0
}

// sign reads an operator or bracket.
func (s *scanner) sign() {
	start := s.at
	if i := slices.IndexFunc(operators, s.has); i >= 0 {
		s.at += len(operators[i])
	} else {
		_, n := utf8.DecodeRune(s.src[s.at:])
		s.at += n
	}
	s.emit(punct, start)
	switch c := s.src[start]; c {
	case '(', '[', '{':
		s.open = append(s.open, len(s.tokens)-1)
	case ')', ']', '}':
		s.close(c)
	}
}

// searched is how many open brackets are searched for the partner of a closing one.
const searched = 64

// close matches the last token, a closing bracket, with its partner. Brackets that are still open in between end here;
// a closing bracket without a partner is ignored.
func (s *scanner) close(sign byte) {
	for n := len(s.open) - 1; n >= max(0, len(s.open)-searched); n-- {
		if closer(s.src[s.tokens[s.open[n]].end-1]) != sign {
			continue
		}
		if len(s.frames) > 0 && n < s.frames[len(s.frames)-1].depth-1 {
			break // only its own bracket ends an interpolation
		}
		s.pair(n)
		return
	}
	s.broken = true
}

// pair matches the last token with the open bracket n.
func (s *scanner) pair(n int) {
	last := len(s.tokens) - 1
	s.broken = s.broken || n < len(s.open)-1
	for _, i := range s.open[n:] {
		s.tokens[i].match = int32(last)
	}
	s.tokens[last].match = int32(s.open[n])
	s.open = s.open[:n]
	if f := len(s.frames) - 1; f >= 0 && s.frames[f].depth == n+1 {
		back := s.frames[f]
		s.frames = s.frames[:f]
		if back.jsx {
			s.element(back.tag, back.level)
		} else {
			s.body(back.form, s.at)
		}
	}
}
