//go:build soak

package cli

import (
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"
)

// nodesKilled kills a node, then another, under fifty clients, and starts them again.
func (g *grown) nodesKilled() {
	s := g.serve(false)
	g.expect(s)
	expected, _ := g.expect(s)
	began := time.Now()
	stop := g.load(50, s)
	type event struct {
		name string
		at   time.Time
	}
	events := []event{{"three nodes", began}}
	mark := func(name string, wait time.Duration) {
		events = append(events, event{name, time.Now()})
		time.Sleep(wait)
	}
	time.Sleep(g.span)
	nodes := g.nodes.Nodes
	nodes[1].Kill()
	mark("one killed", 2*g.span)
	nodes[2].Kill()
	mark("two killed", 4*g.span)
	mark("both started", 0)
	nodes[1].Run(g)
	nodes[2].Run(g)
	nodes[1].Await(g)
	nodes[2].Await(g)
	mark("both answer", 2*g.span)
	all := stop()
	slices.SortFunc(all, func(a, b answered) int { return a.at.Compare(b.at) })
	for i, e := range events {
		end := time.Now()
		if i+1 < len(events) {
			end = events[i+1].at
		}
		wrong := g.summed(e.name, slices.DeleteFunc(slices.Clone(all), func(r answered) bool { return r.at.Before(e.at) || !r.at.Before(end) }),
			end.Sub(e.at), expected)
		if wrong > 0 {
			g.Errorf("%s: %d answers are wrong, and do not say so", e.name, wrong)
		}
	}
	g.logged(s)
	var last answered
	for _, r := range all {
		if r.err != nil || r.told != "" {
			last = r
		}
	}
	if !last.at.IsZero() {
		g.Logf("the last error or partial answer was given %v after both were started", last.at.Add(last.took).Sub(events[3].at).Round(time.Millisecond))
	}
	g.Logf("the two answered %v after they were started", events[4].at.Sub(events[3].at).Round(time.Millisecond))
	again, _ := g.expect(s)
	differ := 0
	for q, best := range expected {
		if again[q] != best {
			differ++
		}
	}
	g.Logf("afterwards %d of %d answers differ", differ, len(expected))
}

// nodeAdded adds a node while twenty clients search, and moves a copy of a shard there.
func (g *grown) nodeAdded() {
	s := g.serve(false)
	g.expect(s)
	expected, _ := g.expect(s)
	phase := func(name string, do func()) {
		began := time.Now()
		stop := g.load(20, s)
		do()
		time.Sleep(g.span)
		g.summed(name, stop(), time.Since(began), expected)
	}
	phase("before", func() {})
	phase("added", func() {
		began := time.Now()
		g.nodes.Add(g)
		g.Logf("the new node answers after %v", time.Since(began).Round(time.Millisecond))
	})
	phase("a shard copied", func() { g.copyShard() })
}

// copyShard copies a shard to the newest node.
func (g *grown) copyShard() {
	class, shard := g.shard()
	newest := g.nodes.Nodes[len(g.nodes.Nodes)-1]
	var started struct{ ID string }
	err := g.ask(http.MethodPost, "/v1/replication/replicate", map[string]string{
		"collection": class, "shard": shard, "sourceNode": g.nodes.Nodes[0].Name, "targetNode": newest.Name, "type": "COPY",
	}, &started)
	if err != nil {
		g.Logf("the shard cannot be copied: %v", err)
		return
	}
	for began := time.Now(); time.Since(began) < 10*time.Minute; time.Sleep(200 * time.Millisecond) {
		var now struct{ Status struct{ State string } }
		if err := g.ask(http.MethodGet, "/v1/replication/replicate/"+started.ID, nil, &now); err != nil {
			g.Logf("how far: %v", err)
		}
		if state := now.Status.State; state == "READY" || state == "CANCELLED" {
			g.Logf("the shard is %s after %v, %d MB", state, time.Since(began).Round(time.Millisecond), size(newest.Dir)>>20)
			return
		}
	}
	g.Log("the shard was not copied in ten minutes")
}

// shard returns a class and one of its shards.
func (g *grown) shard() (class, shard string) {
	var all struct {
		Nodes []struct {
			Shards []struct{ Name, Class string }
		}
	}
	if err := g.ask(http.MethodGet, "/v1/nodes?output=verbose", nil, &all); err != nil {
		g.Fatal(err)
	}
	for _, n := range all.Nodes {
		for _, s := range n.Shards {
			if !strings.HasSuffix(s.Class, "_terms") {
				return s.Class, s.Name
			}
		}
	}
	g.Fatal("no shard")
	return "", ""
}

// edit uploads an edit, and asks four servers for it until they have it.
func (g *grown) edit() {
	var servers []*service
	for range 4 {
		servers = append(servers, g.serve(false))
		g.find(servers[len(servers)-1], 0)
	}
	var file string
	err := filepath.WalkDir(filepath.Join(g.root, "manuals"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() && filepath.Ext(path) == ".md" {
			file = path
			return filepath.SkipAll
		}
		return err
	})
	if err != nil || file == "" {
		g.Fatal("no file: ", err)
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		g.Fatal(err)
	}
	if _, err := f.WriteString("\n\nzqxvwk42 is the word of the edit.\n"); err != nil {
		g.Fatal(err)
	}
	f.Close()
	began := time.Now()
	seen := make([]time.Duration, len(servers))
	var group sync.WaitGroup
	for i, s := range servers {
		group.Go(func() {
			for time.Since(began) < 10*time.Minute {
				answer, err := callOver(g.clients, s.url, "", "manual_find", map[string]any{"query": "zqxvwk42", "use_cache": false})
				if err != nil {
					g.Errorf("server %d: %v", i, err)
				} else if strings.Contains(fmt.Sprint(answer["passages"]), "zqxvwk42") {
					seen[i] = time.Since(began)
					return
				}
				time.Sleep(100 * time.Millisecond)
			}
		})
	}
	sent, _ := g.upload(never)
	ended := time.Since(began)
	group.Wait()
	g.Logf("%d sections sent, the upload ended after %v, servers had the edit after %v", sent.Sent, ended.Round(time.Millisecond), seen)
	if slices.Contains(seen, 0) {
		g.Error("a server never had the edit")
	}
}

// failover kills the master of the Redis that two servers share, under load.
func (g *grown) failover() {
	outlivesAFailover(g.T, func(url string) *service { return g.serve(false, "REDIS_URL="+url) }, func(n int) string {
		return g.queries[n%len(g.queries)]
	})
}
