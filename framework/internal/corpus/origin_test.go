package corpus

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// TestPagesOfLines cites the first to the last page of some lines, whatever their order.
func TestPagesOfLines(t *testing.T) {
	o := Origin{Document: "a.pdf", Places: Places{{Line: 1, Page: 4}, {Line: 5, Page: 5}, {Line: 9, Page: 4}, {Line: 12, Page: 5}}}
	for _, tc := range []struct {
		name                    string
		first, last, page, upTo int
	}{
		{"one page", 1, 4, 4, 0},
		{"on to the next", 3, 6, 4, 5},
		{"a footnote of the page before", 6, 9, 4, 5},
		{"text behind it", 10, 13, 4, 5},
		{"all", 1, 20, 4, 5},
		{"before the first", 0, 0, 0, 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			want := &toolset.Source{Path: "a.pdf", Page: tc.page, LastPage: tc.upTo}
			if diff := cmp.Diff(want, o.span(tc.first, tc.last)); diff != "" {
				t.Error(diff)
			}
		})
	}
}
