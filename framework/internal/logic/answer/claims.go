package answer

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
)

// Sort is the sort of a claim.
type Sort string

// The sorts of claims.
const (
	Condition  Sort = "condition"  // where the logic branches
	Outcome    Sort = "outcome"    // what is returned, or the state that is given
	Failure    Sort = "failure"    // where the logic fails
	Constraint Sort = "constraint" // a limit, a constant, what is required
)

// Claim is a statement that one line of fresh evidence backs.
type Claim struct {
	Sort Sort
	Kind evidence.Kind
	Path string
	Line int
	Text string // in the question's language; code and specifications stay as written

	plain    bool   // it is a line as it stands
	does     string // that line
	constant string // the name of the constant that it states, or ""
	last     int    // of what is told whole: its last line
	stated   string // of a specification: its sentences below their title
}

// claims reads the statements of a file.
func (m *passage) claims() []Claim {
	all := []Claim{}
	if m.Kind == evidence.Spec {
		for _, u := range m.file {
			all = append(all, m.specClaims(u)...)
		}
		return all
	}
	told, stated := map[int]bool{}, 0
	for i, u := range m.Units {
		if u.First <= stated || m.Tests(i) {
			continue // within an enumeration
		}
		if m.Whole(u) != "" {
			for stated = u.First; stated < u.Last; stated++ {
				told[stated] = true
			}
			told[stated] = true
		}
		for _, c := range m.unitClaims(u) {
			all = append(all, c)
			first, last := c.Line, c.Line
			if c.Sort == Failure {
				first, last = m.Span(c.Line)
			}
			for n := first; n <= last; n++ {
				told[n] = true
			}
		}
		for _, c := range u.Facts.Conditions {
			told[c.Line] = true
		}
	}
	for n := range m.Raw {
		if i := m.Innermost[n+1]; i >= 0 && !told[n+1] && !m.Tests(i) {
			all = append(all, m.written(m.Units[i], n+1)...)
		}
	}
	return all
}

// unitClaims returns what a unit of code decides.
func (m *passage) unitClaims(u code.Unit) []Claim {
	if whole := m.Whole(u); whole != "" {
		c := m.claim(Constraint, u.Decl, m.say("quoted", whole))
		c.last = u.Last
		return []Claim{c}
	}
	all := append(m.failures(u), m.constants(u)...)
	if u.Kind != code.Constant {
		for _, c := range m.outcomes(u) {
			if !slices.ContainsFunc(all, func(f Claim) bool { return f.Line == c.Line }) {
				all = append(all, c)
			}
		}
	}
	for i, c := range u.Facts.Conditions {
		known := slices.ContainsFunc(all, func(t Claim) bool { return strings.Contains(t.Text, c.Text) })
		if m.tested(u, i) == "" || known || c.Line > len(m.Raw) {
			continue
		}
		said := m.say("branches", m.name(u), m.governing(u, c.Line))
		if then := m.Behind(u, c); len(then) > 0 {
			then[0] = clipped(then[0])
			said = m.say("tests", m.name(u), m.governing(u, c.Line), strings.Join(then, "`, `"))
		}
		all = append(all, m.claim(Condition, c.Line, said))
	}
	return all
}

// tested returns what condition i of a unit tests, between the signs of code.
func (m *passage) tested(u code.Unit, i int) string {
	subject, value := m.Tested(u, i)
	if subject == "" {
		return value
	}
	return m.say("is", subject, value)
}

// governing returns the conditions under which a line of a unit is reached.
func (m *passage) governing(u code.Unit, line int) string {
	all := []string{}
	for i, c := range u.Facts.Conditions {
		if text := m.tested(u, i); text != "" && m.Governs(c, line) {
			all = append(all, text)
		}
	}
	return strings.Join(all, m.say("and"))
}

func (m *passage) claim(sort Sort, line int, text string) Claim {
	return Claim{Sort: sort, Kind: m.Kind, Path: m.Path, Line: line, Text: text}
}

// written returns what a line of code says that no other claim states.
func (m *passage) written(u code.Unit, n int) []Claim {
	if !m.Says(n) || n == u.Decl && u.Kind != code.Constant {
		return nil
	}
	if (u.Kind == code.Function || u.Kind == code.Method) && n > u.Decl {
		condition, plain := m.governing(u, n), true
		does := clipped(code.Statement(m.Stated(n)))
		text := m.say(map[bool]string{true: "does", false: "has"}[code.IsStep(does)], does)
		if value, ok := strings.CutPrefix(does, "return "); ok {
			text = m.say("returns", value)
			if first := u.Facts.Conditions; condition == "" && len(first) > 0 && first[0].Line < n {
				text = m.say("otherwise", text)
				plain = strings.IndexAny(value, "0123456789-\"'") != 0 // a literal decides as the conditions do
			}
		}
		c := m.claim(Outcome, n, m.under(condition, m.name(u), text))
		c.plain, c.does = plain, does
		return []Claim{c}
	}
	does := folded(m.Raw[n-1])
	c := m.claim(Constraint, n, m.say("quoted", clipped(does)))
	c.plain, c.does = true, does
	return []Claim{c}
}

func (m *passage) name(u code.Unit) string { return cmp.Or(u.Qualified, u.Name, m.Path) }

// specClaims returns the sentences of a unit; the steps of a scenario are one.
func (m *passage) specClaims(u spec.Unit) []Claim {
	if !u.Obliges() {
		return []Claim{m.claim(Constraint, u.First, m.say("removed", u.Name))}
	}
	all, last := []Claim{}, spec.NoStep
	for _, s := range u.Sentences {
		if s.Heading {
			last = spec.NoStep
			continue
		}
		if last != spec.NoStep && s.Step != spec.NoStep && (last == spec.When || s.Step == spec.Then) {
			of := &all[len(all)-1]
			of.Text, of.stated, of.last = of.Text+" "+s.Text, of.stated+" "+s.Text, s.Line
		} else {
			c := m.claim(Constraint, s.Line, m.say("required", u.Name, s.Text))
			c.stated, c.last = u.Name+" "+s.Text, s.Line
			c.plain, c.does = !slices.Contains(u.Binding, s.Line) && s.Step == spec.NoStep, s.Text
			all = append(all, c)
		}
		last = s.Step
	}
	return all
}

func (m *passage) failures(u code.Unit) []Claim {
	all := []Claim{}
	for _, f := range u.Facts.Failures {
		if f.Message == "" {
			f.Message = clipped(m.Message(f.Line))
		}
		if does := m.Does(f.Line); f.Message == "" && f.Status == 0 && strings.Contains(does, f.Name+"(") {
			f.Name = clipped(strings.TrimSuffix(code.Statement(does[strings.Index(does, f.Name):]), "()"))
		}
		switch {
		case f.Line < u.First:
		case u.Kind == code.Constant:
			all = append(all, m.claim(Failure, f.Line, m.say("failing", declared(m.Does(f.Line)), fails(f))))
		default:
			said := m.under(m.governing(u, f.Line), m.name(u), m.say("failure", fails(f)))
			all = append(all, m.claim(Failure, f.Line, said))
		}
	}
	return all
}

// declared returns the name that a line assigns to, with what stands before it.
func declared(line string) string {
	name, _, _ := strings.Cut(folded(line), "=")
	return strings.TrimRight(name, " :")
}

func (m *passage) outcomes(u code.Unit) []Claim {
	all, before := []Claim{}, map[string]bool{}
	for _, s := range u.Facts.States {
		condition := m.governing(u, s.Line)
		what := m.say("sets", s.Name, s.Value)
		if s.Name == "return" {
			what = m.say("returns", s.Value)
		}
		if condition == "" && before[s.Name] {
			what = m.say("otherwise", what)
		}
		all = append(all, m.claim(Outcome, s.Line, m.under(condition, m.name(u), what)))
		before[s.Name] = before[s.Name] || condition != ""
	}
	return all
}

// constants returns the constants of a unit.
func (m *passage) constants(u code.Unit) []Claim {
	all := []Claim{}
	for _, v := range m.Values(u) {
		c := m.claim(Constraint, v.Line, m.say("constant", v.Name, clipped(v.Value)))
		c.constant = v.Name
		all = append(all, c)
	}
	return all
}
