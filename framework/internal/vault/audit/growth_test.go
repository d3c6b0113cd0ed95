package audit_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
)

// An audit allocates in proportion to the artifact, whatever piece it repeats.
func TestAuditGrowsLinearly(t *testing.T) {
	allocated := func(name, piece string, n int) uint64 {
		artifact, source := []byte("# x\n\n"+strings.Repeat(piece, n)), []byte(ten)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		o := audit.Options{Lookup: func(string) ([]byte, bool) { return artifact, true }}
		if _, err := audit.Check(t.Context(), audit.Read(t.Context(), name, artifact), source, o); err != nil {
			t.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		return after.TotalAlloc - before.TotalAlloc
	}
	for _, piece := range []string{
		"# a\n", "# a\n\nb\n\n", strings.Repeat("b", 500) + "\n\n", "# \n", "## a {#b}\n", "- a\n", "- a <!-- source_lines: 3 -->\n", "<!-- source_lines: 3 --> ", "<b>x</b> ",
		"<a id=\"b\"></a> ", "[x](#x) ", "↔ [x](#x)\n", "[x](b.md#x)\n", "[x](b.md#y) ", "| a | 5円 |\n", "> ", "- > ", "1. a\n\n   b\n\n", "5円 ", "```\n",
	} {
		const n = 1000
		allocated("a.md", piece, 10)
		short, long := allocated("a.md", piece, n), allocated("a.md", piece, 2*n)
		if long > 3*short+1<<20 {
			t.Errorf("%.20q allocates %d bytes %d times, %d bytes %d times", piece, short, n, long, 2*n)
		}
	}
}

// A linked file is read once for all links that lead there, and not at all after the context ends.
func TestLinkedFilesAreReadOnce(t *testing.T) {
	artifact := []byte(strings.Repeat("[x](b.md#y) [z](b.md) ", 100))
	reads := 0
	o := audit.Options{Lookup: func(string) ([]byte, bool) { reads++; return []byte("# y\n"), true }}
	if _, err := audit.Check(t.Context(), audit.Read(t.Context(), "a.md", artifact), []byte(ten), o); err != nil || reads != 1 {
		t.Errorf("%d reads, error %v; want 1 read", reads, err)
	}
}

// Each of these would keep an audit with quadratic running time busy for many minutes.
func TestHostile(t *testing.T) {
	const most = 400_000 // bytes
	islands := new(strings.Builder)
	for i := 0; islands.Len() < most; i++ {
		fmt.Fprintf(islands, "a%d-->b%d\n", i, i)
	}
	for name, tc := range map[string]struct{ file, text string }{
		"arrows":                     {"a.mmd", "graph TD\n" + strings.Repeat("a-->b\n", most/6)},
		"branches":                   {"a.mmd", "graph TD\n" + islands.String()},
		"labels that do not end":     {"a.mmd", "graph TD\n" + strings.Repeat("a>\n", most/3)},
		"attributes that do not end": {"a.mmd", "graph TD\n" + strings.Repeat("k:::c;n@{\n", most/10)},
		"edges of subgraphs": {"a.mmd", "graph TD\nsubgraph s\n" + strings.Repeat("a&", most/30) + "a\nend\n" +
			strings.Repeat("s-->s\n", most/12)},
		"links both ways": {"a.md", strings.Repeat("↔ [x](#x)\n\n", most/12) + "# x\n\n" + strings.Repeat("[y](#y)\n\n", most/9) + "# y\n"},
	} {
		t.Run(name, func(t *testing.T) {
			a := audit.Read(t.Context(), tc.file, []byte(tc.text))
			if r, err := audit.Check(t.Context(), a, []byte(ten), audit.Options{}); err != nil || r.Total == 0 {
				t.Errorf("%d findings, error %v", r.Total, err)
			}
		})
	}
}
