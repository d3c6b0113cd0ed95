package code

// typedMethod returns the name before the first brackets of a head of the form: modifiers Type name(parameters) rest.
func (w *braceWalk) typedMethod(l *level, i int) (int, bool) {
	if l.inside != inType && !(w.lang.locals && (l.inside == inBlock || l.inside == inFile)) {
		return 0, false
	}
	at, n := l.head, 0
	for ; at < i && n < lookback; at, n = w.over(at), n+1 {
		if w.is(at, "=") && !w.is(at-1, "operator") || w.is(at, "=>") {
			return 0, false
		}
		if !w.is(at, "(") || w.match(at) < at {
			continue
		}
		if name, ok := w.beforeParameters(l, at); ok {
			return name, true
		}
	}
	if l.inside == inType && w.lang == java && i-1 >= l.head && w.kind(i-1) == word &&
		w.modified(i-1) == w.past(l.head) {
		return i - 1, !w.is(i-1, "static") // the compact constructor of a record
	}
	return 0, false
}

// past returns the first token after the annotations at the start of a head.
func (w *braceWalk) past(head int) int {
	for {
		switch {
		case w.lang.annotates == "@" && w.is(head, "@") && !w.is(head+1, "interface"):
			head += 2
			for w.is(head, ".") {
				head += 2
			}
			if w.is(head, "(") {
				head = w.over(head)
			}
		case w.lang.annotates == "[" && w.is(head, "["):
			head = w.over(head)
		default:
			return head
		}
	}
}

// beforeParameters returns the name before the bracket at if the bracket may open parameters.
func (w *braceWalk) beforeParameters(l *level, at int) (int, bool) {
	name := w.beforeTypes(at - 1)
	if w.is(name-1, "operator") || w.is(name-2, "operator") {
		return name, true
	}
	if w.kind(name) != word || w.in(name, w.lang.control) || w.in(name, w.lang.modifiers) || w.annotation(at-1) >= 0 {
		return 0, false
	}
	if l.inside == inBlock || l.inside == inFile {
		typed := name > w.past(l.head) &&
			(w.kind(name-1) == word && !w.in(name-1, w.lang.control) || w.oneOf(name-1, "> ] ? )"))
		return name, typed && !w.in(w.past(l.head), w.lang.control)
	}
	return name, true
}

// beforeTypes walks back over type arguments that end with token at.
func (w *braceWalk) beforeTypes(at int) int {
	if !w.is(at, ">") {
		return at
	}
	for depth, n, from := 0, 0, at; from >= 0 && n < lookback; from, n = w.back(from), n+1 {
		if w.is(from, ">") {
			depth++
		} else if w.is(from, "<") {
			if depth--; depth == 0 {
				return from - 1
			}
		}
	}
	return at
}

// scriptMethod returns the name of a method of a class or an object.
func (w *braceWalk) scriptMethod(l *level, i int) (int, bool) {
	if l.inside != inType && l.inside != inObject {
		return 0, false
	}
	open := w.match(w.returns(i - 1))
	name := w.beforeTypes(open - 1)
	if w.is(name, "]") {
		return w.match(name), w.match(name) >= l.head
	}
	ok := name >= l.head && (w.kind(name) == word || w.kind(name) == number || w.kind(name) == text) &&
		!w.oneOf(name-1, ". ?. new = function =>")
	return name, ok
}

// returns walks back from the last token before a body, over the return type, to the bracket that closes the
// parameters.
func (w *braceWalk) returns(at int) int {
	// The bracket may close part of a type instead of the parameters: ": (a | b)".
	if w.is(at, ")") && (!w.is(w.back(at), ":") || !w.is(w.back(at)-1, ")")) {
		return at
	}
	for n := 0; at >= w.top().head && n < lookback; at, n = w.back(at), n+1 {
		if w.is(at, ":") && w.is(at-1, ")") {
			return at - 1
		}
	}
	return none
}

// method records a method with the token name as its name.
func (w *braceWalk) method(l *level, name, end int) {
	label, decl := w.text(name), name
	if w.is(name, "[") {
		label = string(w.src[w.tokens[name].start:w.tokens[w.match(name)].end])
	}
	if w.lang.free {
		decl = w.scriptModified(name, l.head)
	} else {
		decl = w.past(l.head)
	}
	kind := Method
	if l.inside == inBlock || l.inside == inFile {
		kind = Function
	}
	w.add(kind, unquote(label), decl, end)
}

func (w *braceWalk) scriptModified(at, head int) int {
	for at > head && w.in(at-1, w.lang.modifiers) && !w.is(at-2, ".") {
		at--
	}
	return at
}

// finish reads a statement without a body that ends at the semicolon i.
func (w *braceWalk) finish(head, i int) {
	l := w.top()
	switch {
	case w.lang.bare && !w.lang.free:
		w.typedStatement(l, head, i)
	case !w.lang.free && l.inside != inBlock && l.inside != inGroup:
		for at, n := head, 0; at < i && n < lookback; at, n = w.over(at), n+1 {
			if w.in(at, w.lang.functions) && w.introduces(at) && w.kind(at+1) == word {
				w.function(at, i)
				return
			}
			if w.lang.types[w.text(at)] == Type && w.introduces(at) && w.lang == rust && !w.is(at, "mod") {
				w.add(Type, w.text(at+1), w.modified(at), i)
				return
			}
		}
	}
}

// typedStatement records a method without a body, a method whose body is an expression, or a constant.
func (w *braceWalk) typedStatement(l *level, head, i int) {
	stop := w.find(head, i, "=>")
	if stop < 0 {
		stop = i
		if equals := w.find(head, i, "="); equals >= 0 {
			holds := func(word string) bool { return w.find(head, equals, word) >= 0 }
			if l.inside == inType && (holds("const") || holds("static") && (holds("final") || holds("readonly"))) {
				w.add(Constant, w.text(equals-1), w.past(head), i)
			}
			return
		}
	}
	if l.inside != inType && stop == i {
		return
	}
	if name, ok := w.typedMethod(l, stop); ok && (name > w.past(head) || stop < i) {
		w.method(l, name, i)
	}
}

// find returns the first token from from up to to that is sign and outside of brackets, or none.
func (w *braceWalk) find(from, to int, sign string) int {
	for n := 0; from < to && n < lookback; from, n = w.over(from), n+1 {
		if w.is(from, sign) {
			return from
		}
	}
	return none
}
