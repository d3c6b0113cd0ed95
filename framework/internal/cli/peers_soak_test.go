//go:build soak

package cli

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	speed "github.com/sagasu-search/sagasu/framework/internal/bench"
)

// The peers are a module of their own; this builds it, with what it downloads.
func TestPeersBuildAndAnswer(t *testing.T) {
	peers := filepath.Join(t.TempDir(), "peers")
	build := exec.Command("go", "build", "-o", peers, ".")
	build.Dir = filepath.Join(repository(t), "cmd", "peers")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	bench := exec.Command(binary+"-bench", "--workspace", sample(t), "--queries", filepath.Join(repository(t), "testdata", "gold.jsonl"),
		"--peers", peers, "--only", "build,open,bm25,find", "--rounds", "1", "--json")
	out, err := bench.Output()
	if err != nil {
		t.Fatal(err)
	}
	var r speed.Report
	if err := json.Unmarshal(out, &r); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sagasu faster than bleve", "sagasu faster than sqlite", "bleve, nDCG@10", "sqlite, nDCG@10"} {
		i := slices.IndexFunc(r.Lines, func(l speed.Line) bool { return l.Name == name })
		if i < 0 || r.Lines[i].Value <= 0 {
			t.Errorf("%s: no figure in %s", name, out)
		}
	}
}
