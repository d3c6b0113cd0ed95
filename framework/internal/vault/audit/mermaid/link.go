package mermaid

import (
	"regexp"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

var (
	// wholeArrow is an arrow without text on it, arrowStart what begins one, with the two signs
	// of its line as a group.
	wholeArrow = lazyregexp.New(`^(?:~~~+|[<xo]?(?:--+[->xo]|==+[=>xo]|-\.+-[>xo]?))`)
	arrowStart = lazyregexp.New(`^(?:~~~|[<xo]?(--|==|-\.))`)
	// arrowEnds end an arrow behind the text on it, by those two signs.
	arrowEnds = map[string]func() *regexp.Regexp{
		"--": lazyregexp.New(`--+[->xo]`),
		"==": lazyregexp.New(`==+[=>xo]`),
		"-.": lazyregexp.New(`-?\.+-[>xo]?`),
	}
)

// atLink reports whether an arrow comes next.
func (s *scanner) atLink() bool { return arrowStart().MatchString(s.rest()) }

// link consumes an arrow and its label, in whichever way it is written. It returns false where
// no arrow comes next or it cannot be read.
func (p *parser) link() (Edge, bool) {
	e := Edge{Line: p.line(), ID: p.linkID()}
	start := arrowStart().FindStringSubmatch(p.rest())
	if start == nil {
		return e, false
	}
	arrow := wholeArrow().FindString(p.rest())
	p.at += len(arrow)
	if e.Invisible = start[1] == ""; e.Invisible {
		return e, true
	}
	if arrow == "" {
		p.at += len(start[0])
		e.Label, arrow = p.textUntil(arrowEnds[start[1]]())
	}
	e.Back = strings.Contains("<xo", start[0][:1])
	e.Forth = strings.HasSuffix(arrow, ">") || strings.HasSuffix(arrow, "x") || strings.HasSuffix(arrow, "o")
	if text, ok := p.piped(); ok {
		e.Label = text
	}
	e.Label = plain(e.Label)
	return e, !p.failed
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

// textUntil consumes the text on an arrow, which may be quoted, and the arrow's end.
func (p *parser) textUntil(end *regexp.Regexp) (text, arrow string) {
	start := p.at
	p.blanks()
	text, quoted := p.quoted()
	if quoted {
		p.blanks()
	} else {
		p.at = start
	}
	line := p.src[p.at:p.next("\n", strings.Index)]
	found := end.FindStringIndex(line)
	if found == nil || quoted && found[0] > 0 {
		if !quoted {
			text = line
		}
		p.fail("the arrow after the text %q is missing", cut(text))
		return text, ""
	}
	if !quoted {
		text = line[:found[0]]
	}
	p.at += found[1]
	return text, line[found[0]:found[1]]
}

// piped consumes `|text|`.
func (p *parser) piped() (string, bool) {
	start := p.at
	p.blanks()
	if p.failed || !p.take("|") {
		p.at = start
		return "", false
	}
	p.blanks()
	text, ok := p.quoted()
	if !ok {
		text = p.until("|\n")
	}
	p.blanks()
	if !p.take("|") {
		p.fail("the text %q on an arrow is not closed with |", cut(text))
	}
	return text, true
}
