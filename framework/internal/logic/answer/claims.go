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
	Outcome    Sort = "outcome"    // what is returned, or which state is set
	Failure    Sort = "failure"    // where the logic fails
	Constraint Sort = "constraint" // a limit, a constant or a requirement
)

// Claim is a statement that one line of fresh evidence backs.
type Claim struct {
	Sort Sort
	Kind evidence.Kind
	Path string
	Line int
	Text string // in the question's language; code and specifications stay as written

	plain    bool   // it repeats a line unchanged
	does     string // that line
	constant string // the name of the constant that it states, or ""
	last     int    // for a claim of several lines: the last one
	stated   string // for a specification: its sentences, preceded by the title
}

// claims returns the statements of a file.
func (f *file) claims() []Claim {
	all := []Claim{}
	if f.kind == evidence.Spec {
		for _, u := range f.specs {
			all = append(all, f.specClaims(u)...)
		}
		return all
	}
	told, stated := map[int]bool{}, 0
	tell := func(first, last int) {
		for n := first; n <= last; n++ {
			told[n] = true
		}
	}
	for i, u := range f.Units {
		if u.First <= stated || f.Tests(i) {
			continue // inside an enumeration
		}
		if f.Whole(u) != "" {
			stated = u.Last
			tell(u.First, u.Last)
		}
		for _, c := range f.unitClaims(u) {
			all = append(all, c)
			first, last := c.Line, c.Line
			if c.Sort == Failure {
				first, last = f.Span(c.Line)
			}
			tell(first, last)
		}
		for _, c := range u.Facts.Conditions {
			tell(c.Line, c.Line)
		}
	}
	for n := range f.Raw {
		if i := f.Innermost[n+1]; i >= 0 && !told[n+1] && !f.Tests(i) {
			all = append(all, f.written(f.Units[i], n+1)...)
		}
	}
	return all
}

// unitClaims returns what a unit of code decides.
func (f *file) unitClaims(u code.Unit) []Claim {
	if whole := f.Whole(u); whole != "" {
		c := f.claim(Constraint, u.Decl, f.say("quoted", whole))
		c.last = u.Last
		return []Claim{c}
	}
	all := append(f.failures(u), f.constants(u)...)
	if u.Kind != code.Constant {
		for _, c := range f.outcomes(u) {
			if !slices.ContainsFunc(all, func(t Claim) bool { return t.Line == c.Line }) {
				all = append(all, c)
			}
		}
	}
	for i, c := range u.Facts.Conditions {
		known := slices.ContainsFunc(all, func(t Claim) bool { return strings.Contains(t.Text, c.Text) })
		if f.tested(u, i) == "" || known {
			continue
		}
		said := f.say("branches", f.name(u), f.governing(u, c.Line))
		if then := f.Behind(u, c); len(then) > 0 {
			then[0] = clipped(then[0])
			said = f.say("tests", f.name(u), f.governing(u, c.Line), strings.Join(then, "`, `"))
		}
		all = append(all, f.claim(Condition, c.Line, said))
	}
	return all
}

// tested returns what condition i of a unit tests, as the text between backquotes.
func (f *file) tested(u code.Unit, i int) string {
	subject, value := f.Tested(u, i)
	if subject == "" {
		return value
	}
	return f.say("is", subject, value)
}

// governing returns the conditions under which a line of a unit is reached.
func (f *file) governing(u code.Unit, line int) string {
	all := []string{}
	for i, c := range u.Facts.Conditions {
		if text := f.tested(u, i); text != "" && f.Governs(c, line) {
			all = append(all, text)
		}
	}
	return strings.Join(all, f.say("and"))
}

func (f *file) claim(sort Sort, line int, text string) Claim {
	return Claim{Sort: sort, Kind: f.kind, Path: f.path, Line: line, Text: text}
}

// written returns what a line of code says if no other claim states it.
func (f *file) written(u code.Unit, n int) []Claim {
	if !f.Says(n) {
		return nil
	}
	if n == u.Decl && u.Kind != code.Constant {
		value := clipped(f.Body(u))
		if value == "" {
			return nil
		}
		c := f.claim(Outcome, n, f.under("", f.name(u), f.say("returns", value)))
		c.plain, c.does = true, value
		return []Claim{c}
	}
	if (u.Kind == code.Function || u.Kind == code.Method) && n > u.Decl {
		condition, plain := f.governing(u, n), true
		does := clipped(code.Statement(f.Stated(n)))
		text := f.say(map[bool]string{true: "does", false: "has"}[code.IsStep(does)], does)
		if value, ok := strings.CutPrefix(does, "return "); ok {
			text = f.say("returns", value)
			if first := u.Facts.Conditions; condition == "" && len(first) > 0 && first[0].Line < n {
				text = f.say("otherwise", text)
				plain = strings.IndexAny(value, "0123456789-\"'") != 0 // a literal decides something, like a condition
			}
		}
		c := f.claim(Outcome, n, f.under(condition, f.name(u), text))
		c.plain, c.does = plain, does
		return []Claim{c}
	}
	does := code.OneLine(f.Raw[n-1])
	c := f.claim(Constraint, n, f.say("quoted", clipped(does)))
	c.plain, c.does = true, does
	return []Claim{c}
}

func (f *file) name(u code.Unit) string { return cmp.Or(u.Qualified, u.Name, f.path) }

// specClaims returns the sentences of a unit; the steps of a scenario are one claim.
func (f *file) specClaims(u spec.Unit) []Claim {
	if !u.Obliges {
		return []Claim{f.claim(Constraint, u.First, f.say("removed", u.Name))}
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
			c := f.claim(Constraint, s.Line, f.say("required", u.Name, s.Text))
			c.stated, c.last = u.Name+" "+s.Text, s.Line
			c.plain, c.does = !slices.Contains(u.Binding, s.Line) && s.Step == spec.NoStep, s.Text
			all = append(all, c)
		}
		last = s.Step
	}
	return all
}

func (f *file) failures(u code.Unit) []Claim {
	all := []Claim{}
	for _, e := range u.Facts.Failures {
		if e.Message == "" {
			e.Message = clipped(f.Message(e.Line))
		}
		said := f.under(f.governing(u, e.Line), f.name(u), f.say("failure", fails(e)))
		if u.Kind == code.Constant {
			said = f.say("failing", declared(f.Does(e.Line)), fails(e))
		}
		all = append(all, f.claim(Failure, e.Line, said))
	}
	return all
}

// declared returns the name that a line assigns to, with everything before it.
func declared(line string) string {
	name, _, _ := strings.Cut(code.OneLine(line), "=")
	return strings.TrimRight(name, " :")
}

func (f *file) outcomes(u code.Unit) []Claim {
	all, before := []Claim{}, map[string]bool{}
	for _, s := range u.Facts.States {
		condition := f.governing(u, s.Line)
		what := f.say("sets", s.Name, s.Value)
		if s.Name == "return" {
			what = f.say("returns", s.Value)
		}
		if condition == "" && before[s.Name] {
			what = f.say("otherwise", what)
		}
		all = append(all, f.claim(Outcome, s.Line, f.under(condition, f.name(u), what)))
		before[s.Name] = before[s.Name] || condition != ""
	}
	return all
}

func (f *file) constants(u code.Unit) []Claim {
	all := []Claim{}
	for _, v := range f.Values(u) {
		c := f.claim(Constraint, v.Line, f.say("constant", v.Name, clipped(v.Value)))
		c.constant = v.Name
		all = append(all, c)
	}
	return all
}
