package convert

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk"
)

// some returns a result to store.
func some() *kept {
	return &kept{
		text: []byte("# One\n\ntext\n"), Places: corpus.Places{{Line: 1, Page: 3}}, Encoding: "euc-jp",
		Problems: []sdk.Problem{{Place: sdk.Place{Page: 4}, Reason: "no text"}},
	}
}

func TestCache(t *testing.T) {
	c := &cache{dir: filepath.Join(t.TempDir(), "below", "documents")}
	if _, ok := c.get("k"); ok {
		t.Error("something is kept before anything was")
	}
	must(t, c.put("k", some()))
	got, ok := c.get("k")
	want := some()
	want.Sum = sumOf(want.text)
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(kept{})); !ok || diff != "" {
		t.Error(ok, diff)
	}
	head, ok := c.head("k")
	if want.text = nil; !ok || !cmp.Equal(want, head, cmp.AllowUnexported(kept{})) {
		t.Error(ok, cmp.Diff(want, head, cmp.AllowUnexported(kept{})))
	}
	many := some()
	for i := range 10_000 {
		many.Places = append(many.Places, corpus.Placed{Line: i + 2, Page: i + 4})
	}
	must(t, c.put("many", many))
	if head, ok := c.head("many"); !ok || len(head.Places) != len(many.Places) {
		t.Error("a head of many places is lost")
	}
	if left, _ := filepath.Glob(filepath.Join(c.dir, tempName+"*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

func TestSweep(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	write := func(name string, size int, age time.Duration) {
		path := filepath.Join(dir, name)
		must(t, os.WriteFile(path, bytes.Repeat([]byte("x"), size), 0o600))
		must(t, os.Chtimes(path, now, now.Add(-age)))
	}
	write("new.text", 40, 0)
	write("used.text", 40, time.Hour)
	write("last.text", 40, 2*time.Hour)
	write("old.text", 1, 2*maxAge)
	write("other", 1000, 2*maxAge)
	write(tempName+"1", 1, 0)
	write(tempName+"2", 1, 2*touchAfter)
	sweep(dir, now, 100)
	var left []string
	entries, err := os.ReadDir(dir)
	must(t, err)
	for _, e := range entries {
		left = append(left, e.Name())
	}
	if diff := cmp.Diff([]string{tempName + "1", "new.text", "other", "used.text"}, left); diff != "" {
		t.Error(diff)
	}
}

// FuzzCache reads a file that anything may have written. The result is a text with places in order, or nothing.
func FuzzCache(f *testing.F) {
	c := &cache{dir: f.TempDir()}
	if err := c.put("k", some()); err != nil {
		f.Fatal(err)
	}
	good, err := os.ReadFile(filepath.Join(c.dir, "k"+extension))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(good)
	f.Add([]byte(sumOf([]byte("null")) + "\nnull\n"))
	f.Add([]byte(strings.Repeat("\n", 3)))
	f.Fuzz(func(t *testing.T, data []byte) {
		must(t, os.WriteFile(filepath.Join(c.dir, "k"+extension), data, 0o600))
		got, ok := c.get("k")
		if !ok {
			return
		}
		if corpus.NotText(got.text) != "" && corpus.NotText(got.text) != "it holds NUL bytes" {
			t.Errorf("it is no text: %q", got.text)
		}
		if sumOf(got.text) != got.Sum {
			t.Error("another text is read than was written")
		}
		got.Places.At(1)
	})
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
