package code

import "strings"

// branching are the words before a condition, in all languages.
var branching = set("if elif elsif elseif unless switch case when match while until guard assert " +
	"IF ELSIF ELSEIF WHEN WHERE CHECK HAVING CASE")

// conditionTokens is the maximum length of a condition in tokens.
const conditionTokens = 80

// condition reads the condition after the branching word i.
func (r *factReader) condition(i int) []Condition {
	if r.kind(i) != word || !r.in(i, branching) && !(r.lang == sql && branching[strings.ToUpper(r.text(i))]) ||
		r.oneOf(i-1, ". ?. :: -> & def function") || r.label(i) && !r.lang.control["switch"] || r.foreign(i) {
		return nil
	}
	if r.lang == sql && set("NOT EXISTS WHEN")[r.keywordAt(i+1)] {
		return nil // IF NOT EXISTS, CASE WHEN
	}
	end := r.conditionEnd(i)
	text := r.written(i+1, end)
	if r.is(i+1, "(") && r.match(i+1) == end-1 {
		text = r.written(i+2, end-1)
	}
	if text == "" {
		return nil
	}
	return []Condition{{r.line(i), r.text(i), text}}
}

// foreign reports whether a word that branches in other languages is a name here.
func (s *source) foreign(i int) bool {
	if s.lang == golang {
		return !s.oneOf(i, "if switch case")
	}
	return s.in(i+1, joining) && !s.is(i, "case")
}

// joining are the tokens that may follow a name but not a branching word.
var joining = set("= . , ) ; ] < > <= >= == === != !== && || and or is in")

// conditionEnd returns the token after the condition of the word i. In Go the part before a semicolon is included.
func (s *source) conditionEnd(i int) int {
	if s.is(i+1, "(") &&
		(s.lang == sql || s.lang.style == braces && s.lang != golang && s.lang != rust) {
		return s.match(i+1) + 1
	}
	at := i + 1
	for n := 0; at < len(s.tokens) && n < conditionTokens; n++ {
		if s.oneOf(at, "{ then THEN do => ) ] }") || s.is(at, ";") && s.lang != golang ||
			s.is(at, ":") && !s.is(at-1, "?") && s.lang.style != ends ||
			s.is(at, "->") && s.lang == java || s.lang.style == indents && (s.first(at) || s.is(at, "else")) ||
			s.first(at) && s.lang.style == ends && !s.in(at-1, goesOn) && !s.oneOf(at, "&& || and or .") ||
			s.lang == sql && at > i+1 && s.oneOf(at, "WHEN ELSE GROUP ORDER RETURNING when else group order") {
			return at
		}
		at = s.over(at)
	}
	return at
}
