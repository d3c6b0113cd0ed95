package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// scaleCorpus finds the large corpus, which is no part of the project.
func scaleCorpus(b *testing.B) string {
	shared := os.Getenv("SAGASU_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "..", "..", "shared")
	}
	root := filepath.Join(shared, "eval", "scale_ja", "corpus")
	if _, err := os.Stat(root); err != nil {
		b.Skipf("no large corpus: %v", err)
	}
	return root
}

// BenchmarkScale builds an index of some 70,000 sections, checks it without a
// change, and opens it.
func BenchmarkScale(b *testing.B) {
	root, dir := scaleCorpus(b), b.TempDir()
	x, err := Open(Options{Live: true, Dir: dir, Source: corpus.ManualSource{}, Manuals: func(context.Context) ([]corpus.Manual, error) {
		return corpus.Manuals(root, nil)
	}})
	if err != nil {
		b.Fatal(err)
	}
	defer x.Close()
	var name string
	b.Run("build", func(b *testing.B) {
		for b.Loop() {
			r, err := x.Build(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			name = r.Snapshot
			b.SetBytes(r.Bytes)
			for unit, d := range map[string]Span{"walk-ms": r.Walk, "index-ms": r.Index, "write-ms": r.Write} {
				b.ReportMetric(float64(time.Duration(d).Milliseconds()), unit)
			}
			b.ReportMetric(float64(r.Sections), "sections")
			b.ReportMetric(float64(r.DiskBytes), "disk-B")
		}
	})
	b.Run("check", func(b *testing.B) {
		for b.Loop() {
			x.addPending(pendingChanges{all: true})
			_, release, err := x.acquire(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			release()
		}
	})
	for verified, label := range map[bool]string{true: "open-verified", false: "open"} {
		b.Run(label, func(b *testing.B) {
			for b.Loop() {
				snap, err := snapshot.Open(dir, name, verified)
				if err != nil {
					b.Fatal(err)
				}
				snap.Close()
			}
		})
	}
}

// BenchmarkLiving measures, on a copy of the large corpus, how long the first
// search waits for a part of the first index, and the time from saving a file
// to finding it.
func BenchmarkLiving(b *testing.B) {
	root := filepath.Join(b.TempDir(), "manuals")
	if err := os.CopyFS(root, os.DirFS(scaleCorpus(b))); err != nil {
		b.Fatal(err)
	}
	open := func(dir string) *Index {
		x, err := Open(Options{Live: true, Dir: dir, Source: corpus.ManualSource{}, Manuals: func(context.Context) ([]corpus.Manual, error) {
			return corpus.Manuals(root, nil)
		}})
		if err != nil {
			b.Fatal(err)
		}
		return x
	}
	find := func(x *Index, term string) bool {
		snap, release, err := x.acquire(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		defer release()
		return term == "" || snap.DocFreq(term) > 0
	}
	b.Run("first-part", func(b *testing.B) {
		for b.Loop() {
			x := open(b.TempDir())
			find(x, "")
			x.Close()
		}
	})
	x := open(b.TempDir())
	defer x.Close()
	if _, err := x.exclusive(b.Context(), false, nil); err != nil {
		b.Fatal(err)
	}
	n := 0
	b.Run("save-to-find", func(b *testing.B) {
		for b.Loop() {
			n++
			word := fmt.Sprintf("saved%dq", n)
			if err := os.WriteFile(filepath.Join(root, "ref-algorithm", "saved.md"), []byte("# New\n"+word), 0o600); err != nil {
				b.Fatal(err)
			}
			for !find(x, word) {
				time.Sleep(time.Millisecond)
			}
		}
	})
	b.Run("acquire", func(b *testing.B) {
		for b.Loop() {
			find(x, "")
		}
	})
}
