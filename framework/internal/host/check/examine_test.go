package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/serve"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// The test binary plays the wrapper and the strategies too.
const (
	partServe = "part-serve"
	partWrap  = "part-wrap"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 2 {
		switch os.Args[1] {
		case partWrap:
			fmt.Fprintln(os.Stderr, host.RunSandbox(os.Args[2:], os.Environ()))
			os.Exit(1)
		case partServe:
			play(os.Args[2])
			return
		}
	}
	goleak.VerifyTestMain(m)
}

// play is a strategy in a process of its own.
func play(how string) {
	switch how {
	case "quitter":
		fmt.Fprintln(os.Stderr, "cannot find my model")
		os.Exit(3)
	case "printer":
		fmt.Println("loading the model")
	case "clinger":
		os.Unsetenv(wire.EnvExitWithParent)
	}
	serve.Strategy(scorer(how))
}

// scorer returns every section its score.
type scorer string

func (s scorer) Describe() sdk.Description {
	signal := "any"
	if s == "mute" {
		signal = sdk.SignalLoose
	}
	return sdk.Description{
		Name: "scorer", Version: "7", Stage: sdk.StageRetrieve, Signals: []string{signal}, Weight: 0.1,
		ConfigSchema: json.RawMessage(`{"type":"object","properties":{"bad":{"type":"boolean"}}}`),
	}
}

func (s scorer) Configure(_ context.Context, config json.RawMessage) error {
	if strings.Contains(string(config), "true") {
		return errors.New("bad is not good")
	}
	return nil
}

func (s scorer) Search(_ context.Context, req *sdk.Request) (*sdk.Result, error) {
	score, signals := 1.0, []string{"any"}
	switch s {
	case "hanger":
		select {}
	case "mute":
		signals = nil
	case "nan":
		score = math.NaN()
	case "deaf":
		if req.Corpus.Bound() > 1000 {
			time.Sleep(2 * time.Second)
		}
	case "dier":
		if req.Query.Raw == "" {
			os.Exit(7)
		}
	}
	out := &sdk.Result{Finished: true}
	for it := req.Sections().Iterator(); it.HasNext(); out.Examined++ {
		out.Candidates = append(out.Candidates, sdk.Candidate{Section: it.Next(), Score: score, Signals: signals})
	}
	out.Candidates = sdk.Best(out.Candidates, req.Limit)
	return out, nil
}

// examined returns the report on a strategy of this binary.
func examined(t *testing.T, how string, config json.RawMessage) *Report {
	t.Helper()
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	// The race detector delays the end of processes, and looks in /proc for its settings.
	t.Setenv("GORACE", "atexit_sleep_ms=0")
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	entry := host.Entry{Path: self, Args: []string{partServe, how}, Grants: host.Grants{Env: []string{"GORACE"}, Reads: []string{"/proc"}}, Config: config}
	var rules []string
	heard := func(rule string, n, total int) {
		if rules = append(rules, rule); n != len(rules) || n > total {
			t.Errorf("%s is rule %d of %d, after %v", rule, n, total, rules)
		}
	}
	r, err := Run(t.Context(), host.Options{Wrapper: []string{partWrap}, MemoryLimit: -1}, entry, nil, heard)
	if err != nil {
		t.Fatal(err)
	}
	for i, rule := range rules {
		if r.Findings[i].ID != rule {
			t.Errorf("rule %d is %s, told as %s", i, r.Findings[i].ID, rule)
		}
	}
	if left, err := os.ReadDir(temp); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	return r
}

// broken returns the rules that a report says are broken.
func (r *Report) broken() map[string]string {
	out := map[string]string{}
	for _, f := range r.Findings {
		if f.Broken != "" {
			out[f.ID] = f.Broken
		}
	}
	return out
}

func TestRun(t *testing.T) {
	for how, broken := range map[string]map[string]string{
		"good":    {},
		"mute":    {},
		"nan":     {"scores": "NaN"},
		"dier":    {"queries": "exit status 7"},
		"deaf":    {"cancel": "had to be killed", "deadline": "had to be killed"},
		"printer": {"stdout": "it printed"},
		"clinger": {"host": "it still ran"},
		"hanger":  {"answers": "no answer within"},
		"quitter": {"start": "cannot find my model"},
	} {
		t.Run(how, func(t *testing.T) {
			r := examined(t, how, nil)
			got := r.broken()
			for id, say := range got {
				if want, ok := broken[id]; !ok || !strings.Contains(say, want) {
					t.Errorf("%s is broken: %s", id, say)
				}
			}
			if len(got) != len(broken) || r.Broken != len(broken) {
				t.Errorf("broken are %v (%d), want %v", got, r.Broken, broken)
			}
			if mute := slices.ContainsFunc(r.Remarks, func(s string) bool {
				return strings.Contains(s, "adds no sections: its candidates carry none")
			}); mute != (how == "mute") {
				t.Errorf("it adds sections: %v, remarks %q", !mute, r.Remarks)
			}
			if rest := slices.ContainsFunc(r.Remarks, func(s string) bool {
				return strings.Contains(s, "the other rules were not examined")
			}); rest != (how == "hanger") {
				t.Errorf("other rules were left out: %v, remarks %q", rest, r.Remarks)
			}
			if how != "quitter" && how != "hanger" {
				checkReport(t, r)
			}
		})
	}
}

// checkReport checks what does not depend on the strategy.
func checkReport(t *testing.T, r *Report) {
	t.Helper()
	if r.Name != "scorer" || r.Version != "7" || r.Stage != sdk.StageRetrieve || len(r.SHA256) != 64 || !filepath.IsAbs(r.Path) {
		t.Errorf("the report is on %+v", r)
	}
	f := r.Figures
	if f.StartMS <= 0 || f.SearchP50MS <= 0 || f.SearchP95MS < f.SearchP50MS || runtime.GOOS == "linux" && f.MemoryBytes <= 0 {
		t.Errorf("figures %+v", f)
	}
	var ids []string
	for _, f := range r.Findings {
		if f.Text == "" || f.Why == "" {
			t.Errorf("%s says neither what nor why", f.ID)
		}
		ids = append(ids, f.ID)
	}
	slices.Sort(ids)
	if diff := cmp.Diff(slices.Compact(slices.Clone(ids)), ids); diff != "" {
		t.Error(diff)
	}
}

func TestConfigured(t *testing.T) {
	if broken := examined(t, "good", json.RawMessage(`{"bad":false}`)).broken(); len(broken) > 0 {
		t.Errorf("broken are %v", broken)
	}
	broken := examined(t, "good", json.RawMessage(`{"bad":true}`)).broken()
	if !strings.Contains(broken["config"], "bad is not good") || len(broken) != 1 {
		t.Errorf("broken are %v", broken)
	}
	if broken := examined(t, "good", json.RawMessage(`{"bad":0}`)).broken(); !strings.Contains(broken["config"], "bad") {
		t.Errorf("broken are %v", broken)
	}
}

func TestWhatCannotBeRun(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file.exe")
	if err := os.WriteFile(file, []byte("text"), 0o700); err != nil {
		t.Fatal(err)
	}
	plain := filepath.Join(dir, "plain")
	if err := os.WriteFile(plain, []byte("text"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		entry host.Entry
		code  toolset.Code
	}{
		{host.Entry{Path: filepath.Join(dir, "none")}, toolset.NotFound},
		{host.Entry{Path: dir}, toolset.InvalidParameter},
		{host.Entry{Path: plain}, toolset.InvalidParameter},
		{host.Entry{Path: file, Grants: host.Grants{Network: []string{"udp"}}}, toolset.InvalidParameter},
		{host.Entry{Path: file, Config: json.RawMessage("{")}, toolset.InvalidParameter},
	} {
		_, err := Run(t.Context(), host.Options{}, tc.entry, nil, nil)
		if f, ok := errors.AsType[*toolset.Error](err); !ok || f.Code != tc.code {
			t.Errorf("%+v: %v, want %s", tc.entry, err, tc.code)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Run(ctx, host.Options{}, host.Entry{Path: file}, nil, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("an interrupted run gave %v", err)
	}
}

func TestCheckStart(t *testing.T) {
	e := &examination{report: &Report{}, starts: []time.Duration{5 * time.Second, time.Second, 3 * time.Second}}
	if err := e.checkStart(); err != nil || e.report.Figures.StartMS != 3000 {
		t.Errorf("%v, %v ms", err, e.report.Figures.StartMS)
	}
	e.starts = []time.Duration{5 * time.Second, 3 * time.Second}
	if err := e.checkStart(); err == nil {
		t.Error("no start within the time of a query was good enough")
	}
}
