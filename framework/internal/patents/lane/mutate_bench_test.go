package lane

import (
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/store"
)

// BenchmarkMutate tunes a fusion of three runs of 10,000 publications: reading
// the runs from disk, fusing and keeping the new run.
func BenchmarkMutate(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	s := &memory{print: "v1", pubs: map[string]*publication.Publication{}}
	for i := range 20_000 {
		id := fmt.Sprintf("JP2023-%06dA", i)
		s.pubs[id] = &publication.Publication{PubID: id, FI: []string{fmt.Sprintf("H01M10/%d", 40+i%30)}, Title: "電池の監視装置", Abst: "セルの電圧を測る。"}
	}
	runs := OpenRuns(store.In(b.TempDir()))
	d, req := &Engine{runs: runs, pubs: s, now: time.Now}, BlendRequest{Limit: 100}
	req.Profile.FI = map[string]float64{"H01M10/48": 1}
	req.FacetTerms = map[string][]string{"A": {"電圧", "温度"}}
	for _, name := range []string{"fulltext_recall", "fulltext_precision", "fulltext"} {
		var docs []string
		for _, i := range r.Perm(20_000)[:10_000] {
			docs = append(docs, fmt.Sprintf("JP2023-%06dA", i))
		}
		run := keepAsked(b, d, Request{Lane: "fulltext", LaneName: name}, docs...)
		req.Runs = append(req.Runs, BlendRun{RunID: run, Weight: 1})
	}
	base, err := d.Blend(b.Context(), req)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		beta := float64(i % 10)
		if _, err := d.Mutate(b.Context(), MutateRequest{BaseRunID: base.RunID, Delta: Delta{Beta: &beta}, Limit: 100}); err != nil {
			b.Fatal(err)
		}
	}
}
