package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
)

// builder makes the graph of what a reader has read.
type builder struct {
	*reader
	graph *Graph
	stood []int // the sentence of each claim
	split []int // sentences that a clash is about
}

// digestBytes is how much of a SHA-256 names a text.
const digestBytes = 8

func (b *builder) witnesses() {
	b.graph.Evidences = make([]Witness, len(b.evidences))
	for i := range b.evidences {
		e := &b.evidences[i]
		sum := sha256.Sum256([]byte(e.Text))
		signals := e.Signals
		if signals == nil {
			signals = []string{}
		}
		b.graph.Evidences[i] = Witness{ID: evidenceID(i), Ref: e.ref(), Signals: signals, Score: e.Score, Digest: hex.EncodeToString(sum[:digestBytes])}
	}
}

func evidenceID(i int) string { return "e" + strconv.Itoa(i+1) }

// conflicts makes a claim of every sentence that another one contradicts.
func (b *builder) conflicts(clashes []clash) {
	for _, c := range clashes {
		b.split = append(b.split, c.a, c.b)
		s, t := &b.sentences[c.a], &b.sentences[c.b]
		k := slices.Index(b.stood, c.a)
		if k < 0 {
			k = b.claim(b.facetOf(s), c.a)
		}
		claim := b.graph.Claims[k]
		b.edge(k, c.b, Contradicts, 1)
		b.graph.Conflicts = append(b.graph.Conflicts, Conflict{Kind: c.kind, ClaimID: claim.ID, A: b.side(s), B: b.side(t)})
	}
}

func (b *builder) side(s *sentence) Side {
	return Side{EvidenceID: evidenceID(s.evidence), Ref: b.evidences[s.evidence].ref(), Line: s.line, Text: strings.Clone(s.source)}
}

// facetOf is the asked facet where the sentence has its form, else the first one that it has.
func (b *builder) facetOf(s *sentence) sdk.Intent {
	if s.shows(b.q.intent) {
		return b.q.intent
	}
	for _, f := range facets {
		if s.shows(f) {
			return f
		}
	}
	return sdk.IntentUnknown
}

// claims adds a claim for the facet asked for and for each other one that the
// evidence shows in a sentence on the whole query.
func (b *builder) claims() {
	order := append([]sdk.Intent{b.q.intent}, facets[:]...)
	for _, f := range order {
		isAsked := f == b.q.intent
		if !isAsked && f == sdk.IntentUnknown {
			continue
		}
		best := b.best(f, 0, len(b.sentences), b.q.all(), isAsked)
		if best < 0 || !isAsked && (b.sentences[best].terms != b.q.all() || slices.Contains(b.stood, best)) {
			continue
		}
		if !b.claimed(f) {
			b.claim(f, best)
		}
	}
	for k := range b.graph.Claims {
		b.support(k)
		b.follow(k)
	}
}

func (b *builder) claimed(f sdk.Intent) bool {
	return slices.ContainsFunc(b.graph.Claims, func(c Claim) bool { return c.Facet == f })
}

// claim adds a claim and gives its index.
func (b *builder) claim(f sdk.Intent, at int) int {
	s := &b.sentences[at]
	b.graph.Claims = append(b.graph.Claims, Claim{
		ID: "c" + strconv.Itoa(len(b.stood)+1), Facet: f, Text: strings.Clone(s.source), EvidenceID: evidenceID(s.evidence), Line: s.line,
	})
	b.stood = append(b.stood, at)
	return len(b.stood) - 1
}

// best finds the sentence among [from, to) that says most on wanted in the form of
// a facet, -1 for none. One that also gives what the query needs goes first.
// Loosely, a sentence of another form will do, so that the claim can be followed up.
func (b *builder) best(f sdk.Intent, from, to int, wanted uint64, loosely bool) int {
	best, most := -1, 0
	for i := from; i < to; i++ {
		s := &b.sentences[i]
		held := s.terms & wanted
		if s.kind == asks || held == 0 && wanted != 0 || f != b.q.intent && slices.Contains(b.split, i) {
			continue
		}
		near := b.near(i) & wanted
		if !b.q.about(near) {
			continue
		}
		score := 4*bits.OnesCount64(held) + bits.OnesCount64(near)
		switch {
		case b.fits(s, f):
			score += 3
		case !loosely:
			continue
		}
		if s.kind != states {
			score -= 2
		}
		for _, n := range b.q.needs {
			if n.met(s) {
				score += 4
			}
		}
		if score > most {
			best, most = i, score
		}
	}
	return best
}

// fits reports whether a sentence has the form of a facet, or, for the facet asked
// for, the form of answer that the query needs.
func (b *builder) fits(s *sentence, f sdk.Intent) bool {
	if f == b.q.intent && slices.ContainsFunc(b.q.needs, func(n *need) bool { return n.met(s) }) {
		return true
	}
	return s.shows(f)
}

// support adds an edge to each evidence with a sentence on the claim in the form
// of its facet.
func (b *builder) support(k int) {
	claim := &b.graph.Claims[k]
	own := &b.sentences[b.stood[k]]
	wanted := b.near(b.stood[k])
	for n := range b.evidences {
		p := &b.places[n]
		at := b.best(claim.Facet, p.from, p.to, wanted, false)
		if n == own.evidence && b.fits(own, claim.Facet) {
			at = b.stood[k]
		}
		if at < 0 || b.joined(k, n) {
			continue
		}
		if n == own.evidence || b.backs(at, own, wanted) {
			b.edge(k, at, Supports, float64(bits.OnesCount64(b.near(at)&wanted))/float64(max(1, bits.OnesCount64(wanted))))
		}
	}
}

// backs reports whether a sentence says the like of a claim: all of the query's
// words that the claim has, and where the query needs a form of answer, that.
func (b *builder) backs(at int, own *sentence, wanted uint64) bool {
	if b.near(at)&wanted != wanted || slices.Contains(b.split, at) {
		return false
	}
	s := &b.sentences[at]
	for _, n := range b.q.needs {
		if n.met(own) && !n.met(s) {
			return false
		}
	}
	return true
}

func (b *builder) joined(k, n int) bool {
	id, to := b.graph.Claims[k].ID, evidenceID(n)
	return slices.ContainsFunc(b.graph.Edges, func(e Edge) bool { return e.From == id && e.To == to && e.Relation != RequiresFollowup })
}

func (b *builder) edge(k, at int, relation Relation, confidence float64) *Edge {
	c, s := &b.graph.Claims[k], &b.sentences[at]
	b.graph.Edges = append(b.graph.Edges, Edge{
		From: c.ID, To: evidenceID(s.evidence), Relation: relation, Confidence: hundredths(confidence), ClaimLine: c.Line, EvidenceLine: s.line,
	})
	return &b.graph.Edges[len(b.graph.Edges)-1]
}

func hundredths(x float64) float64 { return math.Round(x*100) / 100 }

// follow adds an edge where a sentence on the claim points elsewhere.
func (b *builder) follow(k int) {
	wanted := b.near(b.stood[k])
	for n := range b.evidences {
		p := &b.places[n]
		if !b.q.about(p.text) {
			continue
		}
		for i := p.from; i < p.to; i++ {
			s := &b.sentences[i]
			said := s.terms
			if s.follows {
				said |= b.sentences[i-1].terms
			}
			if i != b.stood[k] && (said&wanted == 0 || !b.q.about(b.near(i))) {
				continue
			}
			if pointers := Pointers(s.source, s.norm); len(pointers) > 0 {
				b.pointed(k, i, pointers)
				break
			}
		}
	}
}

// pointed adds the edge of the first pointer that leads to another section, or of
// the first at all where none can be resolved.
func (b *builder) pointed(k, at int, pointers []Pointer) {
	n := b.sentences[at].evidence
	for i := range pointers {
		pointers[i] = pointers[i].clone()
	}
	if b.in.Resolve != nil {
		for i := range pointers {
			target, ok := b.in.Resolve(n, pointers[i])
			if ok && target != b.evidences[n].ref() {
				e := b.edge(k, at, RequiresFollowup, 1)
				e.Pointer, e.Target = &pointers[i], &target
				return
			}
		}
	}
	b.edge(k, at, RequiresFollowup, 0.5).Pointer = &pointers[0]
}

// settle draws statuses, counts and the order from the edges.
func (b *builder) settle() {
	touched := make(map[string]bool)
	for k := range b.graph.Claims {
		c := &b.graph.Claims[k]
		var count [3]int
		for _, e := range b.graph.Edges {
			if e.From == c.ID {
				count[relationIndex(e.Relation)]++
				touched[e.To] = true
			}
		}
		c.Status = Unresolved
		switch {
		case count[1] > 0:
			c.Status = Conflicted
		case count[0] > 0:
			c.Status = Supported
		}
		if count[0] > 0 {
			c.Confidence = hundredths(b.q.share(b.near(b.stood[k])) * float64(count[0]) / float64(count[0]+count[1]))
		}
	}
	b.countFacets()
	for _, wanted := range [...]bool{true, false} {
		for i := range b.evidences {
			if (i < firm || touched[evidenceID(i)]) == wanted {
				b.graph.Top = append(b.graph.Top, i)
			}
		}
	}
}

// firm is how many of the best evidences keep their place in the judged order:
// there rank says more than an edge.
const firm = 5

func relationIndex(r Relation) int {
	return slices.Index([]Relation{Supports, Contradicts, RequiresFollowup}, r)
}

func (b *builder) countFacets() {
	for _, f := range facets {
		row := FacetRow{Facet: f, Coverage: Missing}
		for _, c := range b.graph.Claims {
			if c.Facet != f {
				continue
			}
			row.Claims++
			switch c.Status {
			case Supported:
				row.Supported++
			case Conflicted:
				row.Conflicted++
			default:
				row.Unresolved++
			}
		}
		switch {
		case row.Claims > 0 && row.Supported == row.Claims:
			row.Coverage = Covered
		case row.Supported+row.Conflicted > 0:
			row.Coverage = Partial
		}
		if row.Claims > 0 || f == b.q.intent {
			b.graph.Facets = append(b.graph.Facets, row)
		}
	}
}
