package audit_test

import (
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
)

// holds checks what is true of every artifact.
func holds(t *testing.T, name, artifact string) {
	if corpus.NotText([]byte(artifact)) != "" {
		return
	}
	a := audit.Read(t.Context(), name, []byte(artifact))
	last := corpus.NewLines([]byte(artifact)).Count()
	r, err := audit.Check(t.Context(), a, []byte(artifact), audit.Options{SourcePath: name, MinCoverage: 0.9, MinGain: 0.02})
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range a.Elements {
		if e.Line < 1 || e.Line > last {
			t.Errorf("element %+v of %d lines", e, last)
		}
	}
	for _, f := range r.Findings {
		if f.Line < 1 || f.Line > last || f.Message == "" {
			t.Errorf("finding %+v of %d lines", f, last)
		}
	}
	if r.RootlessNodes+r.OrphanBranches+r.OneWayRefs+r.Unsupported != r.Total || len(r.Findings) != min(r.Total, audit.MaxFindings) || len(r.NextActions) == 0 {
		t.Errorf("%+v", r)
	}
}

func FuzzMarkdown(f *testing.F) {
	for _, seed := range []string{
		"# T\n\n- x (source_lines: 3)\n", "<!-- source_lines: 1 -->\n- a\n  - b\n", "|a|source_lines|\n|-|-|\n|b|1|", "```mermaid\ngraph\nA-->B\n",
		"[x](#y) ↔ [y](#z)", "- <!-- source_lines: 1,\n2 -->", "> - q\n>   ```mermaid\n> flowchart\n> A", "---\na: b\n---\n\n# source_lines: 9",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) { holds(t, "a.md", src) })
}

func FuzzJSON(f *testing.F) {
	for _, seed := range []string{
		`{"id":"a","next":"b","source_lines":"1"}`, `[{"id":1,"source_lines":[1,"2-3",[4,5],{"start_line":1}]},`, `{"nodes":[{"id":"a"}],"edges":[{"from":"a","to":"b"}]}`,
		`{"id":"a","children":["b"],"x":{"id":"b","parent":"a"}}`, "{\n\"id\"", strings.Repeat("[", 20000),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, src string) { holds(t, "a.json", src) })
}
