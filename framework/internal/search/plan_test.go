package search

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

func TestALongQueryIsCut(t *testing.T) {
	var numbered strings.Builder
	for i := range 300 {
		fmt.Fprintf(&numbered, "word%d ", i)
	}
	for name, tc := range map[string]struct {
		query    string
		warnings int
	}{
		"of 4000 characters":           {strings.Repeat("平成元年", 1000), 0},
		"of more characters":           {strings.Repeat("平成元年", 1001), 1},
		"of many words, often the one": {strings.Repeat("word ", 700), 0},
		"of many words":                {numbered.String(), 1},
		"of too much":                  {strings.Repeat(numbered.String(), 3), 2},
	} {
		t.Run(name, func(t *testing.T) {
			q := Plan(tc.query, 0.3)
			if n := utf8.RuneCountInString(q.Raw); n > 4000 || len(q.Terms) > 256 || !strings.HasPrefix(tc.query, q.Raw) {
				t.Errorf("%d characters, %d terms", n, len(q.Terms))
			}
			row := sdktest.Section{Manual: "m", Path: "a.md", Line: 1, Heading: "A", Body: "word1 word 平成元年"}
			e := engine(t, []sdktest.Section{row}, fakes{list: []words{exact}})
			answer, err := find(t, e, request(tc.query))
			if err != nil {
				t.Fatal(err)
			}
			if len(answer.Warnings) != tc.warnings {
				t.Errorf("warnings %q", answer.Warnings)
			}
			for _, a := range answer.NextActions {
				if query, _ := a.Params["query"].(string); utf8.RuneCountInString(query) > 4000 {
					t.Errorf("proposal %s of %d bytes", a.Type, len(query))
				}
			}
		})
	}
}
