package code

// inside is what a bracket contains.
type inside uint8

const (
	inFile inside = iota
	inType
	inEnum
	inObject
	inBlock
	inGroup // round and square brackets, interpolations
)

// level is an open bracket.
type level struct {
	inside inside
	end    int  // token of the closing bracket
	head   int  // first token of the current statement or element
	closes bool // its end is the end of a statement
	label  bool // "case" was read, but not its colon
}

// braceWalk interprets each opening brace by the tokens before it.
type braceWalk struct {
	*source
	levels []level
	found  []declaration
	skip   int // tokens before this one declare nothing
}

func outlineBraces(s *source) []declaration {
	w := &braceWalk{source: s, levels: []level{{inside: inFile, end: len(s.tokens)}}}
	for i := 0; i < len(s.tokens); i++ {
		w.leave(i)
		switch {
		case w.match(i) <= i:
			w.token(i)
		case w.is(i, "{"):
			holds, closes := w.explain(i)
			w.levels = append(w.levels, level{inside: holds, end: w.match(i), head: i + 1, closes: closes})
		default:
			w.levels = append(w.levels, level{inside: inGroup, end: w.match(i), head: i + 1})
		}
		i = max(i, w.skip-1)
	}
	return w.found
}

func (w *braceWalk) top() *level { return &w.levels[len(w.levels)-1] }

// leave closes the levels that end before token i.
func (w *braceWalk) leave(i int) {
	for len(w.levels) > 1 && w.top().end < i {
		closed := *w.top()
		w.levels = w.levels[:len(w.levels)-1]
		if closed.closes {
			w.top().head = closed.end + 1
		}
	}
}

// token reads a token that opens no bracket.
func (w *braceWalk) token(i int) {
	l := w.top()
	switch {
	case w.is(i, ";"):
		w.finish(l.head, i)
		l.head = i + 1
		if l.inside == inEnum {
			l.inside = inType // after the constants
		}
	case w.is(i, ",") && (l.inside == inObject || l.inside == inGroup || l.inside == inEnum):
		l.head = i + 1
	case w.is(i, ":") && l.label:
		l.head, l.label = i+1, false
	case w.is(i, "=>") && w.lang.free:
		if !w.is(i+1, "{") { // the body is an expression
			w.named(w.arrowStart(i), i, none)
		}
	case w.kind(i) == word && l.inside == inBlock && (w.is(i, "case") || w.is(i, "default") && w.is(i+1, ":")):
		l.label = true
	case w.in(i, w.lang.constants) && (l.inside == inFile || l.inside == inType):
		w.constant(i)
	case w.is(i, "type") && w.lang.free && l.inside != inObject:
		w.alias(i)
	}
}

// explain returns what the brace i contains, and whether its end ends a statement.
func (w *braceWalk) explain(i int) (inside, bool) {
	l := w.top()
	if w.lang.free && w.lang.arrows && w.typeLiteral(l, i) {
		w.skip = w.match(i)
		return inGroup, false
	}
	if w.lang.free && w.lang.arrows && w.in(i-1, beforeObject) && (i > l.head || l.inside == inGroup) {
		return inObject, false
	}
	if at := w.keyword(l.head, i); at >= 0 {
		return w.declared(at, i)
	}
	if w.lang.arrows && w.is(i-1, "=>") {
		if w.lang.free {
			w.named(w.arrowStart(i-1), none, w.match(i))
		}
		return inBlock, false
	}
	if w.lang.bare {
		bareMethod := w.typedMethod // without a declaring word
		if w.lang.free {
			bareMethod = w.scriptMethod
		}
		if name, ok := bareMethod(l, i); ok {
			w.method(l, name, w.match(i))
			return inBlock, true
		}
	}
	if w.lang.anonymous && (w.created(i) || l.inside == inEnum && w.kind(l.head) == word) {
		return inType, false
	}
	if w.lang.free && (l.inside == inGroup || l.inside == inObject) {
		return inObject, false
	}
	return inBlock, l.inside != inGroup
}

// beforeObject are the tokens after which a brace opens an object.
var beforeObject = set("= ( [ , : ? && || ?? return ... in of await yield default | & extends as satisfies new throw " +
	"case import export += <")

// typeLiteral reports whether the brace i opens a type literal, which contains no functions.
func (w *braceWalk) typeLiteral(l *level, i int) bool {
	switch {
	case w.oneOf(i-1, "| & < as satisfies keyof"):
		return w.find(l.head, i, "?") < 0 || !w.is(i-1, "&")
	case !w.is(i-1, ":"):
		return false
	case l.inside == inGroup:
		return i-1 == l.head+1 || i-1 == l.head+2 && w.is(i-2, "?")
	}
	return l.inside != inObject && l.head < i && w.find(l.head, i, "?") < 0 && w.find(l.head, i, "=") < 0
}

// created reports whether the brace i is the body of a "new" expression.
func (w *braceWalk) created(i int) bool {
	if !w.is(i-1, ")") {
		return false
	}
	at := w.back(i - 1)
	for n := 0; n < lookback && (w.kind(at) == word || w.oneOf(at, ". < > , ? [ ] @")); n++ {
		if w.is(at, "new") {
			return true
		}
		at = w.back(at)
	}
	return false
}
