package logic

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/corpus/code"
	"github.com/sagasu-search/sagasu/framework/logic/rule"
)

// Sort is what a claim says.
type Sort string

// The sorts of claims.
const (
	Condition  Sort = "condition"  // where the logic branches
	Outcome    Sort = "outcome"    // what is returned, or the state that is given
	Failure    Sort = "failure"    // where the logic gives up
	Constraint Sort = "constraint" // a limit, a constant, what is required
)

// Claim is a statement that one line of fresh evidence backs.
type Claim struct {
	Sort Sort
	Kind Kind
	Path string
	Line int
	Text string // in the question's language; code and specifications stay as written

	item int // of the evidence
}

// Bounds of an answer.
const (
	maxClaims  = 12
	maxPerItem = 4
)

// claims reads the statements of all evidence: of each item those that the
// question asks for most, at least one, in the order of the evidence.
func claims(question string, evidence []material) []Claim {
	say := wordingOf(question)
	asked, wanted := rule.Read(question), intent(question)
	all := []Claim{}
	for item, m := range evidence {
		read := m.claims(say)
		slices.SortStableFunc(read, func(a, b Claim) int {
			return cmp.Compare(worth(b, asked, wanted), worth(a, asked, wanted))
		})
		for i, c := range read {
			if i == 0 || i < maxPerItem && len(all) < maxClaims-(len(evidence)-item-1) {
				c.item = item
				all = append(all, c)
			}
		}
	}
	slices.SortStableFunc(all, func(a, b Claim) int { return cmp.Or(cmp.Compare(a.item, b.item), cmp.Compare(a.Line, b.Line)) })
	return slices.CompactFunc(all, func(a, b Claim) bool { return a.Path == b.Path && a.Text == b.Text })
}

// worth is how much of the question a claim speaks of.
func worth(c Claim, asked rule.Words, wanted Sort) int {
	n := 0
	for word := range rule.Read(c.Text) {
		if asked[word] {
			n++
		}
	}
	if c.Sort == wanted {
		n += 2
	}
	return n
}

// claims reads the statements of one item.
func (m *material) claims(say wording) []Claim {
	if m.Kind == Spec {
		return m.specClaims(say)
	}
	if m.unit < 0 {
		return []Claim{m.quote(say)}
	}
	u := m.code.Units[m.unit]
	all := slices.Concat(m.failures(u, say), m.outcomes(u, say), m.constants(u, say))
	if covered := len(all); covered < maxPerItem {
		all = append(all, m.conditions(u, say, all)...)
	}
	if len(all) == 0 {
		all = append(all, m.quote(say))
	}
	return all
}

func (m *material) claim(sort Sort, line int, text string) Claim {
	return Claim{Sort: sort, Kind: m.Kind, Path: m.Path, Line: line, Text: text}
}

// quote is a line itself, where nothing can be read: of a unit what it
// returns first, else the line of the evidence.
func (m *material) quote(say wording) Claim {
	line := m.line
	if m.unit >= 0 {
		u := m.code.Units[m.unit]
		for n := u.Decl; n <= u.Last && n <= len(m.lines); n++ {
			if strings.HasPrefix(strings.TrimSpace(m.lines[n-1]), "return ") {
				line = n
				break
			}
		}
	}
	return m.claim(Constraint, line, say.quoted(folded(m.lines[line-1])))
}

func (m *material) failures(u code.Unit, say wording) []Claim {
	all := []Claim{}
	for _, f := range u.Facts.Failures {
		if f.Line >= u.First {
			all = append(all, m.claim(Failure, f.Line, say.failure(m.name(u), f, m.governing(u, f.Line))))
		}
	}
	return all
}

func (m *material) outcomes(u code.Unit, say wording) []Claim {
	all := []Claim{}
	for _, s := range u.Facts.States {
		all = append(all, m.claim(Outcome, s.Line, say.outcome(m.name(u), s, m.governing(u, s.Line))))
	}
	return all
}

// constants are those of the unit, and of the file those that it uses.
func (m *material) constants(u code.Unit, say wording) []Claim {
	all := []Claim{}
	for i, other := range m.code.Units {
		for _, c := range other.Facts.Constants {
			if i == m.unit || slices.Contains(u.Facts.Uses, c.Name) {
				all = append(all, m.claim(Constraint, c.Line, say.constant(c)))
			}
		}
	}
	return all
}

// givesUp is a line that ends in a failure.
var givesUp = regexp.MustCompile(`(?i)\b(?:throw|raise|panic|abort|reject)\b|\breturn\b.*err`)

// conditions are those that no other claim has told.
func (m *material) conditions(u code.Unit, say wording, told []Claim) []Claim {
	all := []Claim{}
	for _, c := range u.Facts.Conditions {
		known := slices.ContainsFunc(told, func(t Claim) bool { return strings.Contains(t.Text, c.Text) })
		if !known && c.Line <= len(m.lines) {
			then := ""
			if c.Line < len(m.lines) && c.Line < u.Last {
				then = folded(m.lines[c.Line])
			}
			sort := Condition
			if givesUp.MatchString(then) {
				sort = Failure
			}
			all = append(all, m.claim(sort, c.Line, say.condition(m.name(u), c, then)))
		}
	}
	return all
}

func (m *material) name(u code.Unit) string { return cmp.Or(u.Qualified, u.Name, m.Path) }

// governing is the condition under which a line of a unit is reached: the last
// one before it that stands less deep, or on it.
func (m *material) governing(u code.Unit, line int) string {
	text := ""
	for _, c := range u.Facts.Conditions {
		if c.Line == line || c.Line < line && m.depth(c.Line) < m.depth(line) && !m.leaves(c.Line, line) {
			text = c.Text
		}
	}
	return text
}

// leaves reports whether the block behind a condition ends before a line.
func (m *material) leaves(condition, line int) bool {
	for n := condition + 1; n < line && n <= len(m.lines); n++ {
		if strings.TrimSpace(m.lines[n-1]) != "" && m.depth(n) <= m.depth(condition) {
			return true
		}
	}
	return false
}

func (m *material) depth(line int) int {
	if line < 1 || line > len(m.lines) {
		return 0
	}
	return len(m.lines[line-1]) - len(strings.TrimLeft(m.lines[line-1], " \t"))
}

// specClaims are the statements that bind, and what follows in scenarios.
func (m *material) specClaims(say wording) []Claim {
	all := []Claim{}
	for _, u := range m.specs {
		if !u.Obliges() {
			all = append(all, m.claim(Constraint, u.First, say.removed(u.Name)))
			continue
		}
		for _, s := range u.Statements {
			all = append(all, m.claim(Constraint, s.Line, say.required(u.Name, s.Text)))
		}
	}
	if len(all) == 0 {
		all = append(all, m.quote(say))
	}
	return all
}
