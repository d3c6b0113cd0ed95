package search

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// voice gives sections random but constant scores, so that weights do not change its lists.
type voice struct {
	sdk.Description
	sure  float64
	holds uint64 // it finds one section in this many
}

// chance returns a number that depends only on the section and the strategy.
func (v voice) chance(section uint32) uint64 {
	h := fnv.New64a()
	fmt.Fprint(h, v.Name, section)
	return h.Sum64() >> 8
}

func (v voice) search(req *sdk.Request) *sdk.Result {
	out := &sdk.Result{Finished: true, Confidence: v.sure, Matched: roaring.New()}
	scope := req.Sections()
	if v.Stage == sdk.StageRerank {
		scope = roaring.New()
		for _, c := range req.Pool {
			scope.Add(c.Section)
		}
	}
	for _, id := range scope.ToArray() {
		n := v.chance(id)
		if n%v.holds > 0 {
			continue
		}
		c := sdk.Candidate{Section: id, Score: float64(n % 7), Terms: []string{"disk"}}
		if v.Stage == sdk.StageRetrieve {
			out.Matched.Add(id)
			c.Coverage, c.Signals = float64(n%5)/4, v.Signals[:1+int(n%uint64(len(v.Signals)))]
		}
		out.Candidates = append(out.Candidates, c)
	}
	if v.Stage != sdk.StageRetrieve {
		out.Matched = nil
	}
	sdk.Best(out.Candidates, len(out.Candidates))
	return out
}

type choir []voice

func (c choir) Strategies(context.Context) (out []sdk.Description, _ []host.Failure) {
	for _, v := range c {
		out = append(out, v.Description)
	}
	return out, nil
}

func (c choir) Search(_ context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	i := slices.IndexFunc(c, func(v voice) bool { return v.Name == name })
	return c[i].search(req), nil
}

// drawChoir returns strategies that retrieve, rerank and give feedback.
func drawChoir(t *rapid.T) (out choir) {
	for _, d := range []sdk.Description{
		{Name: "first", Stage: sdk.StageRetrieve, Signals: []string{sdk.SignalNormalized, sdk.SignalHeading}},
		{Name: "second", Stage: sdk.StageRetrieve, Signals: []string{sdk.SignalLoose}},
		{Name: "adviser", Stage: sdk.StageRetrieve, Signals: []string{"own", sdk.SignalPath}},
		{Name: "late", Stage: sdk.StageRerank, Signals: []string{sdk.SignalLateRerank}},
		{Name: "later", Stage: sdk.StageRerank, Signals: []string{sdk.SignalLateRerank}},
		{Name: "again", Stage: sdk.StageFeedback},
	} {
		d.Weight = rapid.Float64Range(0.1, 1).Draw(t, "weight")
		out = append(out, voice{d, rapid.SampledFrom([]float64{0, 0.4, 1}).Draw(t, "sure"), rapid.Uint64Range(1, 3).Draw(t, "holds")})
	}
	return out
}

// drawWeights returns other weights for some sources.
func drawWeights(t *rapid.T, c choir) map[string]float64 {
	out := map[string]float64{}
	for _, v := range c {
		if rapid.Bool().Draw(t, "changed") {
			out[v.Name] = rapid.SampledFrom([]float64{0, 0.3, 1, 2.5}).Draw(t, v.Name)
		}
	}
	for _, bonus := range bonusNames {
		if rapid.Bool().Draw(t, "changed") {
			out[bonus] = rapid.Float64Range(0, 2).Draw(t, bonus)
		}
	}
	return out
}

// titledRows are sections in two manuals, some with a title that begins with a code.
func titledRows(n int) []sdktest.Section {
	rows := manyRows(n)
	for i := range rows {
		if i%4 == 0 {
			rows[i].Heading = "E-12 stops"
		}
	}
	return rows
}

// rankingRow is the part of a ranked section that must be equal.
type rankingRow struct {
	Manual, Path  string
	Line          int
	Score         float64
	Contributions []fusion.Contribution
}

func rankingOf(ref HitRef, score float64, contributions []fusion.Contribution) rankingRow {
	contributions = slices.Clone(contributions)
	for i := range contributions {
		contributions[i].Terms = nil
	}
	return rankingRow{ref.ManualID, ref.Path, ref.StartLine, score, contributions}
}

func candidateRows(t *Trace) (out []rankingRow) {
	for _, c := range t.Candidates {
		ref := toolset.Ref{ManualID: c.ManualID, Path: c.Path, StartLine: c.Line}
		out = append(out, rankingOf(HitRef{Ref: ref}, c.Score, c.Contributions))
	}
	return out
}

func refitRows(f *Refitted) (out []rankingRow) {
	for _, item := range f.Items {
		out = append(out, rankingOf(*item.Ref, *item.Score, item.Explain))
	}
	return out
}

// searched returns the trace of a search that does not expand.
func searched(t *rapid.T, e *Engine) *Trace {
	req := request("disk E-12")
	req.ExpandScope = false
	answer, err := e.Find(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := e.Trace(t.Context(), answer.TraceID)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func refitted(t *rapid.T, e *Engine, req RefitRequest) *Refitted {
	f, err := e.Refit(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestTheSameWeightsGiveTheStoredOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		e := engine(t, titledRows(rapid.IntRange(1, 80).Draw(rt, "sections")), drawChoir(rt))
		e.Settings.Method = rapid.SampledFrom([]fusion.Method{fusion.Weighted, fusion.RRF, fusion.CombMNZ}).Draw(rt, "method")
		e.Settings.RerankTop = rapid.SampledFrom([]int{0, 1, 7, 50}).Draw(rt, "top")
		e.Settings.AnswerWeight = rapid.SampledFrom([]float64{0, 0.3, 1}).Draw(rt, "answers")
		tr := searched(rt, e)
		got := refitted(rt, e, RefitRequest{TraceID: tr.ID})
		if diff := cmp.Diff(candidateRows(tr), refitRows(got)); diff != "" || got.Unseen != 0 {
			rt.Fatalf("%d unseen: %s", got.Unseen, diff)
		}
		for i, item := range got.Items {
			if item.Rank != i+1 || item.Was != i+1 || item.Ref.Title != tr.Candidates[i].Title || item.Breadcrumb == "" {
				rt.Fatalf("row %d is %+v", i, item)
			}
		}
	})
}

func TestOtherWeightsGiveTheOrderOfASearchWithThem(t *testing.T) {
	exactly := 0
	rapid.Check(t, func(rt *rapid.T) {
		rows, voices := titledRows(rapid.IntRange(1, 80).Draw(rt, "sections")), drawChoir(rt)
		weights := drawWeights(rt, voices)
		method := rapid.SampledFrom([]fusion.Method{fusion.Weighted, fusion.RRF, fusion.CombMNZ}).Draw(rt, "method")
		top := rapid.SampledFrom([]int{0, 7, 50, 200}).Draw(rt, "top")
		first := engine(t, rows, voices)
		first.Settings.RerankTop, first.Settings.Method = top, method
		tr := searched(rt, first)
		other := engine(t, rows, voices)
		s := &other.Settings
		s.RerankTop, s.Method, s.Weights = top, method, maps.Clone(weights)
		for bonus, w := range s.bonusWeights() {
			if to, ok := weights[bonusNames[bonus]]; ok {
				*w = to
			}
		}
		want := candidateRows(searchedOrNone(rt, other))
		sources := refitted(rt, first, RefitRequest{TraceID: tr.ID}).Sources
		maps.DeleteFunc(weights, func(source string, _ float64) bool { // it moved nothing
			return !slices.ContainsFunc(sources, func(s SourceWeight) bool { return s.Source == source })
		})
		fit := refitted(rt, first, RefitRequest{TraceID: tr.ID, Weights: weights})
		got := refitRows(fit)
		if len(got) != len(want) {
			rt.Fatalf("%d sections, a search ranks %d", len(got), len(want))
		}
		if fit.Unseen > 0 {
			return // the rerankers did not see all that they would see now
		}
		same := len(want) // what feedback orders depends on what it was shown
		if top > 0 {
			same = min(same, top)
			exactly++
		}
		if diff := cmp.Diff(want[:same], got[:same]); diff != "" {
			rt.Fatal(diff)
		}
	})
	if exactly == 0 {
		t.Error("no reranked order was compared")
	}
}

// searchedOrNone is like searched, but returns an empty trace if every strategy is switched off.
func searchedOrNone(t *rapid.T, e *Engine) *Trace {
	req := request("disk E-12")
	req.ExpandScope = false
	answer, err := e.Find(context.Background(), req)
	if failed, ok := errors.AsType[*toolset.Error](err); ok && failed.Code == toolset.NotAvailable {
		return &Trace{}
	}
	if err != nil {
		t.Fatal(err)
	}
	tr, err := e.Trace(t.Context(), answer.TraceID)
	if err != nil {
		t.Fatal(err)
	}
	return tr
}

func TestRefitRefusesWhatIsNoWeight(t *testing.T) {
	e := engine(t, manyRows(9), fakes{list: []words{exact}})
	answer, err := find(t, e, request("disk"))
	if err != nil {
		t.Fatal(err)
	}
	for name, tc := range map[string]struct {
		req       RefitRequest
		parameter string
		code      toolset.Code
	}{
		"no trace":      {RefitRequest{TraceID: "0-0"}, "trace_id", toolset.NotFound},
		"a stranger":    {RefitRequest{TraceID: answer.TraceID, Weights: map[string]float64{"exakt": 1}}, "weights", toolset.InvalidParameter},
		"less than 0":   {RefitRequest{TraceID: answer.TraceID, Weights: map[string]float64{"exact": -1}}, `weights["exact"]`, toolset.InvalidParameter},
		"no number":     {RefitRequest{TraceID: answer.TraceID, Weights: map[string]float64{"exact": math.NaN()}}, `weights["exact"]`, toolset.InvalidParameter},
		"a limit below": {RefitRequest{TraceID: answer.TraceID, Limit: -1}, "limit", toolset.InvalidParameter},
	} {
		_, err := e.Refit(t.Context(), tc.req)
		failed, ok := errors.AsType[*toolset.Error](err)
		if !ok || failed.Code != tc.code || failed.Details["parameter"] != tc.parameter {
			t.Errorf("%s: %v", name, err)
		}
		if near, _ := failed.Details["did_you_mean"].([]string); name == "a stranger" && !slices.Contains(near, "exact") {
			t.Errorf("suggests %v", failed.Details)
		}
	}
}

func FuzzUnpackFusionRecord(f *testing.F) {
	settings := Settings{Method: fusion.Weighted, RerankTop: 50}
	for _, b := range []fusionRecord{
		{Settings: settings, Limit: 200, Files: []fileName{{"m", "a.md"}}, File: []int{0}, Line: []int{1}, Lists: []recordedList{{
			Source: "exact", Weight: 1, Sections: []int{0}, Scores: []float64{1}, Coverage: []float64{1}, Admitted: []int{0},
		}}, Moves: []recordedList{{Source: "late", Stage: sdk.StageRerank, Weight: 0.5, Sections: []int{0}, Scores: []float64{2}}}},
		{Settings: settings, Limit: 200, Lists: []recordedList{{Sections: []int{7}, Scores: []float64{1}, Coverage: []float64{1}}}},
	} {
		f.Add(b.pack())
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := unpackFusionRecord(data)
		if err != nil {
			return
		}
		again, err := unpackFusionRecord(b.pack())
		if diff := cmp.Diff(b, again, cmp.AllowUnexported(fileName{})); diff != "" || err != nil {
			t.Errorf("%v, %s", err, diff)
		}
		searched := b.fuse()
		if ranked, _ := b.order(searched); len(ranked) != len(searched) {
			t.Errorf("%d of %d sections are ranked", len(ranked), len(searched))
		}
	})
}

func TestDamagedRecordsAreRefused(t *testing.T) {
	whole := fusionRecord{Limit: 1}
	packed := whole.pack()
	if _, err := unpackFusionRecord(packed); err != nil {
		t.Fatal(err)
	}
	outside, endless := whole, whole
	outside.Titled, endless.Settings.CoverageWeight = []int{0}, math.Inf(1)
	for name, data := range map[string][]byte{
		"none": nil, "cut": packed[:len(packed)-1], "more": append(slices.Clone(packed), 0), "numbers": outside.pack(), "endless": endless.pack(),
	} {
		if _, err := unpackFusionRecord(data); err == nil {
			t.Errorf("%s: it was read", name)
		}
	}
}
