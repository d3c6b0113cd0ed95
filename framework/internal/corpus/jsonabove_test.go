package corpus_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

func TestWhatNamesAPlaceInJSON(t *testing.T) {
	long := strings.Repeat("long ", 50)
	for name, tc := range map[string]struct {
		src  string
		want string // above HERE
	}{
		"the name and the short texts of an object": {`{"faq": {"title": "Fees", "n": 3, "text": "HERE"}}`, "faq Fees"},
		"not what stands below":                     {`{"text": "HERE", "title": "Fees"}`, ""},
		"not what stands in a sibling":              {`[{"title": "Fees", "x": {"y": "z"}}, {"title": "Rules", "text": "HERE"}]`, "Rules"},
		"not the elements of a list":                {`{"tags": ["a", "b", "HERE"]}`, "tags"},
		"not a long text":                           {`{"intro": "` + long + `", "title": "Fees", "text": "HERE"}`, "Fees"},
		"not many short texts":                      {`{` + strings.Repeat(`"k": "123456789",`, 100) + `"text": "HERE"}`, strings.TrimSpace(strings.Repeat("123456789 ", 20))},
		"the outermost of many levels":              {strings.Repeat(`{"`+long[:150]+`": `, 100) + `"HERE"`, strings.TrimSpace(strings.Repeat(long[:150], 13))},
		"the names within a member":                 {`{"paths": {"/pets": {"get": "HERE"}}}`, "paths /pets"},
		"in a file with a byte order mark":          {"\ufeff" + `{"title": "Fees", "text": "HERE"}`, "Fees"},
		"nothing behind an error":                   {`{"title": "Fees", oops, "text": "HERE"}`, ""},
	} {
		above := corpus.JSONAbove(tc.src, []int{0, strings.Index(tc.src, "HERE"), len(tc.src)})
		if got := strings.Join(strings.Fields(above[1]), " "); got != tc.want {
			t.Errorf("%s: %s", name, cmp.Diff(tc.want, got))
		}
		if above[0] != "" || above[2] != "" {
			t.Errorf("%s: above the start %q, above the end %q", name, above[0], above[2])
		}
	}
}
