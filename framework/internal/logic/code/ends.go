package code

// opened is a block that waits for its "end".
type opened struct {
	found  int // index of its declaration, or none
	isType bool
	loop   bool // a "do" on the same line belongs to it
}

// endWalk reads a language whose blocks end with a word.
type endWalk struct {
	*source
	open  []opened
	found []declaration
}

var (
	// words that always open a block
	blockWords = set("begin case do")
	// words that open a block at the start of a statement or value, and modify one elsewhere
	modifierWords = set("if unless while until for")
	loopWords     = set("while until for")
	// tokens after which a statement or value begins
	beforeStatement = set("; = ( [ { , || && ! => then do else ensure begin rescue and or not | += -= *= /= ||= &&= " +
		"<< < > == ? : when in unless if while until elsif -> ..")
)

func outlineEnds(s *source) []declaration {
	w := &endWalk{source: s}
	for i := 0; i < len(s.tokens); i++ {
		if s.kind(i) != word || s.oneOf(i-1, ". &. ::") || s.label(i) {
			continue
		}
		i = w.word(i)
	}
	w.broken = w.broken || len(w.open) > 0
	for len(w.open) > 0 {
		w.close(len(s.tokens) - 1)
	}
	return w.found
}

// label reports whether word i is a key such as "if:".
func (s *source) label(i int) bool {
	return s.is(i+1, ":") && s.glued(i+1) && !s.is(i-1, "?")
}

// word reads the word i and returns the last token that belongs to it.
func (w *endWalk) word(i int) int {
	switch {
	case w.is(i, "end"):
		if w.broken = w.broken || len(w.open) == 0; len(w.open) > 0 {
			w.close(i)
		}
	case w.in(i, w.lang.functions):
		return w.def(i)
	case w.lang.types[w.text(i)] != "" &&
		(w.kind(i+1) == word || w.is(i, "class") && (w.is(i+1, "<") || w.is(i+1, "::"))):
		return w.typed(i)
	case w.is(i, "do") && len(w.open) > 0 && w.open[len(w.open)-1].loop:
		w.open[len(w.open)-1].loop = false
	case w.in(i, blockWords):
		w.push(opened{found: none})
	case w.in(i, modifierWords) && w.begins(i):
		w.push(opened{found: none, loop: w.in(i, loopWords) && w.hasDo(i)})
	case upper(w.text(i)) && w.is(i+1, "=") && w.first(i) && w.outside():
		w.found = append(w.found,
			declaration{kind: Constant, name: w.text(i), start: i, decl: i, end: w.lineLast(i + 1)})
	}
	return i
}

func (w *endWalk) push(o opened) { w.open = append(w.open, o) }

// outside reports whether no function is open.
func (w *endWalk) outside() bool {
	return len(w.open) == 0 || w.open[len(w.open)-1].isType
}

// close ends the innermost block.
func (w *endWalk) close(end int) {
	n := len(w.open) - 1
	if found := w.open[n].found; found != none {
		w.found[found].end = end
	}
	w.open = w.open[:n]
}

// begins reports whether a statement or a value begins with token i.
func (w *endWalk) begins(i int) bool {
	return w.first(i) && !w.is(i-1, `\`) || w.in(i-1, beforeStatement) || w.opensHole(i-1)
}

// hasDo reports whether the condition of the loop word i ends with "do" on the same line.
func (w *endWalk) hasDo(i int) bool {
	for at, n := i+1, 0; n < lookback && at < len(w.tokens) && !w.first(at) && !w.is(at, ";"); at, n = w.over(at), n+1 {
		if w.is(at, "do") {
			return true
		}
	}
	return false
}

// def reads the head of a method, whose name may be any word or operator.
func (w *endWalk) def(i int) int {
	at := i + 1
	for (w.is(at+1, ".") || w.is(at+1, "::")) && (w.kind(at) == word || w.match(at) > at) {
		at += 2
	}
	name := at
	for at+1 < len(w.tokens) && w.kind(name) == punct && w.glued(at+1) && w.kind(at+1) == punct && !w.is(at+1, "(") {
		at++
	}
	if w.is(at+1, "=") && w.glued(at+1) { // of a setter
		at++
	}
	if name >= len(w.tokens) {
		return i
	}
	label := string(w.src[w.tokens[name].start:w.tokens[min(at, len(w.tokens)-1)].end])
	body := at + 1
	if w.is(body, "(") {
		body = w.over(body)
	}
	kind := Function
	if len(w.open) > 0 {
		kind = Method
	}
	d := declaration{kind: kind, name: label, start: i, decl: i, end: i}
	for d.start > 0 && !w.first(d.start) && w.in(d.start-1, w.lang.modifiers) {
		d.start--
	}
	if w.is(body, "=") && !w.first(body) {
		d.end = w.lineLast(body)
		w.found = append(w.found, d)
		return at
	}
	w.push(opened{found: len(w.found)})
	w.found = append(w.found, d)
	return at
}

// lineLast returns the last token of the statement that contains token at.
func (w *endWalk) lineLast(at int) int {
	for at+1 < len(w.tokens) && (!w.first(at+1) || w.in(at, goesOn)) && !w.is(at+1, ";") {
		at = w.over(at+1) - 1
	}
	return at
}

func (w *endWalk) typed(i int) int {
	at := i + 1
	if w.is(at, "<") { // class << self
		w.push(opened{found: none, isType: true})
		return at
	}
	if w.is(at, "::") {
		at++
	}
	name := at
	for w.is(at+1, "::") {
		at += 2
	}
	at = min(at, len(w.tokens)-1)
	w.push(opened{found: len(w.found), isType: true})
	label := string(w.src[w.tokens[name].start:w.tokens[at].end])
	w.found = append(w.found, declaration{kind: Type, name: label, start: i, decl: i, end: i})
	return at
}
