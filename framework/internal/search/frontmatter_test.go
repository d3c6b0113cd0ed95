package search

import (
	"testing"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func TestFrontMatter(t *testing.T) {
	const head = "---\ntitle: Disks\nsort_rank: 5\n---\n"
	for name, tc := range map[string]struct {
		path string
		line int // of the text
		body string
		want int
	}{
		"before prose":           {"a.md", 1, head + "\nA disk fails.\n", len(head)},
		"of TOML":                {"a.md", 1, "+++\na = 1\n+++\nA disk fails.\n", len("+++\na = 1\n+++\n")},
		"alone":                  {"a.md", 1, head + "\n", 0},
		"below a heading":        {"a.md", 2, head + "\nA disk fails.\n", 0},
		"of a text":              {"a.txt", 1, head + "\nA disk fails.\n", 0},
		"none, but a table":      {"a.md", 1, "- a: b\n---\n", 0},
		"none, but a slide":      {"a.md", 1, "---\n\nA disk fails.\n\n---\n", 0},
		"none, but nothing else": {"a.md", 1, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			if got := frontMatter(snapshot.Section{Path: tc.path, Start: tc.line, Body: tc.line}, tc.body); got != tc.want {
				t.Errorf("%d bytes, want %d", got, tc.want)
			}
		})
	}
}
