package fulltext

import (
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

// compiler turns a query into an expression over a snapshot.
type compiler struct {
	snap    *snapshot.Snapshot
	scope   patentquery.Scope
	index   map[patentquery.Field]int // positions of fields in the snapshot
	ranking lexical.Params
	begun   map[string][]string // terms of the dictionary by prefix, see starting
}

// Saturation and length normalisation of the ranking, chosen by measuring; see docs/publications.md. Weights of fields
// are relative to the greatest, so that only their proportions count.
const (
	saturation = 4
	byLength   = 0.75
)

func newCompiler(snap *snapshot.Snapshot, params patentquery.Params) (*compiler, error) {
	boosts, err := params.Boosts()
	if err != nil {
		return nil, err
	}
	n := len(snap.Fields())
	c := &compiler{
		snap: snap, scope: params.FeatureScope, index: map[patentquery.Field]int{}, begun: map[string][]string{},
	}
	c.ranking = lexical.Params{K1: saturation, B: make([]float64, n), Weight: make([]float64, n)}
	most := max(slices.Max(boosts[:]), 1e-9)
	for i, f := range patentquery.Fields {
		at := slices.Index(snap.Fields(), string(f))
		c.index[f], c.ranking.B[at], c.ranking.Weight[at] = at, byLength, boosts[i]/most
	}
	return c, nil
}

func (c *compiler) expr(n patentquery.Node) lexical.Expr {
	switch n := n.(type) {
	case patentquery.And:
		return lexical.AllOf(c.exprs(n.Nodes))
	case patentquery.Or:
		return lexical.OneOf(c.exprs(n.Nodes))
	case patentquery.Not:
		return lexical.NoneOf{Part: c.expr(n.Node)}
	case patentquery.Near:
		return c.near(n)
	case patentquery.Code:
		return c.coded(n)
	}
	return c.term(n.(patentquery.Term))
}

func (c *compiler) exprs(nodes []patentquery.Node) []lexical.Expr {
	out := make([]lexical.Expr, len(nodes))
	for i, n := range nodes {
		out[i] = c.expr(n)
	}
	return out
}

// term compiles a term. If the index cannot prove a match, the text is searched.
func (c *compiler) term(t patentquery.Term) lexical.Match {
	p := patentquery.NewPattern(t)
	h := c.holds(t, p)
	part := c.partial(t.Field)
	switch proof := p.Proof(); {
	case part || proof == "":
		h.Verify = c.verify(part, p.In)
	case p.Stem() == "" && len(h.Groups[0]) > 1:
		h.Verify, h.Proof = c.verify(part, p.In), proof
	}
	return h
}

// holds returns the terms of the dictionary that every text with a match of a pattern contains.
func (c *compiler) holds(t patentquery.Term, p *patentquery.Pattern) lexical.Match {
	key := t
	key.Field = patentquery.Any // Fields has it
	h := lexical.Match{Key: key.String(), Groups: p.Required(), Fields: c.fields(t.Field)}
	if c.partial(t.Field) {
		h.Key += " in " + string(c.scope)
	}
	if open := p.Open(); len(h.Groups) == 0 && open != "" {
		h.Groups = [][]string{c.starting(open)}
	}
	return h
}

// starting returns the terms of the dictionary by which a word with this prefix may be found.
func (c *compiler) starting(start string) (terms []string) {
	if terms, ok := c.begun[start]; ok {
		return terms
	}
	for _, prefix := range []string{start, text.ExactMark + start} {
		for term := range c.snap.Terms(prefix) {
			terms = append(terms, term)
		}
	}
	c.begun[start] = terms
	return terms
}

// coded returns the publications with a code or a name. These are keywords of the snapshot.
func (c *compiler) coded(n patentquery.Code) lexical.Within {
	have := roaring.New()
	for key := range c.snap.Keywords(n.Kind + ":" + n.Start()) {
		if n.Has(key[len(n.Kind)+1:]) {
			have.Or(c.snap.Keyword(key))
		}
	}
	return lexical.Within{Sections: have}
}

// near searches texts that contain a term of each side.
func (c *compiler) near(n patentquery.Near) lexical.SameField {
	part := c.partial(n.Field)
	out := lexical.SameField{Fields: c.fields(n.Field)}
	for _, side := range [][]patentquery.Term{n.Left, n.Right} {
		var any []lexical.Match
		for _, t := range side {
			t.Field = n.Field
			any = append(any, c.holds(t, patentquery.NewPattern(t)))
		}
		out.Sides = append(out.Sides, any)
	}
	out.Fork = func() func(uint32, int) bool {
		x := patentquery.NewProximity(n)
		verify, camel := c.verify(part, x.In), newCamel(x)
		return func(section uint32, field int) bool {
			return verify(section, field) || !part && camel.in(c.snap.Source(section, field))
		}
	}
	out.Verify = out.Fork()
	return out
}

// fields returns the fields in which a term with this field is searched.
func (c *compiler) fields(f patentquery.Field) (set lexical.Fields) {
	if f != patentquery.Any {
		return set.With(c.index[f])
	}
	for _, f := range c.scope.Fields() {
		set = set.With(c.index[f])
	}
	return set
}

// partial reports whether the scope limits a term with this field to part of a text.
func (c *compiler) partial(f patentquery.Field) bool {
	return f == patentquery.Any && c.scope.Partial()
}

// verify returns a function that searches a field's normalised text, or the part of it that is in scope.
func (c *compiler) verify(part bool, in func(*text.Text) bool) func(uint32, int) bool {
	t := new(text.Text)
	return func(section uint32, field int) bool {
		t.Norm = c.snap.Normalized(section, field)
		if part {
			t.Norm = c.scope.Cut(t.Norm)
		}
		return in(t)
	}
}
