//go:build fit

package tension_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/judge/cases"
	"github.com/sagasu-search/sagasu/framework/internal/judge/tension"
)

var (
	files  = flag.String("cases", "", "TestFit: files of judged cases, separated by commas; without it, the shipped ones")
	ablate = flag.Bool("ablate", false, "TestFit: what each feature gains, by domains left out")
	marked = flag.String("sentences", "", "TestFit: file of the sentences that contradict each other in the cases, to measure alone")
	write  = flag.Bool("write", false, "TestFit: write data/weights.json")
)

// TestFit fits the weights to judged cases and shows their results with each domain left out.
func TestFit(t *testing.T) {
	var all []cases.Case
	var sources []string
	for name := range strings.SplitSeq(*files, ",") {
		path := name
		if name == "" {
			path = shipped + "fresh.jsonl"
		}
		some := readCases(t, path)
		all, sources = append(all, some...), append(sources, fmt.Sprintf("%s: %d cases", filepath.Base(path), len(some)))
	}
	f, err := tension.Fit(t.Context(), all, sentences(t, all), *ablate)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range slices.Sorted(maps.Keys(f.Tallies)) {
		y := f.Tallies[name]
		t.Logf("%-28s %3d conflicting, %3d first, %3d among three, %3d shown in %3d clean; conflicts precision %.3f recall %.3f",
			name, y.Cases, y.First, y.Three, y.Shown, y.Clean, y.Precision(), y.Recall())
	}
	t.Logf("log likelihood of a case %.4f", f.Likelihood)
	for _, name := range slices.Sorted(maps.Keys(f.Without)) {
		t.Logf("%-20s gains %+.4f", name, f.Without[name])
	}
	if y := f.Tallies["all"]; *files == "" && (y.Cases != 24 || y.First < 16) || f.Weights.Features["cover_max"] <= 0 {
		t.Errorf("%d of %d first, weight of cover_max %.2f", y.First, y.Cases, f.Weights.Features["cover_max"])
	}
	if !*write {
		return
	}
	f.Weights.Fitted, f.Weights.Sources = time.Now().UTC().Format(time.DateOnly), sources
	out, err := json.MarshalIndent(f.Weights, "", "  ")
	if err == nil {
		err = os.WriteFile("data/weights.json", append(out, '\n'), 0o644)
	}
	if err != nil {
		t.Error(err)
	}
}

// sentences fits the weights that choose the sentences to show to the marked cases of this repository.
func sentences(t *testing.T, all []cases.Case) map[string]float64 {
	weights, chosen, err := tension.FitSentences(t.Context(), readCases(t, shipped+"unfitted.jsonl"), readMarks(t, shipped+"sentences.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("sentences: %d of %d right, log likelihood %.4f", chosen.Right, chosen.Cases, chosen.Likelihood)
	if *marked != "" {
		chosen, err := tension.MeasureSentences(t.Context(), all, readMarks(t, *marked), weights)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("sentences of the cases: %d of %d right, log likelihood %.4f", chosen.Right, chosen.Cases, chosen.Likelihood)
	}
	return weights
}
