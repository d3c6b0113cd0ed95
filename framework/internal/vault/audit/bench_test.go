package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
)

// BenchmarkAudit shows that time grows with the size and not faster: shapes
// that once took its square.
func BenchmarkAudit(b *testing.B) {
	for name, part := range map[string]string{
		"list.md":    "- item %[1]d\n<!-- source_lines: 3 -->\n",
		"notes.md":   "<!-- source_lines: 3 -->\n<!-- %[1]d %[2]d -->\n",
		"links.md":   "# h%[1]d\n↔ [x](#h%[2]d)\n",
		"chart.mmd":  "n%[1]d[x] --> n%[2]d %%%% source_lines: 3\n%%%% n%[1]d source_lines: 4\n",
		"chain.json": `{"id":"n%[1]d","next":"n%[2]d","prev":"m","source_lines":3},` + "\n",
	} {
		for _, n := range []int{1000, 4000} {
			var src strings.Builder
			src.WriteString(map[string]string{"chart.mmd": "graph TD\n", "chain.json": "["}[name])
			for i := range n {
				fmt.Fprintf(&src, part, i, i+1)
			}
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				for b.Loop() {
					a := audit.Read(b.Context(), name, []byte(src.String()))
					if _, err := audit.Check(b.Context(), a, []byte(ten), audit.Options{}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}
