package cli

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"github.com/alicebob/miniredis/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/search"
)

const sharedPassword = "a-password-of-the-tests"

// fleet is a Redis, and what servers of several machines need to share it.
type fleet struct {
	*testing.T
	redis        *miniredis.Miniredis
	address, url string
}

func newFleet(t *testing.T) fleet {
	redis := miniredis.RunT(t)
	redis.RequireUserAuth("sagasu", sharedPassword)
	return fleet{t, redis, redis.Addr(), "redis://sagasu:" + sharedPassword + "@" + redis.Addr() + "/2"}
}

// machine returns the environment of another machine, and a copy of the sample workspace on it.
func (f fleet) machine() (env []string, dir string) {
	f.Helper()
	dir = filepath.Join(f.TempDir(), "docs")
	if err := os.CopyFS(dir, os.DirFS(sample(f))); err != nil {
		f.Fatal(err)
	}
	return append(environment(f), "REDIS_URL="+f.url), dir
}

func (f fleet) serve() *service {
	env, dir := f.machine()
	return serveOver(f, env, "--workspace", dir, "--listen", "127.0.0.1:0", "--publications-root", publicationSample(f), "--log-level", "debug")
}

// run runs a command of another machine and returns what it says.
func (f fleet) run(args ...string) string {
	f.Helper()
	env, dir := f.machine()
	cmd := exec.Command(binary, append(args, "--workspace", dir)...)
	cmd.Env = env
	said, err := cmd.CombinedOutput()
	if err != nil {
		f.Errorf("%q: %v\n%s", args, err, said)
	}
	return string(said)
}

// refused calls a tool that fails and returns how.
func (s *service) refused(tool string, args any) string {
	s.t.Helper()
	result, err := callOver(http.DefaultClient, s.url, "", tool, args)
	if err == nil {
		s.t.Fatalf("%s: %v", tool, result)
	}
	return err.Error()
}

// counted returns a figure of the server.
func (s *service) counted(figure string) string {
	s.t.Helper()
	resp, err := http.Get(s.url + "/metrics")
	if err != nil {
		s.t.Fatal(err)
	}
	defer resp.Body.Close()
	all, err := io.ReadAll(resp.Body)
	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(figure) + ` (\S+)$`).FindSubmatch(all)
	if err != nil || found == nil {
		s.t.Fatalf("no %s in %s, %v", figure, all, err)
	}
	return string(found[1])
}

// Servers with disks of their own and one Redis go on with what another found.
func TestServersShareWhatTheyFound(t *testing.T) {
	f := newFleet(t)
	a, b := f.serve(), f.serve()
	found := a.call("manual_find", map[string]any{"query": "RAID1 交換", "budget": map[string]any{"max_candidates": 3}})
	trace := found["trace_id"].(string)
	kinds, _ := reflect.TypeFor[search.HitsRequest]().FieldByName("Kind")
	for kind := range strings.SplitSeq(kinds.Tag.Get("enum"), ",") {
		args := map[string]any{"trace_id": trace, "kind": kind, "explain": true, "limit": 50}
		want, got := a.call("manual_hits", args), b.call("manual_hits", args)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s on another server:\n%s", kind, diff)
		}
	}
	left := b.call("manual_find", map[string]any{"query": "RAID1 交換", "only_unscanned_from_trace_id": trace})
	if left["trace_id"] == nil {
		t.Errorf("the rest of a search on another server: %v", left)
	}
	if said := f.run("hits", trace, "--kind", "matched"); !strings.Contains(said, "disk-raid") {
		t.Errorf("the command of a third machine says %s", said)
	}

	again := b.call("manual_find", map[string]any{"query": "RAID1 交換", "budget": map[string]any{"max_candidates": 3}})
	if n := b.counted(`sagasu_cache_lookups_total{outcome="exact"}`); n != "1" {
		t.Errorf("%s answers of another server were given again", n)
	}
	for _, part := range []string{"summary", "passages", "claim_graph", "answered_by"} {
		if diff := cmp.Diff(found[part], again[part]); diff != "" {
			t.Errorf("%s of an answer of another server:\n%s", part, diff)
		}
	}
	for kind, s := range map[string]*service{"candidates": a, "unscanned": b} {
		s.call("manual_hits", map[string]any{"trace_id": again["trace_id"], "kind": kind})
	}

	run := a.call("rrf_search_fulltext_raw", map[string]any{"query": "face OR mask", "top_k": 50})
	best := b.call("peek_snippets", map[string]any{"run_id": run["run_id"], "limit": 1})["snippets"].([]any)[0].(map[string]any)["pub_id"]
	b.call("register_representatives", map[string]any{"pub_ids": []any{best}, "category": "A"})
	fused := a.call("rrf_blend_frontier", map[string]any{"runs": []any{run["run_id"]}})
	if top := fused["ranked_docs"].([]any)[0].(map[string]any); top["pub_id"] != best || top["pi_rep"] != 1.0 {
		t.Errorf("a representative of another server: %v", top)
	}
	b.call("rrf_mutate_run", map[string]any{"base_run_id": fused["run_id"], "mutate_delta": map[string]any{"beta_fuse": 0.5}})
	if said := b.refused("get_provenance", map[string]any{"run_id": "fulltext-0"}); !strings.Contains(said, "RUN_NOT_FOUND") || !strings.Contains(said, run["run_id"].(string)) {
		t.Errorf("the newest runs: %s", said)
	}

	for _, s := range []*service{a, b} { // a row is written when the next search begins
		s.call("manual_find", map[string]any{"query": "パスワード", "use_cache": false})
	}
	if said := f.run("stats", "--json"); !strings.Contains(said, `"count": 3,`) {
		t.Errorf("statistics of all servers: %s", said)
	}
	if said := f.run("doctor"); !strings.Contains(said, "redis://"+f.address+"/2") || strings.Contains(said, sharedPassword) {
		t.Errorf("doctor says %s", said)
	}

	unlisted := a.call("manual_find", map[string]any{"query": "ディスクの交換"})["trace_id"] // b keeps what it has listed
	f.redis.Close()
	answer := a.call("manual_find", map[string]any{"query": "スナップショット"})
	if warned := fmt.Sprint(answer["warnings"]); !strings.Contains(warned, "the trace could not be kept in Redis at redis://"+f.address) {
		t.Errorf("without Redis: %s", warned)
	}
	a.call("manual_hits", map[string]any{"trace_id": answer["trace_id"]})
	said := b.refused("manual_hits", map[string]any{"trace_id": unlisted})
	if !strings.Contains(said, "not_found") || !strings.Contains(said, "cannot be read in Redis at redis://"+f.address) {
		t.Errorf("a trace without Redis: %s", said)
	}
	lost := a.call("rrf_search_fulltext_raw", map[string]any{"query": "mask", "top_k": 50})
	if warned := fmt.Sprint(lost["warnings"]); !strings.Contains(warned, "the run could not be kept in Redis at") {
		t.Errorf("a run without Redis: %s", warned)
	}
	a.call("peek_snippets", map[string]any{"run_id": lost["run_id"]})
	if said := b.refused("peek_snippets", map[string]any{"run_id": lost["run_id"]}); !strings.Contains(said, "BACKEND_ERROR") {
		t.Errorf("a run that only another server knows: %s", said)
	}
	for _, s := range []*service{a, b} {
		if strings.Contains(s.log.String(), sharedPassword) {
			t.Error("the password is in the log")
		}
		children, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%[1]d/children", s.cmd.Process.Pid))
		if err != nil {
			continue // not Linux
		}
		for pid := range strings.FieldsSeq(string(children)) {
			if held, err := os.ReadFile("/proc/" + pid + "/environ"); err == nil && strings.Contains(string(held), sharedPassword) {
				t.Error("a strategy has the password")
			}
		}
	}
	http.DefaultClient.CloseIdleConnections()
}

// What is wrong with REDIS_URL stops the start with one line that holds no password.
func TestAWrongRedisStopsTheStart(t *testing.T) {
	f := newFleet(t)
	for name, c := range map[string]struct{ url, says string }{
		"no URL":             {sharedPassword, "REDIS_URL (environment) must be redis:// or rediss://"},
		"a bare # in it":     {"redis://:#" + sharedPassword + "@" + f.address, "special characters percent-encoded"},
		"another scheme":     {"http://:" + sharedPassword + "@" + f.address, "REDIS_URL (environment) must be redis:// or rediss://"},
		"a wrong password":   {"redis://sagasu:" + sharedPassword + "x@" + f.address, "WRONGPASS"},
		"no password":        {"redis://" + f.address, "NOAUTH"},
		"no Redis but a web": {"redis://:" + sharedPassword + "@" + strings.TrimPrefix(newWeb(t), "http://"), "nothing can be kept in Redis at"},
	} {
		t.Run(name, func(t *testing.T) {
			env, dir := f.machine()
			cmd := exec.Command(binary, "find", "RAID", "--workspace", dir)
			cmd.Env = append(env, "REDIS_URL="+c.url)
			said, err := cmd.CombinedOutput()
			line, help, _ := strings.Cut(string(said), "\n")
			if err == nil || !strings.Contains(line, c.says) || help != "Try 'sagasu find --help'.\n" || strings.Contains(line, sharedPassword) {
				t.Errorf("%v: %s", err, said)
			}
		})
	}
}

// newWeb returns the URL of a server that is no Redis.
func newWeb(t *testing.T) string {
	s := httptest.NewServer(http.NotFoundHandler())
	t.Cleanup(s.Close)
	return s.URL
}
