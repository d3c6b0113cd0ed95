package cli

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// searcher is embedded under this name, since Strategies is also a method of it.
type searcher = search.Strategies

// configured calls some strategies with a configuration of their own.
type configured struct {
	searcher
	own map[string]ownSearch
}

// ownSearch is how one strategy is called.
type ownSearch interface {
	Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error)
}

func (c configured) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	if own := c.own[name]; own != nil {
		return own.Search(ctx, name, req)
	}
	return c.searcher.Search(ctx, name, req)
}

// configured returns the strategies with the parameters of a variant.
func (b *testbed) configured(v variant) (search.Strategies, error) {
	out := configured{b.strategies, map[string]ownSearch{}}
	for _, name := range v.strategies {
		parameters := v.parameters(name)
		if len(parameters) == 0 {
			continue
		}
		own, err := b.configure(name, parameters)
		if err != nil {
			return nil, err
		}
		out.own[name] = own
	}
	if len(out.own) == 0 {
		return b.strategies, nil
	}
	return out, b.dismiss(out.own, mostGuests)
}

// configure makes a strategy with other parameters: a bundled one in this process, besides what the workspace's
// dictionaries tell it, and any other in a process of its own.
func (b *testbed) configure(name string, parameters map[string]any) (ownSearch, error) {
	_, bundled := b.entries.Ordinary().Of(snapshot.KindManual).Named(name)
	if !bundled {
		return b.guest(name, parameters)
	}
	key := fmt.Sprint(name, parameters) // maps print in order
	if l := b.local[key]; l != nil {
		return l, nil
	}
	strategy, err := b.entries.Configured(name, b.dict, parameters)
	if err != nil {
		return nil, err
	}
	b.local[key] = host.InProcess(strategy)
	return b.local[key], nil
}

// mostGuests is how many strategies with another configuration run on, beside those that are measured.
const mostGuests = 4

// guest is a strategy in a process of its own with another configuration.
type guest struct {
	*host.Host
	key   string
	ready func(context.Context) error // prepares it for the corpus, once
}

// Search waits until the strategy looks at all sections.
func (g *guest) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	if err := g.ready(ctx); err != nil {
		return nil, err
	}
	return g.Host.Search(ctx, name, req)
}

func (b *testbed) guest(name string, parameters map[string]any) (*guest, error) {
	key := fmt.Sprint(name, parameters) // maps print in order
	if i := slices.IndexFunc(b.guests, func(g *guest) bool { return g.key == key }); i >= 0 {
		return b.guests[i], nil
	}
	h, err := b.restart(name, parameters)
	if err != nil {
		return nil, err
	}
	d, _ := b.describe(name)
	var once sync.Once
	var failed error
	g := &guest{h, key, func(ctx context.Context) error {
		once.Do(func() { failed = prepare(ctx, h, []sdk.Description{d}, b.view.Snapshot) })
		return failed
	}}
	b.guests = append(b.guests, g)
	return g, nil
}

// dismiss ends the oldest guests that are not used, until at most most are left.
func (b *testbed) dismiss(used map[string]ownSearch, most int) error {
	var errs []error
	for i := 0; i < len(b.guests) && len(b.guests) > most; {
		g := b.guests[i]
		if slices.Contains(slices.Collect(maps.Values(used)), ownSearch(g)) {
			i++
			continue
		}
		errs = append(errs, g.Close())
		b.guests = slices.Delete(b.guests, i, i+1)
	}
	return errors.Join(errs...)
}

// remembered serves the lists of earlier searches: a variant that differs in
// fusion alone needs no retrieval.
type remembered struct {
	searcher
	memory  *memory
	variant variant
}

// Search asks a retrieving strategy once per query. What sees a pool depends on
// fusion and is asked each time.
func (r remembered) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	if req.Pool != nil {
		return r.searcher.Search(ctx, name, req)
	}
	generation := fmt.Sprint(name, r.variant.parameters(name), req.Query.MatchThreshold)
	key := fmt.Sprintf("%v %d", req.Query, req.Limit)
	if req.Scope != nil {
		key += fmt.Sprint(" ", req.Scope.Checksum())
	}
	if res := r.memory.get(generation, key); res != nil {
		return res, nil
	}
	res, err := r.searcher.Search(ctx, name, req)
	if err == nil && res.Finished {
		r.memory.put(generation, key, res)
	}
	return res, err
}

// generations is how many are remembered: all strategies with two settings.
const generations = 16

// memory keeps lists by generation, that is a strategy with one configuration
// and threshold. The generation that was not used for longest is forgotten
// first, which bounds the memory to so many times the queries.
type memory struct {
	mu    sync.Mutex
	lists map[string]map[string]*sdk.Result
	order []string // least recently used first
}

func newMemory() *memory { return &memory{lists: map[string]map[string]*sdk.Result{}} }

func (m *memory) get(generation, key string) *sdk.Result {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.use(generation)
	return m.lists[generation][key]
}

func (m *memory) put(generation, key string, res *sdk.Result) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.use(generation)
	m.lists[generation][key] = res
}

// use makes a generation the most recently used one.
func (m *memory) use(generation string) {
	if n := len(m.order); n > 0 && m.order[n-1] == generation {
		return
	}
	m.order = slices.DeleteFunc(m.order, func(g string) bool { return g == generation })
	m.order = append(m.order, generation)
	if m.lists[generation] == nil {
		m.lists[generation] = map[string]*sdk.Result{}
	}
	if len(m.order) > generations {
		delete(m.lists, m.order[0])
		m.order = m.order[1:]
	}
}
