//go:build soak

package cli

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

// manyPublications writes n publications recombined from a few, 10,000 a file, and gives
// their folder.
func manyPublications(t *testing.T, from []*publication.Publication, n int) string {
	t.Helper()
	dir := t.TempDir()
	r := rand.New(rand.NewPCG(1, 2))
	pick := func() *publication.Publication { return from[r.IntN(len(from))] }
	var f *os.File
	for i := range n {
		if i%10_000 == 0 {
			if f != nil {
				f.Close()
			}
			var err error
			if f, err = os.Create(filepath.Join(dir, fmt.Sprintf("%03d.jsonl", i/10_000))); err != nil {
				t.Fatal(err)
			}
		}
		p := publication.Publication{
			PubID: fmt.Sprintf("US%011dA1", 20_200_000_000+i), Title: pick().Title, Abst: pick().Abst, Claim: pick().Claim, Desc: firstRunes(pick().Desc, 1500),
			CPC: []string{fmt.Sprintf("H%02dB%d/%02d", i%40, i%7+1, i%90)}, PublicationDate: publication.Date{Year: 2010 + i%15, Month: i%12 + 1, Day: i%28 + 1},
		}
		raw, err := p.Encode()
		if err == nil {
			_, err = f.Write(append(raw, '\n'))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	return dir
}

func firstRunes(s string, n int) string {
	r := []rune(s)
	return string(r[:min(len(r), n)])
}

// Lanes as deep as they may be, their fusion and the medians of usual searches.
// SAGASU_SOAK_PUBLICATIONS says how many publications there are; 200,000 take half an hour
// on a busy machine, most of it to write and index them.
func TestLanesOfManyPublications(t *testing.T) {
	n := 200_000
	if raw := os.Getenv("SAGASU_SOAK_PUBLICATIONS"); raw != "" {
		var err error
		if n, err = strconv.Atoi(raw); err != nil {
			t.Fatal(err)
		}
	}
	dir := manyPublications(t, sharedPatents(t), n)
	env := environment(t)
	c := connect(t, env, "--workspace", emptyWorkspace(t, env), "--publications-root", dir, "--toolsets", "rrf")
	timed := func(name string, do func()) {
		start := time.Now()
		do()
		t.Logf("%-40s %8.1f ms", name, float64(time.Since(start).Microseconds())/1000)
	}
	search := func(arguments map[string]any) (h lane.Handle) {
		return must[lane.Handle](c, "rrf_search_fulltext_raw", arguments)
	}
	for indexed := 0; indexed < n; { // a server gives what there is
		h := search(map[string]any{"query": "NOT zzzz", "top_k": 1})
		if indexed = h.HitCount; indexed < n {
			time.Sleep(time.Second)
		}
	}
	most := min(n, lane.MaxTopK)
	var runs []string
	timed("the first semantic lane, which learns", func() {
		out := must[lane.Outcomes](c, "run_multilane_search", map[string]any{"lanes": []any{map[string]any{"lane_name": "semantic", "text": "A tire with a tread of sipes.", "top_k": most}}})
		if out.Runs[0].Handle == nil {
			t.Fatalf("%+v", out.Runs[0].Error)
		}
		runs = append(runs, out.Runs[0].RunID)
	})
	timed(fmt.Sprintf("%d rows of a boolean lane", most), func() {
		h := search(map[string]any{"query": "NOT zzzz", "top_k": most})
		if h.HitCount != n || h.TopK != most || h.Truncated != (n > most) {
			t.Fatalf("%+v", h)
		}
		runs = append(runs, h.RunID)
	})
	var fused lane.Result
	timed("fusing them for the first time", func() {
		fused = must[lane.Result](c, "rrf_blend_frontier", map[string]any{"runs": runs, "target_profile": map[string]any{"cpc": map[string]any{"H01B1/01": 1}}})
		if fused.Total < most {
			t.Errorf("%d fused", fused.Total)
		}
	})
	timed("tuning the fusion", func() {
		r := must[lane.Result](c, "rrf_mutate_run", map[string]any{"base_run_id": fused.RunID, "mutate_delta": map[string]any{"beta_fuse": 0.5}})
		if r.Total != fused.Total || r.RunID == fused.RunID {
			t.Errorf("%d tuned from %d", r.Total, fused.Total)
		}
	})
	for _, query := range []string{"tire AND tread", "(battery OR cell) AND (charge OR discharge)", `"wireless communication" AND antenna`, `*N30"heat sink"`, "vehic* AND NOT tire"} {
		var took []time.Duration
		for range 7 {
			start := time.Now()
			search(map[string]any{"query": query})
			took = append(took, time.Since(start))
		}
		slices.Sort(took)
		t.Logf("%-45s median %8.1f ms", query, float64(took[3].Microseconds())/1000)
	}
}
