package rule

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// guard is a condition with what happens when it holds.
type guard struct {
	line, last int
	condition  string
	body       string
	sign       int // bad -1 where the body gives up, good 1 where it grants
}

var (
	givesUp = lazyregexp.New(`\b(?:throw|raise|panic|reject|abort|deny|fail|halt)\b|\b(?:return|Err\()\s*(?:\w+,\s*)*(?:&?\w+\.)?(?:[eE]rr[A-Z_]\w*|[eE]rr(?:or)?s?\b|[A-Z]\w*Error\b|fmt\.Errorf)|errors\.New|\breturn (?:false|False)\b|\(\s*[45]\d\d\b|\bstatus(?:_code|Code)?\s*[=:]\s*[45]\d\d\b|\bHTTPException\b|http\.Error\(|sendStatus\(4|status\(4`)
	grants  = lazyregexp.New(`\breturn (?:true|True)\b`)
	// gives is a return of something that is made for the caller.
	gives = lazyregexp.New(`\breturn (?:await )?[A-Za-z_][\w.]*\([^)]`)
	// passesOn is a condition that only hands an error on.
	passesOn = lazyregexp.New(`\berr\b\s*(?:!=|:=)|:=.*;\s*err\b`)
)

// readGuards reads the conditions of the unit that branch.
func (r *reader) readGuards() []guard {
	guards := []guard{}
	for _, c := range r.unit.Facts.Conditions {
		if c.Word != "if" && c.Word != "elif" && c.Word != "unless" && c.Word != "elsif" {
			continue
		}
		body, last := r.block(c.Line)
		g := guard{line: c.Line, last: last, condition: c.Text, body: body}
		if c.Word == "unless" {
			g.condition = "!(" + c.Text + ")"
		}
		switch {
		case givesUp().MatchString(body):
			g.sign = -1
		case grants().MatchString(body) || gives().MatchString(body):
			g.sign = 1
		}
		guards = append(guards, g)
	}
	return guards
}

// block is what stands deeper than the condition on a line, or behind it.
func (r *reader) block(line int) (body string, last int) {
	if line < 1 || line > len(r.lines) {
		return "", line
	}
	depth, lines := indent(r.lines[line-1]), []string{}
	first := r.lines[line-1]
	if at := strings.LastIndexAny(first, "){:"); at >= 0 {
		lines = append(lines, first[at+1:])
	}
	last = line
	for n := line + 1; n <= r.unit.Last && n <= len(r.lines); n++ {
		text := r.lines[n-1]
		if strings.TrimSpace(text) == "" {
			continue
		}
		if indent(text) <= depth {
			break
		}
		lines, last = append(lines, text), n
	}
	return strings.Join(lines, "\n"), last
}

func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

// guardAt is the guard whose condition stands on a line, or in whose body it stands; nil without one.
func (r *reader) guardAt(line int) *guard {
	var best *guard
	for i := range r.guards {
		if g := &r.guards[i]; g.line <= line && line <= g.last {
			best = g
		}
	}
	return best
}
