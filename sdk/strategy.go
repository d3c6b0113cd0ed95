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

// Strategy is one way to find or to rank sections. Its methods are called from several goroutines at once.
type Strategy interface {
	// Describe describes the strategy. The result must not change while the process runs.
	Describe() Description

	// Search answers one request. It honours the cancellation and the deadline of ctx. When ctx
	// ends, it may return the candidates found so far, with Finished false.
	Search(ctx context.Context, req *Request) (*Result, error)
}

// Opener is implemented by a strategy that precomputes something per snapshot. Open is called before the first Search
// on that snapshot. Searches on it and CloseSnapshot get the same pointer, so it can serve as a key for cached data,
// for example in a [sync.Map]. Open may take longer than a search, and callers then do not wait for it; ctx ends when
// the process does. If Open fails, the next Search calls it again.
type Opener interface {
	Open(ctx context.Context, corpus *snapshot.Snapshot) error
}

// SnapshotCloser is implemented by a strategy that keeps something per snapshot. CloseSnapshot is called once for
// each opened snapshot, when no Search uses it any more and before the snapshot itself is closed.
type SnapshotCloser interface {
	CloseSnapshot(corpus *snapshot.Snapshot) error
}

// Configurer is implemented by a strategy that takes configuration. Configure is called once, before any Search, with
// JSON that is valid for [Description.ConfigSchema].
type Configurer interface {
	Configure(ctx context.Context, config json.RawMessage) error
}

// DecodeConfig decodes the configuration of a strategy into a pointer and fails on unknown keys. Set defaults first:
// keys that are missing leave their fields unchanged.
func DecodeConfig(config json.RawMessage, into any) error {
	dec := json.NewDecoder(bytes.NewReader(config))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

// Stage is the stage of a search in which a strategy runs.
type Stage string

const (
	// StageRetrieve strategies search the scope; they run in parallel.
	StageRetrieve Stage = "retrieve"
	// StageFill strategies run when too few sections matched; they see the pool.
	StageFill Stage = "fill"
	// StageRerank strategies score the sections of the pool and add none.
	StageRerank Stage = "rerank"
	// StageFeedback strategies use the content of the pool to score the sections ranked below it.
	StageFeedback Stage = "feedback"
	// StageGather strategies are [Gatherer]s: they retrieve from an external collection. Their Search finds
	// nothing.
	StageGather Stage = "gather"
	// StageJudge strategies read the best sections, and report sentences that answer the query
	// and sentences that contradict each other. They propose no sections. See [Passage].
	StageJudge Stage = "judge"
)

// Signals of the bundled strategies; the host adds heading_focus. An installed strategy may declare others in
// [Description.Signals]. Only heading, normalized and loose admit: a section with none of them becomes a candidate
// only if another strategy admits it, or if [Description.Admitting] names its signal and the user allowed it.
const (
	SignalHeading      = "heading"       // a query term is in the heading path
	SignalPath         = "path"          // a query term is in the names of the file or its folders
	SignalHeadingFocus = "heading_focus" // the best section of its heading group
	SignalNormalized   = "normalized"    // matched in normalised form
	SignalLoose        = "loose"         // matched when separators are ignored
	SignalSynonym      = "synonym"       // matched through a dictionary entry
	SignalExceptions   = "exceptions"    // contains an exception word
	SignalLateRerank   = "late_rerank"   // scored by a late reranker
)

// Description describes a strategy and its abilities.
type Description struct {
	// Name is the strategy's id: lower-case letters, digits and '-', 1 to 40 bytes.
	Name string
	// Version is one line of at most 100 bytes. It must change whenever results may change.
	Version string
	// Stage is the stage in which the strategy runs.
	Stage Stage
	// Signals are the signals that its candidates may carry, at most 50: lower-case letters, digits, '-' and '_', 1 to
	// 40 bytes each. Strategies of StageRetrieve, StageFill and StageRerank need one.
	Signals []string
	// Weight is the default fusion weight, > 0: no search calls a strategy of weight 0. For StageJudge it has no
	// other effect, and for StageGather it has none. For an installed strategy it is at most 0.2 unless a
	// configuration raises it.
	Weight float64
	// Corpora are the corpus kinds that the strategy can search; empty means all.
	Corpora []snapshot.Kind
	// ConfigSchema is the JSON Schema of its configuration, at most 256 KiB, nil for none. Its "format" is not checked.
	ConfigSchema json.RawMessage
	// Admitting lists those of Signals that, like the [Exact] signals, make a section a candidate. They do so only if
	// the user allowed it with sagasu plugin install --admit.
	Admitting []string
	// Expands means that Search answers [Request.Expand].
	Expands bool
	// Summary describes the strategy in one line of at most 300 bytes. License is its SPDX license identifier.
	Summary, License string
	// SDK is the version of the sdk that the strategy was built with. The sdk sets it.
	SDK string
}

// Exact reports whether a signal admits a section as a candidate by itself: heading, normalized and loose do.
func Exact(signal string) bool {
	return signal == SignalHeading || signal == SignalNormalized || signal == SignalLoose
}

// AdmitsBy reports whether a signal of the strategy admits a section as a candidate.
func (d Description) AdmitsBy(signal string) bool {
	return Exact(signal) || slices.Contains(d.Admitting, signal)
}

// Admits reports whether the strategy can admit sections as candidates. A strategy that cannot only changes the
// order: a section that it proposes becomes a candidate only if an admitting strategy proposes it too.
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

// TermKind says how a query term affects matching.
type TermKind string

const (
	// TermMust marks quoted phrases, codes and numbers with their unit: a section that contains one counts as matched
	// even if it lacks all other terms.
	TermMust TermKind = "must"
	// TermSoft marks an ordinary content term.
	TermSoft TermKind = "soft"
	// TermNegative marks a term that counts against a section.
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
	// Text is the part of the query used for scoring: normalised, without question words,
	// operators and negative terms.
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
	// Limit is the maximum number of candidates that the host accepts, ≥ 1.
	Limit int
	// Pool holds the candidates of earlier stages, best first; nil in StageRetrieve.
	Pool []Candidate
	// Passages are the texts of the pool for StageJudge, best first; nil in other stages.
	Passages []Passage
	// Params are the caller's parameters for this strategy, besides the query: JSON in a format
	// that the strategy defines, or nil.
	Params json.RawMessage
	// Expand asks for [Result.Expansion] instead of candidates. Only strategies whose description sets Expands
	// receive it. Corpus is then a sample of the searched collection.
	Expand bool
}

// Sections returns the sections to search: the live ones of the scope. Do not change the result.
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
	// Coverage is the idf-weighted share of the query's content terms that the section contains, in [0, 1].
	Coverage float64
	// Measured says whether a Coverage of 0 was measured. Without it, 0 means unknown. A Coverage
	// above 0 counts as measured in any case.
	Measured bool
	// Signals is a subset of the strategy's declared signals.
	Signals []string
	// Terms are the terms that matched, normalised, at most 1,000.
	Terms []string
}

// Best sorts candidates by score, best first, and returns at most limit of them. The sort is
// stable.
func Best(candidates []Candidate, limit int) []Candidate {
	slices.SortStableFunc(candidates, func(a, b Candidate) int { return cmp.Compare(b.Score, a.Score) })
	return candidates[:min(len(candidates), limit)]
}

// Result is the answer to a request.
type Result struct {
	// Candidates are the best sections, best first, at most Request.Limit,
	// each section once.
	Candidates []Candidate
	// Matched holds every section of the scope that matched, including those cut by Limit; nil
	// means only the candidates matched.
	Matched *roaring.Bitmap
	// Examined is the number of sections of the scope that were examined, lowest ids first.
	Examined int
	// Finished says that the whole scope was examined.
	Finished bool
	// Warnings are remarks for the caller, at most 10, each one line of at most 1,000 bytes without control characters.
	Warnings []string
	// Answers are the answers that a judge found, best first, at most [MaxVerdicts]. nil means no opinion;
	// an empty list means that no passage answers the query.
	Answers []Answer
	// Tensions are the contradictions that a judge found, best first, at most [MaxVerdicts]. nil means no
	// opinion; an empty list means that no passages contradict each other.
	Tensions []Tension
	// Confidence scales the strategy's fusion weight for this query, above 0 and at most 1; 0
	// means 1. A strategy that handles one language better than another sets it accordingly.
	Confidence float64
	// Expansion lists terms of a snapshot's dictionary that are not in the query but that the strategy would look
	// for, such as translations, at most [MaxExpansion]. Sections of a collection that contain them are gathered too.
	// A word of the query has the weight 1. Slots are ignored.
	Expansion []GatherTerm
}

// MaxExpansion is the maximum number of terms in [Result.Expansion].
const MaxExpansion = 200
