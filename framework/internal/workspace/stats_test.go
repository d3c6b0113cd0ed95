package workspace_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

func TestStatsFile(t *testing.T) {
	b := newBench(t)
	step := func(what, dir, name string) {
		t.Helper()
		gotDir, gotName := vault.StatsFile(b.mustLoad())
		if gotDir != dir || gotName != name {
			t.Errorf("%s: %s and %s, want %s and %s", what, gotDir, gotName, dir, name)
		}
	}
	w := b.mustLoad()
	step("no vault", w.StateHome, filepath.Base(w.StateDir())+"/adaptive_stats.jsonl")
	if err := os.MkdirAll(w.StateDir(), 0o700); err != nil {
		t.Fatal(err)
	}
	step("no vault, a state directory", w.StateDir(), "adaptive_stats.jsonl")
	b.guest("adaptive_stats_path = \"vault/.system/mine.jsonl\"\n")
	step("workspace file, no vault", w.StateDir(), "adaptive_stats.jsonl")
	b.guest("")
	folder := filepath.Join(b.root, "vault")
	b.write(filepath.Join(folder, "note.md"), "# note\n")
	step("vault", folder, ".system/adaptive_stats.jsonl")
	b.guest("adaptive_stats_path = \"vault/.system/deep/mine.jsonl\"\n")
	step("workspace file", b.root, "vault/.system/deep/mine.jsonl")
	b.guest("adaptive_stats_path = \"${VAULT_ROOT}/.system/s.jsonl\"\n")
	step("workspace file, with a variable", b.root, "vault/.system/s.jsonl")
	b.guest("")
	b.user("adaptive_stats_path = \"" + filepath.ToSlash(filepath.Join(b.home, "mine", "s.jsonl")) + "\"\n")
	step("user's file", b.home, "mine/s.jsonl")
	b.env["ADAPTIVE_STATS_PATH"] = filepath.Join(b.home, "far", "s.jsonl")
	step("environment", b.home, "far/s.jsonl")
}

// A vault that is a link out of the workspace may be a stranger's: nothing is written there unless the user names it.
func TestStatsFileOfALinkedVault(t *testing.T) {
	b := newBench(t)
	link, outside := filepath.Join(b.root, "vault"), realDir(t)
	if err := os.Symlink(outside, link); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if dir, _ := vault.StatsFile(b.mustLoad()); dir != b.mustLoad().StateHome {
		t.Errorf("statistics go to %s", dir)
	}
	b.env["VAULT_ROOT"] = link
	if dir, name := vault.StatsFile(b.mustLoad()); dir != link || name != ".system/adaptive_stats.jsonl" {
		t.Errorf("the user's own vault: %s, %s", dir, name)
	}
}
