package collection

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// Strategies calls strategies, wherever they run.
type Strategies interface {
	Gather(ctx context.Context, name string, req *sdk.GatherRequest) (*sdk.Gathered, error)
	Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error)
	Strategies(ctx context.Context) ([]sdk.Description, []host.Failure)
}

// Options configure a collection.
type Options struct {
	// Dir is the directory for snapshots, each process in its own folder. Strategies may read it.
	Dir string
	// Strategies calls the gathering strategy, whose name is Strategy, and the strategies that expand queries.
	Strategies Strategies
	Strategy   string
	Kind       snapshot.Kind
	Stored     bool // what the collection keeps for strategies is gathered too
	Logger     hclog.Logger
}

// Collection makes snapshots of gathered sections. It is safe for concurrent use.
type Collection struct {
	Options
	snapshots snapshots
	turns     chan struct{} // one value for each search that gathers

	sampling chan struct{} // holds a value while the next two fields are in use
	sample   *gathered     // the newest sample, with a use; nil at first
	sampled  string        // its generation

	mu    sync.Mutex
	usual snapshot.Statistics // of terms that may be grammar words, as far as known
	of    string              // the generation of usual
}

// leastTurns is the number of searches that may gather at once on a machine with few cores. Further ones wait
// here rather than in the engine: a running call has a deadline, and too many concurrent calls are all late.
const leastTurns = 4

// Open returns the collection without a request to its engine. Close the collection after use.
func Open(o Options) (*Collection, error) {
	c := &Collection{
		Options: o, turns: make(chan struct{}, max(leastTurns, runtime.GOMAXPROCS(0))),
		sampling: make(chan struct{}, 1),
	}
	return c, c.snapshots.open(o.Dir, o.Kind)
}

// Close removes the snapshots.
func (c *Collection) Close() error {
	c.sample.release()
	return c.snapshots.close()
}

// Ask is a search's request to a collection.
type Ask struct {
	Query sdk.Query `json:"query"`
	Group string    `json:"group,omitempty"` // the manual that is searched, "" for all
	// Cursor, Seen and Generation are those of a Part, to get it again or to continue after it.
	Cursor     string `json:"cursor,omitempty"`
	Seen       int    `json:"seen,omitempty"`
	Generation string `json:"generation,omitempty"`
}

// Part describes the part of a collection in a snapshot.
type Part struct {
	Ask    Ask  `json:"ask"`    // the request with which to see it again
	Beyond int  `json:"beyond"` // sections that matched in the engine and are in no snapshot yet
	Least  bool `json:"least"`  // there may be more of them
	// Others is set if the collection has sections that are in no snapshot yet. The engine does not list sections
	// without a term of the query, but a strategy might find some, such as those with a synonym.
	Others bool `json:"others,omitempty"`
	// Next is the request for the sections beyond, or nil if the engine cannot continue.
	Next *Ask `json:"next,omitempty"`
	// Lost says what did not answer, or is "" if everything did.
	Lost string `json:"lost,omitempty"`
}

// View is what a search sees of an index or a collection.
type View struct {
	index.View
	Part *Part // of a collection; nil if the snapshot is complete
}

// View gathers the requested sections, in at most maxWait, and returns a snapshot of them. It returns an
// earlier snapshot for the same request only if the request names its generation.
func (c *Collection) View(ctx context.Context, ask Ask, maxWait time.Duration) (View, error) {
	began := time.Now()
	if s := c.snapshots.recall(ask); s != nil {
		return s.view(began), nil
	}
	limited, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	select {
	case c.turns <- struct{}{}:
		defer func() { <-c.turns }()
	case <-limited.Done():
		return View{}, c.callerError(ctx, fmt.Errorf("other searches gather: %w", limited.Err()))
	}
	found, err := c.find(limited, ask)
	if err != nil {
		return View{}, c.callerError(ctx, c.replaced(limited, ask, err))
	}
	if len(found.Sections) == 0 && ask.Group != "" {
		if err := c.checkGroup(limited, ask.Group); err != nil {
			return View{}, c.callerError(ctx, err)
		}
	}
	var sample *gathered                                 // nil if the sections are the whole collection
	if len(found.Sections) < found.Statistics.Sections { // even for no sections: the sample expands the next query
		if sample, err = c.represented(limited, found.Generation); err != nil && len(found.Sections) > 0 {
			return View{}, c.callerError(ctx, err)
		}
	}
	s, err := c.snapshots.add(ctx, part(ask, found), found, sample)
	if err != nil {
		return View{}, fmt.Errorf("snapshot of gathered sections: %w", err)
	}
	return s.view(began), nil
}

// represented returns a use of a sample of a generation of the collection, or of any generation for "". One search per
// generation gathers the sample for all; until it is there, the previous generation's sample is used.
func (c *Collection) represented(ctx context.Context, generation string) (*gathered, error) {
	select {
	case c.sampling <- struct{}{}:
		defer func() { <-c.sampling }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c.sample == nil || generation != "" && c.sampled != generation {
		found, err := c.gather(ctx, &sdk.GatherRequest{Kind: c.Kind, Sample: true, Limit: sdk.MaxGathered})
		var s *gathered
		if err == nil {
			s, err = c.snapshots.create(ctx, found, nil)
		}
		switch {
		case err == nil:
			c.sample.release()
			c.sample, c.sampled = s, cmp.Or(generation, found.Generation)
		case c.sample == nil:
			return nil, fmt.Errorf("sample of the collection: %w", err)
		}
	}
	c.sample.use()
	return c.sample, nil
}

// part describes the gathered sections as a part of the collection.
func part(ask Ask, found *sdk.Gathered) Part {
	ask.Generation = found.Generation
	seen := ask.Seen + len(found.Sections)
	p := Part{Ask: ask, Beyond: max(0, found.Total-seen), Least: !found.Exact, Others: seen < found.Statistics.Sections}
	if found.Cursor != "" {
		next := ask
		next.Cursor, next.Seen = found.Cursor, seen
		p.Next, p.Least = &next, p.Least || p.Beyond == 0
	}
	if lost := found.Expected - found.Answered; lost > 0 {
		p.Lost = fmt.Sprintf("%d of %d shards of the collection did not answer: what they hold is missing",
			lost, found.Expected)
	}
	return p
}

// gather asks the engine, and retries once if the strategy was not available. If a call stalls, the strategy decides
// which node answers instead: it knows the nodes and divides the time among them.
func (o *Options) gather(ctx context.Context, req *sdk.GatherRequest) (*sdk.Gathered, error) {
	found, err := o.Strategies.Gather(ctx, o.Strategy, req)
	if ctx.Err() == nil && (errors.Is(err, wire.ErrGone) || errors.Is(err, host.ErrStarting)) {
		o.Logger.Warn("the strategy of the collection was not there", "strategy", o.Strategy, "error", err)
		found, err = o.Strategies.Gather(ctx, o.Strategy, req)
	}
	return found, err
}

// replaced returns err, or, if the generation is gone, an error that says what to do.
func (c *Collection) replaced(ctx context.Context, ask Ask, err error) error {
	if ask.Generation == "" || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	now, failed := c.gather(ctx, &sdk.GatherRequest{Kind: c.Kind, Limit: 1})
	if failed != nil || now.Generation == ask.Generation {
		return err
	}
	return toolset.Errorf(toolset.NotFound, "the collection has been replaced since that search: search again").
		With("example", map[string]any{"query": ask.Query.Raw})
}

// checkGroup fails if the collection has no section of a group.
func (c *Collection) checkGroup(ctx context.Context, group string) error {
	found, err := c.gather(ctx, &sdk.GatherRequest{
		Kind: c.Kind, Limit: 1, Filter: sdk.GatherFilter{Groups: []string{group}},
	})
	if err == nil && len(found.Sections) == 0 {
		err = toolset.Errorf(toolset.NotFound, "the collection holds no manual %q", group).
			Argument("manual_id", group, "the id of a manual of the collection")
	}
	return err
}

// Check asks the collection for one section.
func (o *Options) Check(ctx context.Context) (*sdk.Gathered, error) {
	return o.gather(ctx, &sdk.GatherRequest{Kind: o.Kind, Limit: 1})
}

// callerError returns an error as the caller sees it. The strategy's own message goes to the log only.
func (c *Collection) callerError(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if said, ok := errors.AsType[*toolset.Error](err); ok {
		return said
	}
	why := host.Unexplained
	if f, ok := errors.AsType[host.Failure](err); ok {
		why = f.Brief()
	}
	c.Logger.Error("the collection cannot be searched", "strategy", c.Strategy, "error", err)
	return toolset.Errorf(toolset.NotAvailable, "strategy %s cannot gather from the collection now: %s; try again, "+
		"and run sagasu doctor if this goes on", c.Strategy, why)
}
