package judge

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/framework/internal/judge/tension"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// builder builds the graph of a query's evidences.
type builder struct {
	in    *Input
	graph *Graph
}

// verdict adds the answer, its claim with supports, and the gaps.
func (b *builder) verdict(j *answer.Judgement) {
	g := b.graph
	g.Stands, g.Relevance = j.Stands >= answer.LeastStands, append(g.Relevance, j.Relevance...)
	g.Meant, g.Missing = append(g.Meant, j.DidYouMean...), append(g.Missing, j.Missing...)
	for _, gap := range j.Gaps {
		g.Gaps = append(g.Gaps, b.gap(gap))
	}
	if j.Answer == nil {
		return
	}
	at := b.sentence(j.Answer.Evidence, j.Answer.Line, j.Answer.Text)
	g.Answer = &Answer{
		ManualID: at.ManualID, Path: at.Path, Line: at.Line, Text: at.Text,
		Kind: cmp.Or(j.Answer.Kind, string(sdk.IntentUnknown)),
	}
	k := b.claim(j.Answer.Evidence, j.Answer.Line, j.Answer.Text, Supported, j.Answer.Probability)
	b.edge(k, j.Answer.Evidence, j.Answer.Line, Supports, j.Answer.Probability)
	for _, s := range j.Supports {
		b.edge(k, s.Evidence, s.Line, Supports, j.Answer.Probability)
	}
}

// gap returns the row of a gap. A facet that is not an intent goes into the row of the query's intent.
func (b *builder) gap(g answer.Gap) Gap {
	out := Gap{Facet: b.in.Query.Intent, Missing: g.Terms}
	switch facet := sdk.Intent(g.Facet); facet {
	case "":
	case sdk.IntentDefinition, sdk.IntentProcedure, sdk.IntentEligibility, sdk.IntentExceptions, sdk.IntentCompare:
		out.Facet, out.Missing, out.Need = facet, []string{g.Facet}, g.Facet
	default:
		out.Missing, out.Need = []string{g.Facet}, g.Facet
	}
	for _, t := range b.in.Query.Terms {
		if out.Need != "" && t.Kind != sdk.TermNegative {
			out.About = append(out.About, t.Text)
		}
	}
	return out
}

// shownAmong is the number of first sections in which both sentences of a tension must be, unless it is a
// conflict: differences far below the answer are of no use to a reader.
const shownAmong = 10

// tensions adds the pairs to compare. A sentence that another contradicts becomes a claim.
func (b *builder) tensions(found []tension.Tension) {
	for _, t := range found {
		if !t.Conflict && max(t.A.Evidence, t.B.Evidence) >= shownAmong {
			continue
		}
		b.graph.Tensions = append(b.graph.Tensions, Tension{
			A: b.sentence(t.A.Evidence, t.A.Line, t.A.Text), B: b.sentence(t.B.Evidence, t.B.Line, t.B.Text),
			Kind: string(t.Kind), Probability: thousandths(t.Probability), Conflict: t.Conflict,
		})
		if !t.Conflict {
			continue
		}
		k := slices.IndexFunc(b.graph.Claims, func(c Claim) bool {
			return c.EvidenceID == evidenceID(t.A.Evidence) && c.Line == t.A.Line
		})
		if k < 0 {
			k = b.claim(t.A.Evidence, t.A.Line, t.A.Text, Conflicted, t.Probability)
			b.edge(k, t.A.Evidence, t.A.Line, Supports, t.Probability)
		}
		b.graph.Claims[k].Status = Conflicted
		b.edge(k, t.B.Evidence, t.B.Line, Contradicts, t.Probability)
		b.graph.Conflicts = append(b.graph.Conflicts, Conflict{
			Kind: string(t.Kind), ClaimID: b.graph.Claims[k].ID, A: b.side(t.A), B: b.side(t.B),
		})
	}
}

// ref returns a copy, since a graph may outlive the texts of its evidences.
func (b *builder) ref(evidence int) toolset.Ref {
	e := &b.in.Evidences[evidence]
	return cloned(toolset.Ref{Target: "manual", ManualID: e.ManualID, Path: e.Path, StartLine: e.StartLine})
}

func cloned(r toolset.Ref) toolset.Ref {
	r.ManualID, r.Path = strings.Clone(r.ManualID), strings.Clone(r.Path)
	return r
}

func (b *builder) sentence(evidence, line int, says string) Sentence {
	r := b.ref(evidence)
	return Sentence{ManualID: r.ManualID, Path: r.Path, Line: line, Text: strings.Clone(says)}
}

func (b *builder) side(s tension.Side) Side {
	return Side{EvidenceID: evidenceID(s.Evidence), Ref: b.ref(s.Evidence), Line: s.Line, Text: strings.Clone(s.Text)}
}

// follow adds the sections to which the best sentence refers. If the sentence is not an answer, it
// becomes an unresolved claim.
func (b *builder) follow(j *answer.Judgement) {
	best := j.Best
	if best == nil || b.in.Resolve == nil {
		return
	}
	for _, p := range refer.Pointers(best.Text, text.Fold(best.Text)) {
		target, ok := b.in.Resolve(best.Evidence, p)
		if !ok {
			continue
		}
		unresolved := func(c Claim) bool { return c.Status == Unresolved }
		if j.Answer == nil && !slices.ContainsFunc(b.graph.Claims, unresolved) {
			b.claim(best.Evidence, best.Line, best.Text, Unresolved, best.Probability)
		}
		k := len(b.graph.Claims) - 1
		if j.Answer != nil {
			k = 0
		}
		b.edge(k, best.Evidence, best.Line, RequiresFollowup, best.Probability)
		e := &b.graph.Edges[len(b.graph.Edges)-1]
		e.Pointer, e.Target = new(p.Clone()), new(cloned(target))
	}
}

// claim adds a claim and returns its index.
func (b *builder) claim(evidence, line int, says, status string, probability float64) int {
	b.graph.Claims = append(b.graph.Claims, Claim{
		ID: "c" + strconv.Itoa(len(b.graph.Claims)+1), Facet: b.in.Query.Intent, Text: strings.Clone(says),
		Status: status, Confidence: thousandths(probability), EvidenceID: evidenceID(evidence), Line: line,
	})
	return len(b.graph.Claims) - 1
}

func (b *builder) edge(claim, evidence, line int, r Relation, probability float64) {
	c := &b.graph.Claims[claim]
	b.graph.Edges = append(b.graph.Edges, Edge{
		From: c.ID, To: evidenceID(evidence), Relation: r, Confidence: thousandths(probability),
		ClaimLine: c.Line, EvidenceLine: line,
	})
}

// facets counts the claims of the requested facet and of the missing ones.
func (b *builder) facets() {
	asked := []sdk.Intent{b.in.Query.Intent}
	for _, gap := range b.graph.Gaps {
		if !slices.Contains(asked, gap.Facet) {
			asked = append(asked, gap.Facet)
		}
	}
	for _, f := range asked {
		n := make(map[string]int) // number of claims by status
		for _, c := range b.graph.Claims {
			if c.Facet == f {
				n[c.Status]++
			}
		}
		row := FacetRow{Facet: f, Supported: n[Supported], Conflicted: n[Conflicted], Unresolved: n[Unresolved]}
		row.Claims, row.Coverage = row.Supported+row.Conflicted+row.Unresolved, Missing
		gap := slices.ContainsFunc(b.graph.Gaps, func(g Gap) bool { return g.Facet == f })
		switch {
		case row.Claims > 0 && row.Supported == row.Claims && !gap:
			row.Coverage = Covered
		case row.Supported+row.Conflicted > 0:
			row.Coverage = Partial
		}
		b.graph.Facets = append(b.graph.Facets, row)
	}
}

// digestBytes is the number of bytes of a SHA-256 that identify a text.
const digestBytes = 8

func (b *builder) witnesses() {
	b.graph.Evidences = slices.Grow(b.graph.Evidences, len(b.in.Evidences))
	var text []byte
	for i, e := range b.in.Evidences {
		text = append(text[:0], e.Text...)
		sum := sha256.Sum256(text)
		b.graph.Evidences = append(b.graph.Evidences, Witness{
			ID: evidenceID(i), Ref: b.ref(i), Signals: append([]string{}, e.Signals...), Score: thousandths(e.Score),
			Digest: hex.EncodeToString(sum[:digestBytes]),
		})
	}
}

func evidenceID(i int) string { return "e" + strconv.Itoa(i+1) }

func thousandths(x float64) float64 { return math.Round(x*1000) / 1000 }

// Said holds the verdicts of judges on the evidences, by section id. A nil list leaves the decision to the
// rules here.
type Said struct {
	Answers  []sdk.Answer
	Tensions []sdk.Tension
}

// Minimum probabilities for the verdicts of judges to be asserted.
const (
	leastAnswer   = 0.5
	leastConflict = 0.8
)

// answered replaces the answer found here with the judges' answers.
func (b *builder) answered(j *answer.Judgement) {
	if b.in.Said.Answers == nil {
		return
	}
	j.Answer, j.Supports, j.Stands = nil, nil, 0
	for _, a := range b.in.Said.Answers {
		n, line, ok := b.place(a.Quote)
		switch {
		case !ok || a.Probability < leastAnswer:
		case j.Answer == nil:
			j.Answer = &answer.Answer{
				Evidence: n, Line: line, Text: answer.Cut(a.Text), Kind: answer.KindOf(b.in.Query.Raw, a.Text),
				Probability: a.Probability,
			}
			j.Best, j.Stands = j.Answer, a.Probability
		default:
			j.Supports = append(j.Supports, answer.Place{Evidence: n, Line: line})
		}
	}
}

// contradicted returns the judges' contradictions, or those found here if the judges have no opinion.
func (b *builder) contradicted(found []tension.Tension) (out []tension.Tension) {
	if b.in.Said.Tensions == nil {
		return found
	}
	for _, t := range b.in.Said.Tensions {
		if len(out) == tension.MostTensions {
			break
		}
		first, firstLine, okA := b.place(t.A)
		second, secondLine, okB := b.place(t.B)
		if !okA || !okB {
			continue
		}
		a := tension.Side{Evidence: first, Line: firstLine, Text: t.A.Text}
		c := tension.Side{Evidence: second, Line: secondLine, Text: t.B.Text}
		if c.Evidence < a.Evidence {
			a, c = c, a
		}
		out = append(out, tension.Tension{
			A: a, B: c, Kind: tension.Kind(t.Kind), Probability: t.Probability,
			Conflict: t.Probability >= leastConflict,
		})
	}
	return out
}

// place finds the evidence that contains a quote, and the line on which the quote begins.
func (b *builder) place(q sdk.Quote) (evidence, line int, ok bool) {
	for i, e := range b.in.Evidences {
		if at := strings.Index(e.Text, q.Text); e.ID == q.Section && at >= 0 {
			return i, e.FirstLine() + strings.Count(e.Text[:at], "\n"), true
		}
	}
	return 0, 0, false
}
