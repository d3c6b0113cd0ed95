package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// skippedPage is a page of manual_hits with kind skipped.
type skippedPage struct {
	Total int `json:"total"`
	Items []struct {
		ManualID string `json:"manual_id"`
		Path     string `json:"path"`
		Reason   string `json:"reason"`
	} `json:"items"`
}

// A client is told of every file that cannot be searched: counted by manual_find, listed by
// manual_hits, marked by manual_ls and manual_toc, and never searched again.
func TestNothingIsLeftOutInSilence(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("it has no such links and permissions")
	}
	dir := oddFolder(t, []oddFile{
		{name: "plain.md", content: "# Plain\nplainword\n"},
		{name: "nul.md", content: "# N\n\x00"},
		{name: "noise.json", content: "\"\xff\x01\x02\""},
		{name: "large.md"},
		{name: "closed.md", content: "# Closed\n"},
		{name: "link.md", link: "plain.md"},
		{name: "folder.md/inner.md", content: "# Inner\nplainword\n"},
	})
	odd := filepath.Join(dir, "manuals", "odd")
	if err := os.Truncate(filepath.Join(odd, "large.md"), corpus.MaxSize+1); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Join(odd, "closed.md"), 0); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{
		"large.md": "too large: ", "link.md": "symbolic link", "nul.md": skipNUL, "noise.json": skipBytes,
	}
	if f, err := os.Open(filepath.Join(odd, "closed.md")); err != nil {
		want["closed.md"] = "closed.md cannot be read"
	} else { // permissions do not bind this user
		f.Close()
	}
	other := filepath.Join(dir, "manuals", "other", "a.md")
	if err := os.MkdirAll(filepath.Dir(other), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(other, []byte("# A\nplainword\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	c := connect(t, environment(t), "--workspace", dir)
	same := func(where string, got map[string]string) {
		t.Helper()
		for path, reason := range got {
			if want[path] != "" && strings.HasPrefix(reason, want[path]) {
				got[path] = want[path]
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", where, diff)
		}
	}

	listed := map[string]string{} // before the first search
	for _, item := range must[manuals.Listing](c, "manual_ls", map[string]any{"id": "odd"}).Items {
		if item.Skipped != "" {
			listed[item.Path] = item.Skipped
		}
	}
	same("manual_ls", listed)
	contents := map[string]string{}
	for _, s := range must[manuals.Toc](c, "manual_toc", map[string]any{"manual_id": "odd"}).Skipped {
		contents[s.Path] = s.Reason
	}
	same("manual_toc", contents)

	answer := must[search.Answer](c, "manual_find", map[string]any{"query": "plainword", "budget": map[string]any{"max_candidates": 1}})
	if answer.Summary.SkippedFiles != len(want) || answer.Summary.Candidates != 1 {
		t.Errorf("summary %+v, want %d skipped files", answer.Summary, len(want))
	}
	hits := map[string]string{}
	for offset := range len(want) {
		page := must[skippedPage](c, "manual_hits", map[string]any{"trace_id": answer.TraceID, "kind": "skipped", "offset": offset, "limit": 1})
		if page.Total != len(want) || len(page.Items) != 1 || page.Items[0].ManualID != "odd" {
			t.Fatalf("page %+v", page)
		}
		hits[page.Items[0].Path] = page.Items[0].Reason
	}
	same("manual_hits", hits)

	for what, arguments := range map[string]map[string]any{
		"what was left":  {"query": "plainword", "only_unscanned_from_trace_id": answer.TraceID},
		"another manual": {"query": "plainword", "manual_id": "other", "expand_scope": false},
	} {
		again := must[search.Answer](c, "manual_find", arguments)
		page := must[skippedPage](c, "manual_hits", map[string]any{"trace_id": again.TraceID, "kind": "skipped"})
		if again.Summary.SkippedFiles+page.Total+len(page.Items) > 0 || again.Summary.Candidates == 0 {
			t.Errorf("%s: summary %+v, listed %+v", what, again.Summary, page)
		}
	}
}
