//go:build soak

package cli

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A page of 200 MB costs its end alone.
func TestHugePage(t *testing.T) {
	home, root := t.TempDir(), t.TempDir()
	manual := filepath.Join(root, "manuals", "m")
	if err := os.MkdirAll(manual, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(manual, "good.md"), []byte("# Bees\n\nHoney.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(filepath.Join(manual, "huge.html"))
	if err != nil {
		t.Fatal(err)
	}
	w := bufio.NewWriter(f)
	for n, i := 0, 0; n < 200<<20 && err == nil; i++ {
		var k int
		k, err = fmt.Fprintf(w, "<h2 id=s%d>Section %d</h2><p>Keeper %d is paid %d yen for his work.</p>\n", i, i, i, i)
		n += k
	}
	if err != nil || w.Flush() != nil || f.Close() != nil {
		t.Fatal(err)
	}
	out := sagasuIn(t, home, "index", "--workspace", root)
	if !strings.Contains(out, "m/huge.html: read in part: the page is too large, its end was not read") {
		t.Error(out)
	}
	if out := sagasuIn(t, home, "find", "honey", "--workspace", root); !strings.Contains(out, "1. m/good.md:1  Bees") {
		t.Error(out)
	}
}
