package bench

import (
	"context"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
)

const (
	// termsBar is how many times faster than Bleve's a BM25 query must be.
	termsBar = 10
	// top and deep are the number of sections that a timed and a judged query return.
	top, deep = 10, 100
)

// terms asks BM25 in this process and each peer in its own, and judges their rankings separately from the timing.
func (r *run) terms() error {
	times, err := r.besidePeers("BM25", func(query string) (time.Duration, error) {
		began := time.Now()
		_, err := r.Ours.BM25(r.ctx, r.snapshot, query, top)
		return time.Since(began), err
	})
	if err != nil {
		return err
	}
	ours, err := r.ndcg(func(ctx context.Context, query string) ([]uint32, error) {
		return r.Ours.BM25(ctx, r.snapshot, query, deep)
	})
	if err != nil {
		return err
	}
	p := r.report.part("one query by BM25, in process, best 10")
	p.median("sagasu", times[0])
	p.p95("sagasu", times[0])
	p.add("sagasu, nDCG@10", ours, "")
	for i, e := range r.engines {
		theirs, err := r.ndcg(func(_ context.Context, query string) ([]uint32, error) {
			_, ids, err := r.peer.query(e.Name, query, deep)
			return ids, err
		})
		if err != nil {
			return err
		}
		p.median(e.Name, times[i+1])
		p.p95(e.Name, times[i+1])
		p.faster(e.Name, times[0], times[i+1], termsBar)
		p.add(e.Name+", nDCG@10", theirs, "")
		l := p.add("sagasu's nDCG@10 above "+e.Name, ours-theirs, "")
		if e.Name == bleve {
			l.atLeast(0)
		}
	}
	return nil
}

func (r *run) ndcg(search func(ctx context.Context, query string) ([]uint32, error)) (float64, error) {
	report, err := eval.Run(r.ctx, r.Queries, func(ctx context.Context, query, _ string) (eval.Found, error) {
		ids, err := search(ctx, query)
		var f eval.Found
		for _, id := range ids {
			f.Ranking = append(f.Ranking, r.targets[id])
		}
		return f, err
	}, eval.Options{})
	if err != nil {
		return 0, err
	}
	return report.NDCG, nil
}
