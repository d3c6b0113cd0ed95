package judge

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/framework/internal/judge/tension"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// Input is the input of a judgement. Only the first [MostEvidences] evidences are read.
type Input struct {
	answer.Input
	// Resolve finds the section that a pointer in the evidence from refers to; nil resolves nothing.
	Resolve func(from int, p refer.Pointer) (toolset.Ref, bool)
	// Said holds the verdicts of judge strategies.
	Said Said
}

// MostEvidences is the maximum number of evidences that are compared (docs/reference/status.md).
const MostEvidences = tension.MostEvidences

// Status is the verdict on a result.
type Status string

const (
	Ready         Status = "ready"          // there is an answer, and nothing is missing or contradictory
	NeedsFollowUp Status = "needs_followup" // something is missing or contradictory
	Blocked       Status = "blocked"        // no candidate at all
)

// enough is the minimum number of candidates of a sufficient result.
const enough = 5

// Gap is a part of the query that no candidate covers.
type Gap struct {
	Facet   sdk.Intent `json:"facet"`
	Missing []string   `json:"missing_terms"` // content terms, or the name of the need
	// Need names a form of answer that is missing, as answer.Gap does; "" if terms are missing.
	Need string `json:"need,omitempty"`
	// About holds the query's terms that the need belongs to.
	About []string `json:"about,omitempty"`
}

// FileBias returns the share of n candidates that are in the most frequent file, in [0, 1], or 0 without candidates.
// file returns the file of a candidate.
func FileBias[F comparable](n int, file func(i int) F) float64 {
	count, most := make(map[F]int, n), 0
	for i := range n {
		f := file(i)
		count[f]++
		most = max(most, count[f])
	}
	return float64(most) / float64(max(1, n))
}

// Graph is what the evidences say about the query: plain data for a trace, with the field names of
// the contract. Its lists are empty, never nil.
type Graph struct {
	Claims    []Claim    `json:"claims"`
	Evidences []Witness  `json:"evidences"`
	Edges     []Edge     `json:"edges"`
	Facets    []FacetRow `json:"facets"`
	Conflicts []Conflict `json:"conflicts"`
	Gaps      []Gap      `json:"gaps"`
	// Tensions are the pairs of sentences to compare, best first; conflicts are among them.
	Tensions []Tension `json:"tensions"`
	// Answer is the sentence that answers the query, or nil if none is likely to.
	Answer *Answer `json:"answer,omitempty"`
	// Meant are the corrections of misspelt words of the query.
	Meant []string `json:"meant"`
	// Missing are the terms of the query that no found section has.
	Missing []string `json:"missing,omitempty"`
	// Stands says that one of the first sections is almost certainly relevant.
	Stands bool `json:"stands"`
	// Relevance is the probability of each of the first evidences that it is relevant, in [0, 1].
	Relevance []float64 `json:"relevance"`
	// Alike lists the other intents with which the same words would have the same gaps.
	Alike []sdk.Intent `json:"-"`
}

// Answer is a sentence, a row, an item or a setting that gives what the query asks for.
type Answer struct {
	ManualID string `json:"manual_id"`
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Text     string `json:"text"` // at most 200 characters
	Kind     string `json:"kind"` // the facet that it gives: period, amount, person …; unknown for another
	// Source is the place of the sentence in a converted document.
	Source *toolset.Source `json:"source,omitempty"`
}

// Tension is a pair of sentences of different sections that a reader should compare.
type Tension struct {
	A           Sentence `json:"a"`
	B           Sentence `json:"b"`
	Kind        string   `json:"kind"`
	Probability float64  `json:"probability"` // that they contradict each other, in [0, 1]
	Conflict    bool     `json:"conflict,omitempty"`
}

// Sentence is a sentence of an evidence.
type Sentence struct {
	ManualID string `json:"manual_id"`
	Path     string `json:"path"`
	Line     int    `json:"line"`
	Text     string `json:"text,omitempty"` // unless a passage shows it
	Passage  *int   `json:"passage,omitempty"`
}

// Status of a claim.
const (
	Supported  = "supported"
	Conflicted = "conflicted"
	Unresolved = "unresolved"
)

// Claim is a sentence of an evidence that answers a facet of the query.
type Claim struct {
	ID         string     `json:"claim_id"`
	Facet      sdk.Intent `json:"facet" enum:"definition,procedure,eligibility,exceptions,compare,unknown"`
	Text       string     `json:"text" doc:"A sentence of an evidence."`
	Status     string     `json:"status" enum:"supported,conflicted,unresolved"`
	Confidence float64    `json:"confidence"` // in [0, 1]
	// EvidenceID and Line locate the sentence.
	EvidenceID string `json:"evidence_id" optional:""`
	Line       int    `json:"line" optional:""`
}

// Witness is an evidence without its text.
type Witness struct {
	ID      string      `json:"evidence_id"`
	Ref     toolset.Ref `json:"ref" schema:"object"`
	Signals []string    `json:"signals"`
	Score   float64     `json:"score"`
	Digest  string      `json:"snippet_digest"` // of its text
}

// Relation of an evidence to a claim.
type Relation string

const (
	Supports         Relation = "supports"
	Contradicts      Relation = "contradicts"
	RequiresFollowup Relation = "requires_followup"
)

// Edge joins a claim to an evidence whose text bears on it.
type Edge struct {
	From       string   `json:"from_claim_id"`
	To         string   `json:"to_evidence_id"`
	Relation   Relation `json:"relation" enum:"supports,contradicts,requires_followup"`
	Confidence float64  `json:"confidence"` // in [0, 1]
	// ClaimLine and EvidenceLine are the lines of the two sentences in their files.
	ClaimLine    int `json:"claim_line" optional:""`
	EvidenceLine int `json:"evidence_line" optional:""`
	// Pointer is the reference in the evidence to what the claim needs, and Target the section
	// that it means, if it exists. Both are set only for requires_followup.
	Pointer *refer.Pointer `json:"pointer,omitempty" schema:"object" doc:"Where the evidence points."`
	Target  *toolset.Ref   `json:"target,omitempty" schema:"object" doc:"The section that is meant, where it was found."`
}

// Coverage of a facet.
const (
	Covered = "covered" // every claim is supported, and there is no gap
	Partial = "partial" // a claim is supported or conflicted, but the facet is not covered
	Missing = "missing" // no claim is supported or conflicted
)

// FacetRow counts the claims of a facet that the query asks for or the evidence shows.
type FacetRow struct {
	Facet      sdk.Intent `json:"facet"`
	Claims     int        `json:"claim_count"`
	Supported  int        `json:"supported_count"`
	Conflicted int        `json:"conflicted_count"`
	Unresolved int        `json:"unresolved_count"`
	Coverage   string     `json:"coverage_status" enum:"covered,partial,missing"`
}

// Side is one of the two sentences of a conflict.
type Side struct {
	EvidenceID string      `json:"evidence_id"`
	Ref        toolset.Ref `json:"ref"`
	Line       int         `json:"line"`
	Text       string      `json:"text"`
	// The place of the section, which is added to a reply.
	Lines      string `json:"lines,omitempty"`
	Breadcrumb string `json:"breadcrumb,omitempty"`
	Changed    bool   `json:"changed,omitempty"`
}

// Conflict is a pair of evidences that disagree, the better ranked one first.
type Conflict struct {
	Kind    string `json:"kind"` // number, polarity, exception, date, procedure, scope or definition
	ClaimID string `json:"claim_id"`
	A       Side   `json:"a"`
	B       Side   `json:"b"`
}

// Answered reports whether a sentence answers the query and Stands is set.
func (g *Graph) Answered() bool { return g.Answer != nil && g.Stands }

// Follow returns the sections to which the answer refers.
func (g *Graph) Follow() []toolset.Ref {
	var out []toolset.Ref
	for _, e := range g.Edges {
		if e.Relation == RequiresFollowup && e.Target != nil {
			out = append(out, *e.Target)
		}
	}
	return out
}

// Unjudged returns an empty graph with empty lists.
func Unjudged() *Graph {
	return &Graph{
		Claims: []Claim{}, Evidences: []Witness{}, Edges: []Edge{}, Facets: []FacetRow{}, Conflicts: []Conflict{},
		Gaps: []Gap{}, Tensions: []Tension{}, Meant: []string{}, Relevance: []float64{},
	}
}

// Build judges the evidences of a query (docs/reference/status.md). The graph holds copies of the evidences'
// texts. If ctx ends first, it returns the error and a graph of the evidences alone, in their order.
func Build(ctx context.Context, in Input) (*Graph, error) {
	in.Evidences = in.Evidences[:min(MostEvidences, len(in.Evidences))]
	b := builder{in: &in, graph: Unjudged()}
	judged, err := answer.Judge(ctx, &in.Input)
	if err == nil {
		var tensions []tension.Tension
		if tensions, err = tension.Find(ctx, in.Query, in.Evidences, judged.Units); err == nil {
			b.answered(judged)
			b.verdict(judged)
			b.tensions(b.contradicted(tensions))
			b.follow(judged)
			b.facets()
			b.graph.Alike = b.alike()
		}
	}
	b.witnesses()
	return b.graph, err
}

// alike returns the other intents with which the same words would be judged the same. A bare query and one that
// asks for a definition or a procedure differ only in the forms of answer that they need, and so not at all if
// none of these is missing. A bare query does not look for a procedure.
func (b *builder) alike() []sdk.Intent {
	if len(b.graph.Gaps) > 0 {
		return nil
	}
	switch b.in.Query.Intent {
	case sdk.IntentDefinition, sdk.IntentProcedure:
		return []sdk.Intent{sdk.IntentUnknown}
	case sdk.IntentUnknown:
		return []sdk.Intent{sdk.IntentDefinition}
	}
	return nil
}
