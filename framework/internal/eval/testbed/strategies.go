package testbed

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// searcher is the name for embedding Strategies, which also has a method of that name.
type searcher = search.Strategies

// replaced calls some strategies with another configuration.
type replaced struct {
	searcher
	by map[string]*reconfigured
}

func (r replaced) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	own := r.by[name]
	if own == nil {
		return r.searcher.Search(ctx, name, req)
	}
	if err := own.ready(ctx); err != nil {
		return nil, err
	}
	return own.Search(ctx, name, req)
}

// caller is a host of strategies.
type caller interface {
	Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error)
	Close() error
}

// reconfigured is a strategy with another configuration: a bundled one in this process, any other one in a process of
// its own.
type reconfigured struct {
	caller
	name, key string
	ready     func(context.Context) error // prepares it for all sections of the corpus, once
}

// configured returns the strategies with the parameters of a variant.
func (b *Testbed) configured(ctx context.Context, v Variant) (search.Strategies, error) {
	out := replaced{b.strategies, map[string]*reconfigured{}}
	for _, name := range v.strategies {
		if parameters := v.parameters(name); len(parameters) > 0 {
			own, err := b.reconfigure(ctx, name, parameters)
			if err != nil {
				return nil, err
			}
			out.by[name] = own
		}
	}
	return out, b.dismiss(out.by, mostReconfigured)
}

// reconfigure returns a strategy with other parameters.
func (b *Testbed) reconfigure(
	ctx context.Context, name string, parameters map[string]any,
) (*reconfigured, error) {
	key := fmt.Sprint(name, parameters) // maps are printed in order
	if i := slices.IndexFunc(b.reconfigured, func(r *reconfigured) bool { return r.key == key }); i >= 0 {
		return b.reconfigured[i], nil
	}
	r := &reconfigured{name: name, key: key, ready: func(context.Context) error { return nil }}
	if _, bundled := b.entries.Ordinary().Of(snapshot.KindManual).Named(name); bundled {
		strategy, err := b.configure(ctx, name, parameters)
		if err != nil {
			return nil, err
		}
		r.caller = host.InProcess(strategy)
	} else {
		h, err := b.restart(name, parameters)
		if err != nil {
			return nil, err
		}
		d, _ := b.describe(name)
		var once sync.Once
		var failed error
		r.caller, r.ready = h, func(ctx context.Context) error {
			once.Do(func() { failed = prepare(ctx, h, []sdk.Description{d}, b.view.Snapshot) })
			return failed
		}
	}
	b.reconfigured = append(b.reconfigured, r)
	return r, nil
}

// mostReconfigured is the number of reconfigured strategies that are kept for later variants.
const mostReconfigured = 4

// dismiss ends the oldest reconfigured strategies that are not in use, until at most most are left.
func (b *Testbed) dismiss(used map[string]*reconfigured, most int) error {
	var errs []error
	left := len(b.reconfigured)
	b.reconfigured = slices.DeleteFunc(b.reconfigured, func(r *reconfigured) bool {
		if left <= most || used[r.name] == r {
			return false
		}
		left--
		errs = append(errs, r.Close())
		return true
	})
	return errors.Join(errs...)
}

// remembered serves the lists of earlier searches: a variant that differs only in fusion needs no retrieval.
type remembered struct {
	searcher
	memory  *memory
	variant Variant
}

// Search calls a retrieving strategy once per query. A strategy that sees a pool depends on fusion, and is called each
// time.
func (r remembered) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	if req.Pool != nil {
		return r.searcher.Search(ctx, name, req)
	}
	generation := fmt.Sprint(name, r.variant.parameters(name), req.Query.MatchThreshold)
	key := fmt.Sprintf("%v %d", req.Query, req.Limit)
	if req.Scope != nil {
		key += fmt.Sprint(" ", req.Scope.Checksum())
	}
	lists := r.memory.of(generation)
	if res, ok := lists.Load(key); ok {
		return res.(*sdk.Result), nil
	}
	res, err := r.searcher.Search(ctx, name, req)
	if err == nil && res.Finished {
		lists.Store(key, res)
	}
	return res, err
}

// generations is the number of generations that are kept: all strategies with two settings.
const generations = 16

// memory caches lists by generation, that is a strategy with one configuration and threshold. It evicts the least
// recently used generation, so that it holds at most a fixed number of lists per query.
type memory struct {
	mu    sync.Mutex
	lists map[string]*sync.Map // results by request
	order []string             // least recently used first
}

// of returns the lists of a generation, which is now the most recently used one.
func (m *memory) of(generation string) *sync.Map {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.lists[generation] == nil {
		m.lists[generation] = new(sync.Map)
	}
	m.order = slices.DeleteFunc(m.order, func(g string) bool { return g == generation })
	if m.order = append(m.order, generation); len(m.order) > generations {
		delete(m.lists, m.order[0])
		m.order = m.order[1:]
	}
	return m.lists[generation]
}
