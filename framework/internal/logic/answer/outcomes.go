package answer

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

func (m *passage) failures(u code.Unit, say wording) []Claim {
	all := []Claim{}
	for _, f := range u.Facts.Failures {
		switch {
		case f.Line < u.First:
		case u.Kind == code.Constant:
			all = append(all, m.claim(Failure, f.Line, say.failing(declared(m.does(f.Line)), f)))
		default:
			all = append(all, m.claim(Failure, f.Line, say.failure(m.name(u), f, m.governing(u, f.Line, say))))
		}
	}
	return all
}

// declared returns the name that a line assigns to, with what stands before it.
func declared(line string) string {
	name, _, _ := strings.Cut(folded(line), "=")
	return strings.TrimRight(name, " :")
}

func (m *passage) outcomes(u code.Unit, say wording) []Claim {
	all, before := []Claim{}, map[string]bool{}
	for _, s := range u.Facts.States {
		if chosen, ok := m.chosen(s); ok {
			all = append(all, m.claim(Outcome, s.Line,
				say.under(m.governing(u, s.Line, say), m.name(u), say.returned(chosen))))
			continue
		}
		condition := m.governing(u, s.Line, say)
		all = append(all, m.claim(Outcome, s.Line, say.outcome(m.name(u), s, condition, before[s.Name])))
		before[s.Name] = before[s.Name] || condition != ""
	}
	return all
}

// chooses matches an expression that selects its value.
var chooses = lazyregexp.New(` \? | if |\|\||&&|\?\?`)

// chosen returns the expression that a returned state is only one side of.
func (m *passage) chosen(s code.State) (string, bool) {
	if s.Name != "return" || s.Line > len(m.lines) {
		return "", false
	}
	_, value, ok := strings.Cut(m.does(s.Line), "return ")
	value = statement(value)
	return value, ok && chooses().MatchString(value)
}

// constants returns those of the unit, and of the file those that it uses.
func (m *passage) constants(u code.Unit, say wording) []Claim {
	all := []Claim{}
	for i, other := range m.code.Units {
		used, found := slices.Contains(u.Facts.Uses, other.Name), false
		for _, c := range other.Facts.Constants {
			if i == m.unit || slices.Contains(u.Facts.Uses, c.Name) {
				all, found = append(all, m.claim(Constraint, c.Line, say.constant(c))), true
			}
		}
		if value := m.table(other); (used || i == m.unit) && !found && value != "" {
			all = append(all, m.claim(Constraint, other.Decl,
				say.constant(code.NamedValue{Name: other.Name, Value: value})))
		}
	}
	return all
}

// maxTable bounds the bytes of a table of values that is found whole.
const maxTable = 200

// listed is how values are listed, or made from literals, in the languages.
var listed = lazyregexp.New(`^(?:[\[{(]|&\[|vec!|%[wi]|(?:new )?\w*[sS]et\(|Object\.freeze\(|\w*\[[^\]]*\]\w+\{).*[\])}]$|^\w+\([^()]*\)$`)

// table returns the list that a constant holds, "" where it is long or another value.
func (m *passage) table(u code.Unit) string {
	_, value, _ := strings.Cut(string(m.src[u.Start:u.End]), "=")
	if value = statement(folded(value)); u.Kind != code.Constant || len(value) > maxTable ||
		!listed().MatchString(value) || strings.Contains(value, " = ") {
		return ""
	}
	return value
}
