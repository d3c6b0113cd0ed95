package code

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// stateName matches the end of names that contain a state.
var stateName = lazyregexp.New(
	`(?i)(?:status|state|phase|outcome|decision|result|verdict|level|severity|stage|kind|mode|reason|role)$`)

// states reads the states that the word or string i returns or sets.
func (r *factReader) states(i int) []State {
	switch {
	case r.oneOf(i, "return RETURN"):
		return r.returned(i)
	case r.kind(i) == text && r.alone(i) && !r.oneOf(i-1, "( [ { , +"):
		if value := r.state(i); value != "" {
			return []State{{r.line(i), "return", value}}
		}
	case r.kind(i) == word && r.oneOf(i+1, "= : := =>") && stateName().MatchString(r.text(i)):
		if value := r.state(i + 2); value != "" && !r.oneOf(r.memberEnd(i+2), compares) {
			return []State{{r.line(i), r.text(i), value}}
		}
	}
	return nil
}

// alone reports whether token i is the last thing of a block in a language that returns it.
func (s *source) alone(i int) bool {
	switch s.lang {
	case ruby:
		return s.first(i) && s.oneOf(i+1, "end else elsif when") || s.is(i-1, "then")
	case rust:
		return s.is(i+1, "}") && s.oneOf(i-1, "{ ;") || s.is(i-1, "=>")
	}
	return false
}

// returned reads the strings and members that the expression after the word i chooses from.
func (r *factReader) returned(i int) []State {
	var all []State
	for at := i + 1; at < len(r.tokens) && at < i+conditionTokens && !r.is(at, ";") && !r.is(at, "}") &&
		!r.endsLine(i, at); at = r.over(at) {
		if at > i+1 && !r.oneOf(at-1, "? : , && || ?? else =>") {
			continue
		}
		if value := r.state(at); value != "" && (!r.is(at+1, ":") || r.lang.arrows) &&
			!r.oneOf(r.memberEnd(at), compares) {
			all = append(all, State{r.line(i), "return", value})
		}
	}
	return all
}

// compares are the operators after an operand; such a value is not a result.
const compares = "== != === !== < <= > >= + - * / %"

// maxState is the maximum length of a state in bytes; longer strings are prose.
const maxState = 60

// state returns the state at token i: a short string, a symbol, a member of an enumeration or a constant. It returns ""
// for anything else.
func (s *source) state(i int) string {
	if s.kind(i) == text {
		value := bare(s.text(i))
		if len(value) > maxState || strings.ContainsAny(value, "\n<>{}") {
			return ""
		}
		return value
	}
	end := s.memberEnd(i)
	name := s.text(end - 1)
	capital := name != "" && 'A' <= name[0] && name[0] <= 'Z'
	if s.is(end, "(") || s.is(end, "{") || !capital || end == i+1 && !upper(name) {
		return ""
	}
	return s.written(i, end)
}

// memberEnd returns the token after the name, or member of a member, at token i.
func (s *source) memberEnd(i int) int {
	end := i + 1
	for s.kind(i) == word && s.oneOf(end, ". ::") && s.kind(end+1) == word {
		end += 2
	}
	return end
}
