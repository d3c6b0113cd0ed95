package sdk

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Strategy is one way to find or to order sections. Its methods are called
// from several goroutines at once.
type Strategy interface {
	// Describe says what the strategy is. It is constant for a process.
	Describe() Description

	// Search answers one request. It honours the cancellation and the deadline
	// of ctx; what it found until then may be returned with Finished false.
	Search(ctx context.Context, req *Request) (*Result, error)
}

// Opener is implemented by a strategy that precomputes something per snapshot.
// Open is called before the first Search on that snapshot.
type Opener interface {
	Open(ctx context.Context, corpus *snapshot.Snapshot) error
}

// SnapshotCloser is implemented by a strategy that keeps something per snapshot. CloseSnapshot is called
// once for each snapshot that was opened, when no Search uses it any more, before it is closed itself.
type SnapshotCloser interface {
	CloseSnapshot(corpus *snapshot.Snapshot) error
}

// Configurer is implemented by a strategy that takes configuration. Configure
// is called once, before any Search, with JSON that fits
// [Description.ConfigSchema].
type Configurer interface {
	Configure(ctx context.Context, config json.RawMessage) error
}

// DecodeConfig decodes the configuration of a strategy into a pointer and refuses unknown keys.
// Set defaults before: keys that are not given leave their fields unchanged.
func DecodeConfig(config json.RawMessage, into any) error {
	dec := json.NewDecoder(bytes.NewReader(config))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

// Stage is the place of a strategy in the way of a query.
type Stage string

const (
	// StageRetrieve strategies search the scope; they run in parallel.
	StageRetrieve Stage = "retrieve"
	// StageFill strategies run when too few sections matched; they see the pool.
	StageFill Stage = "fill"
	// StageRerank strategies score the sections of the pool and add none.
	StageRerank Stage = "rerank"
	// StageFeedback strategies score the scope, which was found below the pool, by what the pool holds.
	StageFeedback Stage = "feedback"
	// StageGather strategies are [Gatherer]s: they retrieve from a collection that lies elsewhere. Search of
	// one finds nothing.
	StageGather Stage = "gather"
	// StageJudge strategies read the best sections and say which sentences answer the query and
	// which contradict each other; they propose no sections. See [Passage].
	StageJudge Stage = "judge"
)

// Signals of the bundled strategies; the host adds heading_focus. An installed strategy may
// declare others in [Description.Signals]. Only heading, normalized and loose admit: a section that carries
// none of them is no candidate unless another strategy admits it, or [Description.Admitting] names its signal
// and the user allowed it.
const (
	SignalHeading      = "heading"       // a query term stands in the heading path
	SignalPath         = "path"          // a query term stands in the names of the file or its folders
	SignalHeadingFocus = "heading_focus" // the best section of its heading group
	SignalNormalized   = "normalized"    // matched in normalised form
	SignalLoose        = "loose"         // matched when separators are ignored
	SignalSynonym      = "synonym"       // matched through a dictionary entry
	SignalExceptions   = "exceptions"    // holds an exception word
	SignalLateRerank   = "late_rerank"   // scored by a late reranker
)

// Description says what a strategy is and what it can do.
type Description struct {
	// Name is the strategy's id: lower-case letters, digits and '-', 1 to 40 bytes.
	Name string
	// Version is free text that changes whenever results may change.
	Version string
	// Stage is where the strategy takes part.
	Stage Stage
	// Signals are the signals that its candidates may carry.
	Signals []string
	// Weight is the default fusion weight, ≥ 0.
	Weight float64
	// Corpora are the corpus kinds it understands; empty means all.
	Corpora []snapshot.Kind
	// ConfigSchema is the JSON Schema of its configuration, nil for none.
	ConfigSchema json.RawMessage
	// Admitting are those of Signals that make a section a candidate beside the [Exact] ones. They do so only
	// where the user allowed it: sagasu plugin install --admit.
	Admitting []string
	// Summary says in a line what the strategy does, License by its SPDX identifier how it may be used.
	Summary, License string
	// SDK is the version of the sdk that the strategy was built with, which fills it in.
	SDK string
}

// Exact reports whether a signal alone admits a section as a candidate: heading, normalized and
// loose do.
func Exact(signal string) bool {
	return signal == SignalHeading || signal == SignalNormalized || signal == SignalLoose
}

// AdmitsBy reports whether a section becomes a candidate by a signal of the strategy.
func (d Description) AdmitsBy(signal string) bool {
	return Exact(signal) || slices.Contains(d.Admitting, signal)
}

// Admits reports whether the strategy can make sections candidates. What another one proposes is a
// candidate only if some strategy that admits proposes it too: its scores order, and add nothing.
func (d Description) Admits() bool { return slices.ContainsFunc(d.Signals, d.AdmitsBy) }

// Intent is what a query asks for.
type Intent string

const (
	IntentDefinition  Intent = "definition"
	IntentProcedure   Intent = "procedure"
	IntentEligibility Intent = "eligibility"
	IntentExceptions  Intent = "exceptions"
	IntentCompare     Intent = "compare"
	IntentUnknown     Intent = "unknown"
)

// TermKind says how a query term binds.
type TermKind string

const (
	// TermMust marks quoted phrases, codes and numbers with their unit: a section that
	// holds one counts as matched whatever else it lacks.
	TermMust TermKind = "must"
	// TermSoft marks an ordinary content term.
	TermSoft TermKind = "soft"
	// TermNegative marks a term that speaks against a section.
	TermNegative TermKind = "negative"
)

// Term is one term of the plan, in normalised form (see package text).
type Term struct {
	Text   string
	Kind   TermKind
	Phrase bool    // the words must stand together and in order
	Weight float64 // share of the term's full weight, in (0, 1]
}

// Query is the plan of one query.
type Query struct {
	// Raw is the query as given.
	Raw    string
	Intent Intent
	// Text is what is left of the query for scoring: normalised, without
	// question words, operators and negative terms.
	Text  string
	Terms []Term
	// MatchThreshold is τ: a section whose idf-weighted coverage of the
	// query's content terms is at least τ is matched. In [0, 1].
	MatchThreshold float64
}

// Request is one search.
type Request struct {
	Query Query
	// Corpus is the snapshot to search. It stays open until Search returns.
	Corpus *snapshot.Snapshot
	// Scope holds the sections to search; nil means every live section.
	Scope *roaring.Bitmap
	// Limit is the most candidates the host will take, ≥ 1.
	Limit int
	// Pool is what earlier stages found, best first; nil in StageRetrieve.
	Pool []Candidate
	// Passages are the texts of the pool for StageJudge, best first; nil in other stages.
	Passages []Passage
	// Params are what the caller asks of this strategy beside the query: JSON
	// of the strategy's own making, nil for nothing.
	Params json.RawMessage
}

// Sections returns the sections to search: the live ones of the scope. Read only.
func (r *Request) Sections() *roaring.Bitmap {
	live := r.Corpus.Live()
	if r.Scope == nil {
		return live
	}
	return roaring.And(live, r.Scope)
}

// Candidate is a section that a strategy proposes.
type Candidate struct {
	// Section is the section's id in the request's snapshot.
	Section uint32
	// Score orders the candidates of one result. Finite and ≥ 0; its scale is
	// the strategy's own, the host normalises per query.
	Score float64
	// Coverage is the idf-weighted share of the query's content terms that the
	// section holds, in [0, 1].
	Coverage float64
	// Measured says that Coverage was measured: 0 then means none, without it unknown. A coverage
	// above 0 needs no Measured.
	Measured bool
	// Signals is a subset of the strategy's declared signals.
	Signals []string
	// Terms are the terms that matched, normalised.
	Terms []string
}

// Best orders candidates by their score, best first, and cuts them at limit. Those of
// equal score keep their order.
func Best(candidates []Candidate, limit int) []Candidate {
	slices.SortStableFunc(candidates, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
	return candidates[:min(len(candidates), limit)]
}

// Result is the answer to a request.
type Result struct {
	// Candidates are the best sections, best first, at most Request.Limit,
	// each section once.
	Candidates []Candidate
	// Matched holds every section of the scope that matched, also those cut by
	// Limit; nil means just the candidates.
	Matched *roaring.Bitmap
	// Examined counts the sections of the scope that were looked at, lowest
	// ids first.
	Examined int
	// Finished says that the whole scope was looked at.
	Finished bool
	// Warnings are one-sentence remarks for the caller.
	Warnings []string
	// Answers are what a judge found to answer the query, best first: at most [MaxVerdicts]. nil leaves the
	// matter to others, an empty list says that no passage answers.
	Answers []Answer
	// Tensions are what a judge found to contradict each other, best first: at most [MaxVerdicts]. nil leaves
	// the matter to others, an empty list says that nothing does.
	Tensions []Tension
	// Confidence is the part of the strategy's fusion weight that holds for this
	// query, above 0 and at most 1; 0 means all of it. A strategy that knows one
	// language better than another says so here.
	Confidence float64
}
