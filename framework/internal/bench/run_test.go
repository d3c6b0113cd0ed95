package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// manualsOf writes manuals and lists them.
func manualsOf(t *testing.T, files map[string]string) []corpus.Manual {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		if err := writeFile(filepath.Join(root, filepath.FromSlash(name)), []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	manuals, err := corpus.Manuals(root, nil)
	if err != nil {
		t.Fatal(err)
	}
	return manuals
}

var shelf = map[string]string{
	"oven/use.md":     "# かまどの使い方\n\n火を入れる前に灰を出す。\n\n## 掃除\n\n週に一度は煤を払う。\n",
	"oven/safety.md":  "# 安全\n\n子どもを近づけない。\n",
	"kettle/guide.md": "# Kettle\n\nFill it with water.\n\n## Descale\n\nUse vinegar once a month.\n",
}

// ours is a fake of the product: it finds sections that contain the query.
func ours(t *testing.T) Ours {
	search := func(context.Context, string) (time.Duration, error) { return time.Millisecond, nil }
	return Ours{
		BM25: func(_ context.Context, snap *snapshot.Snapshot, query string, k int) (ids []uint32, err error) {
			for id := range snap.Bound() {
				text := snap.Source(id, snapshot.FieldHeading) + snap.Source(id, snapshot.FieldBody)
				if strings.Contains(text, query) && len(ids) < k {
					ids = append(ids, id)
				}
			}
			return ids, nil
		},
		Pipelines: func(context.Context, *Home) (*Pipelines, error) {
			return &Pipelines{Local: search, Remote: search, Close: func() error { return nil }}, nil
		},
	}
}

func options(t *testing.T) Options {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", t.TempDir()) // to see what a run leaves behind
	t.Setenv("TMP", os.Getenv("TMPDIR"))
	return Options{
		Binary: self, Manuals: manualsOf(t, shelf), Limit: 2, Rounds: 2, Peer: []string{self, "peer"}, Ours: ours(t),
		Queries: []eval.Query{
			{ID: "1", Query: "煤を払う", Relevant: []eval.Target{{ManualID: "oven", Path: "use.md", StartLine: 5, Grade: 1}}},
			{ID: "2", Query: "vinegar", Relevant: []eval.Target{{ManualID: "kettle", Path: "guide.md", StartLine: 5, Grade: 1}}},
		},
	}
}

// leftovers returns the files that a run left in the folder for temporary files.
func leftovers(t *testing.T) []string {
	found, err := filepath.Glob(filepath.Join(os.TempDir(), "sagasu-bench-*"))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func (r *Report) value(t *testing.T, name string) Line {
	t.Helper()
	i := slices.IndexFunc(r.Lines, func(l Line) bool { return l.Name == name })
	if i < 0 {
		t.Fatalf("there is no figure %q in %+v", name, r.Lines)
	}
	return r.Lines[i]
}

func TestRunMeasuresEverything(t *testing.T) {
	defer goleak.VerifyNone(t)
	o := options(t)
	o.Growth, o.Before, o.Rest = []Grown{{Name: "more", Manuals: o.Manuals}}, o.Binary, time.Millisecond
	steps := map[string]bool{}
	o.Progress = func(step string, _, _ int) { steps[step] = true }
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{
		"bleve": 3600, "bleve, median": 3, "sagasu, nDCG@10": 1, "bleve, nDCG@10": 1, "sagasu's nDCG@10 above bleve": 0,
		"strategies in this process, median": 1, "more at p95": 0,
	} {
		if got := r.value(t, name).Value; got != want {
			t.Errorf("%s is %v, want %v", name, got, want)
		}
	}
	if bar := r.value(t, "50 → 50 sections, median").Bar; bar != "≤ 4" {
		t.Errorf("growth has the bar %q", bar)
	}
	if l := r.value(t, "sagasu faster than bleve"); l.Bar != "≥ 5" || l.Missed {
		t.Errorf("an index was not built 5 times as fast as in an hour: %+v", l)
	}
	if r.Data != "2 manuals, 3 files, 0.0 MB, 5 sections (ja); 2 judged queries" {
		t.Errorf("data %q", r.Data)
	}
	if runtime.GOOS == "linux" && r.value(t, "Private_Dirty of the server and its strategies").Value <= 0 {
		t.Error("no memory was used")
	}
	for _, name := range []string{"mean, the version before", "the same after 1ms of rest"} {
		if runtime.GOOS == "linux" {
			r.value(t, name)
		}
	}
	if !steps["growth"] || !steps["edits"] {
		t.Errorf("steps %v", steps)
	}
	if left := leftovers(t); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestRunWithoutPeers(t *testing.T) {
	o := options(t)
	o.Peer, o.Only = nil, []string{"bm25", "growth"}
	r, err := Run(context.Background(), o)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Notes) != 2 || slices.ContainsFunc(r.Lines, func(l Line) bool { return strings.Contains(l.Name, bleve) }) {
		t.Errorf("%+v, notes %q", r.Lines, r.Notes)
	}
}

func TestRunFails(t *testing.T) {
	defer goleak.VerifyNone(t)
	for _, tc := range []struct {
		name, want string
		change     func(o *Options)
	}{
		{"no manuals", "no section", func(o *Options) { o.Manuals = nil }},
		{"a peer that is not there", "no such file", func(o *Options) { o.Peer[0] = filepath.Join(o.Manuals[0].Dir, "none") }},
		{"a peer that dies", "out of luck", func(o *Options) { o.Peer = append(o.Peer, "dies") }},
		{"a peer that babbles", "does not speak the peers' protocol", func(o *Options) { o.Peer = append(o.Peer, "babbles") }},
		{"a peer that cannot build", "no build today", func(o *Options) { o.Peer = append(o.Peer, "build") }},
		{"a peer that cannot search", "no query today", func(o *Options) { o.Peer = append(o.Peer, "query") }},
		{"a server that is none", "sagasu mcp", func(o *Options) { o.Binary = filepath.Join(o.Manuals[0].Dir, "none") }},
		{"a search that fails", "out of terms", func(o *Options) {
			o.Ours.BM25 = func(context.Context, *snapshot.Snapshot, string, int) ([]uint32, error) {
				return nil, errors.New("out of terms")
			}
		}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			o := options(t)
			o.Rounds = 1
			tc.change(&o)
			if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, want one with %q", err, tc.want)
			}
			if left := leftovers(t); len(left) > 0 {
				t.Errorf("left behind: %v", left)
			}
		})
	}
}

func TestRunEndsWithItsContext(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts many processes")
	}
	defer goleak.VerifyNone(t)
	for _, step := range []string{"building", "BM25", "manual_find over MCP", "edits", "memory"} {
		o := options(t)
		ctx, cancel := context.WithCancel(context.Background())
		o.Progress = func(s string, _, _ int) {
			if s == step {
				cancel()
			}
		}
		if _, err := Run(ctx, o); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", step, err)
		}
		if left := leftovers(t); len(left) > 0 {
			t.Errorf("%s: left behind: %v", step, left)
		}
		cancel()
	}
}

func TestRunMeasuresOnlyWhatIsAsked(t *testing.T) {
	if testing.Short() {
		t.Skip("it starts many processes")
	}
	for only, want := range map[string][]string{
		"bm25":    {"sagasu, median", "bleve, median", "sagasu, nDCG@10"},
		"find":    {"manual_find, median", "bleve, p95"},
		"start":   {"median"},
		"command": {"median"},
		"border":  {"more per query, median"},
		"cache":   {"manual_find, median"},
	} {
		o := options(t)
		o.Only = []string{only}
		r, err := Run(context.Background(), o)
		if err != nil {
			t.Fatalf("%s: %v", only, err)
		}
		shown := map[string]bool{}
		for _, l := range r.Lines {
			shown[l.Part] = true
		}
		for _, name := range want {
			r.value(t, name)
		}
		if len(shown) != 1 {
			t.Errorf("%s: measured %v", only, shown)
		}
	}
}
