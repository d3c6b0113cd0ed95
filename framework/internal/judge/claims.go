package judge

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
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

// answer claims, before all else, what answers the query best.
func (b *builder) answer() {
	best := b.best(b.q.intent, 0, len(b.sentences), b.q.all(), true)
	if best < 0 {
		best = b.piecemeal()
	}
	if best >= 0 {
		b.claim(b.q.intent, best)
	}
}

// piecemeal finds the sentence that says most on the query in the first section that
// is about it without saying so in any one sentence, -1 for none.
func (b *builder) piecemeal() int {
	for n := range b.places {
		p, best, most := &b.places[n], -1, 0.0
		for i := p.from; i < p.to; i++ {
			if held := b.weight(b.sentences[i].near); b.sentences[i].kind != asks && !b.heads(i) && held > most && !code(b.sentences[i].source) {
				best, most = i, held
			}
		}
		if best >= 0 && b.q.about(p.text) {
			return best
		}
	}
	return -1
}

// conflicts makes a claim of every sentence that another one contradicts.
func (b *builder) conflicts(clashes []clash) {
	for _, c := range clashes {
		b.split = append(b.split, c.a, c.b)
		against := c.b
		k := slices.Index(b.stood, c.a)
		if i := slices.Index(b.stood, c.b); k < 0 && i >= 0 {
			k, against = i, c.a
		}
		if k < 0 {
			k = b.claim(b.facetOf(&b.sentences[c.a]), c.a)
		}
		b.edge(k, against, Contradicts, 1)
		b.graph.Conflicts = append(b.graph.Conflicts, Conflict{Kind: c.kind, ClaimID: b.graph.Claims[k].ID, A: b.side(&b.sentences[c.a]), B: b.side(&b.sentences[c.b])})
	}
}

func (b *builder) side(s *sentence) Side {
	return Side{EvidenceID: evidenceID(s.evidence), Ref: b.evidences[s.evidence].ref(), Line: s.line, Text: s.source}
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

// claims adds a claim for each facet that was not asked for and that the evidence
// shows in a sentence on the whole query.
func (b *builder) claims() {
	for _, f := range facets {
		if f == b.q.intent || f == sdk.IntentUnknown || b.claimed(f) {
			continue
		}
		best := b.best(f, 0, len(b.sentences), b.q.all(), false)
		if best >= 0 && b.sentences[best].terms == b.q.all() && !slices.Contains(b.stood, best) {
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
		ID: "c" + strconv.Itoa(len(b.stood)+1), Facet: f, Text: b.told(at), EvidenceID: evidenceID(s.evidence), Line: s.line,
	})
	b.stood = append(b.stood, at)
	return len(b.stood) - 1
}

// Weights of what speaks for a sentence as a claim. Words weigh by how few of the
// evidences hold them and add up to heldWeight and nearWeight.
const (
	heldWeight   = 6.0
	nearWeight   = 20.0
	formWeight   = 12.0
	needWeight   = 6.0
	rankWeight   = 20.0 // of the first evidence, half of it of the second, and so on
	mainWeight   = 8.0  // of a need that the main clause meets
	leadWeight   = 6.0  // of the sentence that a section begins with whose headings hold the query
	asideCost    = 2.0  // of a sentence that only mentions something or is a row or a step
	againstCost  = 6.0  // of a denial where it is asked who may
	outdatedCost = 30.0
	speechless   = 60.0 // of runs of titles: only where there is nothing else; code is never a claim
)

// best finds the sentence among [from, to) that says most on wanted in the form of
// a facet, -1 for none. One that also gives what the query needs goes first.
// Loosely, a sentence of another form will do, so that the claim can be followed up.
func (b *builder) best(f sdk.Intent, from, to int, wanted uint64, loosely bool) int {
	best, most := -1, math.Inf(-1)
	for i := from; i < to; i++ {
		s := &b.sentences[i]
		held, near := s.terms&wanted, s.near&wanted
		if s.kind == asks || wanted != 0 && near == 0 || !b.q.about(near) || b.heads(i) || f != b.q.intent && slices.Contains(b.split, i) {
			continue
		}
		said := heldWeight*b.weight(held) + nearWeight*b.weight(near) + rankWeight/float64(1+s.evidence)
		if said+formWeight+leadWeight+float64(len(b.q.needs))*(needWeight+mainWeight) <= most {
			continue // whatever its form
		}
		fits := b.fits(i, f)
		if !loosely && (!fits || s.speechless()) {
			continue
		}
		score := said + b.weigh(i, fits)
		if score > most && s.speechless() {
			if code(s.source) {
				continue
			}
			score -= speechless
		}
		if score > most {
			best, most = i, score
		}
	}
	return best
}

// weigh tells how much the form of a sentence and its place speak for it as a claim.
func (b *builder) weigh(i int, fits bool) float64 {
	s, score := &b.sentences[i], 0.0
	if fits {
		score += formWeight
	}
	if s.kind != states {
		score -= asideCost
	}
	if i == b.places[s.evidence].from {
		score += leadWeight * b.weight(b.places[s.evidence].pieces)
	}
	for _, n := range b.q.needs {
		if n.met(s) || n.facet == b.q.intent && fits {
			score += needWeight
			if n.facet != "" || n.inMain(s) {
				score += mainWeight
			}
		}
	}
	if s.has(refers) && points(s) {
		score -= asideCost
	}
	if b.q.who && b.denies(i) {
		score -= againstCost
	}
	if b.outdated(s.evidence) {
		score -= outdatedCost
	}
	return score
}

// points reports whether a sentence points elsewhere.
func points(s *sentence) bool { return len(refer.Pointers(s.source, s.norm)) > 0 }

// fits reports whether a sentence has the form of a facet, or, for the facet asked
// for, the form of answer that the query needs. A heading gives its form to what
// stands below it.
func (b *builder) fits(i int, f sdk.Intent) bool {
	s := &b.sentences[i]
	if f == b.q.intent && slices.ContainsFunc(b.q.needs, func(n *need) bool { return n.met(s) }) || s.shows(f) {
		return true
	}
	p := &b.places[s.evidence]
	switch f {
	case sdk.IntentEligibility:
		return b.q.about(p.pieces) && containsAny(p.heading, headsRights[:])
	case sdk.IntentProcedure:
		first, _ := cutWord(s.norm)
		return first != "" && b.q.in(first) != 0 && b.q.about(p.pieces)
	case sdk.IntentDefinition: // under the word itself
		return i == p.from && f == b.q.intent && b.known() != 0 && b.q.in(lastTitle(p.heading)) == b.known()
	case sdk.IntentCompare:
		return s.kind == row && b.q.about(b.sentences[i].near)
	}
	return false
}

// headsRights stand in headings over those who may.
var headsRights = [...]string{"eligib", "who ", "qualif", "requirement", "対象", "資格", "条件", "要件"}

// support adds an edge to each evidence with a sentence on the claim in the form
// of its facet.
func (b *builder) support(k int) {
	claim := &b.graph.Claims[k]
	own := &b.sentences[b.stood[k]]
	wanted := b.sentences[b.stood[k]].near
	for n := 0; n < len(b.evidences) && !b.stopped(); n++ {
		p := &b.places[n]
		at := b.best(claim.Facet, p.from, p.to, wanted, false)
		if n == own.evidence && b.fits(b.stood[k], claim.Facet) {
			at = b.stood[k]
		}
		if at < 0 || b.joined(k, n) {
			continue
		}
		if n == own.evidence || b.backs(at, b.stood[k], wanted) {
			b.edge(k, at, Supports, float64(bits.OnesCount64(b.sentences[at].near&wanted))/float64(max(1, bits.OnesCount64(wanted))))
		}
	}
}

// backs reports whether a sentence says the like of a claim: all of the query's
// words that the claim has, where the query needs a form of answer, that, and
// neither another number nor the opposite.
func (b *builder) backs(at, claim int, wanted uint64) bool {
	if b.sentences[at].near&wanted != wanted || slices.Contains(b.split, at) {
		return false
	}
	own, s := &b.sentences[claim], &b.sentences[at]
	for _, n := range b.q.needs {
		if n.met(own) && !n.met(s) {
			return false
		}
	}
	return b.agree(claim, at)
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
