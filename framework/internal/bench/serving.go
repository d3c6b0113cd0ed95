package bench

import (
	"fmt"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
)

// Bars of a whole search.
const (
	findBar          = 5   // ms, median over MCP
	borderBar        = 1.2 // ms, median
	borderP95Bar     = 2.5 // ms
	growthToMainBar  = 4   // × for ten times the sections, up to the main corpus
	growthBeyondBar  = 8   // × for ten times the sections, beyond it
	growthBeyondP95  = 60  // ms
	sectionsLikeMain = 3   // a corpus within this factor is no growth
)

// serving asks manual_find of a server, and each peer for its best ten in turn.
func (r *run) serving() error {
	s, err := startServer(r.ctx, r.Binary, r.home)
	if err != nil {
		return err
	}
	defer s.close() // its answers were read
	asks := []ask{askServer(s)}
	for _, e := range r.engines {
		asks = append(asks, r.askPeer(e))
	}
	times, err := r.inTurn("manual_find over MCP", asks...)
	if err != nil {
		return err
	}
	p := r.report.part("manual_find over MCP stdio, all strategies in their processes, judged")
	median, p95 := p.spread("sagasu", times[0])
	median.atMost(findBar)
	for i, e := range r.engines {
		if e.Name == bleve {
			p95.atMost(float64(times[i+1].P95()) / float64(time.Millisecond)).note("the bar is Bleve's, in process, " +
				"in the same minutes")
		}
	}
	for i, e := range r.engines {
		p.spread(e.Name+", one query in process", times[i+1])
	}
	return nil
}

func askServer(s *server) ask {
	return func(q *eval.Query) (time.Duration, error) {
		took, _, err := s.find(q.Query)
		return took, err
	}
}

// border asks the same search in this process and over processes.
func (r *run) border() error {
	pipelines, err := r.Ours.Pipelines(r.ctx, r.home)
	if err != nil {
		return err
	}
	defer pipelines.Close() // nothing of it is kept
	times, err := r.inTurn("the border",
		func(q *eval.Query) (time.Duration, error) { return pipelines.Local(r.ctx, q.Query) },
		func(q *eval.Query) (time.Duration, error) { return pipelines.Remote(r.ctx, q.Query) },
	)
	if err != nil {
		return err
	}
	local, remote := times[0], times[1]
	p := r.report.part("the border: the same search without MCP")
	p.spread("strategies in this process", local)
	p.spread("strategies in their processes", remote)
	more := remote.Less(local)
	p.ms("more per query, median", more.Median()).atMost(borderBar)
	p.ms("more at p95", remote.P95()-local.P95()).atMost(borderP95Bar).
		note(fmt.Sprintf("p95 of the differences query by query, noise of both sides included: %.2f ms",
			float64(more.P95())/float64(time.Millisecond)))
	return nil
}

// growing asks the same queries of every corpus in turn.
func (r *run) growing() error {
	if len(r.Growth) == 0 {
		r.report.leave("growth: make larger and smaller corpora with sagasu-bench --grow and name them with --growth")
		return nil
	}
	sizes, servers := []int{len(r.units)}, []*server{}
	defer func() {
		for _, s := range servers {
			s.close() // its answers were read
		}
	}()
	main, err := startServer(r.ctx, r.Binary, r.home)
	if err != nil {
		return err
	}
	servers = append(servers, main)
	for i, g := range r.Growth {
		r.tell("indexing "+g.Name, i, len(r.Growth))
		s, sections, err := r.grown(g)
		if err != nil {
			return fmt.Errorf("%s: %w", g.Name, err)
		}
		servers, sizes = append(servers, s), append(sizes, sections)
	}
	var asks []ask
	for _, s := range servers {
		asks = append(asks, askServer(s))
	}
	times, err := r.inTurn("growth", asks...)
	if err != nil {
		return err
	}
	r.reportGrowth(sizes, times)
	return nil
}

// reportGrowth compares each corpus with the main one.
func (r *run) reportGrowth(sizes []int, times []Times) {
	p := r.report.part("growth: manual_find over MCP stdio, the same queries")
	p.spread(fmt.Sprintf("%d sections", sizes[0]), times[0])
	for i := 1; i < len(sizes); i++ {
		_, p95 := p.spread(fmt.Sprintf("%d sections", sizes[i]), times[i])
		small, large := 0, i
		if sizes[i] < sizes[0] {
			small, large = i, 0
		}
		if large == i && sizes[i] > sectionsLikeMain*sizes[0] {
			p95.atMost(growthBeyondP95)
		}
		l := p.add(fmt.Sprintf("%d → %d sections, median", sizes[small], sizes[large]),
			ratio(times[large].Median(), times[small].Median()), Times1)
		switch {
		case sizes[large] <= sectionsLikeMain*sizes[small]:
		case large == 0:
			l.atMost(growthToMainBar)
		default:
			l.atMost(growthBeyondBar)
		}
	}
}

// grown indexes a corpus and starts a server on it.
func (r *run) grown(g Grown) (*server, int, error) {
	h, err := NewHome(r.dir, g.Manuals)
	if err != nil {
		return nil, 0, err
	}
	s, err := startServer(r.ctx, r.Binary, h)
	if err != nil {
		return nil, 0, err
	}
	sections, err := s.complete(r.Queries[0].Query)
	if err != nil {
		s.close() // why it failed says more
		return nil, 0, err
	}
	return s, sections, nil
}
