package weaviate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
)

const (
	// fresh is how long the known generation and shards of a collection are valid, also for other callers.
	fresh = time.Second
	// stale is how long they are still used if they cannot be updated: the cluster may be electing a leader, and
	// a starting node has no classes yet.
	stale = 30 * time.Second
	// mostFreqs is the maximum number of terms whose document frequencies are kept.
	mostFreqs = 100_000
)

// collection is a collection to gather from. It is safe for concurrent use.
type collection struct {
	address
	nodes *nodes
	local *nodes        // the same nodes, but each answers only what it knows itself
	fresh time.Duration // how long the known state is valid

	asking     chan struct{} // contains one value while nobody updates the known state
	known      *known        // nil before the first update
	leaderless time.Time     // when asking the leader last failed

	mu    sync.Mutex
	of    string         // generation of freqs
	freqs map[string]int // document frequencies by term
}

// known is the state of a collection at a time.
type known struct {
	class    *class
	answered int // number of shards
	at       time.Time
}

func newCollection(a address, key string) (*collection, error) {
	n, err := dial(a, key, nil)
	if err != nil {
		return nil, err
	}
	l, err := dial(a, key, http.Header{"Consistency": {"false"}})
	if err != nil {
		return nil, err
	}
	c := &collection{address: a, nodes: n, local: l, fresh: fresh, asking: make(chan struct{}, 1)}
	c.asking <- struct{}{}
	return c, nil
}

// state returns the known state of the collection. One caller updates it for all.
func (c *collection) state(ctx context.Context) (*known, error) {
	select {
	case <-c.asking:
		defer func() { c.asking <- struct{}{} }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	if c.known != nil && time.Since(c.known.at) < c.fresh {
		return c.known, nil
	}
	now := &known{at: time.Now()}
	var err error
	if now.class, err = c.current(ctx); err == nil {
		now.answered, _, err = c.nodes.shards(ctx, now.class.Class)
	}
	if err == nil {
		c.known = now
	} else if c.known == nil || time.Since(c.known.at) > stale || refused(err) && !missing(err) {
		return nil, err
	}
	return c.known, nil
}

// leaderTime is the time limit for asking the leader for a definition.
const leaderTime = time.Second

// current reads the definition of the generation in use. If most nodes are gone, there is no leader. Then no
// definition can change, and any node's version suffices.
func (c *collection) current(ctx context.Context) (*class, error) {
	if time.Since(c.leaderless) >= avoided {
		asking, cancel := context.WithTimeout(ctx, leaderTime)
		defer cancel()
		found, err := c.nodes.current(asking, c.alias())
		if err == nil || ctx.Err() != nil || errors.Is(err, errForeign) || refused(err) {
			return found, err
		}
		c.leaderless = time.Now()
	}
	found, err := c.local.class(ctx, c.alias())
	if missing(err) { // only a leader can say so
		err = errUnready
	}
	return found, err
}

// errUnready means that it is unknown whether the collection exists.
var errUnready = errors.New("no leader of the nodes says whether there is such a collection: they may be starting")

// shards returns the number of a class's shards on nodes that answer, and the number of objects that all their replicas
// have written to files. A node that does not answer lists no shards; a node that misses others is "unhealthy".
func (n *nodes) shards(ctx context.Context, class string) (served, written int, err error) {
	var cluster struct {
		Nodes []struct {
			Shards []struct {
				Name    string `json:"name"`
				Objects int    `json:"objectCount"`
			} `json:"shards"`
		} `json:"nodes"`
	}
	if err := n.call(ctx, http.MethodGet, "/v1/nodes/"+class+"?output=verbose", nil, into(&cluster)); err != nil {
		return 0, 0, err
	}
	least := map[string]int{} // by shard
	for _, node := range cluster.Nodes {
		for _, shard := range node.Shards {
			if other, held := least[shard.Name]; !held || shard.Objects < other {
				least[shard.Name] = shard.Objects
			}
		}
	}
	for _, objects := range least {
		written += objects
	}
	return len(least), written, nil
}

// docFreqs returns the number of sections that contain each term.
func (c *collection) docFreqs(ctx context.Context, of *class, terms []sdk.GatherTerm) (map[string]int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if generation := of.generation(); c.of != generation || len(c.freqs) > mostFreqs {
		c.of, c.freqs = generation, map[string]int{}
	}
	out := make(map[string]int, len(terms))
	buckets := map[string]bool{}
	for _, t := range terms {
		if n, kept := c.freqs[t.Text]; kept {
			out[t.Text] = n
		} else {
			buckets[bucketKey(bucket(t.Text, max(of.state.Buckets, 1))).String()] = true
		}
	}
	if len(buckets) == 0 {
		return out, nil
	}
	freqs := c.freqs
	c.mu.Unlock()
	held, err := c.nodes.buckets(ctx, of.Class, slices.Collect(maps.Keys(buckets)))
	c.mu.Lock()
	if err != nil {
		return nil, err
	}
	for _, t := range terms {
		if _, kept := out[t.Text]; !kept {
			out[t.Text], freqs[t.Text] = held[t.Text], held[t.Text]
		}
	}
	return out, nil
}

// buckets returns the document frequencies in the given buckets.
func (n *nodes) buckets(ctx context.Context, class string, keys []string) (map[string]int, error) {
	ids, _ := json.Marshal(keys)
	rows, err := n.get(ctx, termsOf(class),
		fmt.Sprintf("where:{path:[\"id\"],operator:ContainsAny,valueText:%s},limit:%d", ids, len(keys)), propCounts)
	held := map[string]int{}
	for _, row := range rows {
		if json.Unmarshal([]byte(row.Counts), &held) != nil {
			return nil, errAnswer
		}
	}
	return held, err
}
