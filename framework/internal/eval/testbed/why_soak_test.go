//go:build soak

package testbed

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/sdk"
)

// whyQueries is the number of queries that are explained, over all sets.
const whyQueries = 50

// TestWhyNamesTheTrueStage explains judged queries whose evidence is not among the first ten, and checks each stage and
// its figures by other searches: with longer lists, with one strategy, without reranking, with another threshold.
// SAGASU_SETS names folders with corpus and queries.jsonl.
func TestWhyNamesTheTrueStage(t *testing.T) {
	dirs := strings.Fields(os.Getenv("SAGASU_SETS"))
	if len(dirs) == 0 {
		t.Skip("SAGASU_SETS names no sets")
	}
	total, done := map[search.Stage]int{}, 0
	for i, dir := range dirs {
		left := len(dirs) - i
		wanted := (whyQueries - done + left - 1) / left
		queries, err := eval.ReadQueryFile(filepath.Join(dir, "queries.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		c := whyCheck{T: t, testbed: localTestbed(t, filepath.Join(dir, "corpus")), kept: 200, stages: map[search.Stage]int{}}
		missed, asked := c.missed(queries, wanted)
		done += len(missed)
		for _, q := range missed {
			c.check(q)
		}
		t.Logf("%s: %d of %d queries asked miss their evidence: %v", filepath.Base(dir), len(missed), asked, c.stages)
		few := whyCheck{T: t, testbed: c.testbed, kept: 20, stages: map[search.Stage]int{}}
		for _, q := range missed {
			few.check(q)
		}
		t.Logf("%s, 20 candidates: %v", filepath.Base(dir), few.stages)
		for stage, n := range c.stages {
			total[stage] += n
		}
	}
	t.Logf("all: %v", total)
}

// whyCheck explains the queries of one set.
type whyCheck struct {
	*testing.T
	testbed *Testbed
	kept    int // candidates that a search keeps
	stages  map[search.Stage]int
}

// engine returns an engine with changed settings.
func (c whyCheck) engine(change func(*search.Settings)) *search.Engine {
	settings := c.testbed.settings
	if change != nil {
		change(&settings)
	}
	return newEngine(c.testbed.view.Snapshot, c.testbed.strategies, c.testbed.traces, settings)
}

func (c whyCheck) request(q eval.Query) search.Request {
	return search.Request{Query: q.Query, ExpandScope: true, MaxCandidates: c.kept, TimeMS: 600_000}
}

// places returns the rows of a kind of a search, in order.
func (c whyCheck) places(e *search.Engine, req search.Request, kind, reason string) (out []eval.Target, scores []float64) {
	c.Helper()
	defer e.Close()
	answer, err := e.Find(c.Context(), req)
	if err != nil {
		c.Fatal(err)
	}
	for next := new(0); next != nil; {
		hits, err := e.Hits(c.Context(), search.HitsRequest{TraceID: answer.TraceID, Kind: kind, Offset: *next, Limit: 1000})
		if err != nil {
			c.Fatal(err)
		}
		for _, row := range hits.Items {
			if row.Reason == reason {
				x := target(row, hits.ManualID)
				out, scores = append(out, eval.Target{ManualID: x.ManualID, Path: x.Path, StartLine: x.StartLine}), append(scores, *cmp.Or(row.Score, new(0.0)))
			}
		}
		next = hits.NextOffset
	}
	return out, scores
}

// candidates returns the candidates of a search with changed settings and request.
func (c whyCheck) candidates(q eval.Query, kept int, expand bool, change func(*search.Settings)) (all []eval.Target, scores []float64) {
	req := c.request(q)
	req.MaxCandidates, req.ExpandScope = kept, expand
	return c.places(c.engine(change), req, "candidates", "")
}

// missed returns queries without evidence in the first ten, at even distances, and how many were asked to find them.
func (c whyCheck) missed(queries []eval.Query, most int) (out []eval.Query, asked int) {
	step := 1
	for step < len(queries) && len(queries)/(step+1) > 20*most {
		step++
	}
	for from := range step {
		for i := from; i < len(queries) && len(out) < most; i += step {
			asked++
			first, _ := c.candidates(queries[i], c.kept, true, nil)
			first = first[:min(10, len(first))]
			if !slices.ContainsFunc(queries[i].Relevant, func(r eval.Target) bool { return rankIn(first, r) > 0 }) {
				out = append(out, queries[i])
			}
		}
	}
	return out, asked
}

// rankIn returns the rank of a section, from 1, or 0 if it is missing.
func rankIn(all []eval.Target, t eval.Target) int {
	return 1 + slices.IndexFunc(all, t.Is)
}

// check explains the first evidence of a query and verifies the explanation by other means.
func (c whyCheck) check(q eval.Query) {
	at := q.Relevant[0]
	e := c.engine(nil)
	defer e.Close()
	why, err := e.Why(c.Context(), search.WhyRequest{
		Request: c.request(q), Shown: 10, Sections: []string{fmt.Sprintf("%s/%s#L%d", at.ManualID, at.Path, at.StartLine)},
	})
	if err != nil {
		c.Errorf("%s: %v", q.ID, err)
		return
	}
	s := why.Standings[0]
	at.StartLine = s.Ref.StartLine // its best line, if the file is one section
	c.stages[s.Stage]++
	c.Logf("%s %s: %s", q.ID, s.Stage, s.Sentence)
	wrong := func(format string, args ...any) { c.Errorf("%s %s: "+format, append([]any{q.ID, s.Stage}, args...)...) }
	all, scores := c.candidates(q, c.kept, true, nil)
	plain, _ := c.candidates(q, c.kept, true, func(s *search.Settings) { s.RerankTop = 0 })
	if rank := rankIn(all, at); rank != s.Rank && (rank != 0 || s.Rank <= c.kept) {
		wrong("it is candidate %d, not %d", rank, s.Rank)
	}
	if rank := rankIn(plain, at); rank != s.FusedRank && (rank != 0 || s.FusedRank <= c.kept) {
		wrong("without reranking it is candidate %d, not %d", rank, s.FusedRank)
	}
	if s.Rank > 0 && s.Rank <= c.kept && (!near(scores[s.Rank-1], s.Score) || !near(scores[9]-s.Score, s.Lacks)) {
		wrong("its score is %g, %g below the tenth", scores[s.Rank-1], scores[9]-s.Score)
	}
	req := c.request(q)
	req.ExpandScope = len(why.Escalation) > 0
	cut, _ := c.places(c.engine(nil), req, "unscanned", "candidate_cap")
	switch s.Stage {
	case search.StageBelow:
		if s.Rank <= 10 || s.FusedRank <= 10 || s.Rank > c.kept {
			wrong("ranks %d and %d", s.FusedRank, s.Rank)
		}
		c.checkLists(q, at, s, wrong)
	case search.StageReranked:
		if s.FusedRank > 10 || s.Rank <= 10 {
			wrong("ranks %d and %d", s.FusedRank, s.Rank)
		}
		c.checkLists(q, at, s, wrong)
	case search.StageCut:
		if rankIn(cut, at) == 0 || s.Rank <= c.kept {
			wrong("it was not cut")
		}
		c.checkLists(q, at, s, wrong)
	case search.StageUnlisted:
		if rankIn(cut, at) == 0 {
			wrong("it did not match")
		}
		c.checkLists(q, at, s, wrong)
	case search.StageShown: // shorter lists may move a section up
		if s.Rank > 10 || c.kept == 200 {
			wrong("rank %d", s.Rank)
		}
	case search.StageUnmatched, search.StageNoText:
		if rankIn(cut, at) > 0 {
			wrong("it matched")
		}
		c.checkThreshold(q, at, s, wrong)
	default:
		wrong("no such stage was expected")
	}
}

func near(a, b float64) bool { return math.Abs(a-b) < 0.0011 } // rows have three decimals

// checkLists searches with each admitting strategy alone, with lists as long as before and longer.
func (c whyCheck) checkLists(q eval.Query, at eval.Target, s search.Standing, wrong func(string, ...any)) {
	for _, l := range s.Lists {
		d, _ := c.testbed.describe(l.Strategy)
		if !d.Admits() || d.Stage != sdk.StageRetrieve || len(q.Query) == 0 {
			continue
		}
		alone := func(set *search.Settings) {
			set.Weights, set.RerankTop, set.CoverageWeight, set.HeadingWeight, set.TitleWeight = map[string]float64{}, 0, 0, 0, 0
			for _, d := range c.testbed.descriptions {
				set.Weights[d.Name] = oneFor(d.Name == l.Strategy)
			}
		}
		found, _ := c.candidates(q, max(c.kept, 100), false, alone)
		rank := rankIn(found, at)
		switch {
		case l.Rank > 0 && l.Rank <= l.Of && rank == 0:
			wrong("%s alone does not find it, rank %d of %d", l.Strategy, l.Rank, l.Of)
		case (l.Rank == 0 || l.Rank > l.Of) && rank > 0:
			wrong("%s alone finds it at %d", l.Strategy, rank)
		case l.Rank > l.Of:
			deep, _ := c.candidates(q, 10_000, false, alone)
			if rank := rankIn(deep, at); rank == 0 || rank > l.Rank { // its own matches are fewer than all matches
				wrong("%s alone finds it at %d of a longer list, not %d", l.Strategy, rank, l.Rank)
			}
		}
	}
}

func oneFor(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}

// leastThreshold is the smallest threshold that differs from none.
const leastThreshold = 0.001

// checkThreshold searches with a threshold just below the coverage, with which the section must match, and just above
// it, with which it must not.
func (c whyCheck) checkThreshold(q eval.Query, at eval.Target, s search.Standing, wrong func(string, ...any)) {
	found := func(threshold float64) bool {
		change := func(set *search.Settings) { set.MatchThreshold = threshold }
		req := c.request(q)
		req.ExpandScope, req.MaxCandidates = false, 10_000
		kept, _ := c.places(c.engine(change), req, "candidates", "")
		cut, _ := c.places(c.engine(change), req, "unscanned", "candidate_cap")
		return rankIn(kept, at) > 0 || rankIn(cut, at) > 0
	}
	if s.Stage == search.StageNoText {
		if s.Coverage < s.Threshold || found(s.Threshold) {
			wrong("its coverage is %g", s.Coverage)
		}
		return
	}
	if s.Coverage > 0 && !found(s.Coverage*0.999) {
		wrong("a threshold of %g does not let it match", s.Coverage*0.999)
	}
	if above := max(s.Coverage*1.001, leastThreshold); found(above) {
		wrong("a threshold of %g lets it match", above)
	}
}

// refitQueries is the number of queries of a set that are reordered.
const refitQueries = 25

// TestRefitIsASearchWithItsWeights reorders searches of judged queries with random weights and compares the order with
// that of a search with these weights: the whole order without reranking; with it, the reranked sections if the
// rerankers saw all that they would see.
func TestRefitIsASearchWithItsWeights(t *testing.T) {
	dirs := strings.Fields(os.Getenv("SAGASU_SETS"))
	if len(dirs) == 0 {
		t.Skip("SAGASU_SETS names no sets")
	}
	for _, dir := range dirs {
		queries, err := eval.ReadQueryFile(filepath.Join(dir, "queries.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		c := whyCheck{T: t, testbed: localTestbed(t, filepath.Join(dir, "corpus")), kept: 200}
		chance, compared, seen, firstTen := rand.New(rand.NewPCG(1, 2)), 0, 0, 0
		for i := 0; i < len(queries); i += max(1, len(queries)/refitQueries) {
			weights := map[string]float64{"coverage": chance.Float64(), "heading": chance.Float64() / 5}
			for _, d := range c.testbed.descriptions {
				if d.Weight > 0 {
					weights[d.Name] = d.Weight * (0.5 + chance.Float64())
				}
			}
			for _, top := range []int{0, 50} {
				unseen, ten, same := c.refit(queries[i], weights, top)
				if compared++; top > 0 && unseen == 0 {
					seen++
				}
				if top > 0 && ten {
					firstTen++
				}
				if !same {
					t.Errorf("%s, %d reranked: the order is not that of a search with %v", queries[i].ID, top, weights)
				}
			}
		}
		t.Logf("%s: %d orders compared, half of them reranked; of these, %d with all seen, %d with the same first ten",
			filepath.Base(dir), compared, seen, firstTen)
	}
}

// refit compares a search with weights and a stored search reordered with them: its first ten, and everything that must
// be equal.
func (c whyCheck) refit(q eval.Query, weights map[string]float64, top int) (unseen int, ten, same bool) {
	req := c.request(q)
	req.ExpandScope = false
	stored := c.engine(func(s *search.Settings) { s.RerankTop, s.AnswerWeight = top, 0 }) // answers depend on the order
	defer stored.Close()
	answer, err := stored.Find(c.Context(), req)
	if err != nil {
		c.Fatal(err)
	}
	first, err := stored.Refit(c.Context(), search.RefitRequest{TraceID: answer.TraceID})
	if err != nil {
		c.Fatal(err)
	}
	known := map[string]float64{}
	for _, s := range first.Sources {
		if w, ok := weights[s.Source]; ok {
			known[s.Source] = w
		}
	}
	fit, err := stored.Refit(c.Context(), search.RefitRequest{TraceID: answer.TraceID, Weights: known, Limit: c.kept})
	if err != nil {
		c.Fatal(err)
	}
	want, scores := c.candidates(q, c.kept, false, func(s *search.Settings) {
		s.RerankTop, s.Weights, s.CoverageWeight, s.HeadingWeight = top, weights, weights["coverage"], weights["heading"]
		s.AnswerWeight = 0
	})
	n := len(want)
	if top > 0 {
		n = min(n, top)
	}
	if len(fit.Items) != len(want) {
		return fit.Unseen, false, false
	}
	equal := 0
	for equal < n {
		item := fit.Items[equal]
		at := eval.Target{ManualID: item.Ref.ManualID, Path: item.Ref.Path, StartLine: item.Ref.StartLine}
		if want[equal] != at || fit.Unseen == 0 && !near(scores[equal], *item.Score) {
			break
		}
		equal++
	}
	return fit.Unseen, equal >= min(10, n), equal == n || fit.Unseen > 0
}
