//go:build soak

package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/plugins/weaviate/testdata/cluster"
	"github.com/sagasu-search/sagasu/sdk"
)

// grown is a corpus that lies in a cluster of three nodes and in an index beside it.
type grown struct {
	*testing.T
	nodes    *cluster.Cluster
	url      string // of the collection
	root     string // the workspace
	cache    string // of the program that uploads
	queries  []string
	sections int
	span     time.Duration // how long each load lasts
	clients  *http.Client
}

// TestCluster grows the corpus of the set that SAGASU_SETS names, or the sample, to SAGASU_CLUSTER_SECTIONS sections,
// 2,000 when not given, and uploads it to three nodes. Loads last SAGASU_SOAK each, ten seconds when not given.
func TestCluster(t *testing.T) {
	g := &grown{T: t, nodes: cluster.Start(t, 3), cache: t.TempDir(), root: t.TempDir(), sections: 2000, span: 10 * time.Second}
	g.url = g.nodes.URL("docs")
	var err error
	if n := os.Getenv("SAGASU_CLUSTER_SECTIONS"); n != "" {
		if g.sections, err = strconv.Atoi(n); err != nil {
			t.Fatal(err)
		}
	}
	if d := os.Getenv("SAGASU_SOAK"); d != "" {
		if g.span, err = time.ParseDuration(d); err != nil {
			t.Fatal(err)
		}
	}
	manuals, queries := filepath.Join(sample(t), "manuals"), filepath.Join(repository(t), "testdata", "gold.jsonl")
	if set := os.Getenv("SAGASU_SETS"); set != "" {
		manuals, queries = filepath.Join(set, "corpus"), filepath.Join(set, "queries.jsonl")
	}
	judged, err := readQueries(queries)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(judged); i += max(1, len(judged)/100) {
		g.queries = append(g.queries, judged[i].Query)
	}
	grow := exec.Command(filepath.Join(filepath.Dir(binary), "sagasu-bench"), "--manuals", manuals, "--grow", fmt.Sprint(g.sections),
		"--into", filepath.Join(g.root, "manuals"))
	if out, err := grow.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	g.clients = &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 100}}
	t.Cleanup(g.clients.CloseIdleConnections)
	g.build()
	g.fill()
	t.Run("beside the index", func(t *testing.T) { g.with(t).besideTheIndex() })
	t.Run("nodes killed", func(t *testing.T) { g.with(t).nodesKilled() })
	t.Run("a node added", func(t *testing.T) { g.with(t).nodeAdded() })
	t.Run("an edit", func(t *testing.T) { g.with(t).edit() })
	t.Run("a failover of Redis", func(t *testing.T) { g.with(t).failover() })
}

func (g *grown) with(t *testing.T) *grown {
	of := *g
	of.T = t
	return &of
}

// program runs sagasu on the workspace.
func (g *grown) program(args ...string) *exec.Cmd {
	c := exec.Command(binary, append(args, "--workspace", g.root, "--json")...)
	c.Env = append(environment(g), "SAGASU_CACHE_DIR="+g.cache)
	return c
}

// build builds the index.
func (g *grown) build() {
	began := time.Now()
	c := g.program("index")
	if out, err := c.CombinedOutput(); err != nil {
		g.Fatalf("%v\n%s", err, out)
	}
	g.Logf("index: built in %v, %d MB, %d MB of memory at most", time.Since(began).Round(time.Millisecond), size(g.cache)>>20,
		maxResident(c)>>20)
}

// upload runs an upload, and logs its phases. during is called while it runs; true kills it.
func (g *grown) upload(during func() bool) (sent sdk.Uploaded, killed bool) {
	g.Helper()
	c := g.program("index", "--to", g.url)
	var out bytes.Buffer
	c.Stdout = &out
	log, err := c.StderrPipe()
	if err != nil {
		g.Fatal(err)
	}
	began := time.Now()
	if err := c.Start(); err != nil {
		g.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for lines := bufio.NewScanner(log); lines.Scan(); {
			g.Logf("  %6.1f s: %s", time.Since(began).Seconds(), lines.Text())
		}
	}()
	for waiting := true; waiting; {
		select {
		case <-done:
			waiting = false
		case <-time.After(10*time.Millisecond + time.Duration(g.sections)*time.Microsecond):
			if during() {
				_ = c.Process.Kill()
				killed, waiting = true, false
			}
		}
	}
	<-done
	err = c.Wait()
	if killed {
		return sent, true
	}
	if err != nil || json.Unmarshal(out.Bytes(), &sent) != nil {
		g.Fatalf("the upload: %v\n%s", err, out.Bytes())
	}
	took := time.Since(began)
	g.Logf("upload: %d of %d sections sent, %d deleted in %v, %.0f a second; %d MB of memory at most", sent.Sent, sent.Sections,
		sent.Deleted, took.Round(time.Millisecond), float64(sent.Sent)/took.Seconds(), maxResident(c)>>20)
	return sent, false
}

// never lets an upload end by itself.
func never() bool { return false }

// fill uploads the corpus. The first upload is killed half-way; the second sends the rest.
func (g *grown) fill() {
	began := time.Now()
	_, killed := g.upload(func() bool { return g.held() > g.sections/2 })
	if !killed {
		g.Fatal("the upload ended before it was killed")
	}
	took := time.Since(began)
	time.Sleep(2 * time.Second)
	arrived := g.held()
	g.Logf("killed after %v: %d sections had arrived, %.0f a second", took.Round(time.Millisecond), arrived, float64(arrived)/took.Seconds())
	sent, _ := g.upload(never)
	g.Logf("sent twice: %d", arrived+sent.Sent-sent.Sections)
	if again, _ := g.upload(never); again.Sent+again.Deleted > 0 {
		g.Errorf("%+v is sent again", again)
	}
	g.footprint()
}

// held is how many sections the engine counts.
func (g *grown) held() int {
	var schema struct{ Classes []struct{ Class string } }
	if g.ask(http.MethodGet, "/v1/schema", nil, &schema) != nil {
		return 0
	}
	for _, c := range schema.Classes {
		if strings.HasPrefix(c.Class, "Docs_") && !strings.HasSuffix(c.Class, "_terms") {
			var reply struct {
				Data struct {
					Aggregate map[string][]struct{ Meta struct{ Count int } }
				}
			}
			query := map[string]string{"query": "{Aggregate{" + c.Class + "{meta{count}}}}"}
			if g.ask(http.MethodPost, "/v1/graphql", query, &reply) == nil && len(reply.Data.Aggregate[c.Class]) == 1 {
				return reply.Data.Aggregate[c.Class][0].Meta.Count
			}
		}
	}
	return 0
}

// ask calls the API of the first node.
func (g *grown) ask(method, path string, body, into any) error {
	data, err := json.Marshal(body)
	if err != nil {
		return err
	}
	req, err := http.NewRequest(method, "http://"+g.nodes.Nodes[0].Host+path, bytes.NewReader(data))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	resp, err := g.clients.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s", resp.Status)
	}
	return json.NewDecoder(resp.Body).Decode(into)
}

// footprint logs what the nodes take.
func (g *grown) footprint() {
	for _, n := range g.nodes.Nodes {
		g.Logf("node %s: %d MB on disk; %s, at most %s of memory", n.Name, size(n.Dir)>>20, status(n.PID(), "VmRSS"), status(n.PID(), "VmHWM"))
	}
}

// serve starts a server of a machine of its own that searches the collection, or with local the index.
func (g *grown) serve(local bool, env ...string) *service {
	all := append(environment(g), "ADAPTIVE_TUNING=false", "TRACE_MAX_KEEP=100000", "LOG_LEVEL=error")
	root := filepath.Join(g.TempDir(), "docs")
	if err := os.Mkdir(root, 0o755); err != nil {
		g.Fatal(err)
	}
	if local {
		root, all = g.root, append(all, "SAGASU_CACHE_DIR="+g.cache)
	} else {
		all = append(all, "COLLECTION_URL="+g.url)
	}
	return serveOver(g, append(all, env...), "--workspace", root, "--listen", "127.0.0.1:0")
}

// answered is an answer under load.
type answered struct {
	query    int
	at       time.Time // when it was asked for
	took     time.Duration
	best     string // where the passages stand, and how many sections matched
	passages []string
	told     string // what is missing, "" where nothing is said to be
	err      error
}

// find asks a server one of the queries.
func (g *grown) find(s *service, query int) answered {
	r := answered{query: query, at: time.Now()}
	answer, err := callOver(g.clients, s.url, "", "manual_find", map[string]any{"query": g.queries[query], "use_cache": false})
	r.took, r.err = time.Since(r.at), err
	if err != nil {
		return r
	}
	for _, p := range answer["passages"].([]any) {
		p := p.(map[string]any)
		r.passages = append(r.passages, fmt.Sprint(p["manual_id"], "/", p["path"], "#", p["start_line"]))
	}
	summary := answer["summary"].(map[string]any)
	r.best = strings.Join(append(r.passages, fmt.Sprint(summary["candidates"])), " ")
	reasons := fmt.Sprint(summary["status_reasons"])
	warnings := fmt.Sprint(answer["warnings"])
	if strings.Contains(reasons, "strategy_missing") || strings.Contains(reasons, "time_budget") || strings.Contains(warnings, "strategy") {
		r.told = reasons + " " + warnings
	}
	return r
}

// load has clients ask servers until it is stopped.
func (g *grown) load(clients int, servers ...*service) (stop func() []answered) {
	var ending atomic.Bool
	var mu sync.Mutex
	var all []answered
	var group sync.WaitGroup
	for i := range clients {
		group.Go(func() {
			for n := i * 37; !ending.Load(); n++ {
				r := g.find(servers[n%len(servers)], n%len(g.queries))
				mu.Lock()
				all = append(all, r)
				mu.Unlock()
			}
		})
	}
	return func() []answered {
		ending.Store(true)
		group.Wait()
		return all
	}
}

// summed is what there is to say of answers. Those to a query that are not what was expected are wrong, unless they say
// that something is missing.
func (g *grown) summed(what string, all []answered, over time.Duration, expected map[int]string) (wrong int) {
	g.Helper()
	var took []time.Duration
	var told, failed int
	errs := map[string]int{}
	for _, r := range all {
		took = append(took, r.took)
		switch want, known := expected[r.query]; {
		case r.err != nil:
			failed++
			errs[r.err.Error()]++
		case r.told != "":
			told++
			errs[r.told]++
		case known && r.best != want:
			if wrong++; wrong <= 3 {
				g.Logf("  query %d: %s, expected %s", r.query, r.best, want)
			}
		}
	}
	if len(took) == 0 {
		g.Logf("%s: no answer", what)
		return 0
	}
	slices.Sort(took)
	at := func(p int) time.Duration { return took[(len(took)-1)*p/100].Round(time.Millisecond) }
	g.Logf("%s: %d answers, %.1f a second, p50 %v, p95 %v, longest %v; %d partial, %d others differ, %d errors", what, len(all),
		float64(len(all))/over.Seconds(), at(50), at(95), at(100), told, wrong, failed)
	for text, n := range errs {
		if _, said, failed := strings.Cut(text, `"message`); failed {
			text = said
		}
		g.Logf("  %d × %.200s", n, text)
	}
	return wrong
}

// expect asks each query once, with nothing else to do.
func (g *grown) expect(s *service) (map[int]string, map[int]answered) {
	out, all := map[int]string{}, map[int]answered{}
	for q := range g.queries {
		r := g.find(s, q)
		if r.err != nil || r.told != "" {
			g.Errorf("query %d: %v, partial: %s", q, r.err, r.told)
		}
		out[q], all[q] = r.best, r
	}
	return out, all
}

// besideTheIndex asks the collection and the index the same.
func (g *grown) besideTheIndex() {
	found := map[bool]map[int]answered{}
	for _, local := range []bool{true, false} {
		name := map[bool]string{true: "index", false: "collection"}[local]
		s := g.serve(local)
		g.expect(s) // starts what starts at the first search, and fills caches of the system
		expected, all := g.expect(s)
		found[local] = all
		for _, clients := range []int{1, 8, 50} {
			before, began := g.processor(s), time.Now()
			stop := g.load(clients, s)
			time.Sleep(g.span)
			all := stop()
			over, after := time.Since(began), g.processor(s)
			g.summed(fmt.Sprintf("%s, %d clients", name, clients), all, over, expected)
			g.logged(s)
			n := time.Duration(max(len(all), 1))
			g.Logf("  processor a search: %v of the server, %v of the nodes; server's memory %s", ((after[0] - before[0]) / n).Round(time.Millisecond),
				((after[1] - before[1]) / n).Round(time.Millisecond), resident(g.T, s))
		}
		_ = s.cmd.Process.Kill()
	}
	g.footprint()
	first, shared, all := 0, 0, 0
	for q, here := range found[true] {
		there := found[false][q].passages
		if len(here.passages) > 0 && len(there) > 0 && here.passages[0] == there[0] {
			first++
		}
		for _, p := range here.passages {
			all++
			if slices.Contains(there, p) {
				shared++
			}
		}
	}
	g.Logf("of %d queries %d have the same first passage; of %d passages from the index the collection gives %d", len(g.queries), first, all, shared)
}

// logged says what a server logged, and how often.
func (g *grown) logged(s *service) {
	counts := map[string]int{}
	for line := range strings.Lines(s.log.String()) {
		var entry map[string]any
		if json.Unmarshal([]byte(line), &entry) == nil {
			counts[fmt.Sprintf("%v %.500v", entry["@message"], entry["error"])]++
		}
	}
	for text, n := range counts {
		g.Logf("  logged %d × %s", n, text)
	}
}

// processor is the time that the server with its strategies, and the nodes, have computed.
func (g *grown) processor(s *service) (out [2]time.Duration) {
	parents := map[int]int{}
	used := map[int]time.Duration{}
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		data, err := os.ReadFile(name)
		if err != nil {
			continue
		}
		_, rest, _ := strings.Cut(string(data), ") ")
		fields := strings.Fields(rest)
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		parents[pid], _ = strconv.Atoi(fields[1])
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		used[pid] = time.Duration(user+system) * 10 * time.Millisecond
	}
	for pid, t := range used {
		for at := pid; at > 1; at = parents[at] {
			if at == s.cmd.Process.Pid {
				out[0] += t
			}
		}
		if slices.ContainsFunc(g.nodes.Nodes, func(n *cluster.Node) bool { return n.PID() == pid }) {
			out[1] += t
		}
	}
	return out
}

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

// size is that of the files of a folder in bytes.
func size(dir string) (bytes int64) {
	_ = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // gone meanwhile
		}
		if info, err := d.Info(); err == nil {
			bytes += info.Size()
		}
		return nil
	})
	return bytes
}

// maxResident is the most memory in bytes that a process that has ended held.
func maxResident(c *exec.Cmd) int64 { return c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10 }

// status is a line of what the system says of a process.
func status(pid int, line string) string {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for l := range strings.Lines(string(data)) {
		if at, ok := strings.CutPrefix(l, line+":"); ok {
			return strings.TrimSpace(at)
		}
	}
	return "?"
}
