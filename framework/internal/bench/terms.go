package bench

import (
	"context"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

const (
	// termsBar is how many times faster than Bleve a query of terms is.
	termsBar = 10
	// top is how many sections a timed query gives, deep how many a judged one does.
	top, deep = 10, 100
)

// terms asks BM25 in this process and each peer in its own, and judges their
// rankings apart from the timing.
func (r *run) terms() error {
	snap, err := snapshot.Open(r.own.dir, r.own.name, true)
	if err != nil {
		return err
	}
	defer snap.Close() // read-only: nothing to lose
	asks := []ask{func(q *eval.Query) (time.Duration, error) {
		begin := time.Now()
		_, err := r.Ours.BM25(r.ctx, snap, q.Query, top)
		return time.Since(begin), err
	}}
	for _, e := range r.engines {
		asks = append(asks, r.askPeer(e))
	}
	times, err := r.inTurn("BM25", asks...)
	if err != nil {
		return err
	}
	p := r.report.part("one query by BM25, in process, best 10")
	p.spread("sagasu", times[0])
	for i, e := range r.engines {
		p.spread(e.Name, times[i+1])
		l := p.add("sagasu faster than "+e.Name+", median", ratio(times[i+1].Median(), times[0].Median()), Times1)
		if e.Name == bleve {
			l.atLeast(termsBar)
		}
	}
	if !r.report.Data.Judged {
		return nil
	}
	return r.judge(p, snap)
}

func (r *run) askPeer(e Engine) ask {
	return func(q *eval.Query) (time.Duration, error) {
		took, _, err := r.peer.query(e.Name, q.Query, top)
		return took, err
	}
}

// judge reports the nDCG@10 of the same queries.
func (r *run) judge(p part, snap *snapshot.Snapshot) error {
	ours, err := r.ndcg(func(ctx context.Context, query string) ([]int, error) {
		ids, err := r.Ours.BM25(ctx, snap, query, deep)
		out := make([]int, len(ids))
		for i, id := range ids {
			out[i] = int(id)
		}
		return out, err
	})
	if err != nil {
		return err
	}
	p.add("sagasu, nDCG@10", ours, Score)
	for _, e := range r.engines {
		theirs, err := r.ndcg(func(_ context.Context, query string) ([]int, error) {
			_, ids, err := r.peer.query(e.Name, query, deep)
			return ids, err
		})
		if err != nil {
			return err
		}
		p.add(e.Name+", nDCG@10", theirs, Score)
		l := p.add("sagasu's nDCG@10 above "+e.Name, ours-theirs, Score)
		if e.Name == bleve {
			l.atLeast(0)
		}
	}
	return nil
}

// ndcg measures rankings of units.
func (r *run) ndcg(search func(ctx context.Context, query string) ([]int, error)) (float64, error) {
	report, err := eval.Run(r.ctx, r.Queries, func(ctx context.Context, query, _ string) (eval.Found, error) {
		ids, err := search(ctx, query)
		var f eval.Found
		for _, id := range ids {
			f.Ranking = append(f.Ranking, r.units[id].target)
		}
		return f, err
	}, eval.Options{})
	if err != nil {
		return 0, err
	}
	return report.NDCG, nil
}
