package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// search is one query on its way.
type search struct {
	engine   *Engine
	snap     *snapshot.Snapshot
	req      Request
	query    sdk.Query
	settings Settings
	scope    *roaring.Bitmap // nil for everything
	manual   string          // the one manual of the scope as it is written on disk, or ""
	asked    string          // the manual that was named, also when the scope has grown
	// lacking are the files of the scope that are not indexed yet, allLacking those
	// of every manual.
	lacking, allLacking []snapshot.File

	strategies []sdk.Description
	lists      []list
	warnings   []string
	skipped    []toolset.Skip  // files of a vault's scope that cannot be searched
	late       bool            // a strategy ran out of time
	failed     bool            // a strategy did not contribute
	matched    *roaring.Bitmap // sections of the scope that matched, filled ones included
	unready    bool            // a strategy has not said yet what it is
	unexamined *roaring.Bitmap // sections that a strategy had no time to look at
	cut        *roaring.Bitmap // sections that matched and were not kept
	candidates []candidate     // matched, best first, as many as are kept
	escalation []string        // why the search expanded
	graph      *judge.Graph    // of the first candidates
}

// list is what one strategy found.
type list struct {
	description sdk.Description
	result      *sdk.Result
}

// mostCandidates is how many candidates are kept however many are asked for: a
// strategy's list and a trace have to be held in memory.
const mostCandidates = 10_000

// kept is how many candidates the search keeps.
func (s *search) kept() int { return min(s.req.MaxCandidates, mostCandidates) }

// leastLimit keeps the lists long enough to be fused when few candidates are asked for.
const leastLimit = 100

// retrieve calls the retrieving strategies in parallel, and the filling ones
// when too few sections matched.
func (s *search) retrieve(ctx context.Context) {
	var failures []host.Failure
	s.strategies, failures = s.engine.Strategies.Strategies(ctx)
	for _, f := range failures {
		s.warn(f.Name, f)
		s.unready = s.unready || passing(f) && f.Stage != sdk.StageRerank
	}
	s.matched = roaring.New()
	s.lists = s.call(ctx, sdk.StageRetrieve, s.query, s.scope, nil)
	all := s.scope
	if all == nil {
		all = s.snap.Live()
	}
	s.unexamined = s.leftOver(all, s.lists)
	for _, l := range s.lists {
		s.matched.Or(matchedBy(l))
	}
	s.fill(ctx)
}

// fill calls the filling strategies when too few sections matched.
func (s *search) fill(ctx context.Context) {
	if int(s.matched.GetCardinality()) < s.settings.CandidateLow {
		s.unite(s.call(ctx, sdk.StageFill, s.query, s.scope, s.pool()))
	}
}

// call runs the strategies of a stage on a scope and gives their lists in the order
// of the descriptions, so that the outcome does not depend on who was first.
func (s *search) call(ctx context.Context, stage sdk.Stage, query sdk.Query, scope *roaring.Bitmap, pool []sdk.Candidate) (lists []list) {
	chosen := slices.DeleteFunc(slices.Clone(s.strategies), func(d sdk.Description) bool {
		return d.Stage != stage || s.engine.weight(d) == 0 || !understands(d, s.snap.Kind())
	})
	results, errs := make([]*sdk.Result, len(chosen)), make([]error, len(chosen))
	req := sdk.Request{Query: query, Corpus: s.snap, Scope: scope, Limit: max(s.kept(), leastLimit, len(pool)), Pool: pool}
	var wg sync.WaitGroup
	for i, d := range chosen {
		wg.Go(func() { results[i], errs[i] = s.engine.Strategies.Search(ctx, d.Name, &req) })
	}
	wg.Wait()
	for i, d := range chosen {
		if errs[i] != nil {
			s.warn(d.Name, errs[i])
			if passing(errs[i]) {
				lists = append(lists, list{d, &sdk.Result{}})
			}
			continue
		}
		if !results[i].Finished {
			s.warn(d.Name, context.DeadlineExceeded)
		}
		s.warnings = union(s.warnings, results[i].Warnings)
		lists = append(lists, list{d, results[i]})
	}
	return lists
}

// weight is a strategy's part in fusion.
func (e *Engine) weight(d sdk.Description) float64 {
	if w, ok := e.Settings.Weights[d.Name]; ok {
		return w
	}
	return d.Weight
}

func understands(d sdk.Description, kind snapshot.Kind) bool {
	return len(d.Corpora) == 0 || slices.Contains(d.Corpora, kind)
}

// pool unites what was found and admitted so far, each section once.
func (s *search) pool() []sdk.Candidate {
	var out []sdk.Candidate
	seen := roaring.New()
	for _, l := range s.lists {
		for _, c := range l.result.Candidates {
			if s.matched.Contains(c.Section) && seen.CheckedAdd(c.Section) {
				out = append(out, c)
			}
		}
	}
	return out
}

// matchedBy is the set that a list admits: what its strategy says matched, if
// it declares an exact signal.
func matchedBy(l list) *roaring.Bitmap {
	if !l.description.Admits() {
		return roaring.New()
	}
	if l.result.Matched != nil {
		return l.result.Matched
	}
	out := roaring.New()
	for _, c := range l.result.Candidates {
		if slices.ContainsFunc(c.Signals, sdk.Exact) {
			out.Add(c.Section)
		}
	}
	return out
}

// leftOver gives the sections of a scope that a retrieving strategy which makes
// sections candidates has not looked at because time ran out.
func (s *search) leftOver(all *roaring.Bitmap, lists []list) *roaring.Bitmap {
	if s.unready {
		return all.Clone()
	}
	whole := int(all.GetCardinality())
	least := whole
	for _, l := range lists {
		if l.description.Admits() && !l.result.Finished {
			least = min(least, l.result.Examined)
		}
	}
	left := roaring.New()
	if least == whole {
		return left
	}
	for i, it := 0, all.Iterator(); it.HasNext(); i++ {
		if id := it.Next(); i >= least {
			left.Add(id)
		}
	}
	return left
}

// passing tells that a strategy would have contributed with more time; to search again
// may find more.
func passing(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, host.ErrStarting) || errors.Is(err, wire.ErrOpening)
}

// warn names a strategy that did not contribute fully, without its inner reasons.
func (s *search) warn(name string, err error) {
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		s.late = true
		s.warnings = union(s.warnings, []string{fmt.Sprintf("strategy %s did not finish in time", name)})
	default:
		s.failed = true
		why, level := brief(err), hclog.Warn
		if why == host.Unexplained || errors.Is(err, wire.ErrGone) {
			level = hclog.Error // the only place that tells
		}
		s.engine.Logger.Log(level, "strategy failed", "strategy", name, "error", err)
		s.warnings = union(s.warnings, []string{fmt.Sprintf("strategy %s did not contribute: %s", name, why)})
	}
}

// helpless is the error of a search that lacks all strategies that make sections
// candidates: finding nothing would be a lie.
func (s *search) helpless() error {
	found := func(l list) bool { return l.description.Admits() }
	if s.late || len(s.lists) > 0 && (!s.failed || slices.ContainsFunc(s.lists, found)) {
		return nil
	}
	return toolset.Errorf(toolset.NotAvailable, "no search strategy could run; sagasu doctor and the log say why").With("warnings", s.warnings)
}

// brief is the reason that a caller may see.
func brief(err error) string {
	if f, ok := errors.AsType[host.Failure](err); ok {
		return f.Brief()
	}
	return "it failed, the log says why"
}
