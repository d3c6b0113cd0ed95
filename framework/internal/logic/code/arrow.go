package code

// arrowStart returns the first token of the arrow function whose arrow is token at.
func (w *braceWalk) arrowStart(at int) int {
	start := at - 1
	if last := w.returns(at - 1); w.is(last, ")") {
		start = w.match(last)
	}
	if start > 0 && w.is(start, "(") && w.is(start-1, ">") {
		start = w.beforeTypes(start-1) + 1
	}
	if w.is(start-1, "async") {
		start--
	}
	return start
}

// named records a function that is a value if it has a name: by an assignment, by the key of an object, or through a
// call that wraps it. If the body is an expression, it follows arrow, and end is none.
func (w *braceWalk) named(start, arrow, end int) {
	name, decl, kind := w.nameOf(start)
	if name == "" {
		return
	}
	if end == none {
		end = w.expressionEnd(arrow + 1)
	}
	if w.top().inside == inGroup {
		end = max(end, w.top().end) // of the call that has it as an argument
	}
	if w.is(end+1, ";") {
		end++
	}
	w.add(kind, name, decl, end)
}

// nameOf returns the name and kind of the value that starts with token start, and the token where its declaration
// begins.
func (w *braceWalk) nameOf(start int) (name string, decl int, kind Kind) {
	before := start - 1
	switch {
	case w.is(before, "=") && w.top().inside != inGroup && w.top().inside != inObject:
		return w.assigned(before)
	case w.is(before, ":") && w.top().inside == inObject && before > w.top().head:
		return w.key(before)
	case w.is(before, "default"):
		return "default", before - 1, Function
	case w.is(before, "(") && w.lang.arrows && w.kind(before-1) == word && !w.in(before-1, w.lang.control):
		if at := w.callee(before); w.is(at-1, "=") {
			return w.assigned(at - 1)
		}
	case w.is(before, ",") && w.top().inside == inGroup && len(w.levels) == 2 && w.lang.arrows:
		return w.registered(w.match(w.top().end))
	}
	return "", 0, ""
}

// callee returns the first token of what is called with the bracket open.
func (w *braceWalk) callee(open int) int {
	at := open - 1
	for w.is(at-1, ".") && w.kind(at-2) == word {
		at -= 2
	}
	return at
}

// registered names a function that a statement passes to a call together with a string, as for routes:
// router.get("/orders", …).
func (w *braceWalk) registered(open int) (string, int, Kind) {
	at := w.callee(open)
	if open < 0 || w.kind(open+1) != text || w.kind(at) != word || !w.first(at) {
		return "", 0, ""
	}
	return w.written(at, open) + " " + bare(w.text(open+1)), at, Function
}

func (w *braceWalk) key(colon int) (string, int, Kind) {
	at := colon - 1
	if w.is(at, "]") && w.match(at) >= 0 {
		at = w.match(at)
		return string(w.src[w.tokens[at].start:w.tokens[colon].start]), at, Method
	}
	if w.kind(at) == punct {
		return "", 0, ""
	}
	return unquote(w.text(at)), at, Method
}

// assigned returns the name before the equals sign at.
func (w *braceWalk) assigned(at int) (string, int, Kind) {
	name := w.target(at - 1)
	if name < 0 {
		return "", 0, ""
	}
	label := unquote(w.text(name))
	if w.is(name, "]") {
		label = string(w.src[w.tokens[w.match(name)].start:w.tokens[name].end])
		name = w.match(name)
	}
	decl := name
	for decl > 1 && w.oneOf(decl-1, ". ?.") { // a file may begin with a dot
		decl = w.back(decl - 1)
	}
	switch {
	case w.in(decl-1, w.lang.constants):
		return label, w.modified(decl - 1), Function
	case w.top().inside == inType:
		return label, w.scriptModified(name, 0), Method
	}
	return label, decl, Function
}

// target returns the token of the name that a value is assigned to: token at, or the one before its type.
func (w *braceWalk) target(at int) int {
	if w.assignable(at) {
		return at
	}
	for n := 0; at > 0 && n < lookback; at, n = w.back(at), n+1 {
		if w.is(at, ":") && w.assignable(at-1) {
			return at - 1
		}
	}
	return none
}

// assignable reports whether token at is a name that follows a declaring word, a modifier or a member operator, or that
// starts a line.
func (w *braceWalk) assignable(at int) bool {
	if w.is(at, "]") {
		at = w.match(at)
		return at > 0
	}
	if w.kind(at) == punct {
		return false
	}
	return w.first(at) || w.in(at-1, w.lang.constants) || w.oneOf(at-1, ". ?. , ; { } (") ||
		w.top().inside == inType && w.in(at-1, w.lang.modifiers)
}

// goesOn are the tokens after which a statement continues.
var goesOn = set("= + - * / % & | ^ ? : && || ?? => . ?. " +
	"< > <= >= == === != !== += -= *= /= instanceof in as satisfies , ( [ extends ! ~ new await typeof")

// continues are the tokens with which a line may continue a statement.
var continues = set("= + - * / % & | ^ ? : && || ?? => . ?. " +
	"< > <= >= == === != !== += instanceof in as satisfies , ( [ extends")

// expressionEnd returns the last token of the expression that starts at.
func (w *braceWalk) expressionEnd(at int) int {
	limit := min(w.top().end, len(w.tokens))
	for last := at - 1; ; {
		if at >= limit || w.is(at, ";") || w.is(at, ",") {
			return last
		}
		if w.first(at) && w.kind(at) != text && !w.in(at, continues) && !w.in(last, goesOn) {
			return last
		}
		last = w.over(at) - 1
		at = last + 1
	}
}

// constant records what a declaring word such as "const" declares.
func (w *braceWalk) constant(at int) {
	name := at + 1
	for w.kind(name) == word && w.kind(name+1) == word {
		name++ // Rust's mut, PHP's type
	}
	if w.kind(name) != word || !w.fixed(name) {
		return
	}
	w.add(Constant, w.text(name), w.modified(at), w.statementEnd(name))
}

// fixed reports whether the name is assigned a value worth showing, and not the result of a call.
func (w *braceWalk) fixed(name int) bool {
	equals := w.find(name, w.statementEnd(name), "=")
	if equals < 0 || w.find(name, equals, "{") >= 0 {
		return false
	}
	value := equals + 1
	return w.kind(value) == number || w.kind(value) == text || w.oneOf(value, "[ { - new Object & true false") ||
		upper(w.text(name))
}

// upper reports whether a name is written like a constant.
func upper(name string) bool {
	capital := false
	for _, c := range []byte(name) {
		if 'a' <= c && c <= 'z' {
			return false
		}
		capital = capital || 'A' <= c && c <= 'Z'
	}
	return capital && len(name) > 1
}

// statementEnd returns the last token of the statement that contains token at.
func (w *braceWalk) statementEnd(at int) int {
	if w.lang.free {
		end := w.expressionEnd(at + 1)
		if w.is(end+1, ";") {
			end++
		}
		return end
	}
	for end := at; end < min(w.top().end, len(w.tokens)); end = w.over(end) {
		if w.is(end, ";") {
			return end
		}
	}
	return min(w.top().end, len(w.tokens)) - 1
}

// alias records a named type without its own body: type Name = ….
func (w *braceWalk) alias(at int) {
	equals := w.find(at, len(w.tokens), "=")
	if w.kind(at+1) != word || !w.oneOf(at+2, "= <") || equals < 0 || w.oneOf(at-1, ". import {") {
		return
	}
	end := w.statementEnd(equals)
	w.add(Type, w.text(at+1), w.modified(at), end)
	w.skip = end
}
