package search

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
)

// Stage is the stage of a search that a section reached, or at which it dropped out; see docs/reference/why.md.
type Stage string

// The stages, in the order in which a section passes them.
const (
	StageSkipped    Stage = "skipped"     // its file cannot be searched
	StageNotIndexed Stage = "not_indexed" // its file is not in the index, or not yet
	// StageNotGathered is that of a file or line of a collection that the engine did not list for the query.
	StageNotGathered Stage = "not_gathered"
	StageOutOfScope  Stage = "out_of_scope"  // another part of the manuals was searched
	StageExcluded    Stage = "excluded"      // it holds a word that the query excludes
	StageUnexamined  Stage = "time_budget"   // no strategy reached it in time
	StageUnmatched   Stage = "unmatched"     // it holds too little of the query
	StageNoText      Stage = "no_text"       // it has no text of its own, and only titles other than its own match
	StageUnlisted    Stage = "unlisted"      // it matched, but is not in any strategy's list
	StageCut         Stage = "candidate_cap" // it was ranked below the candidates that are kept
	StageBelow       Stage = "ranked_below"  // it is a candidate below the hits that are shown
	StageReranked    Stage = "reranked"      // fusion ranked it among the hits shown, but reranking put it below them
	StagePassageCut  Stage = "passage_cut"   // it is shown, but its passage was cut because of max_tokens
	StageShown       Stage = "shown"
)

// MostWhy is the maximum number of sections to explain for one search.
const MostWhy = 20

// WhyRequest asks why sections were found or not found by a search.
type WhyRequest struct {
	Request
	// Sections lists 1 to [MostWhy] places: a path, for its section that got furthest; a path with a line as
	// PATH#LLINE or PATH:LINE, for the section that contains the line; or a heading. A path may begin with its
	// manual.
	Sections []string
	// Shown is how many hits are shown, ≥ 1.
	Shown int
	// Unlisted returns the reason why a file is not in the index, or "" if there is no such file. It may be
	// nil.
	Unlisted func(ctx context.Context, manual, path string) (reason string)
}

// Why explains the positions of sections in a search.
type Why struct {
	TraceID    string     `json:"trace_id"`
	Shown      int        `json:"shown"`     // hits that are shown
	Kept       int        `json:"kept"`      // candidates that are kept
	Ranked     int        `json:"ranked"`    // sections that fusion ranked
	Matched    int        `json:"matched"`   // sections that matched
	Standings  []Standing `json:"standings"` // one for each section asked for
	Escalation []string   `json:"escalation_reasons,omitempty"`
	Warnings   []string   `json:"warnings,omitempty"`
	// Differences compares the contributions of two sections, if two were requested.
	Differences []Difference `json:"differences,omitempty"`
}

// Standing is the position of one section, or the stage at which it dropped out.
type Standing struct {
	Asked    string `json:"asked"`
	Stage    Stage  `json:"stage"`
	Sentence string `json:"sentence"` // the same as a sentence, with the relevant figures
	Ref      HitRef `json:"ref"`      // without a line if its file is not indexed
	// Lines are the first and last line of its own text, such as 12-18.
	Lines      string `json:"lines,omitempty"`
	Breadcrumb string `json:"breadcrumb,omitempty"`
	// Sections is the number of sections of the file, if a file was requested; this one got furthest.
	Sections int    `json:"sections,omitempty"`
	Reason   string `json:"reason,omitempty"` // why a file is skipped

	Rank       int     `json:"rank,omitempty"`       // in the final order, from 1
	FusedRank  int     `json:"fused_rank,omitempty"` // before reranking
	Score      float64 `json:"score,omitempty"`
	FusedScore float64 `json:"fused_score,omitempty"`
	// Lacks is the difference to the score of the last hit shown, if it is below that.
	Lacks float64 `json:"lacks,omitempty"`
	// Contributions sum to Score.
	Contributions []fusion.Contribution `json:"contributions,omitempty"`

	Coverage  float64   `json:"coverage"`  // share of the query that it covers, as the strategies measure it
	Threshold float64   `json:"threshold"` // coverage from which on a section matches
	Terms     []TermUse `json:"terms"`
	// Found are the tokens and terms that strategies found in it.
	Found     []string   `json:"found,omitempty"`
	Lists     []Listed   `json:"lists,omitempty"`
	LastShown *Rival     `json:"last_shown,omitempty"` // if it was ranked, but is not shown
	Passage   *Shortened `json:"passage,omitempty"`    // if it was cut because of max_tokens
}

// TermUse is a term of the query and whether a section holds it.
type TermUse struct {
	Text string `json:"text"`
	Kind string `json:"kind"` // must, soft or negative
	// Held says that a strategy found it in the section, in any form.
	Held bool `json:"held"`
	// Sections is the number of sections of all manuals that have it.
	Sections int `json:"sections"`
	// Meant is the word of the corpus that was searched for too, since no section has this word.
	Meant string `json:"meant,omitempty"`
}

// Listed is the rank of a section in the list of one strategy.
type Listed struct {
	Strategy string `json:"strategy"`
	Stage    string `json:"stage"`
	// Rank counts from 1; 0 means that the strategy does not have it. A rank beyond Of is from a longer list
	// that was requested from the strategy.
	Rank    int     `json:"rank,omitempty"`
	Of      int     `json:"of"`    // length of the list
	Limit   int     `json:"limit"` // maximum length of the list
	Raw     float64 `json:"raw"`
	Best    float64 `json:"best"` // of the list
	Last    float64 `json:"last"` // of the list
	Matched bool    `json:"matched"`
}

// Rival is the hit that a section would have to beat.
type Rival struct {
	Ref           HitRef                `json:"ref"`
	Rank          int                   `json:"rank"`
	Score         float64               `json:"score"`
	Contributions []fusion.Contribution `json:"contributions"`
	// Differences are from the section (a) to this hit (b), the largest first.
	Differences []Difference `json:"differences"`
}

// Difference compares the contributions of one source to two scores.
type Difference struct {
	Source string  `json:"source"`
	A      float64 `json:"a"`
	B      float64 `json:"b"`
	RankA  int     `json:"rank_a,omitempty"`
	RankB  int     `json:"rank_b,omitempty"`
	RawA   float64 `json:"raw_a"`
	RawB   float64 `json:"raw_b"`
}

// Shortened is how much of a passage is shown, in characters.
type Shortened struct {
	Shown int `json:"shown"`
	Whole int `json:"whole"`
}

// Why runs a search, without the cache and without counting it as use, and explains the positions of sections in it. An
// unknown place is the error not_found with did_you_mean; an ambiguous heading or path is needs_narrow_scope with
// candidates.
func (e *Engine) Why(ctx context.Context, req WhyRequest) (*Why, error) {
	switch n := len(req.Sections); {
	case n < 1 || n > MostWhy:
		return nil, toolset.Invalid("sections", req.Sections, fmt.Sprintf("1 to %d paths or headings", MostWhy))
	case req.Shown < 1:
		return nil, toolset.Invalid("shown", req.Shown, "1 or more")
	}
	out := &Why{}
	answer, err := e.find(ctx, req.Request, func(ctx context.Context, t *Trace, left leftOut, answer *Answer) error {
		done := left.judged
		q := &explainer{
			run: left.run, judged: done, request: req, answer: answer, shown: min(req.Shown, len(done.candidates)),
			sources: t.sources, lists: done.lists(&left.run.settings),
		}
		*out = Why{
			TraceID: answer.TraceID, Shown: q.shown, Kept: len(done.candidates), Ranked: len(done.ranked),
			Matched: int(done.matched.GetCardinality()), Escalation: done.escalation,
		}
		for _, asked := range req.Sections {
			s, err := q.standing(ctx, asked)
			if err != nil {
				return err
			}
			out.Standings = append(out.Standings, s)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out.Warnings = answer.Warnings
	if len(out.Standings) == 2 {
		out.Differences = Differences(out.Standings[0].Contributions, out.Standings[1].Contributions)
	}
	return out, nil
}

// Differences compares the contributions to two scores, the largest difference first.
func Differences(a, b []fusion.Contribution) []Difference {
	var out []Difference
	at := func(source string) *Difference {
		i := slices.IndexFunc(out, func(d Difference) bool { return d.Source == source })
		if i < 0 {
			i, out = len(out), append(out, Difference{Source: source})
		}
		return &out[i]
	}
	for _, c := range a {
		d := at(c.Source)
		d.A, d.RankA, d.RawA = d.A+c.Amount, c.Rank, c.Raw
	}
	for _, c := range b {
		d := at(c.Source)
		d.B, d.RankB, d.RawB = d.B+c.Amount, c.Rank, c.Raw
	}
	slices.SortStableFunc(out, func(x, y Difference) int {
		return cmp.Compare(math.Abs(y.A-y.B), math.Abs(x.A-x.B))
	})
	return out
}

// belowSentence returns a sentence on how far a ranked section is below the hits shown.
func (q *explainer) belowSentence(s *Standing) string {
	said := ""
	switch s.Stage {
	case StageReranked:
		var movers []string // after fusion
		for _, c := range s.Contributions[len(q.before[s.FusedRank-1].Contributions):] {
			movers = append(movers, c.Source)
		}
		said = fmt.Sprintf("Fusion ranked it %d, among the %d shown; %s put it at rank %d of %d",
			s.FusedRank, q.shown, strings.Join(movers, " and "), s.Rank, len(q.ranked))
	case StageCut:
		said = fmt.Sprintf("It is ranked %d of %d, below the %d candidates that are kept",
			s.Rank, len(q.ranked), len(q.candidates))
	default:
		said = fmt.Sprintf("It is ranked %d of %d, below the %d shown", s.Rank, len(q.ranked), q.shown)
	}
	said += fmt.Sprintf(": its score is %.3f, %.3f less than that of the last one shown", s.Score, s.Lacks)
	for _, d := range s.LastShown.Differences {
		moved := slices.ContainsFunc(q.moves, func(m result) bool { return m.description.Name == d.Source })
		if d.B > d.A && moved == (s.Stage == StageReranked) {
			return said + fmt.Sprintf(", the most of it from %s (%.3f against %.3f).", d.Source, d.A, d.B)
		}
	}
	return said + "."
}

// unlistedSentence returns a sentence on the strategy that ranks a section best.
func unlistedSentence(lists []Listed) string {
	var best *Listed
	for i, l := range lists {
		if l.Rank > 0 && (best == nil || l.Rank < best.Rank) {
			best = &lists[i]
		}
	}
	if best == nil {
		return "It matched, but is in no strategy's list."
	}
	return fmt.Sprintf("It matched, but is in no strategy's list: %s ranks it %d, and its list ends at %d.",
		best.Strategy, best.Rank, best.Of)
}

// unmatchedSentence returns a sentence on the terms that a section lacks.
func unmatchedSentence(s *Standing) string {
	var lacks, nowhere []string
	total := 0
	for _, t := range s.Terms {
		if t.Kind == string(sdk.TermNegative) {
			continue
		}
		if total++; t.Held {
			continue
		}
		if lacks = append(lacks, t.Text); t.Sections == 0 {
			nowhere = append(nowhere, t.Text)
		}
	}
	said := fmt.Sprintf("No strategy matched it: it holds %d of %d terms of the query", total-len(lacks), total)
	if len(lacks) > 0 {
		said += fmt.Sprintf(" and lacks %s", strings.Join(shortList(lacks), ", "))
	}
	if len(nowhere) > 0 {
		said += fmt.Sprintf(" (no section has %s)", strings.Join(shortList(nowhere), ", "))
	}
	if s.Coverage >= s.Threshold {
		return said + "; a strategy that finds it alone failed or was late in this search, see the warnings."
	}
	return said + fmt.Sprintf("; that covers %.3f of the query, and %.3f is needed.", s.Coverage, s.Threshold)
}

// mostNamed is the maximum number of terms that a sentence names.
const mostNamed = 8

// shortList returns the start of a list, and the number of further elements as text.
func shortList(all []string) []string {
	if len(all) <= mostNamed {
		return all
	}
	return append(slices.Clone(all[:mostNamed]), fmt.Sprintf("%d more", len(all)-mostNamed))
}
