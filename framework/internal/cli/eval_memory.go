package cli

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/sagasu-search/sagasu/sdk"
)

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
