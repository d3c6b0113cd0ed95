package search

import (
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Request is one manual_find call with its defaults applied.
type Request struct {
	Query string
	// Queries are wordings of one question that are searched at once, instead of Query; at most 8.
	Queries  []string
	ManualID string // "" searches every manual
	// ExpandScope lets the search widen when the first pass finds too little.
	ExpandScope bool
	// OnlyUnscanned names a trace whose unscanned sections are searched instead of the scope.
	OnlyUnscanned string
	// ClaimGraph asks for the claim graph in the answer.
	ClaimGraph bool
	// UseCache permits a cached answer; nil means the default of [Cache].
	UseCache *bool
	// MaxCandidates is the number of candidates to keep, ≥ 1.
	MaxCandidates int
	// TimeMS is the time limit of the search in milliseconds, ≥ 1.
	TimeMS int
	// InlineHits adds the first rows of integrated_top to the answer, 0 to 5.
	InlineHits int
	// Passages is the maximum number of passages in the answer, 0 to 20.
	Passages int
	// MaxTokens limits the answer without claim graph and inline hits, in estimated tokens; 0 means no limit.
	MaxTokens int
}

// Answer is the reply to manual_find.
type Answer struct {
	TraceID     string           `json:"trace_id" doc:"Names this search in manual_hits."`
	ClaimGraph  *ClaimGraph      `json:"claim_graph,omitempty" doc:"What the best sections say on the query; there with include_claim_graph."`
	Summary     Summary          `json:"summary"`
	NextActions []toolset.Action `json:"next_actions"`
	Warnings    []string         `json:"warnings" optional:""`
	// DidYouMean are words of the corpus, for words of the query that it lacks.
	DidYouMean []string `json:"did_you_mean,omitempty" doc:"Words of the manuals for misspelt ones of the query."`
	// MissingTerms are the words of the query that no found section has in any form.
	MissingTerms []string `json:"missing_terms,omitempty" doc:"Words of the query that nothing found holds, in any form."`
	// AnsweredBy is nil if no sentence is likely to answer.
	AnsweredBy *judge.Answer `json:"answered_by,omitempty" schema:"object" doc:"The sentence that answers."`
	// Tensions, best first.
	Tensions []judge.Tension `json:"tensions,omitempty" schema:"objects" doc:"Pairs of sentences to compare."`
	// Passages are best first.
	Passages        []Passage `json:"passages,omitempty" doc:"Text of the best sections, best first."`
	TruncatedReason string    `json:"truncated_reason,omitempty" enum:"max_tokens" doc:"Present when passages were shortened or left out."`
	// InlineHits is nil unless requested; then it may be empty.
	InlineHits []Row `json:"inline_hits,omitzero" schema:"objects"`
}

// Sections implements [toolset.Linker].
func (a *Answer) Sections() (refs []toolset.Ref) {
	for _, p := range a.Passages {
		refs = append(refs, toolset.Ref{Target: "manual", ManualID: p.ManualID, Path: p.Path, StartLine: p.section})
	}
	return refs
}

// Counters implements [toolset.Counter].
func (a *Answer) Counters() []any {
	return []any{
		"candidates", a.Summary.Candidates, "matched", a.Summary.Matched, "scanned_files", a.Summary.ScannedFiles,
		"scanned_nodes", a.Summary.ScannedNodes, "skipped_files", a.Summary.SkippedFiles, "warnings", len(a.Warnings),
	}
}

// ClaimGraph holds what the best candidates say about the query.
type ClaimGraph struct {
	Claims    []judge.Claim    `json:"claims"`
	Evidences []judge.Witness  `json:"evidences"`
	Edges     []judge.Edge     `json:"edges"`
	Facets    []judge.FacetRow `json:"facets"`
}

// Summary holds the counts and the status of a search.
type Summary struct {
	ScannedFiles      int     `json:"scanned_files"`
	ScannedNodes      int     `json:"scanned_nodes"`
	SkippedFiles      int     `json:"skipped_files" doc:"Files of the scope that cannot be searched; manual_hits with kind skipped says why."`
	Candidates        int     `json:"candidates"`
	Matched           int     `json:"matched" schema:"-"`
	AtLeast           bool    `json:"at_least,omitempty" schema:"-"` // a collection may hold more that match
	Likely            int     `json:"likely" doc:"Sections that are about the query with a probability of 0.3 or more."`
	FileBiasRatio     float64 `json:"file_bias_ratio"`
	ConflictCount     int     `json:"conflict_count"`
	GapCount          int     `json:"gap_count"`
	IntegrationStatus string  `json:"integration_status" enum:"ready,needs_followup,blocked"`
	// StatusReasons are why the status is not ready.
	StatusReasons []string `json:"status_reasons,omitempty" doc:"Why not ready: nothing_answers, gap, conflict, candidate_cap, time_budget, strategy_missing, asks_for_all."`
	CutoffReason  string   `json:"cutoff_reason,omitempty" enum:"time_budget,candidate_cap,stage_cap,hard_limit" doc:"Present when something was cut."`

	EscalationReasons []string `json:"escalation_reasons,omitempty" doc:"Present when the search was widened: why."`
}
