package search

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// spread returns n sections with the text body, each in a file of its own.
func spread(n int, body string) []sdktest.Section {
	var out []sdktest.Section
	for i := range n {
		out = append(out, sdktest.Section{Path: fmt.Sprintf("f%02d.md", i), Heading: fmt.Sprintf("Section %d", i), Body: body})
	}
	return out
}

// warner marks the sections that contain the word "except".
var warner = words{name: "exceptions", stage: sdk.StageRetrieve, signals: []string{sdk.SignalExceptions}, marks: "except"}

func TestEscalationReasons(t *testing.T) {
	oneFile := make([]sdktest.Section, 6)
	for i := range oneFile {
		oneFile[i] = sdktest.Section{Path: "a.md", Line: 10*i + 1, Body: "disk"}
	}
	// The corpus has the word in another form, which the strategy does not see.
	unfound := append(spread(6, "disk"), sdktest.Section{Path: "w.md", Body: "tapestries"})
	for name, tc := range map[string]struct {
		rows   []sdktest.Section
		query  string
		change func(*Engine)
		want   []string
	}{
		"enough":                 {rows: spread(6, "disk"), query: "disk"},
		"none":                   {rows: spread(6, "disk"), query: "tape", want: []string{"few_candidates"}},
		"two of three":           {rows: spread(2, "disk"), query: "disk", want: []string{"few_candidates", "low_margin"}},
		"one alone":              {rows: spread(1, "disk"), query: "disk", want: []string{"few_candidates"}},
		"three":                  {rows: spread(4, "disk"), query: "disk"},
		"one file":               {rows: oneFile, query: "disk", want: []string{"file_bias"}},
		"one file, few of it":    {rows: oneFile[:4], query: "disk"},
		"a word not found":       {rows: unfound, query: "disk tapestry", want: []string{"low_coverage"}},
		"no corrective":          {rows: unfound, query: "disk tapestry", change: func(e *Engine) { e.Settings.Corrective.Enabled = false }},
		"a best that stands out": {rows: append(slices.Clone(unfound), sdktest.Section{Path: "z.md", Body: "disk array"}), query: "disk array tapestry"},
		"exceptions lacking":     {rows: spread(6, "disk"), query: "disk exceptions 除外", want: []string{"no_exceptions"}},
		"a word that is nowhere": {rows: spread(6, "disk"), query: "disk tapestry"},
		"conflict":               {rows: append(disputedRows(), spread(1, "return")...), query: "return an item within 30 days", want: []string{"conflict"}},
		"conflict allowed": {rows: append(disputedRows(), spread(1, "return")...), query: "return an item within 30 days",
			change: func(e *Engine) { e.Settings.Corrective.OnConflict = false }},
		"a lower threshold": {rows: spread(2, "disk"), query: "disk", change: func(e *Engine) {
			e.Settings.CandidateLow, e.Settings.Corrective.MinCandidates = 2, 1
		}},
	} {
		t.Run(name, func(t *testing.T) {
			slices.SortStableFunc(tc.rows, func(a, b sdktest.Section) int {
				if a.Path < b.Path {
					return -1
				}
				if a.Path > b.Path {
					return 1
				}
				return a.Line - b.Line
			})
			for i := range tc.rows {
				tc.rows[i].Manual = "m"
			}
			e := engine(t, tc.rows, fakes{list: []words{exact, warner}})
			if tc.change != nil {
				tc.change(e)
			}
			req := request(tc.query)
			answer, err := find(t, e, req)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, answer.Summary.EscalationReasons); diff != "" {
				t.Error(diff)
			}
			req.ExpandScope = false
			if answer, err = find(t, e, req); err != nil || answer.Summary.EscalationReasons != nil {
				t.Errorf("expanded without leave: %+v, %v", answer, err)
			}
		})
	}
}
