package server

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// What a caller has said is kept in the corrected call, at the place where it belongs.
func TestMisplacedArgumentsAreMoved(t *testing.T) {
	s := New(Options{Finder: &fakeFinder{}, Library: &fakeLibrary{}})
	for _, c := range []struct{ tool, args, want string }{
		{"manual_read", `{"manual_id":"nas","path":"12.md"}`, `{"ref":{"manual_id":"nas","path":"12.md"}}`},
		{"manual_read", `{"manual_id":"nas","path":"12.md","start_line":3,"scope":"snippet"}`, `{"ref":{"manual_id":"nas","path":"12.md","start_line":3},"scope":"snippet"}`},
		{"manual_read", `{"ref":{"manual_id":"nas","path":"12.md"},"start_line":3,"before_chars":9}`, `{"ref":{"manual_id":"nas","path":"12.md","start_line":3},"expand":{"before_chars":9}}`},
		{"manual_read", `{"from_ref":{"manual_id":"nas","path":"12.md","score":1}}`, `{"ref":{"manual_id":"nas","path":"12.md"}}`},
		{"manual_scan", `{"ref":{"manual_id":"nas","path":"12.md","start_line":3,"title":"x"}}`, `{"manual_id":"nas","path":"12.md","start_line":3}`},
		{"manual_scan", `{"manual_id":"nas","path":"12.md","char_offset":7}`, `{"manual_id":"nas","path":"12.md","cursor":{"char_offset":7}}`},
		{"manual_find", `{"query":"q","max_candidates":5}`, `{"query":"q","budget":{"max_candidates":5}}`},
		{"manual_find", `{"query":"q","qurey":1}`, `{"query":"q"}`},
		{"manual_find", `{"arguments":{"query":"q"}}`, `{"query":"q"}`},
	} {
		_, err := s.Call(t.Context(), c.tool, json.RawMessage(c.args), nil)
		if err == nil {
			t.Errorf("%s %s is taken", c.tool, c.args)
			continue
		}
		got, marshalErr := json.Marshal(err.Details["example"])
		var example, want any
		if marshalErr != nil || json.Unmarshal(got, &example) != nil || json.Unmarshal([]byte(c.want), &want) != nil {
			t.Fatal(marshalErr, c.want)
		}
		if diff := cmp.Diff(want, example); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.tool, c.args, diff)
		}
		exampleWorks(t, s, c.tool, c.args, err)
	}
}

// Lines outside a file are moved into it, and the others stay as the caller gave them.
func TestLinesOfACorrectedCall(t *testing.T) {
	for _, c := range []struct {
		call, parameter string
		nearest         int
		want            string
	}{
		{`{"range":{"start_line":4,"end_line":99}}`, "range.end_line", 10, `{"range":{"end_line":10,"start_line":4}}`},
		{`{"range":{"start_line":40,"end_line":99}}`, "range.start_line", 10, `{"range":{"end_line":10,"start_line":10}}`},
		{`{"from_ref":{"path":"a","start_line":99}}`, "from_ref.start_line", 10, `{"from_ref":{"path":"a","start_line":10}}`},
		{`{"cited_ranges":[{"start_line":2,"end_line":3},{"start_line":4,"end_line":99}]}`, "cited_ranges[1].end_line", 10,
			`{"cited_ranges":[{"end_line":3,"start_line":2},{"end_line":10,"start_line":4}]}`},
	} {
		args, bad := ParseArguments([]byte(c.call))
		if bad != nil {
			t.Fatal(bad)
		}
		err := toolset.Invalid(c.parameter, 99, "a line").With("total_lines", 10).With("nearest", c.nearest)
		got, _ := json.Marshal(withExample(err, Tool{Input: json.RawMessage(`{}`), Example: json.RawMessage(`{"range": null}`)}, args).Details["example"])
		if string(got) != c.want {
			t.Errorf("%s: %s", c.call, got)
		}
	}
}
