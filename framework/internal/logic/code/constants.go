package code

// namedValue reads the constant that token i names: NAME = 5, and also name: "x" in a unit of constants.
func (r *factReader) namedValue(kind Kind, i int) []NamedValue {
	if r.kind(i) == punct || r.kind(i) == number || r.oneOf(i-1, ". ->") {
		return nil
	}
	name, sign := bare(r.text(i)), i+1
	if kind != Constant && (r.kind(i) == text || !upper(name)) {
		return nil
	}
	if r.oneOf(i-1, ": <") && r.kind(i) == word && !r.first(i) {
		return nil // the type of a name
	}
	if r.lang != golang && r.is(sign, "=") && r.argumentOf(i) != "" {
		return nil // the name of an argument
	}
	if r.is(sign, ":") && !r.literal(sign+1) {
		for n := 0; n < 8 && !r.is(sign, "=") && sign < len(r.tokens); n++ {
			sign = r.over(sign) // a type in between
		}
		if r.lang == python && sign < len(r.tokens) && r.line(sign) != r.line(i) {
			return nil // the colon ends a condition
		}
	}
	if !r.oneOf(sign, "= : => :=") || !r.literal(sign+1) || r.lang == golang && r.is(sign, ":") && r.named[name] {
		return nil // the key of a map uses a constant
	}
	return []NamedValue{{r.line(i), name, r.written(sign+1, r.literalEnd(sign+1))}}
}

// literal reports whether a number, a string or a boolean begins at token i.
func (s *source) literal(i int) bool {
	if s.is(i, "-") {
		i++
	}
	return s.kind(i) == number || s.kind(i) == text || s.oneOf(i, "true false True False")
}

// literalEnd returns the token after the literal, or product of literals, at token i.
func (s *source) literalEnd(i int) int {
	if s.is(i, "-") {
		i++
	}
	for i++; ; {
		operand := i + 1
		if s.oneOf(i, "< >") && s.is(operand, s.text(i)) {
			operand++ // a shift
		}
		if !s.oneOf(i, "* + - / . < > ** | % ^") || s.kind(operand) == punct {
			return i
		}
		i = operand + 1
	}
}

// reads reports whether token i is the name of a constant.
func (r *factReader) reads(i int) bool {
	return r.kind(i) == word && r.lang != sql && (upper(r.text(i)) || r.named[r.text(i)])
}
