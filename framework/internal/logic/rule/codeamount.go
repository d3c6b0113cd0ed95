package rule

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// amounts reads constants, comparisons and named numbers.
func (r *reader) amounts() []Rule {
	rules, seen := []Rule{}, map[int]bool{}
	for _, c := range constants(r.unit, r.lines) {
		if q, ok := evaluate(c.Name, c.Value); ok {
			one := rule(Amount, c.Line, c.Name)
			if strings.Contains(c.Value, "*") {
				one.Value = c.Name + " = " + q.String()
			}
			one.Amount, one.role, seen[c.Line] = q, roleOf(apartWords(c.Name), "", 0), true
			rules = append(rules, one)
		}
	}
	for _, t := range r.unit.Facts.Thresholds {
		if one, ok := r.compared(t.Line, t.Subject, t.Operator, t.Value); ok {
			rules, seen[t.Line] = append(rules, one), true
		}
	}
	return append(append(rules, r.resolved(seen)...), r.assigned(seen)...)
}

// resolved reads comparisons with constants whose names are no CONSTANTS, such as
// those of Go.
func (r *reader) resolved(seen map[int]bool) []Rule {
	rules := []Rule{}
	r.each(func(line int, text string) {
		m := comparison().FindStringSubmatch(text)
		if m == nil || seen[line] || r.constant(m[3]) == "" {
			return
		}
		if one, ok := r.compared(line, m[1], m[2], m[3]); ok {
			rules, seen[line] = append(rules, one), true
		}
	})
	return rules
}

var comparison = lazyregexp.New(`([\w.()\[\]]+)\s*(<=|>=|<|>)\s*([A-Za-z_][\w.]*)`)

var ordering = map[string]string{"<": "<", "<=": "<=", ">": ">", ">=": ">="}

// compared makes a rule of a comparison; equality is none, as it bounds nothing.
func (r *reader) compared(line int, subject, operator, value string) (Rule, bool) {
	name := ""
	if expression := r.constant(value); expression != "" {
		name, value = value, expression
	}
	q, ok := evaluate(subject+"_"+name, value)
	op := ordering[operator]
	if !ok || op == "" || q.Value <= 0 { // a comparison with 0 asks whether there is any
		return Rule{}, false
	}
	one := rule(Amount, line, ownName(subject), name)
	one.Amount, one.Op, one.Outcome, one.around = q, op, Words{}, Read(subject)
	one.growth = r.growthOf(line, subject, q)
	switch g := r.guardAt(line); {
	case g != nil:
		one.Sign, one.Outcome = g.sign, r.outcome(g)
	case returned().MatchString(r.at(line)):
		one.Sign = verdict(r.unit.Name)
	}
	if name != "" {
		one.Value = name + " = " + q.String()
	}
	one.role = roleOf(apartWords(subject+" "+name), op, one.Sign)
	return one, true
}

// ownName is a compared expression without what its members belong to, as long as
// that leaves a word.
func ownName(subject string) string {
	if m := sized().FindStringSubmatch(subject); m != nil {
		subject = m[1] + m[2]
	}
	if own := roots().ReplaceAllString(subject, ""); len(Read(own)) > 0 {
		return own
	}
	return subject
}

var (
	returned = lazyregexp.New(`^return\b|=>`)
	allows   = lazyregexp.New(`(?i)^(?:can|should|is_?(?:valid|allowed|eligible|ok|within|available)|may|allow|accept|eligible|within)`)
	denies   = lazyregexp.New(`(?i)^(?:is_?(?:too|over|invalid|expired|locked|blocked|exceed)|exceed|too|over|has_?exceeded)`)
)

// verdict tells what it means when a function of that name says true.
func verdict(name string) int {
	switch {
	case allows().MatchString(name):
		return 1
	case denies().MatchString(name):
		return -1
	}
	return 0
}

// outcome is what a guard's body does, in words and values.
func (r *reader) outcome(g *guard) Words {
	words := Read(g.body)
	for _, m := range quoted().FindAllStringSubmatch(g.body, -1) {
		words["="+m[1]+m[2]] = true
	}
	if zero().MatchString(g.body) {
		words["#無料"] = true
	}
	return words
}

var (
	quoted = lazyregexp.New(`"([^"\s]{1,60})"|'([^'\s]{1,60})'`)
	zero   = lazyregexp.New(`\breturn 0\b`)
	// named is a number given to a name: an argument, a member, a variable.
	named = lazyregexp.New(`\b([A-Za-z_]\w*)["']?\s*(?::\s*[\w.\[\]]+\s*=|:=|[:=])\s*([\d][\w.* ]*(?:\*\s*[\w.]+)*)\s*[,;)}\]]?\s*$|[({,]\s*["']?([A-Za-z_]\w*)["']?\s*[:=]\s*([\d][\w.]*)\s*[,)}]`)
	// limited is a limit of a validator, such as .max(40).
	limited = lazyregexp.New(`\b([A-Za-z_]\w*)["']?\s*[:=].*\.(min|max)\((\d[\d_]*)`)
	// declared is a limit that a field is declared with: a column, a validated field, a tag.
	declared = lazyregexp.New(`^\s*([A-Za-z_]\w*)\s*(?::[^=]+)?=\s*[\w.]+\(.*?\b(max_length|min_length|max_value|min_value|ge|gt|le|lt)\s*=\s*(\d[\d_]*)|^\s*([A-Z]\w*)\s+[\w.*\[\]]+\s+` + "`" + `.*\b(max|min|gte?|lte?)=(\d+)`)
	limiting = map[string]string{"min": ">=", "max": "<=", "min_length": ">=", "max_length": "<=", "min_value": ">=", "max_value": "<=",
		"ge": ">=", "gte": ">=", "gt": ">", "le": "<=", "lte": "<=", "lt": "<"}
)

// limitOf finds a field, the word that limits it and the limit on a line; nil without.
func limitOf(line string) []string {
	if m := limited().FindStringSubmatch(line); m != nil {
		return m
	}
	if m := declared().FindStringSubmatch(line); m != nil {
		return []string{m[0], m[1] + m[4], m[2] + m[5], m[3] + m[6]}
	}
	return nil
}

// assigned reads numbers given to names.
func (r *reader) assigned(seen map[int]bool) []Rule {
	rules := []Rule{}
	r.each(func(line int, text string) {
		if seen[line] {
			return
		}
		for _, m := range named().FindAllStringSubmatch(text, -1) {
			if q, ok := evaluate(m[1]+m[3], m[2]+m[4]); ok && q.Raw != 0 && q.Raw != 1 && !strings.Contains(strings.ToLower(m[1]+m[3]), "status") {
				one := rule(Amount, line, m[1]+m[3], r.unit.Name)
				one.Amount, one.role = q, roleOf(apartWords(m[1]+m[3]), "", 0)
				rules = append(rules, one)
			}
		}
		if m := limitOf(text); m != nil {
			if q, ok := evaluate(m[1], m[3]); ok {
				one := rule(Amount, line, m[1])
				one.Amount, one.Sign, one.Op = q, 1, limiting[m[2]]
				one.role = roleOf("", one.Op, 1)
				rules = append(rules, one)
			}
		}
	})
	return rules
}
