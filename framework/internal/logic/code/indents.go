package code

// indented is an open block of a language that marks blocks by indentation.
type indented struct {
	column int
	found  int // index of its declaration
	isType bool
}

// outlineIndents finds the declarations of a language that marks blocks by indentation.
func outlineIndents(s *source) []declaration {
	var found []declaration
	var open []indented
	decorator, last := none, none
	for i := 0; i < len(s.tokens); i = s.over(i) {
		if !s.first(i) || s.is(i-1, `\`) {
			last = s.over(i) - 1
			continue
		}
		column := s.column(i)
		for len(open) > 0 && open[len(open)-1].column >= column {
			found[open[len(open)-1].found].end = last
			open = open[:len(open)-1]
		}
		last = s.over(i) - 1
		if s.is(i, s.lang.annotates) {
			if decorator == none {
				decorator = i
			}
			continue
		}
		inType := len(open) > 0 && open[len(open)-1].isType
		if d, ok := s.indentedDeclaration(i, inType, len(open) == 0); ok {
			if decorator != none {
				d.start = decorator
			}
			if d.kind != Constant {
				open = append(open, indented{column, len(found), d.kind == Type})
			}
			found = append(found, d)
		}
		decorator = none
	}
	for _, o := range open {
		found[o.found].end = last
	}
	return found
}

// column returns the width of the blanks before token i, the first of its line.
func (s *source) column(i int) int {
	start := int(s.tokens[i].start)
	from := start
	for from > 0 && (s.src[from-1] == ' ' || s.src[from-1] == '\t') {
		from--
	}
	return start - from
}

// indentedDeclaration reads the declaration that begins with token i, the first of its line.
func (s *source) indentedDeclaration(i int, inType, outside bool) (declaration, bool) {
	at := i
	for s.in(at, s.lang.modifiers) {
		at++
	}
	kind := s.lang.types[s.text(at)]
	switch {
	case s.kind(at) != word || s.kind(at+1) != word || kind == "" && !s.in(at, s.lang.functions):
		return s.indentedConstant(i, inType || outside)
	case kind == "" && inType:
		kind = Method
	case kind == "":
		kind = Function
	}
	body := at
	for body < len(s.tokens) && !s.is(body, ":") && (body == at || !s.first(body)) {
		body = s.over(body)
	}
	d := declaration{kind: kind, name: s.text(at + 1), start: i, decl: i, end: body}
	if s.kind(body+1) == text {
		d.doc = body + 1
	}
	return d, s.is(body, ":")
}

// indentedConstant reads NAME = value on a line outside of functions.
func (s *source) indentedConstant(i int, allowed bool) (declaration, bool) {
	equals := i + 1
	for n := 0; s.is(i+1, ":") && n < lookback && equals < len(s.tokens) && !s.is(equals, "=") &&
		!s.first(equals); n++ {
		equals = s.over(equals)
	}
	if !allowed || s.kind(i) != word || !s.is(equals, "=") {
		return declaration{}, false
	}
	value := equals + 1
	if s.kind(value) != number && s.kind(value) != text && !s.oneOf(value, "[ { ( - True False") && !upper(s.text(i)) {
		return declaration{}, false
	}
	end := equals
	for at := value; at < len(s.tokens) && (!s.first(at) || s.is(at-1, `\`)); at = s.over(at) {
		end = s.over(at) - 1
	}
	return declaration{kind: Constant, name: s.text(i), start: i, decl: i, end: end}, end > equals
}
