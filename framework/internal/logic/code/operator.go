package code

// operators are the signs of more than one byte that must not be cut, longest
// first. ">>" is none of them: it closes two lists of type arguments.
var operators = []string{
	"<=>", "===", "!==", "...", "**=", "&&=", "||=", "??=", "?->", "..=",
	"=>", "->", "::", "<=", ">=", "==", "!=", "&&", "||", "??", "?.", "&.", "..", "+=", "-=", "*=", "/=", "%=",
	"|=", "&=", "^=", ":=", "=~", "!~", "++", "--", "**", "<>",
}

// closers names the bracket that a bracket closes.
var closers = map[byte]byte{')': '(', ']': '[', '}': '{'}

// sign reads an operator or bracket.
func (s *scanner) sign() {
	start := s.at
	s.at += s.signLength()
	s.emit(punct, start)
	if s.at-start > 1 {
		return
	}
	switch c := s.src[start]; c {
	case '(', '[', '{':
		s.open = append(s.open, len(s.tokens)-1)
	case ')', ']', '}':
		s.close(closers[c])
	}
}

func (s *scanner) signLength() int {
	for _, o := range operators {
		if s.has(o) {
			return len(o)
		}
	}
	_, n := s.rune()
	return n
}

// searched is how many open brackets a closing one looks at for its partner.
const searched = 64

// close matches the last token, a closing bracket, with its partner. Brackets left
// open in between end here; a closing one without partner is passed over.
func (s *scanner) close(opener byte) {
	for n := len(s.open) - 1; n >= max(0, len(s.open)-searched); n-- {
		if s.src[s.tokens[s.open[n]].end-1] != opener {
			continue
		}
		if len(s.frames) > 0 && n < s.frames[len(s.frames)-1].depth-1 {
			break // an interpolation ends by its own bracket only
		}
		s.pair(n)
		return
	}
	s.broken = true
}

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
		s.resume(back)
	}
}

func (s *scanner) resume(f frame) {
	if f.jsx {
		s.element(f.tag, f.level)
		return
	}
	s.body(f.form, s.at)
}
