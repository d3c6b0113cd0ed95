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
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
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
	judged, err := eval.ReadQueryFile(queries)
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

// held returns how many sections the engine counts.
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

// maxResident returns the most memory in bytes that a process that has ended held.
func maxResident(c *exec.Cmd) int64 { return c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss << 10 }

// status returns a line of what the system says of a process.
func status(pid int, line string) string {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	for l := range strings.Lines(string(data)) {
		if at, ok := strings.CutPrefix(l, line+":"); ok {
			return strings.TrimSpace(at)
		}
	}
	return "?"
}
