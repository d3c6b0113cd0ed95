package vault_test

import (
	"bufio"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

// writer starts this binary as a writer.
func writer(t *testing.T, role, dir, name string) (*exec.Cmd, io.WriteCloser, io.Reader) {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	cmd := exec.Command(self)
	cmd.Env = append(os.Environ(), envRole+"="+role, envVault+"="+dir, envName+"="+name)
	cmd.Stderr = os.Stderr
	in, err := cmd.StdinPipe()
	must(t, err)
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	return cmd, in, out
}

// A writer is killed at any moment after its first write: every file is whole, what
// was acknowledged is there, and every earlier version can be read.
func TestKilledWriters(t *testing.T) {
	base := t.TempDir()
	dir := filepath.Join(base, "vault")
	must(t, os.MkdirAll(filepath.Join(base, "manuals", "m"), 0o755))
	must(t, os.MkdirAll(dir, 0o755))
	acked := map[string]int{}
	v := vault.New(options(dir))
	writes := 0
	for round := range kills {
		cmd, _, out := writer(t, "crash", dir, strconv.Itoa(round))
		begun := false
		for s := bufio.NewScanner(out); s.Scan(); {
			if !begun {
				time.AfterFunc(time.Duration(rand.IntN(60_000))*time.Microsecond, func() { cmd.Process.Kill() })
				begun = true
			}
			var name string
			var n int
			if _, err := fmt.Sscanf(s.Text(), "ack %s %d", &name, &n); err != nil {
				t.Fatalf("the writer said %q", s.Text())
			}
			acked[name] = n
			writes++
		}
		cmd.Wait()
		checkCrashed(t, v, dir, acked)
	}
	if writes < kills || len(acked) < 4 {
		t.Errorf("only %d writes in %d files were acknowledged", writes, len(acked))
	}
	t.Logf("%d kills, %d acknowledged writes, %d files", kills, writes, len(acked))
	leftovers(t, dir)
}

func checkCrashed(t *testing.T, v *vault.Vault, dir string, acked map[string]int) {
	t.Helper()
	for name, n := range acked {
		if strings.HasPrefix(name, "drafts/") {
			delete(acked, name) // checked once, then it stays
		}
		text := get(t, dir, name)
		got := lastNumber(name, text)
		if got != n && (got != n+1 || strings.HasPrefix(name, "drafts/")) {
			t.Fatalf("%s is at %d, %d was acknowledged", name, got, n)
		}
		checkWhole(t, name, text, got)
		if !strings.HasPrefix(name, "drafts/") {
			acked[name] = got // what was written and not acknowledged stays, too
		}
	}
	for _, name := range []string{"artifacts/over.md", "artifacts/copy.md", "artifacts/count.md"} {
		versions, _ := v.Log(name)
		for _, version := range versions[:min(5, len(versions))] {
			text, _, err := v.Show(name, version.ID)
			if err != nil {
				t.Fatalf("version %s of %s: %v", version.ID, name, err)
			}
			checkWhole(t, name, string(text), lastNumber(name, string(text)))
		}
	}
	files, err := os.ReadDir(filepath.Join(dir, "drafts", "new"))
	if err != nil {
		return
	}
	for _, f := range files {
		if !strings.HasPrefix(f.Name(), ".") {
			checkWhole(t, "drafts/new", get(t, dir, "drafts/new/"+f.Name()), 0)
		}
	}
	must(t, os.RemoveAll(filepath.Join(dir, "drafts", "new")))
}

// checkWhole holds that a text is one that was written.
func checkWhole(t *testing.T, name, text string, n int) {
	t.Helper()
	switch name {
	case crashDay:
		for i, line := range strings.SplitAfter(strings.TrimSuffix(text, "\n"), "\n") {
			if strings.TrimSuffix(line, "\n")+"\n" != entry(i+1) {
				t.Fatalf("%s: entry %d is %q", name, i+1, line)
			}
		}
	case "artifacts/count.md":
		if text != fmt.Sprintf("count: %d\n", n)+strings.Repeat("padding\n", 3000) {
			t.Fatalf("%s is torn at %d", name, n)
		}
	default:
		if _, err := numberOf(text); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
}

// Eight processes write into the same two files: nothing is lost and nothing mixed.
func TestWritersTogether(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vault")
	v := vault.New(options(dir))
	_, err := v.Create(t.Context(), vault.CreateArgs{Path: rootfs.Path(day), Content: ""})
	must(t, err)
	_, err = v.Create(t.Context(), vault.CreateArgs{Path: "artifacts/count.md", Content: "count: 0\n"})
	must(t, err)
	const processes = 8
	var outs [processes]io.Reader
	var ins [processes]io.WriteCloser
	var cmds [processes]*exec.Cmd
	for i := range processes {
		cmds[i], ins[i], outs[i] = writer(t, "together", dir, string(rune('a'+i)))
	}
	time.Sleep(together)
	total, appended := 0, map[string]int{}
	for i := range processes {
		ins[i].Close()
	}
	for i := range processes {
		said, err := io.ReadAll(outs[i])
		must(t, err)
		var n, counted int
		if _, err := fmt.Sscan(string(said), &n, &counted); err != nil {
			t.Fatalf("writer %d said %q", i, said)
		}
		cmds[i].Wait()
		appended[string(rune('a'+i))], total = n, total+counted
	}
	seen := map[string]int{}
	for _, line := range strings.Split(strings.TrimSuffix(get(t, dir, day), "\n"), "\n") {
		var name, tail string
		var n int
		if _, err := fmt.Sscanf(line, "- %s %d %s", &name, &n, &tail); err != nil || tail != strings.Repeat(name, 50) || n != seen[name]+1 {
			t.Fatalf("after %d of %s comes %q", seen[name], name, line)
		}
		seen[name] = n
	}
	entries := 0
	for name, n := range appended {
		if entries += n; seen[name] != n {
			t.Errorf("writer %s appended %d entries, %d are there", name, n, seen[name])
		}
	}
	if got := lastNumber("artifacts/count.md", get(t, dir, "artifacts/count.md")); got != total || total == 0 {
		t.Errorf("counted to %d, %d were acknowledged", got, total)
	}
	t.Logf("%d entries, %d replacements", entries, total)
	if left := leftovers(t, dir); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
