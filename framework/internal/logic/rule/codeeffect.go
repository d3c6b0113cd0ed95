package rule

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

var (
	switched = lazyregexp.New(`\b([A-Za-z_]\w*)["']?(?:\s*:\s*(?:bool|boolean))?\s*(?::=|[:=])\s*(true|false|True|False)\b`)
	turning  = lazyregexp.New(`(?i)(?:^|_)(?:disable|disallow|deny|forbid|block|reject|skip|no)(?:d)?(?:_|$)`)
	negation = lazyregexp.New(`^\(?\s*(?:!|not\b)`)
	call     = lazyregexp.New(`\b([A-Za-z_][\w.]*)\(([^()]*(?:\([^()]*\)[^()]*)*)\)`)
	numeric  = lazyregexp.New(`[<>]|\d{2,}`)
	// roots are what the members of a condition belong to.
	roots = lazyregexp.New(`\b(?:\w+\.)+`)
	// looking are calls that look at things and do nothing.
	looking = lazyregexp.New(`(?i)(?:^|\.)(?:if|is|has|get|find|check|verify|validate|includes|len|switch|for|while|throw|Error|New|print|range|return)\w*$`)
)

// effects reads switches, guards without numbers, and calls.
func (r *reader) effects() []Rule {
	rules := []Rule{}
	r.each(func(line int, text string) {
		for _, m := range switched().FindAllStringSubmatch(text, -1) {
			e := rule(Effect, line, m[1])
			e.Sign = 1
			if (m[2] == "false" || m[2] == "False") != turning().MatchString(m[1]) {
				e.Sign = -1
			}
			e.Must, e.Outcome = true, e.About
			rules = append(rules, e)
		}
	})
	for _, g := range r.guards {
		if e, ok := r.guarded(g); ok {
			rules = append(rules, e)
		}
	}
	return append(rules, r.calls()...)
}

// guarded reads a guard that lets something pass or not.
func (r *reader) guarded(g guard) (Rule, bool) {
	if g.sign == 0 || numeric().MatchString(g.condition) || passesOn().MatchString(g.condition) {
		return Rule{}, false
	}
	e := rule(Effect, g.line, roots().ReplaceAllString(isValue().ReplaceAllString(g.condition, " $1"), ""))
	e.Sign, e.Outcome = g.sign, Read(r.unit.Name)
	if negation().MatchString(g.condition) {
		e.Sign = -e.Sign
	}
	return e, len(e.About) > 0
}

// undoing are the ideas of doing away with something.
var undoing = Words{"#無効": true, "#拒否": true, "#却下": true, "#停止": true}

// calls reads what is done, with what it is done to.
func (r *reader) calls() []Rule {
	rules := []Rule{}
	r.each(func(line int, text string) {
		for _, m := range call().FindAllStringSubmatch(text, -1) {
			if line == r.unit.Decl || looking().MatchString(m[1]) || strings.Contains(text, "throw ") || strings.Contains(text, "raise ") {
				continue
			}
			e := rule(Effect, line, m[1], quotedText().ReplaceAllString(m[2], " "))
			if g := r.guardAt(line); g != nil && !negation().MatchString(g.condition) {
				e.About = e.About.with(Read(g.condition))
			}
			e.Sign, e.Outcome, e.Must = 1, Read(m[1]), true
			if len(shared(e.Outcome, undoing)) > 0 {
				e.Sign = -1
			}
			e.Called = true
			rules = append(rules, e)
		}
	})
	return rules
}

// order is the sequence of the unit's lines.
func (r *reader) order() (Rule, bool) {
	o := Rule{Kind: Order, Line: r.unit.Decl}
	r.each(func(line int, text string) {
		if line > r.unit.Decl {
			if words := Read(text); len(words) > 0 {
				o.steps = append(o.steps, step{line, words, strings.Join(strings.Fields(text), " ")})
			}
		}
	})
	return o, len(o.steps) > 1
}
