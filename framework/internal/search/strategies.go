package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/collection"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// Strategies calls strategies, in this process or in others.
type Strategies interface {
	// Strategies returns the descriptions of the strategies that can be called, and the failures of the others.
	Strategies(ctx context.Context) ([]sdk.Description, []host.Failure)
	Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error)
}

// Only returns the strategies of all with the given names.
func Only(all Strategies, names ...string) Strategies { return only{all, names} }

type only struct {
	all   Strategies
	names []string
}

// Search implements [Strategies].
func (o only) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	return o.all.Search(ctx, name, req)
}

// Strategies implements [Strategies].
func (o only) Strategies(ctx context.Context) ([]sdk.Description, []host.Failure) {
	described, failed := o.all.Strategies(ctx)
	other := func(name string) bool { return !slices.Contains(o.names, name) }
	described = slices.DeleteFunc(slices.Clone(described), func(d sdk.Description) bool { return other(d.Name) })
	return described, slices.DeleteFunc(slices.Clone(failed), func(f host.Failure) bool { return other(f.Name) })
}

// run is the state that all phases of one search share.
type run struct {
	plan
	snap        *snapshot.Snapshot
	part        *collection.Part // the part of the collection that snap shows, nil if it shows everything
	lacking     []snapshot.File  // files of any manual that are not indexed yet
	skipped     []toolset.Skip   // files of any manual that cannot be searched
	strategies  Strategies
	corrections map[string]string // from words of the query that the corpus lacks to words of the corpus
	described   []sdk.Description // the strategies that can be called
	unready     float64           // total weight of admitting strategies that cannot be called yet
	bare        *lexical.Cache    // sections without text
	cuts        *cuts
	read        answer.Memory
	build       func(context.Context, judge.Input) (*judge.Graph, error)
	logger      hclog.Logger
}

// begin determines the strategies and returns the run. The notes report on the query, the scope and
// the strategies that cannot be called.
func (e *Engine) begin(ctx context.Context, p plan, scope Scope, view index.View) (*run, notes) {
	r := &run{
		plan: p, snap: view.Snapshot, part: scope.Part, lacking: view.Lacking, skipped: view.Skipped,
		strategies: e.Strategies,
		bare:       &e.bare, cuts: &e.cuts, build: e.build, logger: e.Logger,
	}
	r.correct(ctx, scope.Sections)
	n := notes{warnings: slices.Concat(p.warnings, scope.Warnings)}
	if r.part != nil && r.part.Lost != "" {
		n = n.and(notes{warnings: []string{r.part.Lost}, lacks: []string{statusStrategy}})
	}
	described, failures := e.Strategies.Strategies(ctx)
	r.described = described
	for _, f := range failures {
		n = n.failure(ctx, r.logger, f.Name, f)
		if f.Stage != sdk.StageRetrieve && f.Stage != sdk.StageFill && f.Stage != "" { // it finds no sections
			continue
		}
		if n = n.and(notes{lacks: []string{statusStrategy}}); transient(f) {
			r.unready += r.settings.fullWeight(sdk.Description{Name: f.Name, Weight: unknownWeight})
		}
	}
	return r, n
}

// each runs f(i) for all i < n concurrently and returns their panics. A fault of a damaged file is noticed only in the
// goroutine that reads it; it makes the whole search fail.
func (r *run) each(n int, f func(i int)) []error {
	return guard.Each(n, func(i int) error {
		return r.snap.Guard(func() error { f(i); return nil })
	})
}

// result is what one strategy returned.
type result struct {
	description sdk.Description
	*sdk.Result
	wording  int  // index of the plan's wording
	timedOut bool // time ran out before the strategy had finished
}

// matched returns the sections that the result admits as candidates: those that its strategy says
// matched, if the strategy declares an admitting signal.
func (res result) matched() *roaring.Bitmap {
	if !res.description.Admits() {
		return roaring.New()
	}
	if res.Matched != nil {
		return res.Matched
	}
	out := roaring.New()
	for _, c := range res.Candidates {
		if slices.ContainsFunc(c.Signals, res.description.AdmitsBy) {
			out.Add(c.Section)
		}
	}
	return out
}

func (res result) marksExceptions() bool {
	return slices.Contains(res.description.Signals, sdk.SignalExceptions)
}

// minLimit is the minimum limit for strategies, so that fusion has enough sections even if a
// request wants few candidates.
const minLimit = 100

// depth returns how many sections a strategy may return. Retrieving strategies that describe a weight of 1 or more
// return half as many again where candidates follow the reranked ones: feedback finds relevant ones among them, but not
// in Japanese. The weight that is set does not count, so that other weights reorder the lists of a stored search.
func (r *run) depth(d sdk.Description) int {
	n := max(r.limit(), minLimit)
	heavy := d.Stage == sdk.StageRetrieve && d.Weight >= 1
	if heavy && r.limit() > r.settings.RerankTop && !text.HasCJK(r.query.Text) {
		n += n / 2
	}
	return n
}

// call runs the strategies of a stage in parallel on req and sets its corpus and limits. It returns
// the results in the order of the descriptions, so that they do not depend on timing.
func call(ctx context.Context, r *run, stage sdk.Stage, req sdk.Request) ([]result, notes) {
	chosen := slices.DeleteFunc(slices.Clone(r.described), func(d sdk.Description) bool {
		return d.Stage != stage || r.settings.fullWeight(d) == 0 ||
			len(d.Corpora) > 0 && !slices.Contains(d.Corpora, r.snap.Kind())
	})
	found := make([]*sdk.Result, len(chosen))
	req.Corpus = r.snap
	req.Scope = lexical.ExcludeNegative(ctx, r.snap, req.Scope, req.Query.Terms) // in every stage, including filling
	begun := time.Now()
	errs := guard.Each(len(chosen), func(i int) (err error) {
		own := req
		own.Limit = max(r.depth(chosen[i]), len(req.Pool))
		found[i], err = r.strategies.Search(ctx, chosen[i].Name, &own)
		return err
	})
	ended := outOfTime(ctx, begun)
	var out []result
	var n notes
	for i, d := range chosen {
		if errs[i] != nil {
			n = n.failure(ctx, r.logger, d.Name, errs[i]).lacking(d, errs[i])
			if transient(errs[i]) {
				out = append(out, result{description: d, Result: &sdk.Result{}, timedOut: ended})
			}
			continue
		}
		if !found[i].Finished {
			n = n.failure(ctx, r.logger, d.Name, context.DeadlineExceeded).lacking(d, context.DeadlineExceeded)
		}
		for _, said := range found[i].Warnings { // readers must know which strategy a warning comes from
			n.warnings = union(n.warnings, []string{d.Name + ": " + said})
		}
		res := result{description: d, Result: found[i], timedOut: ended && !found[i].Finished}
		out = append(out, r.withoutBare(ctx, stage, res))
	}
	return out, n.and(notes{unexamined: unexamined(cmp.Or(req.Scope, r.snap.Live()), out)})
}

// outOfTime reports whether a search that had time left at begun has run out of time or is about to. Strategies stop
// early, with up to half of their time left, so that their answers arrive in time.
func outOfTime(ctx context.Context, begun time.Time) bool {
	deadline, ok := ctx.Deadline()
	return ok && time.Until(deadline) <= time.Since(begun)
}

// mover returns the mover for the strategy of a result.
func (s *Settings) mover(res result) mover {
	return mover{res.description.Name, s.fullWeight(res.description), res.Confidence}
}

// unknownWeight is the assumed weight of a strategy that has not described itself yet: the weight
// of the base strategy.
const unknownWeight = 1

// fullWeight returns the weight of a strategy with full confidence.
func (s *Settings) fullWeight(d sdk.Description) float64 {
	if w, ok := s.Weights[d.Name]; ok {
		return w
	}
	return d.Weight
}

// transient reports whether an error is temporary: with more time, the strategy would have
// contributed.
func transient(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, host.ErrStarting) ||
		errors.Is(err, wire.ErrOpening)
}

// notes are remarks on the course of a search.
type notes struct {
	warnings []string
	late     []string // strategies that ran out of time
	failed   bool     // a strategy did not contribute
	// unexamined holds the sections that were not examined because time ran out, nil for none.
	unexamined *roaring.Bitmap
	// lacks are the status reasons caused by admitting strategies.
	lacks []string
}

// and returns the union of both notes, with each warning once.
func (n notes) and(more notes) notes {
	unexamined := n.unexamined
	switch {
	case unexamined == nil:
		unexamined = more.unexamined
	case more.unexamined != nil:
		unexamined = roaring.Or(unexamined, more.unexamined)
	}
	return notes{
		union(slices.Clip(n.warnings), more.warnings), union(slices.Clip(n.late), more.late), n.failed || more.failed,
		unexamined, union(slices.Clip(n.lacks), more.lacks),
	}
}

// allWarnings returns the warnings, including one that names all late strategies.
func (n notes) allWarnings() []string {
	switch last := len(n.late) - 1; {
	case last == 0:
		return append(slices.Clip(n.warnings), fmt.Sprintf("strategy %s did not finish in time", n.late[0]))
	case last > 0:
		const late = "strategies %s and %s did not finish in time"
		return append(slices.Clip(n.warnings), fmt.Sprintf(late, strings.Join(n.late[:last], ", "), n.late[last]))
	}
	return n.warnings
}

// failure adds a warning that a strategy did not contribute fully. It logs the details, which the warning omits, unless
// ctx was cancelled because nobody waits for the search any more, which is not the strategy's fault.
func (n notes) failure(ctx context.Context, logger hclog.Logger, name string, err error) notes {
	if errors.Is(err, context.DeadlineExceeded) {
		return n.and(notes{late: []string{name}})
	}
	why, level := "it failed, the log says why", hclog.Warn
	if f, ok := errors.AsType[host.Failure](err); ok {
		why = f.Brief()
	}
	if why == host.Unexplained || errors.Is(err, wire.ErrGone) {
		level = hclog.Error // it is reported nowhere else
	}
	if !errors.Is(ctx.Err(), context.Canceled) {
		logger.Log(level, "strategy failed", "strategy", name, "error", err)
	}
	guard.LogStack(logger, err)
	return n.and(notes{warnings: []string{fmt.Sprintf("strategy %s did not contribute: %s", name, why)}, failed: true})
}

// lacking adds the status reason for an admitting strategy that did not contribute fully.
func (n notes) lacking(d sdk.Description, err error) notes {
	switch {
	case !d.Admits():
		return n
	case errors.Is(err, context.DeadlineExceeded):
		return n.and(notes{lacks: []string{statusTime}})
	}
	return n.and(notes{lacks: []string{statusStrategy}})
}

// union appends to a the elements of b that it does not have yet.
func union(a, b []string) []string {
	for _, x := range b {
		if !slices.Contains(a, x) {
			a = append(a, x)
		}
	}
	return a
}
