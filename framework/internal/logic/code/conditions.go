package code

import "strings"

// branching are the words that conditions follow, in any of the languages.
var branching = set("if elif elsif elseif unless switch case when match while until guard assert " +
	"IF ELSIF ELSEIF WHEN WHERE CHECK HAVING CASE")

// conditionTokens bounds how far a condition is read.
const conditionTokens = 80

// condition reads the condition behind the branching word i.
func (s *source) condition(i int) (Condition, bool) {
	if s.kind(i) != word || !s.in(i, branching) && !(s.lang == sql && branching[strings.ToUpper(s.text(i))]) ||
		s.oneOf(i-1, ". ?. :: -> & def function") || s.label(i) && !s.lang.control["switch"] || s.foreign(i) {
		return Condition{}, false
	}
	if s.lang == sql && set("NOT EXISTS WHEN")[s.keywordAt(i+1)] {
		return Condition{}, false // IF NOT EXISTS, CASE WHEN
	}
	end := s.conditionEnd(i)
	text := s.written(i+1, end)
	if s.is(i+1, "(") && s.match(i+1) == end-1 {
		text = s.written(i+2, end-1)
	}
	return Condition{Word: s.text(i), Text: text}, text != ""
}

// foreign reports whether a word that branches elsewhere is a name here.
func (s *source) foreign(i int) bool {
	if s.lang == golang {
		return !s.oneOf(i, "if switch case")
	}
	return s.oneOf(i+1, "= . , ) ;") && !s.oneOf(i, "case when")
}

// conditionEnd returns the token behind the condition of the word i. In Go what stands
// before a semicolon belongs to it.
func (s *source) conditionEnd(i int) int {
	if s.is(i+1, "(") && s.match(i+1) > i &&
		(s.lang == sql || s.lang.style == braces && s.lang != golang && s.lang != rust) {
		return s.match(i+1) + 1
	}
	at := i + 1
	for n := 0; at < len(s.tokens) && n < conditionTokens; n++ {
		if s.oneOf(at, "{ then THEN do => ) ] }") || s.is(at, ";") && s.lang != golang ||
			s.is(at, ":") && !s.is(at-1, "?") && s.lang.style != ends ||
			s.is(at, "->") && s.lang == java || s.lang.style == indents && s.first(at) ||
			s.first(at) && s.lang.style == ends && !s.in(at-1, goesOn) && !s.oneOf(at, "&& || and or .") ||
			s.lang == sql && at > i+1 && s.oneOf(at, "WHEN ELSE GROUP ORDER RETURNING when else group order") {
			return at
		}
		at = s.over(at)
	}
	return at
}
