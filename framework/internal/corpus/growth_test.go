package corpus_test

import (
	"runtime"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// TestManySections cuts files of short lines. The memory held at the last section may be a few times the size of the
// file.
func TestManySections(t *testing.T) {
	const lines = 100_000
	for name, line := range map[string]string{"headings": "# a\n", "setext headings": "a\n-\n", "paragraphs": "a\n\n"} {
		t.Run(name, func(t *testing.T) {
			src := []byte(strings.Repeat(line, lines) + "\n# last\n")
			before := held()
			rows := corpus.ManualSource{}.Cut("a.md", src)
			n, title, peak := 0, "", 0
			for row := range rows {
				n, title = n+1, row.Title
				if title == "last" {
					peak = held() - before
				}
			}
			if title != "last" {
				t.Errorf("%d sections, the last is %q", n, title)
			}
			if per := peak / lines; per > 64 {
				t.Errorf("%d bytes per line are held", per)
			}
			runtime.KeepAlive(src)
		})
	}
}

// TestCuttingGrowsWithTheFile counts allocations at two sizes.
func TestCuttingGrowsWithTheFile(t *testing.T) {
	for name, line := range map[string]string{
		"flat": "# a\n", "nested": "# a\n## b\n### c\ntext\n", "links": "# [a](b)\n",
	} {
		cut := func(n int) float64 {
			src := []byte(strings.Repeat(line, n))
			return testing.AllocsPerRun(1, func() {
				for range (corpus.ManualSource{}).Cut("a.md", src) {
				}
			})
		}
		if few, many := cut(5000), cut(10_000); many > 2.2*few {
			t.Errorf("%s: %v allocations, of twice the file %v", name, few, many)
		}
	}
}

// TestFindingASectionKeepsNoOthers counts the bytes needed to find one of many sections.
func TestFindingASectionKeepsNoOthers(t *testing.T) {
	const lines = 100_000
	sections := corpus.Sections("a.md", []byte(strings.Repeat("# a\n", lines)+"# last\n"))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	at := corpus.SectionAt(sections, lines+1)
	meant, err := corpus.Meant(sections, 1, "last")
	runtime.ReadMemStats(&after)
	if err != nil || at.Title != "last" || meant.Start != at.Start {
		t.Fatal(at, meant, err)
	}
	// A list of sections would need 700, and the race detector needs some.
	if per := (after.TotalAlloc - before.TotalAlloc) / lines; per > 128 {
		t.Errorf("%d bytes per section", per)
	}
}

// held returns the number of bytes in use.
func held() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}
