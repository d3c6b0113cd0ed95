package cases

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
	"github.com/sagasu-search/sagasu/sdk"
)

func plan(query string) sdk.Query { return sdk.Query{Raw: query} }

func TestRead(t *testing.T) {
	const line = `{"id": "1", "lang": "en", "kind": "gap/term", "query": "a kayak", "sections": [{"manual_id": "m", ` +
		`"path": "a.md", "start_line": 5, "heading": "A", "text": "b\n"}], "expect": {"conflicts": [[0, 1]], "gaps": ["kayak"]}}`
	got, err := Read(strings.NewReader(line), plan)
	if err != nil {
		t.Fatal(err)
	}
	want := []Case{{
		ID: "1", Lang: "en", Kind: "gap/term", Query: plan("a kayak"), Conflicts: [][2]int{{0, 1}}, Gaps: []string{"kayak"},
		Evidences: []section.Section{{ManualID: "m", Path: "a.md", StartLine: 5, TextLine: 6, Heading: "A", Text: "b\n"}},
	}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestReadNamesTheLine(t *testing.T) {
	_, err := Read(strings.NewReader("{}\n{\n"), plan)
	if err == nil || !strings.Contains(err.Error(), "line 2") {
		t.Errorf("error %v", err)
	}
}
