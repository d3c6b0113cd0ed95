package audit_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
)

// expectation is what an *.expect.json says of a sample: its source, the
// defects planted in it, and whether it then needs a full scan.
type expectation struct {
	Source   string    `json:"source"`
	FullScan bool      `json:"needs_forced_full_scan"`
	Findings []planted `json:"findings"`
}

type planted struct {
	Kind audit.FindingKind `json:"kind"`
	Line int               `json:"line"`
	Node string            `json:"node,omitempty"`
}

func TestSamples(t *testing.T) {
	for _, folder := range []string{"samples", "fresh"} {
		dir := filepath.Join("..", "..", "..", "..", "testdata", "audit", folder)
		files, err := filepath.Glob(filepath.Join(dir, "*.expect.json"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no samples in %s: %v", dir, err)
		}
		for _, file := range files {
			name := strings.TrimSuffix(filepath.Base(file), ".expect.json")
			t.Run(folder+"/"+name, func(t *testing.T) { checkSample(t, dir, name) })
		}
	}
}

func checkSample(t *testing.T, dir, name string) {
	var want expectation
	if err := json.Unmarshal(readFile(t, dir, name+".expect.json"), &want); err != nil {
		t.Fatal(err)
	}
	report := auditOf(t, name, readFile(t, dir, name), readFile(t, dir, want.Source), audit.Options{SourcePath: want.Source, MinCoverage: 0.9, MinGain: 0.02})
	got := []planted{}
	for _, f := range report.Findings {
		p := planted{Kind: f.Kind, Line: f.Line}
		if f.NodeID != nil {
			p.Node = *f.NodeID
		}
		t.Log(f.Line, f.Kind, f.Message)
		got = append(got, p)
	}
	byLine := func(a, b planted) int { return strings.Compare(key(a), key(b)) }
	slices.SortFunc(got, byLine)
	slices.SortFunc(want.Findings, byLine)
	if diff := cmp.Diff(want.Findings, got); diff != "" {
		t.Errorf("planted and found differ:\n%s", diff)
	}
	if report.NeedsForcedFullScan != want.FullScan {
		t.Errorf("needs_forced_full_scan %t, coverage %v, uncovered %v", report.NeedsForcedFullScan, *report.CoverageRatio, report.Uncovered)
	}
}

func key(p planted) string { return string(rune('0'+p.Line)) + string(p.Kind) + p.Node }

func readFile(t *testing.T, dir, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func auditOf(t *testing.T, name string, artifact, source []byte, o audit.Options) audit.Report {
	t.Helper()
	a := audit.Read(t.Context(), name, artifact)
	report, err := audit.Check(t.Context(), a, source, o)
	if err != nil {
		t.Fatal(err)
	}
	return report
}
