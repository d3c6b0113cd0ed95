package code

// lookback is the maximum number of tokens that are read to interpret one.
const lookback = 200

// keyword returns the word that declares what the brace i opens, among the tokens from head on, or none. If a statement
// may end without a semicolon, head may be too early, so the last such word counts.
func (w *braceWalk) keyword(head, i int) int {
	if w.lang.arrows && w.lang.free {
		for at, n := w.back(i), 0; at >= head && n < lookback; at, n = w.back(at), n+1 {
			if w.introduces(at) {
				return at
			}
			if open := w.match(at); w.is(at, "=>") ||
				w.is(at, "}") && (w.kind(open-1) == word || w.oneOf(open-1, ") >")) {
				return none
			}
		}
		return none
	}
	for at, n := head, 0; at < i && n < lookback; at, n = w.over(at), n+1 {
		if w.introduces(at) {
			return at
		}
	}
	return none
}

// contextual are words that declare only if a name follows, and are names elsewhere.
var contextual = set("type record module namespace union enum mod default")

// introduces reports whether token at begins a declaration.
func (w *braceWalk) introduces(at int) bool {
	if w.is(at-1, "use") {
		return false
	}
	isType := w.kind(at) == word && w.lang.types[w.text(at)] != ""
	if !isType && !w.in(at, w.lang.functions) {
		return false
	}
	if w.oneOf(at-1, ". ?. :: -> : , <") && isType || w.oneOf(at-1, ". ?. :: ->") {
		return false
	}
	if !isType {
		return !w.oneOf(at+1, ": = , ) .")
	}
	if w.in(at, contextual) && w.kind(at+1) != word && w.kind(at+1) != text {
		return false
	}
	return !w.oneOf(at+1, ": = , ) . ( ; ? ! :: ->") || w.is(at, "macro_rules")
}

// declared records the declaration that begins with the word at and has the brace i as its body.
func (w *braceWalk) declared(at, i int) (inside, bool) {
	if w.in(at, w.lang.functions) {
		return inBlock, w.function(at, w.match(i))
	}
	name := at + 1
	for w.oneOf(name, "struct class record ! <") && !w.is(at, "impl") {
		name++
	}
	label := w.text(name)
	switch {
	case w.is(at, "impl"):
		label = w.implemented(at, i)
	case w.oneOf(name, "{ ( extends implements"):
		label = ""
	}
	start := w.modified(at)
	if w.lang.bare && !w.lang.free {
		start = w.past(w.top().head)
	}
	if label != "" {
		kind := w.lang.types[w.text(at)]
		w.add(kind, unquote(label), start, w.match(i))
	}
	closes := !w.oneOf(start-1, "= ( return : , new")
	switch {
	case w.is(at, "enum"):
		return inEnum, closes
	case w.oneOf(at, "namespace module mod"):
		return inFile, closes
	case w.is(at, "macro_rules"), w.is(at, "interface") && w.lang.free:
		w.skip = w.match(i)
		return inGroup, closes
	}
	return inType, closes
}

// implemented returns the name of the type that an impl block is for.
func (w *braceWalk) implemented(at, i int) string {
	label, depth := "", 0
	for at++; at < i; at = w.over(at) {
		switch {
		case w.is(at, "<"):
			depth++
		case w.is(at, ">"):
			depth--
		case depth > 0:
		case w.is(at, "for"):
			label = ""
		case w.is(at, "where"):
			return label
		case w.kind(at) == word && (label == "" || w.is(at-1, "::")):
			label = w.text(at)
		}
	}
	return label
}

// function records a function declared by a word. It reports whether the function is a statement rather than a value.
func (w *braceWalk) function(at, end int) bool {
	name := at + 1
	if w.is(name, "*") || w.is(name, "&") {
		name++
	}
	receiver := ""
	if w.lang == golang && w.is(name, "(") && w.kind(w.over(name)) == word && w.is(w.over(w.over(name)), "(") {
		receiver, name = w.receiver(name), w.over(name)
	}
	if w.kind(name) != word {
		start := at
		if w.is(at-1, "async") || w.is(at-1, "static") {
			start--
		}
		w.named(start, none, end)
		return w.is(start-1, "default")
	}
	if given, _, _ := w.nameOf(at); w.lang.arrows && given != "" && w.oneOf(at-1, "= :") {
		w.named(at, none, end)
		return false
	}
	kind := Function
	if w.top().inside == inType || receiver != "" {
		kind = Method
	}
	start := w.modified(at)
	w.add(kind, join(receiver, w.text(name)), start, end)
	return !w.oneOf(start-1, "= ( return : , ? && ||")
}

// receiver returns the name of the type in the receiver of a Go method.
func (w *braceWalk) receiver(open int) string {
	name := ""
	for at := open + 1; at < w.match(open) && !w.is(at, "["); at++ {
		if w.kind(at) == word {
			name = w.text(at)
		}
	}
	return name
}

func join(outer, name string) string {
	if outer == "" {
		return name
	}
	return outer + "." + name
}

// unquote removes the quotes of a name that is written as a string.
func unquote(name string) string {
	if n := len(name); n > 2 && (name[0] == '"' || name[0] == '\'') && name[n-1] == name[0] {
		return name[1 : n-1]
	}
	return name
}

// modified walks back over the modifiers of the declaration at.
func (w *braceWalk) modified(at int) int {
	for {
		switch before := w.back(at - 1); {
		case w.in(at-1, w.lang.modifiers):
			at--
		case w.lang == rust && w.is(at-1, ")") && w.is(before, "pub"):
			at = before
		default:
			return at
		}
	}
}

// add records a declaration whose first token, apart from decorators, is decl.
func (w *braceWalk) add(kind Kind, name string, decl, end int) {
	w.found = append(w.found, declaration{kind: kind, name: name, start: w.decorated(decl), decl: decl, end: end})
}

// decorated walks back over the annotations and attributes before decl.
func (w *braceWalk) decorated(decl int) int {
	for {
		at := w.annotation(decl - 1)
		if at < 0 {
			return decl
		}
		decl = at
	}
}

// annotation returns the first token of the annotation that ends with token last.
func (w *braceWalk) annotation(last int) int {
	switch w.lang.annotates {
	case "[":
		if open := w.match(last); w.is(last, "]") && open >= 0 && w.first(open) {
			return open
		}
	case "#[":
		if open := w.match(last); w.is(last, "]") && w.is(open-1, "#") {
			return open - 1
		}
	case "@":
		if w.is(last, ")") {
			last = w.back(last)
		}
		for w.kind(last) == word && w.is(last-1, ".") {
			last -= 2
		}
		if w.kind(last) == word && w.is(last-1, "@") {
			return last - 1
		}
	}
	return none
}
