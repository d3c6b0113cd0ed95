package patentquery

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
	"github.com/sagasu-search/sagasu/sdk/x/patentcode"
)

// nearby parses a part, and the proximity if it is the left side of one: a NEAR5 b, (a OR b) ADJ c.
func (p *parser) nearby() (Node, *failure) {
	from := p.tok
	left, bad := p.primary()
	operator := p.operator()
	if bad != nil || !nearForm().MatchString(operator) {
		return left, bad
	}
	node := Near{Words: true, Ordered: strings.HasPrefix(strings.ToUpper(operator), "ADJ")}
	fmt.Sscan(strings.TrimLeft(strings.ToUpper(operator), "NEARDJ/"), &node.Distance) // 0 without a number
	by := p.tok
	if node.Left, bad = p.sideOf(left, from, by); bad != nil {
		return nil, bad
	}
	if bad = p.advance(); bad != nil {
		return nil, bad
	}
	if p.tok.kind == end || p.tok.kind == shut || p.operator() != "" {
		return nil, p.fail(p.tok.at, p.found(), "a term, a phrase in quotes or (a OR b) after "+operator, by.blank())
	}
	from = p.tok
	right, bad := p.primary()
	if bad != nil {
		return nil, bad
	}
	if node.Right, bad = p.sideOf(right, from, by); bad != nil {
		return nil, bad
	}
	if node.Field = node.Left[0].Field; node.Field != node.Right[0].Field {
		return nil, p.fail(by.at, "sides in two fields", "both in one, such as title:(a NEAR5 b)", by.blank())
	}
	if again := p.operator(); nearForm().MatchString(again) {
		return nil, p.fail(p.tok.at, "a third side after "+excerpt(again),
			"two sides; join proximities by AND: a NEAR5 b AND b NEAR5 c", p.tok.blank())
	}
	return node, nil
}

// sideOf converts a part that began at from to a side of a proximity.
func (p *parser) sideOf(n Node, from, by token) ([]Term, *failure) {
	parts := []Node{n}
	if or, ok := n.(Or); ok {
		parts = or.Nodes
	}
	terms := make([]Term, len(parts))
	for i, part := range parts {
		t, ok := part.(Term)
		if !ok || t.Field != terms[0].Field && i > 0 {
			return nil, p.fail(from.at, "a side of "+excerpt(by.text)+" that is more than alternatives",
				"a term, a phrase in quotes or (a OR b) on each side", by.blank())
		}
		terms[i] = t
	}
	return terms, nil
}

// sloppy parses "a b"~5: the two words at most that many words apart, in either order.
func (p *parser) sloppy() (Node, *failure) {
	t := p.tok
	words := strings.FieldsFunc(t.text, func(r rune) bool { return ascii(r) == ' ' })
	if len(words) != 2 || !searchable(words[0]) || !searchable(words[1]) {
		return nil, p.fail(t.at, excerpt(p.src[t.at:t.stop]), fmt.Sprintf(`two words before ~%d, such as "heat sink"~%d; `+
			`join proximities of more by AND`, t.distance, t.distance), fix{t.at, t.stop - t.at, `"` + t.text + `"`})
	}
	if p.terms += 2; p.terms > MaxTerms {
		return nil, p.tooMany(t)
	}
	side := func(word string, open bool) []Term { return []Term{{p.in, word, !bare(word), open}} }
	return Near{p.in, false, true, t.distance, side(words[0], false), side(words[1], t.star)}, p.advance()
}

// bare reports whether a word can be written without quotes.
func bare(s string) bool {
	p := &parser{lexer: lexer{src: s}}
	bad := p.advance()
	return bad == nil && p.tok.kind == word && p.tok.text == s && p.operator() == ""
}

// Minimal forms of codes, in normal form.
var (
	codeForm  = lazyregexp.New(`^[A-HY](?:[0-9]{2}(?:[A-Z][0-9A-Z/,@]*)?)?$`)
	ftermForm = lazyregexp.New(`^[0-9][A-Z][0-9A-Z]*$`)
	nameForm  = lazyregexp.New(`^[^"?*]*[\pL\pN][^"?*]*$`)
)

// coded reads the codes or names that follow a prefix such as ipc: one, or alternatives in brackets.
func (p *parser) coded(kind string) (Node, *failure) {
	if bad := p.advance(); bad != nil {
		return nil, bad
	}
	if p.tok.kind != open {
		return p.code(kind)
	}
	from := p.tok
	if bad := p.advance(); bad != nil {
		return nil, bad
	}
	codes, bad := p.list(func() (Node, *failure) { return p.code(kind) }, func() (bool, *failure) {
		if p.operator() != "OR" {
			return false, nil
		}
		return true, p.advance()
	})
	switch {
	case bad != nil:
		return nil, bad
	case p.tok.kind != shut:
		return nil, p.fail(p.tok.at, p.found(), fmt.Sprintf("OR or ) behind %s:%s", kind, p.src[from.at:from.stop]),
			fix{p.tok.at, 0, ")"})
	}
	bad = p.advance()
	if len(codes) == 1 {
		return codes[0], bad
	}
	return Or{codes}, bad
}

// code reads one code or name.
func (p *parser) code(kind string) (Node, *failure) {
	t := p.tok
	if t.kind != word && t.kind != phrase || p.operator() != "" {
		return nil, p.missing("a value after " + kind + ":, such as " + samples[kind])
	}
	value := codeOf(kind, t.text)
	form := codeForm
	switch kind {
	case "ft":
		form = ftermForm
	case "applicant", "inventor":
		form = nameForm
	}
	if !form().MatchString(value) || t.tilde {
		return nil, p.fail(t.at, excerpt(t.text), "a value after "+kind+":, such as "+samples[kind],
			fix{t.at, t.stop - t.at, samples[kind]})
	}
	if p.terms++; p.terms > MaxTerms {
		return nil, p.tooMany(t)
	}
	bad := p.advance()
	for bad == nil && p.goesOn(kind, value, t) {
		value = codeOf(kind, value+" "+p.tok.text)
		bad = p.advance()
	}
	return Code{kind, value}, bad
}

// What may follow a subclass, a group of the File Index or a theme after a space, as gazettes print it.
var (
	groupForm  = lazyregexp.New(`^[0-9]{1,4}/[0-9]{2,6}[0-9A-Za-z,@]*$`)
	expandForm = lazyregexp.New(`^[0-9]{3}[A-Za-z]?$`)
	detailForm = lazyregexp.New(`^[A-Z]$`)
	termForm   = lazyregexp.New(`^[A-Za-z]{2}[0-9]{2}$`)
)

// goesOn reports whether the current token continues the code before it, as in H05K 7/20, A61B 1/00 610,
// G06T 7/00 350 C or 5E322 AA01.
func (p *parser) goesOn(kind, value string, by token) bool {
	if by.kind != word || by.star || p.tok.kind != word || p.tok.star {
		return false
	}
	switch next := asciiOf(p.tok.text); kind {
	case "ft":
		return len(value) == len("5E322") && termForm().MatchString(next)
	case "fi", "ipc", "cpc":
		group := kind == "fi" && strings.Contains(value, "/")
		expands, details := group && !strings.Contains(value, ","), group && unicode.IsDigit(lastOf(value))
		return len(value) == len("H05K") && groupForm().MatchString(next) ||
			expands && expandForm().MatchString(next) || details && detailForm().MatchString(next)
	}
	return false
}

// samples has a sample value for each prefix.
var samples = map[string]string{
	"fi": "G06V10/82", "ft": "5B089AA01", "ipc": "G06V10/82", "cpc": "G06V10/82", "applicant": `"Acme Corp"`,
	"inventor": `"Jane Doe"`,
}

// codeOf returns a value in the form of a snapshot's keywords.
func codeOf(kind, value string) string {
	switch kind {
	case "fi":
		_, full := patentcode.NormFI(value)
		return full
	case "ft":
		return patentcode.NormFTerm(value)
	case "ipc", "cpc":
		return patentcode.NormIPC(value)
	}
	return patentcode.NormName(value)
}

// Has reports whether the code matches a value of its kind in normal form.
func (c Code) Has(value string) bool {
	switch c.Kind {
	case "applicant", "inventor":
		return strings.Contains(value, c.Value)
	case "ft":
		return strings.HasPrefix(value, c.Value)
	}
	twin := ""
	if c.Kind == "fi" {
		twin = patentcode.TwinFI(c.Value)
	}
	return patentcode.Under(value, c.Value) || twin != "" && patentcode.Under(value, twin)
}

// Start returns the common prefix of the values that a code matches, or "" if there is none.
func (c Code) Start() string {
	if slices.Contains([]string{"applicant", "inventor"}, c.Kind) {
		return ""
	}
	if c.Kind == "fi" && patentcode.TwinFI(c.Value) != "" {
		norm, _ := patentcode.NormFI(c.Value)
		return norm
	}
	return strings.TrimSuffix(c.Value, "/00")
}
