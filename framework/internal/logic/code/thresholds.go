package code

// compared are the comparing signs, with what each is when its sides are changed.
var compared = map[string]string{
	"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "==", "!=": "!=", "===": "===", "!==": "!==",
	"<>": "<>", "=": "=",
}

// threshold reads the comparison whose sign is token i.
func (r *factReader) threshold(i int) []Threshold {
	turned, ok := compared[r.text(i)]
	if !ok || r.is(i, "=") && r.lang != sql || r.shift(i) || r.shift(i-1) {
		return nil
	}
	if from, to, ok := r.amount(i + 1); ok {
		subject := r.written(r.operandStart(i-1), i)
		return []Threshold{{r.line(i), subject, r.text(i), r.written(from, to)}}
	}
	if r.kind(i-1) == number || r.kind(i-1) == word && upper(r.text(i-1)) && r.spaced(i) {
		return []Threshold{{r.line(i), r.operandBehind(i), turned, r.written(r.operandStart(i-1), i)}}
	}
	return nil
}

// spaced reports whether a sign has space around it, as a comparison has and a
// list of types has not.
func (s *source) spaced(i int) bool { return !s.glued(i) && !s.glued(i+1) }

// amount finds the number or constant that starts at token i.
func (s *source) amount(i int) (from, to int, ok bool) {
	from = i
	if s.is(i, "-") || s.is(i, "+") {
		i++
	}
	if s.kind(i) == number && i < len(s.tokens) {
		return from, i + 1, true
	}
	if !s.spaced(i-1) && s.oneOf(i-1, "< >") || s.kind(i) != word {
		return 0, 0, false
	}
	to = s.memberEnd(i)
	return from, to, upper(s.text(to-1)) && s.lang != sql
}

// operandStart returns the first token of the operand that ends with token at: a name with its
// members, calls and indexes.
func (s *source) operandStart(at int) int {
	for n := 0; n < lookback; n++ {
		open := s.match(at)
		switch {
		case open != none && open < at &&
			(s.kind(open-1) == word && !s.in(open-1, branching) || s.oneOf(open-1, ") ]")):
			at = open - 1
		case open != none && open < at:
			return open
		case s.oneOf(at-1, ". ?. -> ?-> &. ::"):
			at -= 2
		default:
			return max(at, 0)
		}
	}
	return max(at, 0)
}

// operandBehind returns what stands behind the sign i.
func (s *source) operandBehind(i int) string {
	at := i + 1
	for n := 0; n < lookback && at < len(s.tokens); n++ {
		at = s.over(at)
		if s.is(at, "(") || s.is(at, "[") {
			continue
		}
		if !s.oneOf(at, ". ?. -> ?-> &. ::") {
			break
		}
		at++
	}
	return s.written(i+1, at)
}
