package mermaid

import "strings"

// link is an arrow with what is written on it.
type link struct {
	id    string
	arrow Arrow
	label string
}

// atLink reports whether an arrow comes next.
func (s *scanner) atLink() bool {
	if s.has("~~~") {
		return true
	}
	from := s.rest()
	if len(from) > 0 && strings.IndexByte("<xo", from[0]) >= 0 {
		from = from[1:]
	}
	return strings.HasPrefix(from, "--") || strings.HasPrefix(from, "==") || strings.HasPrefix(from, "-.")
}

// link consumes an arrow and its label, in whichever way it is written.
func (p *parser) link() (link, bool) {
	id := p.linkID()
	if !p.atLink() {
		return link{}, false
	}
	if length := p.repeat('~'); length > 0 {
		return link{id, Arrow{Stroke: Invisible, Length: length - 2}, ""}, true
	}
	arrow := Arrow{Start: p.head("<xo"), Stroke: p.stroke()}
	whole, ok := p.close(arrow.Stroke)
	label := ""
	if !ok {
		p.at += 2
		if label, whole, ok = p.textUntilClose(arrow.Stroke); !ok {
			p.fail("the arrow after the text %q is missing", cut(label))
			return link{}, false
		}
	}
	arrow.End, arrow.Length = whole.End, whole.Length
	if piped, ok := p.piped(); ok {
		label = piped
	} else if p.failed {
		return link{}, false
	}
	return link{id, arrow, plain(label)}, true
}

// linkID consumes `name@` before an arrow.
func (p *parser) linkID() string {
	start := p.at
	if id := p.identifier(); id != "" && p.take("@") && p.atLink() {
		return id
	}
	p.at = start
	return ""
}

func (s *scanner) head(signs string) Head {
	if s.done() || strings.IndexByte(signs, s.peek(0)) < 0 {
		return Open
	}
	s.at++
	switch s.src[s.at-1] {
	case 'x':
		return Cross
	case 'o':
		return Circle
	}
	return Point
}

// stroke returns which line comes next and consumes nothing.
func (s *scanner) stroke() Stroke {
	switch {
	case s.has("=="):
		return Thick
	case s.has("-."), s.has("."):
		return Dotted
	}
	return Normal
}

// close consumes a whole arrow without text on it, or the end of one with
// text: dashes and a head, at least three signs in all.
func (s *scanner) close(stroke Stroke) (Arrow, bool) {
	if stroke == Dotted {
		return s.closeDotted()
	}
	start, sign := s.at, byte('-')
	if stroke == Thick {
		sign = '='
	}
	length := s.repeat(sign)
	switch end := s.head(">xo"); {
	case length >= 2 && end != Open:
		return Arrow{End: end, Length: length - 1}, true
	case length >= 3:
		return Arrow{Length: length - 2}, true
	}
	s.at = start
	return Arrow{}, false
}

func (s *scanner) closeDotted() (Arrow, bool) {
	start := s.at
	s.take("-")
	length := s.repeat('.')
	if length == 0 || !s.take("-") {
		s.at = start
		return Arrow{}, false
	}
	return Arrow{End: s.head(">xo"), Length: length}, true
}

// textUntilClose consumes the text on an arrow and the arrow's end.
func (p *parser) textUntilClose(stroke Stroke) (text string, end Arrow, ok bool) {
	start := p.at
	p.blanks()
	if quoted, ok := p.quoted(); ok {
		p.blanks()
		end, ok = p.close(stroke)
		return quoted, end, ok
	}
	for p.at = start; !p.done() && p.peek(0) != '\n'; p.at++ {
		text = p.src[start:p.at]
		if p.endsHere(stroke) {
			if end, ok := p.close(stroke); ok {
				return text, end, true
			}
		}
	}
	return text, Arrow{}, false
}

// endsHere reports whether the signs that end an arrow of a stroke come next.
func (s *scanner) endsHere(stroke Stroke) bool {
	switch stroke {
	case Thick:
		return s.has("==")
	case Dotted:
		return s.has(".") || s.has("-.")
	}
	return s.has("--")
}

// piped consumes `|text|`.
func (p *parser) piped() (string, bool) {
	start := p.at
	p.blanks()
	if !p.take("|") {
		p.at = start
		return "", false
	}
	p.blanks()
	text, ok := p.quoted()
	if !ok {
		end := strings.IndexAny(p.rest(), "|\n")
		if end < 0 {
			end = len(p.rest())
		}
		text = p.rest()[:end]
		p.at += end
	}
	p.blanks()
	if !p.take("|") {
		p.fail("the text %q on an arrow is not closed with |", cut(text))
		return "", false
	}
	return text, true
}
