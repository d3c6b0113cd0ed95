package patentquery

// near reads a proximity: the token with its opening quote, two sides, the closing quote.
func (p *parser) near() (Node, *failure) {
	from := p.tok
	node := Near{Field: p.in, Ordered: from.ordered, Distance: from.distance}
	p.lexer.near = true
	bad := p.advance()
	for _, side := range []*[]Term{&node.Left, &node.Right} {
		if bad == nil {
			*side, bad = p.side(from)
		}
	}
	p.lexer.near = false
	switch {
	case bad != nil:
		return nil, bad
	case p.tok.kind == end:
		return nil, p.fail(from.at, "a proximity whose quote is not closed", `a closing " after its two sides`,
			fix{len(p.src), 0, `"`})
	case p.tok.kind != quote:
		return nil, p.fail(p.tok.at, p.found(), `the " that ends the proximity after two sides; put alternatives in ( OR )`,
			p.tok.blank())
	}
	return node, p.advance()
}

// side reads one side of a proximity that began at from.
func (p *parser) side(from token) ([]Term, *failure) {
	switch {
	case p.tok.kind == quote:
		return nil, p.fail(p.tok.at, "the end of the proximity", `two sides, such as *N30"a b"`,
			fix{from.at, p.tok.stop - from.at, " "})
	case p.operator() != "":
		return nil, p.fail(p.tok.at, p.found(),
			"a term or (a OR b); a proximity has two sides and no operator between them", p.tok.blank())
	case p.tok.kind != open:
		t, bad := p.sideTerm(from)
		return []Term{t}, bad
	}
	bad := p.advance()
	terms := []Term{}
	for bad == nil {
		var t Term
		if t, bad = p.sideTerm(from); bad != nil {
			break
		}
		terms = append(terms, t)
		if p.operator() != "OR" {
			return terms, p.shutSide()
		}
		bad = p.advance()
	}
	return nil, bad
}

func (p *parser) sideTerm(from token) (Term, *failure) {
	const expected = "a term or a phrase on this side of the proximity"
	switch {
	case p.tok.kind == end:
		return Term{}, p.fail(p.tok.at, p.found(), expected, fix{from.at, p.tok.stop - from.at, " "})
	case p.operator() != "", p.tok.kind != word && p.tok.kind != phrase:
		return Term{}, p.fail(p.tok.at, p.found(), expected, p.tok.blank())
	}
	return p.term(expected)
}

// shutSide reads the bracket that ends a side.
func (p *parser) shutSide() *failure {
	if p.tok.kind != shut {
		return p.fail(p.tok.at, p.found(), "OR or ) in a side of a proximity", fix{p.tok.at, 0, ")"})
	}
	return p.advance()
}
