package answer

import (
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

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

// constants returns those of a unit.
func (m *passage) constants(u code.Unit) []Claim {
	all := []Claim{}
	values := u.Facts.Constants
	if value := m.table(u); len(values) == 0 && value != "" {
		values = []code.NamedValue{{Line: u.Decl, Name: u.Name, Value: value}}
	}
	for _, v := range values {
		c := m.claim(Constraint, v.Line, m.say("constant", v.Name, clipped(v.Value)))
		c.constant = v.Name
		all = append(all, c)
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
	if value = code.Statement(folded(value)); u.Kind != code.Constant || len(value) > maxTable ||
		!listed().MatchString(value) || strings.Contains(value, " = ") {
		return ""
	}
	return value
}
