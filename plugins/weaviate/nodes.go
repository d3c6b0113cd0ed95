package weaviate

import (
	"cmp"
	"context"
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

// nodes are the nodes of a cluster, which are asked in turn. Each of them can answer for all.
type nodes struct {
	clients  []*remote.Client
	attempts int           // maximum attempts of a call, over all nodes
	wait     time.Duration // before all are asked again, doubled with each round
	turn     atomic.Uint32

	mu     sync.Mutex
	failed []time.Time // last failure, by node
}

const (
	// mostReply is the maximum number of bytes of an answer: 1,000 sections of 64 KB each.
	mostReply = 64 << 20
	// avoided is how long a failed node is asked after all others.
	avoided = 5 * time.Second
	// firstWait is the wait before all nodes are asked again.
	firstWait = 250 * time.Millisecond
	// mostCall limits a call if ctx does not.
	mostCall = time.Minute
)

// dial returns the nodes at an address. header is added to every call.
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

// reply is a node's answer to a call.
type reply struct {
	node int
	data []byte
	err  error
}

// call asks one node after another until read accepts an answer. It asks the next node if one fails or has used half of
// the remaining time. It keeps waiting for a slow node, since the others may be gone. The error is that of the last
// node.
func (n *nodes) call(ctx context.Context, method, path string, body any, read func([]byte) error) (err error) {
	asking, cancel := context.WithCancel(ctx)
	defer cancel() // ends calls that are no longer waited for
	replies := make(chan reply, n.attempts)
	order := n.order()
	for asked, running := 0, 0; asked < n.attempts || running > 0; {
		node := order[asked%len(order)]
		if asked < n.attempts {
			if round := asked / len(order); round > 0 && asked%len(order) == 0 && !pause(ctx, n.wait<<(round-1)) {
				return cmp.Or(err, ctx.Err())
			}
			go func() {
				data, err := n.clients[node].Do(asking, method, path, body, mostReply)
				replies <- reply{node, data, err}
			}()
			asked, running = asked+1, running+1
		}
		select {
		case r := <-replies:
			running--
			if err = r.err; err == nil {
				err = read(r.data)
			}
			// A starting node knows no class yet.
			unready := path == pathQuery && status(err) == http.StatusUnprocessableEntity
			if err == nil || ctx.Err() != nil || !remote.Passing(err) && !unready {
				return err
			}
			n.avoid(r.node)
		case <-late(ctx, asked < n.attempts):
			n.avoid(node)
		case <-ctx.Done():
			return cmp.Or(err, ctx.Err())
		}
	}
	return err
}

// late returns a channel that receives when half of the remaining time has passed, if there is another node to ask.
func late(ctx context.Context, another bool) <-chan time.Time {
	end, limited := ctx.Deadline()
	if !limited || !another {
		return nil
	}
	return time.After(time.Until(end) / 2)
}

// avoid makes a node the last to be asked for a while.
func (n *nodes) avoid(node int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.failed[node] = time.Now()
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

// status returns the HTTP status in err, or 0 for any other error.
func status(err error) int {
	if s, ok := errors.AsType[*remote.StatusError](err); ok {
		return s.Status
	}
	return 0
}

// refused reports whether a node refused the request.
func refused(err error) bool { return status(err) != 0 && status(err) < http.StatusInternalServerError }

// missing reports whether the requested object does not exist.
func missing(err error) bool { return status(err) == http.StatusNotFound }

// size returns the number of nodes in the cluster. It fails if something else answers.
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
