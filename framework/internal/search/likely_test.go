package search

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
)

func TestLikelihoodFollowsItsFigures(t *testing.T) {
	// 2.4016 + 3.3827·0.5 + 3.9943·0.4 − 1.7185·0.5 − 0.5970·ln 10 − 0.6375·ln 300 = −0.1757
	if got, want := likelihood(0.5, 0.4, 0.8, 10, 300), 1/(1+math.Exp(0.1757)); math.Abs(got-want) > 1e-3 {
		t.Errorf("%f, want %f", got, want)
	}
	rapid.Check(t, func(t *rapid.T) {
		part, rank := rapid.Float64Range(0, 1), rapid.IntRange(1, 10_000)
		share, coverage, widest, at, matched := part.Draw(t, "share"), part.Draw(t, "coverage"), part.Draw(t, "widest"), rank.Draw(t, "rank"), rank.Draw(t, "matched")
		widest = max(widest, coverage)
		p := likelihood(share, coverage, widest, at, matched)
		if p <= 0 || p >= 1 || likelihood(share, coverage, widest, at+1, matched) >= p || likelihood(share, coverage, widest, at, matched+1) >= p {
			t.Errorf("%g", p)
		}
	})
}

func TestLikelySectionsComeFirst(t *testing.T) {
	e := engine(t, manyRows(900), fakes{list: []words{exact}})
	req := request("disk nothing")
	req.MaxCandidates = 20
	answer, err := find(t, e, req)
	if err != nil {
		t.Fatal(err)
	}
	tr, err := e.Trace(t.Context(), answer.TraceID)
	if err != nil {
		t.Fatal(err)
	}
	tr.wait()
	n := answer.Summary.Likely
	if n != tr.countLikely() || n <= 20 || n >= answer.Summary.Matched || tr.LikelyCut != n-20 {
		t.Fatalf("%d likely, %d of them cut, %d matched", n, tr.LikelyCut, answer.Summary.Matched)
	}
	whole := refsOf(t, e, HitsRequest{TraceID: answer.TraceID, Kind: "matched"})
	for i := range tr.Candidates {
		tr.Candidates[i].Likelihood = float64(i % 2) // every other one
	}
	h, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "matched", Limit: 1000})
	if err != nil || h.Likely != n-10 || h.Total != answer.Summary.Matched {
		t.Fatalf("%d likely of %d, %v", h.Likely, h.Total, err)
	}
	first, last := h.Items[0], h.Items[n-10]
	if *first.Score != tr.Candidates[1].Score || first.Ref.StartLine != tr.Candidates[1].Line || last.Ref.Path != tr.Candidates[0].Path || h.Items[10].Score != nil {
		t.Errorf("%+v … %+v of %d", first.Ref, last.Ref, len(whole))
	}
	left, err := e.Hits(t.Context(), HitsRequest{TraceID: answer.TraceID, Kind: "unscanned", Limit: 1})
	if err != nil || left.Likely != n-20 {
		t.Errorf("%d, %v", left.Likely, err)
	}
}

func TestLikelihoodsOfNothing(t *testing.T) {
	if got := likelihoods([]scored{{Ranked: fusion.Ranked{}}}, 1); math.IsNaN(got[0]) {
		t.Error(got)
	}
}
