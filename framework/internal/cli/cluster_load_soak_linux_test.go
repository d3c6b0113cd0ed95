//go:build soak

package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sagasu-search/sagasu/plugins/weaviate/testdata/cluster"
)

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

// summed returns what there is to say of answers. Those to a query that are not what was expected are wrong, unless
// they say that something is missing.
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

// processor returns the time that the server with its strategies, and the nodes, have computed.
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
