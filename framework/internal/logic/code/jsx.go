package code

import "strings"

// jsx reads an element where a value may begin. Text and attributes become strings; the content of braces is code.
func jsx(s *scanner) bool {
	next := rune(s.peek(1))
	if s.src[s.at] != '<' || s.value() || !letter(next) && next != '>' || s.typeParameters() {
		return false
	}
	s.element(false, 0)
	return true
}

// typeParameters reports whether a generic arrow function begins here rather than an element: <T,>(…) => or <T extends
// U>(…) =>.
func (s *scanner) typeParameters() bool {
	at := s.while(s.at+1, func(c byte) bool { return asciiLetter(c) || digit(c) })
	rest := string(s.src[at:min(len(s.src), at+9)])
	return strings.HasPrefix(rest, ",") || rest == " extends " || strings.HasPrefix(rest, ">(")
}

// element continues to read an element, level elements deep, up to its end or the next brace. inTag means that the
// scanner is inside a tag.
func (s *scanner) element(inTag bool, level int) {
	start := s.at
	for s.at < len(s.src) {
		c := s.src[s.at]
		switch {
		case c == '{':
			s.hole(frame{jsx: true, tag: inTag, level: level}, start, 1)
			return
		case inTag && (c == '"' || c == '\''):
			s.at++
			s.skipPast(c)
		case inTag && s.has("/>"):
			inTag, level = false, level-1
			s.at += 2
		case inTag && c == '>' && s.peek(-1) != '=':
			inTag = false
			s.at++
			continue
		case !inTag && s.has("</"):
			level--
			s.skipPast('>')
		case !inTag && c == '<':
			inTag, level = true, level+1
			s.tagName()
			continue
		default:
			s.at++
			continue
		}
		if level <= 0 && !inTag {
			break
		}
	}
	s.broken = s.broken || s.at >= len(s.src) && level > 0
	s.emit(text, start)
}

// tagName reads < and the following name with its type arguments.
func (s *scanner) tagName() {
	s.at = s.while(s.at+1, func(c byte) bool { return asciiLetter(c) || digit(c) || c == '.' || c == '_' })
	if s.peek(0) == '<' {
		s.skipPast('>')
	}
}

func (s *scanner) skipPast(end byte) {
	s.at = min(s.while(s.at, func(c byte) bool { return c != end })+1, len(s.src))
}
