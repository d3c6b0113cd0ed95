package rule

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

const literal = `(?:"[\w.\-/]{1,60}"|'[\w.\-/]{1,60}')`

var (
	row      = lazyregexp.New(literal + `(?:\s*[,|]\s*` + literal + `)+`)
	literals = lazyregexp.New(literal)
	entry    = lazyregexp.New(`(` + literal + `)\s*:\s*(?:true|True|\{\}|struct\{\}\{\})`)
	member   = lazyregexp.New(`^\s*\w+(?:\s+\w+)?\s*=\s*(` + literal + `)\s*[,;]?\s*$`)
)

// memberGiven is a member that gets a value.
var memberGiven = lazyregexp.New(`\.(\w+)\s*=\s*(` + literal + `)\s*;?\s*$`)

// isValue compares with a value, which tells more than the name of what has it.
var isValue = lazyregexp.New(`[\w.]+\s*={2,3}\s*(` + literal + `)`)

// members reads the values that a list, a union, an enumeration or a set holds.
func (r *reader) members() []Rule {
	rules, members := []Rule{}, []string{}
	text := r.joined()
	for _, found := range row().FindAllString(text, -1) {
		rules = r.listed(rules, literals().FindAllString(found, -1))
	}
	for _, m := range entry().FindAllStringSubmatch(text, -1) {
		members = append(members, m[1])
	}
	rules = append(rules, r.typed()...)
	if r.unit.Kind == code.Type {
		r.each(func(_ int, text string) {
			if m := member().FindStringSubmatch(text); m != nil {
				members = append(members, m[1])
			}
		})
	}
	return r.listed(rules, members)
}

func (r *reader) listed(rules []Rule, quoted []string) []Rule {
	if len(quoted) < 2 || r.unit.Kind == code.Rest {
		return rules
	}
	list := rule(Members, r.lineOf(quoted[0]), r.unit.Name)
	for _, q := range quoted {
		list.Values = append(list.Values, strings.Trim(q, `"'`))
	}
	return append(rules, list)
}

// typed reads the strings that constants of one type, or the members of one constant, hold.
func (r *reader) typed() []Rule {
	rules, values, types := []Rule{}, map[string][]string{}, []string{}
	if r.unit.Kind != code.Constant && r.unit.Kind != code.Type {
		return rules
	}
	r.each(func(_ int, text string) {
		m := typedConstant().FindStringSubmatch(text)
		if m == nil && r.unit.Kind == code.Constant {
			m = memberConstant().FindStringSubmatch(text)
		}
		if m == nil {
			return
		}
		if values[m[1]] == nil {
			types = append(types, m[1])
		}
		values[m[1]] = append(values[m[1]], m[2])
	})
	for _, name := range types {
		if list := r.listed(nil, values[name]); len(list) > 0 {
			if name != "" {
				list[0].About = Read(name)
			}
			rules = append(rules, list[0])
		}
	}
	return rules
}

var (
	typedConstant  = lazyregexp.New(`^\s*(?:const\s+)?[A-Za-z_]\w*\s+([A-Z]?[A-Za-z]\w*)\s*=\s*(` + literal + `)\s*$`)
	memberConstant = lazyregexp.New(`^\s*[A-Za-z_]\w*()\s*:\s*(` + literal + `),?\s*$`)
)

// lineOf is the first line of the unit that holds a text.
func (r *reader) lineOf(text string) int {
	first := r.unit.Decl
	found := false
	r.each(func(line int, at string) {
		if !found && strings.Contains(at, text) {
			first, found = line, true
		}
	})
	return first
}

// states reads what the unit gives to states.
func (r *reader) states() []Rule {
	rules := []Rule{}
	if r.unit.Kind != code.Function && r.unit.Kind != code.Method {
		return rules // a type tells what states there are, not when
	}
	for _, s := range r.unit.Facts.States {
		given := rule(State, s.Line, r.subject(s.Line))
		given.Values = []string{s.Value}
		given.Outcome = Read(s.Name)
		rules = append(rules, given)
	}
	return append(rules, r.given()...)
}

// given reads the values that members get whose names are no states, such as a priority.
func (r *reader) given() []Rule {
	rules := []Rule{}
	r.each(func(line int, text string) {
		m := memberGiven().FindStringSubmatch(text)
		if m == nil || slices.ContainsFunc(r.unit.Facts.States, func(s code.State) bool { return s.Line == line }) {
			return
		}
		one := rule(State, line, r.subject(line), m[1])
		one.Values, one.field = []string{strings.Trim(m[2], `"'`)}, Read(m[1])
		rules = append(rules, one)
	})
	return rules
}

// subject is what a line of a function is about: its name and the condition it stands under.
func (r *reader) subject(line int) string {
	if g := r.guardAt(line); g != nil {
		return r.unit.Name + " " + isValue().ReplaceAllString(g.condition, " $1")
	}
	return r.unit.Name
}

var success = lazyregexp.New(`(?i)\b(?:status|status_code|WriteHeader|sendStatus|code)\s*[(:=]\s*([1-3]\d\d)\b|\bstatus_code\s*=\s*\w*\.?HTTP_([1-3]\d\d)`)

// statuses reads the HTTP statuses that the unit answers with.
func (r *reader) statuses() []Rule {
	rules := []Rule{}
	add := func(line, status int, words string) {
		answer := rule(Status, line, words)
		if g := r.guardAt(line); g != nil && len(answer.About) == 0 {
			answer.About = Read(g.condition)
		}
		if len(answer.About) == 0 {
			answer.About = Read(r.unit.Name)
		}
		answer.Status, answer.Excess = status, excess(apartWords(words))
		rules = append(rules, answer)
	}
	for _, f := range r.unit.Facts.Failures {
		if f.Status > 0 {
			add(f.Line, f.Status, f.Message+" "+strings.Join(quotedTexts(r.at(f.Line)), " "))
		}
	}
	r.each(func(line int, text string) {
		failed := slices.ContainsFunc(r.unit.Facts.Failures, func(f code.Failure) bool { return f.Line == line && f.Status > 0 })
		if status := answeredWith(text); status >= 400 && !failed {
			add(line, status, strings.Join(quotedTexts(text), " "))
		} else if m := success().FindStringSubmatch(text); m != nil {
			if q := amounts(m[1] + m[2]); len(q) == 1 {
				add(line, int(q[0].Raw), r.unit.Name)
			}
		}
	})
	return rules
}

var quotedText = lazyregexp.New(`"([^"]+)"|'([^']+)'`)

func quotedTexts(line string) []string {
	all := []string{}
	for _, m := range quotedText().FindAllStringSubmatch(line, -1) {
		all = append(all, m[1]+m[2])
	}
	return slices.Compact(all)
}
