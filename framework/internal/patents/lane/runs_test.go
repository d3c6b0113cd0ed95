package lane

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/patents/rankfusion"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestARunIsNamedByAllThatShapedIt(t *testing.T) {
	base := func() (Request, string) {
		return Request{Lane: "fulltext", LaneName: "fulltext_recall", Query: "電池", FeatureScope: "wide", Sort: "score", TopK: 10,
			FieldBoosts: map[string]float64{"title": 40}, Filters: publication.Filters{{Lop: "and", Field: "fi", Op: "in", Value: []string{"H01M"}}}}, "v1"
	}
	seal := func(change func(*Request, *string)) string {
		req, print := base()
		change(&req, &print)
		return (&Run{Request: &req, Collection: print}).seal(time.Now()).ID
	}
	same := seal(func(*Request, *string) {})
	if again := seal(func(*Request, *string) { time.Sleep(time.Millisecond) }); again != same {
		t.Errorf("one request is named %s and %s", same, again)
	}
	for name, change := range map[string]func(*Request, *string){
		"lane":       func(r *Request, _ *string) { r.Lane = "semantic" },
		"lane name":  func(r *Request, _ *string) { r.LaneName = "fulltext_precision" },
		"query":      func(r *Request, _ *string) { r.Query = "電池 " },
		"text":       func(r *Request, _ *string) { r.Text = "電池" },
		"filters":    func(r *Request, _ *string) { r.Filters[0].Value = []string{"H02J"} },
		"boosts":     func(r *Request, _ *string) { r.FieldBoosts["title"] = 41 },
		"scope":      func(r *Request, _ *string) { r.FeatureScope = "claims_only" },
		"sort":       func(r *Request, _ *string) { r.Sort = "date_desc" },
		"top_k":      func(r *Request, _ *string) { r.TopK = 11 },
		"collection": func(_ *Request, print *string) { *print = "v2" },
	} {
		if seal(change) == same {
			t.Errorf("another %s makes no other run", name)
		}
	}
	req, print := base()
	if (&Run{Request: &req, Collection: print, Docs: []string{"JP1"}, Scores: []float64{1}}).seal(time.Now()).ID == same {
		t.Error("another result makes no other run")
	}
}

func TestRunsSurviveARestartAndAreShared(t *testing.T) {
	dir := t.TempDir()
	first := testEngine(t, dir, cells())
	fused := blend(t, first, rankfusion.DefaultParams(), keep(t, first, "fulltext_recall", "JP1", "JP2"), keep(t, first, "semantic", "JP2", "JP3"))
	second := testEngine(t, dir, cells())
	a, err := first.runs.get(t.Context(), "run_id", fused.RunID)
	if err != nil {
		t.Fatal(err)
	}
	b, err := second.runs.get(t.Context(), "run_id", fused.RunID)
	if diff := cmp.Diff(a, b); err != nil || diff != "" {
		t.Errorf("%v %s", err, diff)
	}
	out, err := second.Mutate(t.Context(), MutateRequest{BaseRunID: fused.RunID, Limit: 10})
	if err != nil || out.Total != 3 {
		t.Errorf("%+v, %v", out, err)
	}
}

func TestAnUnknownRunNamesTheNewest(t *testing.T) {
	d := testEngine(t, t.TempDir(), cells())
	for _, id := range []string{"", "fusion-1", "../runs", "Ｆ"} {
		_, err := d.Provenance(t.Context(), RunRequest{RunID: id})
		if f := refused(t, err, toolset.RunNotFound, "run_id"); len(f.Details["newest_runs"].([]string)) != 0 {
			t.Errorf("newest of nobody: %v", f.Details)
		}
	}
	mine := keep(t, d, "fulltext", "JP1")
	_, err := d.Provenance(t.Context(), RunRequest{RunID: mine + "0"})
	f := refused(t, err, toolset.RunNotFound, "run_id")
	if !slices.Contains(f.Details["newest_runs"].([]string), mine) || !slices.Contains(f.Details["did_you_mean"].([]string), mine) {
		t.Errorf("%v", f.Details)
	}
}

func TestHandle(t *testing.T) {
	d := testEngine(t, t.TempDir(), cells())
	r, err := d.runs.get(t.Context(), "run_id", keep(t, d, "fulltext_recall", "JP1", "JP2"))
	if err != nil {
		t.Fatal(err)
	}
	h := r.Handle()
	if h.RunID != r.ID || h.RunIDLane != r.ID || h.HitCount != 12 || h.TopK != 2 || !h.Truncated || h.Meta.Query != "電池 AND 監視" {
		t.Errorf("%+v", h)
	}
}

func TestARunExpiresAlsoInMemory(t *testing.T) {
	dir := t.TempDir()
	d := testEngine(t, dir, cells())
	past := time.Now().Add(-runTTL - time.Minute)
	d.now = func() time.Time { return past }
	run := keep(t, d, "fulltext", "JP1")
	for i := range 2 * maxRecent {
		keep(t, d, "fulltext", fmt.Sprint("JP", i+2))
	}
	if _, err := d.Run(t.Context(), run); err != nil || len(d.runs.recent) != maxRecent {
		t.Errorf("%d runs in memory, %v", len(d.runs.recent), err)
	}
	if err := os.Chtimes(filepath.Join(dir, "rrf", "runs", allRuns, run), past, past); err != nil {
		t.Fatal(err)
	}
	_, err := d.Run(t.Context(), run)
	refused(t, err, toolset.RunNotFound, "run_id")
}

func TestFusingLetsItsRunsLiveOn(t *testing.T) {
	dir := t.TempDir()
	d := testEngine(t, dir, cells())
	run := keep(t, d, "fulltext", "JP1")
	file := filepath.Join(dir, "rrf", "runs", allRuns, run)
	old := time.Now().Add(-runTTL + time.Minute)
	if err := os.Chtimes(file, old, old); err != nil {
		t.Fatal(err)
	}
	blend(t, d, rankfusion.DefaultParams(), run)
	if info, err := os.Stat(file); err != nil || time.Since(info.ModTime()) > time.Hour {
		t.Errorf("the run is as old as before: %v", err)
	}
}

func TestDamagedRunsAreToldApart(t *testing.T) {
	dir := t.TempDir()
	d := testEngine(t, dir, cells())
	run := keep(t, d, "fulltext", "JP1", "JP2")
	for _, damaged := range []string{"", "{", `{"docs": ["JP1"], "scores": []}`, `{"docs": [], "scores": []}`} {
		if err := os.WriteFile(filepath.Join(dir, "rrf", "runs", allRuns, run), []byte(damaged), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := testEngine(t, dir, cells()).Run(t.Context(), run); err == nil {
			t.Errorf("%q was read", damaged)
		}
	}
}

func TestClientsShareAnEngine(t *testing.T) {
	d := testEngine(t, t.TempDir(), cells())
	a, b := keep(t, d, "fulltext_recall", "JP1", "JP2", "JP5"), keep(t, d, "semantic", "JP2", "JP3")
	want := blend(t, d, tuned(), a, b)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			beta := 1.2
			out, err := d.Mutate(t.Context(), MutateRequest{BaseRunID: want.RunID, Delta: Delta{Beta: &beta}, Limit: 9})
			if err != nil || cmp.Diff(want.RankedDocs[:3], out.RankedDocs[:3]) != "" {
				t.Errorf("client %d: %+v, %v", i, out, err)
			}
			if _, err := d.Provenance(t.Context(), RunRequest{RunID: want.RunID}); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
}
