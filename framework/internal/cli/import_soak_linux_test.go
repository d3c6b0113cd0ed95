//go:build soak

package cli

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// TestMemoryOfCollections imports one file of publications, and indexes what became of it, at 20,000 and at
// SAGASU_SOAK_PUBLICATIONS (1,000,000): each process stays below 1 GB, however many there are.
func TestMemoryOfCollections(t *testing.T) {
	most := 1_000_000
	if raw := os.Getenv("SAGASU_SOAK_PUBLICATIONS"); raw != "" {
		var err error
		if most, err = strconv.Atoi(raw); err != nil {
			t.Fatal(err)
		}
	}
	const bound = 1 << 20 // in KB
	from := sharedPatents(t)
	for _, n := range []int{20_000, most} {
		width := min(1500, 300_000_000/n) // so that a disk holds them
		env, dir := environment(t), t.TempDir()
		workspace, in, out := emptyWorkspace(t, env), filepath.Join(dir, "in.xml"), filepath.Join(dir, "all.jsonl")
		f, err := os.Create(in)
		if err != nil {
			t.Fatal(err)
		}
		for i := range n {
			p := from[i%len(from)]
			text := firstRunes(from[i*7%len(from)].Desc, width)
			if _, err := fmt.Fprintf(f, `<?xml version="1.0" encoding="UTF-8"?>
<us-patent-application><us-bibliographic-data-application><publication-reference><document-id><country>US</country><doc-number>%d</doc-number><kind>A1</kind></document-id></publication-reference>
<invention-title>%s %d</invention-title></us-bibliographic-data-application><abstract><p>%s</p></abstract><description><p>%s</p></description></us-patent-application>
`, 20_200_000_000+i, escaped(p.Title), i, escaped(firstRunes(p.Abst, width)), escaped(text)); err != nil {
				t.Fatal(err)
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{
			{"import", in, "--out", out}, {"index", "--workspace", workspace, "--publications-root", out},
		} {
			c := exec.Command(binary, args...)
			c.Env = env
			if said, err := c.CombinedOutput(); err != nil {
				t.Fatalf("%v: %v\n%s", args, err, said)
			}
			os.Remove(in) // the second needs the output alone
			peak := c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss
			t.Logf("%d publications, %s: %d MB at most", n, args[0], peak>>10)
			if peak > bound {
				t.Errorf("%s of %d publications took %d MB", args[0], n, peak>>10)
			}
		}
	}
}

var escaped = strings.NewReplacer("&", "&amp;", "<", "&lt;").Replace
