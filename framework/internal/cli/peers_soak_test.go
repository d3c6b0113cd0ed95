//go:build soak

package cli

import (
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// The peers are a module of their own; this builds it, with what it downloads.
func TestPeersBuildAndAnswer(t *testing.T) {
	peers := filepath.Join(t.TempDir(), "peers")
	build := exec.Command("go", "build", "-o", peers, ".")
	build.Dir = filepath.Join(repository(t), "cmd", "sagasu-bench", "peers")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	bench := exec.Command(binary+"-bench", "--workspace", sample(t), "--queries", filepath.Join(repository(t), "testdata", "gold.jsonl"),
		"--peers", peers, "--only", "build,bm25,find", "--rounds", "1")
	out, err := bench.Output()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sagasu faster than bleve", "sagasu faster than sqlite", "bleve, nDCG@10", "sqlite, nDCG@10"} {
		if !regexp.MustCompile(`(?m)^\| ` + name + ` \| [0-9.]*[1-9]`).Match(out) {
			t.Errorf("%s: no figure in %s", name, out)
		}
	}
}
