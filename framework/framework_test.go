package framework_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework"
	"github.com/sagasu-search/sagasu/sdk"
)

func TestOpenNeedsServe(t *testing.T) {
	_, err := framework.Open(t.Context(), framework.Options{Dir: "../testdata/workspace"})
	if err == nil || !strings.Contains(err.Error(), "framework.Serve") {
		t.Errorf("opened without strategies that were served: %v", err)
	}
}

func TestOpenRefusesSettings(t *testing.T) {
	for want, settings := range map[string]map[string]string{
		"TRACE_MAX_KEEP":             {"TRACE_MAX_KEEP": "many"},
		"did you mean MANUALS_ROOT?": {"MANUAL_ROOT": "."},
	} {
		_, err := framework.Open(t.Context(), framework.Options{
			Dir: "../testdata/workspace", Strategies: strategies, Settings: settings,
		})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v, want %s", settings, err, want)
		}
	}
}

// A program that serves warns of no strategy that it never had, and may close its workspace wherever it ends.
func TestFewStrategies(t *testing.T) {
	w, err := framework.Open(t.Context(), framework.Options{Dir: "../testdata/workspace", Strategies: strategies, Live: true})
	if err != nil {
		t.Fatal(err)
	}
	found, err := w.Find(t.Context(), framework.Query{Text: "who may deploy"})
	if err != nil || len(found.Warnings) > 0 {
		t.Errorf("warnings %q, %v", found.Warnings, err)
	}
	if text, err := w.Read(t.Context(), framework.Ref{Manual: "minato-runbook", Path: "03-deploy.md", Line: -1}); err == nil {
		t.Errorf("line -1 holds %q", text)
	}
	for range 2 {
		if err := w.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestFindRefusesQueries(t *testing.T) {
	w, err := framework.Open(t.Context(), framework.Options{Dir: "../testdata/workspace", Strategies: strategies})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for wrong, q := range map[string]framework.Query{
		"query": {Text: " "}, "limit": {Text: "RAID", Limit: -1}, "manual_id": {Text: "RAID", Manual: "no-such-manual"},
	} {
		if found, err := w.Find(t.Context(), q); err == nil || !strings.Contains(err.Error(), wrong) && wrong != "manual_id" {
			t.Errorf("%+v: %v, %v", q, found, err)
		}
	}
}

func TestFindReturnsPassages(t *testing.T) {
	w, err := framework.Open(t.Context(), framework.Options{Dir: "../testdata/workspace", Strategies: strategies})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for passages, want := range map[int]int{0: 0, 2: 2} {
		found, err := w.Find(t.Context(), framework.Query{Text: "who may deploy", Passages: passages, MaxTokens: 2000})
		if err != nil {
			t.Fatal(err)
		}
		if len(found.Passages) != want || len(found.Hits) == 0 {
			t.Fatalf("%d passages of %d hits, want %d", len(found.Passages), len(found.Hits), want)
		}
		for i, p := range found.Passages {
			if p.Ref != found.Hits[i].Ref || p.Text == "" || p.Lines == "" || !strings.HasSuffix(p.Breadcrumb, found.Hits[i].Title) {
				t.Errorf("passage %+v of hit %+v", p, found.Hits[i])
			}
		}
	}
	if _, err := w.Find(t.Context(), framework.Query{Text: "deploy", Passages: 21}); err == nil || !strings.Contains(err.Error(), "passages") {
		t.Errorf("21 passages: %v", err)
	}
}

func TestServeMCP(t *testing.T) {
	w, err := framework.Open(t.Context(), framework.Options{Dir: "../testdata/workspace", Strategies: strategies, Live: true})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if !slices.Contains(w.Tools(), "manual_find") {
		t.Errorf("tools: %v", w.Tools())
	}
	in := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}
{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"manual_find","arguments":{"query":"RAID"}}}
`
	var out bytes.Buffer
	if err := w.ServeMCP(t.Context(), io.NopCloser(strings.NewReader(in)), &out); err != nil {
		t.Fatal(err)
	}
	var last struct {
		Result struct {
			StructuredContent struct {
				TraceID string `json:"trace_id"`
			} `json:"structuredContent"`
		}
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if err := json.Unmarshal([]byte(lines[len(lines)-1]), &last); err != nil || last.Result.StructuredContent.TraceID == "" {
		t.Errorf("%v: %s", err, &out)
	}
}

// What would not arrive as it is given is refused, and nothing is written.
func TestCallRefusesArguments(t *testing.T) {
	dir := t.TempDir()
	w, err := framework.Open(t.Context(), framework.Options{
		Dir: "../testdata/workspace", Strategies: strategies, Settings: map[string]string{"VAULT_ROOT": dir},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for name, arguments := range map[string]any{
		"content": map[string]string{"path": "notes/a.md", "content": "caf\xe9"},
		"path":    map[string]string{"path": "notes/\xe9.md", "content": "a"},
		"struct":  struct{ Path, Content any }{"notes/a.md", func() {}},
		"raw":     json.RawMessage(`{"path": "notes/a.md", "content": "caf` + "\xe9" + `"}`),
		"none":    []string{"notes/a.md"},
	} {
		_, err := w.Call(t.Context(), "vault_create", arguments)
		if failed, ok := errors.AsType[*framework.Error](err); !ok || failed.Code != "invalid_parameter" {
			t.Errorf("%s: %v", name, err)
		}
	}
	if made, err := os.ReadDir(dir); err != nil || len(made) > 0 {
		t.Errorf("made %v, %v", made, err)
	}
}

// An unexpected failure says that the log has its cause, and it has.
func TestTheLogHasTheCause(t *testing.T) {
	cache := filepath.Join(t.TempDir(), "cache")
	var log bytes.Buffer
	w, err := framework.Open(t.Context(), framework.Options{
		Dir: "../testdata/workspace", Strategies: strategies, Settings: map[string]string{"SAGASU_CACHE_DIR": cache},
		Logger: hclog.New(&hclog.LoggerOptions{Output: &log, Level: hclog.Error}),
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(os.RemoveAll(cache), os.WriteFile(cache, nil, 0o600)); err != nil {
		t.Fatal(err)
	}
	_, err = w.Find(t.Context(), framework.Query{Text: "deploy"})
	w.Close() // ends what else writes to the log
	failed, ok := errors.AsType[*framework.Error](err)
	if !ok || failed.Code != "internal" || !strings.Contains(log.String(), "lock index") {
		t.Errorf("error %v of %v, log: %s", err, errors.Unwrap(err), &log)
	}
}

// crowd fails when more searches come at once than a server lets in.
type crowd struct{ searches atomic.Int64 }

func (*crowd) Describe() sdk.Description {
	return sdk.Description{Name: "crowd", Version: "1", Stage: sdk.StageRetrieve, Weight: 0.1, Signals: []string{sdk.SignalLoose}}
}

func (c *crowd) Search(ctx context.Context, _ *sdk.Request) (*sdk.Result, error) {
	defer c.searches.Add(-1)
	if c.searches.Add(1) > 16 {
		return nil, errors.New("too many at once")
	}
	select {
	case <-time.After(50 * time.Millisecond): // others may come
	case <-ctx.Done():
	}
	return &sdk.Result{Finished: true}, nil
}

// However many goroutines search, each gets its answer, and strategies are not overrun.
func TestManySearchesAtOnce(t *testing.T) {
	w, err := framework.Open(t.Context(), framework.Options{
		Dir: "../testdata/workspace", Strategies: crowded, Settings: map[string]string{"TRACE_MAX_KEEP": "1"},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	var calls sync.WaitGroup
	for i := range 64 {
		calls.Go(func() {
			found, err := w.Find(t.Context(), framework.Query{Text: fmt.Sprintf("who may deploy %d", i)})
			if err != nil || len(found.Hits) == 0 || slices.ContainsFunc(found.Warnings, func(warning string) bool {
				return strings.Contains(warning, "crowd")
			}) {
				t.Errorf("%+v, %v", found, err)
			}
		})
	}
	calls.Wait()
}

// Close may be called while others search, write and serve; it ends what they do, and leaves nothing that runs on.
func TestCloseEndsCalls(t *testing.T) {
	dir := t.TempDir()
	w, err := framework.Open(t.Context(), framework.Options{
		Dir: "../testdata/workspace", Strategies: strategies, Live: true, Settings: map[string]string{"VAULT_ROOT": dir},
	})
	if err != nil {
		t.Fatal(err)
	}
	in, client := io.Pipe()
	defer client.Close()
	var calls sync.WaitGroup
	for range 8 {
		calls.Go(func() {
			for err := error(nil); err == nil; {
				if _, err = w.Find(t.Context(), framework.Query{Text: "who may deploy"}); err != nil {
					wantClosed(t, "find", err)
				}
			}
		})
	}
	calls.Go(func() {
		if err := w.ServeMCP(t.Context(), in, io.Discard); err != nil {
			t.Error(err)
		}
	})
	fmt.Fprintln(client, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	calls.Wait()
	_, err = w.Read(t.Context(), framework.Ref{Manual: "minato-runbook", Path: "03-deploy.md"})
	wantClosed(t, "read", err)
	_, err = w.Call(t.Context(), "vault_create", map[string]string{"path": "notes/a.md", "content": "a"})
	wantClosed(t, "call", err)
	wantClosed(t, "serve", w.ServeMCP(t.Context(), in, io.Discard))
	if _, err := os.Stat(filepath.Join(dir, "notes")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a closed workspace wrote into the vault: %v", err)
	}
}

func wantClosed(t *testing.T, call string, err error) {
	t.Helper()
	failed, ok := errors.AsType[*framework.Error](err)
	if !ok || failed.Code != "not_available" ||
		!strings.Contains(failed.Message, "closed") && !errors.Is(err, context.Canceled) {
		t.Errorf("%s of a workspace that is closed: %v", call, err)
	}
}
