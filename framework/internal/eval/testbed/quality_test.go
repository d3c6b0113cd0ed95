package testbed

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/plugins"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

var (
	allSets = flag.Bool("quality", false, "TestQuality: evaluate the sets beside the checkout too")
	renew   = flag.Bool("update", false, "TestQuality: write testdata/quality.json anew")
)

// guarded are the sets outside the checkout whose figures are watched.
var guarded = []string{"en_anthropic_docs", "en_doc2dial", "en_scifact", "ja_jaquad"}

// slack is how much a figure may fall.
const slack = 0.01

// figures are the figures of a set in testdata/quality.json.
type figures map[string]float64

func figuresOf(r *eval.Report) figures {
	return figures{"ndcg@10": r.NDCG, "mrr@10": r.MRR, "recall@100": r.Recall100, "file ndcg@10": r.File.NDCG}
}

// Falls returns the names of the figures that fell by more than the slack or are missing.
func (f figures) Falls(before figures) []string {
	return slices.DeleteFunc(slices.Sorted(maps.Keys(before)), func(name string) bool {
		now, ok := f[name]
		return ok && now >= before[name]-slack
	})
}

// TestQuality watches the order of results: no figure may fall by more than .01. -update writes new figures when a
// change is worth it.
func TestQuality(t *testing.T) {
	if testing.Short() {
		t.Skip("evaluating takes too long for a short run")
	}
	path := filepath.Join(repository(t), "testdata", "quality.json")
	watched := map[string]figures{}
	src, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(src, &watched)
	}
	if err != nil && !*renew {
		t.Fatal(err)
	}
	check := func(t *testing.T, set, manuals, queries string) {
		r := evaluate(t, manuals, queries)
		got := figuresOf(r)
		t.Logf("%d queries, %v, median %.1f ms", r.Queries, rounded(got), r.P50MS)
		if *renew {
			watched[set] = rounded(got)
			return
		}
		if watched[set] == nil {
			t.Fatal("there are no figures to compare with; -update writes them")
		}
		for _, name := range got.Falls(watched[set]) {
			t.Errorf("%s fell from %.4f to %.4f", name, watched[set][name], got[name])
		}
	}
	t.Run("gold", func(t *testing.T) {
		check(t, "gold", filepath.Join(sample(t), "manuals"), filepath.Join(repository(t), "testdata", "gold.jsonl"))
	})
	for _, set := range guarded {
		t.Run(set, func(t *testing.T) {
			dir := evaluationSet(t, set)
			check(t, set, filepath.Join(dir, "corpus"), filepath.Join(dir, "queries.jsonl"))
		})
	}
	if *renew && !t.Failed() {
		writeFigures(t, path, watched)
	}
}

// evaluationSet returns a set's folder, or skips the test if it is missing.
func evaluationSet(t *testing.T, set string) string {
	t.Helper()
	if !*allSets {
		t.Skip("only with -quality")
	}
	shared := os.Getenv("SAGASU_SHARED")
	if shared == "" {
		shared = filepath.Join(repository(t), "..", "shared")
	}
	dir := filepath.Join(shared, "eval", set)
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the set is not there (SAGASU_SHARED names the folder that holds eval):", err)
	}
	return dir
}

// evaluate measures as sagasu eval does, with the default settings and the strategies in this process.
func evaluate(t *testing.T, manuals, file string) *eval.Report {
	t.Helper()
	queries, err := eval.ReadQueryFile(file)
	if err != nil {
		t.Fatal(err)
	}
	b := localTestbed(t, manuals)
	r, err := b.Evaluation(usual(t, b), queries, eval.Options{}).Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Warnings) > 0 {
		t.Errorf("searches warned: %v", r.Warnings)
	}
	return r
}

// repository returns the root of the checkout.
func repository(t testing.TB) string {
	t.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// sample returns the workspace in testdata.
func sample(t testing.TB) string { return filepath.Join(repository(t), "testdata", "workspace") }

// localTestbed returns a testbed over a folder of manuals.
func localTestbed(t *testing.T, manuals string) *Testbed {
	t.Helper()
	x, err := index.Open(index.Options{
		Dir: t.TempDir(), Source: corpus.ManualSource{},
		Manuals: func(context.Context) ([]corpus.Manual, error) { return corpus.Manuals(manuals, nil) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { x.Close() })
	view, err := x.View(t.Context(), time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	var strategies []sdk.Strategy
	for _, s := range app.Strategies(plugins.Bundled()).Of(snapshot.KindManual).Ordinary() {
		strategies = append(strategies, s.New())
	}
	local := host.InProcess(strategies...)
	t.Cleanup(func() { local.Close() })
	descriptions, _ := local.Strategies(t.Context())
	b, err := newTestbed(view, local, descriptions, search.DefaultSettings())
	if err != nil {
		t.Fatal(err)
	}
	b.entries = plugins.Bundled()
	b.configure = func(ctx context.Context, name string, keys map[string]any) (sdk.Strategy, error) {
		return b.entries.Configured(ctx, name, new(dict.Folder), keys)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// usual returns the variant without changes.
func usual(t *testing.T, b *Testbed) Variant {
	t.Helper()
	v, err := b.Variant(nil, "", nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// searchBy returns the search of a variant. With remember, it shares lists with others.
func searchBy(t *testing.T, b *Testbed, v Variant, remember bool) eval.Search {
	t.Helper()
	e, err := b.engine(t.Context(), v, remember)
	if err != nil {
		t.Fatal(err)
	}
	return ranking(e)
}

func rounded(f figures) figures {
	out := figures{}
	for name, x := range f {
		out[name] = float64(int(x*10_000+0.5)) / 10_000
	}
	return out
}

func writeFigures(t *testing.T, path string, watched map[string]figures) {
	t.Helper()
	var b bytes.Buffer
	out := json.NewEncoder(&b)
	out.SetIndent("", "  ")
	if err := out.Encode(watched); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestFallsBeyondTheSlackAreNamed(t *testing.T) {
	before := figures{"a": 0.5, "b": 0.5, "c": 0.5, "d": 0.5}
	got := figures{"a": 0.4901, "b": 0.4899, "c": 0.9}.Falls(before)
	if !slices.Equal(got, []string{"b", "d"}) {
		t.Errorf("fell: %q", got)
	}
}
