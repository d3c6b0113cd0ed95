package weaviate

import (
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

// nodes asks the nodes of a cluster in turn. Any of them answers for all.
type nodes struct {
	clients  []*remote.Client
	attempts int           // of a call, over all nodes
	wait     time.Duration // before all are asked once more, doubled with each round
	turn     atomic.Uint32

	mu     sync.Mutex
	failed []time.Time // by node
}

const (
	// mostReply is the maximum number of bytes of an answer: 1,000 sections of 64 KB each.
	mostReply = 64 << 20
	// avoided is how long a failed node is tried last.
	avoided = 5 * time.Second
	// firstWait is the wait before all nodes are asked once more.
	firstWait = 250 * time.Millisecond
	// mostCall bounds a call where ctx does not.
	mostCall = time.Minute
)

// dial returns the nodes at an address. Every call has the header too.
func dial(a address, key string, header http.Header) (*nodes, error) {
	n := &nodes{attempts: max(2, len(a.hosts)), wait: firstWait, failed: make([]time.Time, len(a.hosts))}
	for _, host := range a.hosts {
		c, err := remote.New(remote.Options{URL: host, Key: key, Header: header, Timeout: mostCall})
		if err != nil {
			return nil, err
		}
		n.clients = append(n.clients, c)
	}
	return n, nil
}

func (n *nodes) close() {
	for _, c := range n.clients {
		_ = c.Close()
	}
}

// call asks one node after another until read accepts an answer. Each node gets half of the remaining time, so that
// another can be asked if it stalls. The error is that of the last node.
func (n *nodes) call(ctx context.Context, method, path string, body any, read func([]byte) error) error {
	var err error
	order := n.order()
	for i := range n.attempts {
		if round := i / len(order); i > 0 && i%len(order) == 0 && !pause(ctx, n.wait<<(round-1)) {
			break
		}
		node := order[i%len(order)]
		err = n.ask(ctx, node, i+1 == n.attempts, method, path, body, read)
		// A node that starts knows no class yet.
		unready := path == pathQuery && status(err) == http.StatusUnprocessableEntity
		if err == nil || ctx.Err() != nil || !remote.Passing(err) && !unready {
			return err
		}
		n.mu.Lock()
		n.failed[node] = time.Now()
		n.mu.Unlock()
	}
	return err
}

func (n *nodes) ask(
	ctx context.Context, node int, last bool, method, path string, body any, read func([]byte) error,
) error {
	if end, limited := ctx.Deadline(); limited && !last {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(end)/2)
		defer cancel()
	}
	data, err := n.clients[node].Do(ctx, method, path, body, mostReply)
	if err != nil {
		return err
	}
	return read(data)
}

// order returns the order in which to ask the nodes: each call starts with another node, and failed ones come last.
func (n *nodes) order() []int {
	n.mu.Lock()
	defer n.mu.Unlock()
	var well, ill []int
	first := int(n.turn.Add(1))
	for i := range n.clients {
		node := (first + i) % len(n.clients)
		if time.Since(n.failed[node]) < avoided {
			ill = append(ill, node)
		} else {
			well = append(well, node)
		}
	}
	return append(well, ill...)
}

// pause waits for a duration. It returns false if ctx ends first.
func pause(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

// status returns the status of the answer that err reports, 0 for another error.
func status(err error) int {
	if s, ok := errors.AsType[*remote.StatusError](err); ok {
		return s.Status
	}
	return 0
}

// refused reports whether a node would not do what was asked.
func refused(err error) bool { return status(err) != 0 && status(err) < http.StatusInternalServerError }

// missing reports whether the requested object does not exist.
func missing(err error) bool { return status(err) == http.StatusNotFound }

// size returns how many nodes the cluster has. It fails where something else answers.
func (n *nodes) size(ctx context.Context) (int, error) {
	var cluster struct{ Nodes []struct{} }
	err := n.call(ctx, http.MethodGet, "/v1/nodes", nil, into(&cluster))
	if missing(err) || err == nil && len(cluster.Nodes) == 0 {
		err = errAnswer
	}
	return len(cluster.Nodes), err
}

// errLeaderless means that no definition can be changed.
var errLeaderless = errors.New("most of its nodes are gone, so it takes nothing: start them, and upload again")

// leaderless reports whether the nodes that answer know no leader.
func (n *nodes) leaderless(ctx context.Context) bool {
	var cluster struct {
		Statistics []struct {
			Leader string `json:"leaderId"`
		} `json:"statistics"`
	}
	if n.call(ctx, http.MethodGet, "/v1/cluster/statistics", nil, into(&cluster)) != nil {
		return false
	}
	for _, node := range cluster.Statistics {
		if node.Leader != "" {
			return false
		}
	}
	return len(cluster.Statistics) > 0
}
