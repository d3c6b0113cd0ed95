package corpus_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestMeantSections(t *testing.T) {
	sections := corpus.Sections("a.md", []byte("---\ntitle: 案内\n---\n前文\n# 一\n## ガイド *x*\n## 条件\n# 二\n## 条件\n本文\n### 細目\n細\n"))
	for _, c := range []struct {
		name  string
		line  int
		title string
		want  int // line on which the section begins, 0 for a conflict
	}{
		{"no title", 11, "", 11},
		{"in place", 9, "条件", 9},
		{"a line inside", 10, "条件", 9},
		{"the section around", 12, "条件", 9},
		{"moved, the nearest above", 8, "条件", 7},
		{"moved down", 1, "細目", 11},
		{"behind the end of the file", 99, "一", 5},
		{"without markup", 1, "ガイド x", 6},
		{"composed otherwise", 1, norm.NFD.String("ガイド x"), 6},
		{"before the first heading", 99, "案内", 1},
		{"gone", 9, "料金", 0},
		{"part of a title", 9, "条", 0},
	} {
		at, err := corpus.Meant(sections, c.line, c.title)
		if c.want == 0 {
			if err == nil || err.Code != toolset.Conflict || err.Details["got"] != c.title || err.Details["expected"] != "条件" {
				t.Errorf("%s: %v, %v", c.name, at, err)
			}
		} else if err != nil || at.Start != c.want {
			t.Errorf("%s: line %d, %v, want %d", c.name, at.Start, err, c.want)
		}
	}
}

func TestGoneTitlesAreSuggested(t *testing.T) {
	_, err := corpus.Meant(corpus.Sections("a.md", []byte("# Returns\n# Warranty\n")), 1, "Waranty")
	if err == nil || !cmp.Equal(err.Details["did_you_mean"], []string{"Warranty"}) {
		t.Errorf("%v", err)
	}
}
