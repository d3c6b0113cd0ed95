package patentquery

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

const (
	// MaxLength is the maximum length of a query in bytes.
	MaxLength = 64 << 10
	// MaxTerms is the maximum number of terms of a query, including those below a NOT and in
	// proximities.
	MaxTerms = 1000
	// maxDepth is the maximum nesting depth of brackets, fields and NOTs.
	maxDepth = 200
)

// Parse reads a query. The error is a *SyntaxError.
func Parse(query string) (Node, error) {
	node, bad := parse(query)
	if bad != nil {
		return nil, bad.report(query)
	}
	return node, nil
}

// parser reads tokens with a look-ahead of one.
type parser struct {
	lexer
	tok   token
	in    Field
	depth int
	terms int // number of terms read so far
}

func parse(query string) (Node, *failure) {
	p := &parser{lexer: lexer{src: query}}
	if len(query) > MaxLength {
		return nil, p.fail(0, fmt.Sprintf("%d bytes", len(query)),
			fmt.Sprintf("a query of at most %d bytes", MaxLength), fix{0, len(query), ""})
	}
	if bad := p.advance(); bad != nil {
		return nil, bad
	}
	node, bad := p.or()
	if bad == nil && p.tok.kind != end {
		return nil, p.fail(p.tok.at, "a ) without its (", "AND, OR, NOT, a term or the end of the query", p.tok.blank())
	}
	return node, bad
}

func (p *parser) advance() (bad *failure) {
	p.tok, bad = p.next()
	return bad
}

// operator returns the operator if the next token is one, or "".
func (p *parser) operator() string {
	if p.tok.kind == word && !p.tok.star {
		switch s := strings.ToUpper(text.Fold(p.tok.text)); s {
		case "AND", "OR", "NOT":
			return s
		}
		if s := asciiOf(p.tok.text); s == "XOR" || nearForm().MatchString(s) {
			return s
		}
	}
	return ""
}

// nearForm matches a proximity between two terms. Without a number it must be in capitals, since near is a word.
var nearForm = lazyregexp.New(`^(?:(?:NEAR|ADJ)|(?i:NEAR|ADJ)/?[0-9]{1,4})$`)

func (p *parser) or() (Node, *failure) {
	nodes, bad := p.list(p.xor, func() (bool, *failure) {
		if p.operator() != "OR" {
			return false, nil
		}
		return true, p.advance()
	})
	if bad != nil || len(nodes) == 1 {
		return first(nodes), bad
	}
	return orOf(nodes...), nil
}

// xor parses an XOR, which it expands to AND, OR and NOT.
func (p *parser) xor() (Node, *failure) {
	node, bad := p.and()
	for bad == nil && p.operator() == "XOR" {
		at := p.tok
		var other Node
		if bad = p.advance(); bad != nil {
			break
		}
		if other, bad = p.and(); bad != nil {
			break
		}
		if p.terms += leaves(node) + leaves(other); p.terms > MaxTerms {
			return nil, p.tooMany(at)
		}
		node = orOf(andOf(node, Not{other}), andOf(other, Not{node}))
	}
	return node, bad
}

// leaves counts the terms of a node, including those below a NOT.
func leaves(n Node) (count int) {
	switch n := n.(type) {
	case And:
		for _, part := range n.Nodes {
			count += leaves(part)
		}
	case Or:
		for _, part := range n.Nodes {
			count += leaves(part)
		}
	case Not:
		return leaves(n.Node)
	case Near:
		return len(n.Left) + len(n.Right)
	default:
		return 1
	}
	return count
}

func (p *parser) and() (Node, *failure) {
	nodes, bad := p.list(p.not, func() (bool, *failure) {
		switch operator := p.operator(); {
		case operator == "AND":
			return true, p.advance()
		case p.tok.kind == end || p.tok.kind == shut || operator == "OR" || operator == "XOR":
			return false, nil
		}
		return true, nil
	})
	if bad != nil || len(nodes) == 1 {
		return first(nodes), bad
	}
	return andOf(nodes...), nil
}

func orOf(nodes ...Node) Node {
	return Or{flat(nodes, func(n Node) []Node { inner, _ := n.(Or); return inner.Nodes })}
}

func andOf(nodes ...Node) Node {
	return And{flat(nodes, func(n Node) []Node { inner, _ := n.(And); return inner.Nodes })}
}

// list reads parts as long as more reports that another follows.
func (p *parser) list(part func() (Node, *failure), more func() (bool, *failure)) ([]Node, *failure) {
	nodes := []Node{}
	for {
		n, bad := part()
		if bad != nil {
			return nil, bad
		}
		nodes = append(nodes, n)
		if again, bad := more(); bad != nil || !again {
			return nodes, bad
		}
	}
}

// flat replaces each node that has parts by its parts.
func flat(nodes []Node, parts func(Node) []Node) []Node {
	out := []Node{}
	for _, n := range nodes {
		if inner := parts(n); inner != nil {
			out = append(out, inner...)
		} else {
			out = append(out, n)
		}
	}
	return out
}

func first(nodes []Node) Node {
	if len(nodes) == 0 {
		return nil
	}
	return nodes[0]
}

func (p *parser) not() (Node, *failure) {
	if p.operator() != "NOT" {
		return p.nearby()
	}
	var inner Node
	bad := p.nested(func() (bad *failure) {
		inner, bad = p.not()
		return bad
	})
	if bad != nil {
		return nil, bad
	}
	return Not{inner}, nil
}

// nested skips the current token and parses one level deeper.
func (p *parser) nested(read func() *failure) *failure {
	if p.depth++; p.depth > maxDepth {
		return p.fail(p.tok.at, fmt.Sprintf("more than %d brackets or NOTs in one another", maxDepth),
			"a flatter query", fix{0, len(p.src), ""})
	}
	bad := p.advance()
	if bad == nil {
		bad = read()
	}
	p.depth--
	return bad
}

func (p *parser) primary() (Node, *failure) {
	switch p.tok.kind {
	case open:
		return p.group()
	case field:
		return p.fielded()
	case near:
		return p.near()
	case phrase:
		if p.tok.tilde {
			return p.sloppy()
		}
	}
	if p.operator() != "" {
		return nil, p.fail(p.tok.at, p.found(), "a term, a phrase in quotes or (; quote the word to search for it",
			p.tok.blank())
	}
	term, bad := p.term("a term, a phrase in quotes, (, NOT or a proximity")
	if bad != nil {
		return nil, bad
	}
	return term, nil
}

func (p *parser) group() (Node, *failure) {
	from := p.tok
	var inner Node
	bad := p.nested(func() (bad *failure) {
		if p.tok.kind == shut {
			return p.fail(p.tok.at, "nothing between ( and )", "a term", fix{from.at, p.tok.stop - from.at, " "})
		}
		inner, bad = p.or()
		return bad
	})
	switch {
	case bad != nil:
		return nil, bad
	case p.tok.kind != shut:
		return nil, p.fail(from.at, "a ( that is not closed", "its )", fix{len(p.src), 0, ")"})
	}
	return inner, p.advance()
}

// fielded parses what follows the name of a field.
func (p *parser) fielded() (Node, *failure) {
	from := p.tok
	name, ok := ParseField(from.text)
	if kind := strings.ToLower(from.text); !ok && slices.Contains(CodeKinds[:], kind) && p.in == Any {
		return p.coded(kind)
	}
	switch {
	case !ok && p.in == Any:
		return nil, p.unknownField(from)
	case p.in != Any:
		return nil, p.fail(from.at, "a field inside "+string(p.in)+":", "terms without a field", from.blank())
	}
	var inner Node
	bad := p.nested(func() (bad *failure) {
		p.in = name
		inner, bad = p.primary()
		p.in = Any
		return bad
	})
	return inner, bad
}

// term reads a word or a phrase and advances past it.
func (p *parser) term(expected string) (Term, *failure) {
	t := p.tok
	if t.kind != word && t.kind != phrase {
		return Term{}, p.missing(expected)
	}
	if !searchable(t.text) {
		return Term{}, p.fail(t.at, excerpt(p.src[t.at:t.stop]), "a term with a letter or a digit", t.blank())
	}
	if t.tilde {
		return Term{}, p.fail(t.at, excerpt(p.src[t.at:t.stop]), "a term or a phrase; "+
			"a proximity has two sides and is no part of another", fix{t.at, t.stop - t.at, `"` + t.text + `"`})
	}
	if p.terms++; p.terms > MaxTerms {
		return Term{}, p.tooMany(t)
	}
	return Term{p.in, t.text, t.kind == phrase, t.star}, p.advance()
}

// tooMany rejects a query at the token that exceeds the number of terms.
func (p *parser) tooMany(at token) *failure {
	return p.fail(at.at, fmt.Sprintf("term %d, %s", p.terms, p.found()),
		fmt.Sprintf("a query of at most %d terms; part it into several lanes", MaxTerms), fix{0, len(p.src), ""})
}

// found describes the whole current token, for errors.
func (p *parser) found() string {
	switch op := p.operator(); {
	case p.tok.kind == end:
		return "the end of the query"
	case op != "":
		return "the operator " + op
	}
	return excerpt(p.src[p.tok.at:p.tok.stop])
}

// missing reports that a term is missing. The fix also removes the operator before it, which would
// have no operand.
func (p *parser) missing(expected string) *failure {
	t := p.tok
	before := strings.TrimRightFunc(p.src[:t.at], func(r rune) bool { return strings.ContainsRune(" (:", ascii(r)) })
	from := len(strings.TrimRightFunc(before, func(r rune) bool { return isLetter(ascii(r)) }))
	stop := t.stop
	if t.kind == shut && strings.TrimSpace(p.src[from:t.at]) != "" {
		stop = t.at
	}
	return p.fail(t.at, p.found(), expected, fix{from, stop - from, ""})
}

// searchable reports whether a term has something to search for.
func searchable(term string) bool {
	return strings.ContainsFunc(text.Fold(term), func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsNumber(r)
	})
}
