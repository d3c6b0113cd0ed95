package server

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// TestBadInput holds the rules of the contract against every argument of every tool.
func TestBadInput(t *testing.T) {
	const (
		find = `{"query":"q",%s}`
		hits = `{"trace_id":"t",%s}`
		toc  = `{"manual_id":"m",%s}`
		read = `{"ref":{"manual_id":"m","path":"a.md"},%s}`
		ref  = `{"ref":{"manual_id":"m","path":"a.md",%s}}`
		scan = `{"manual_id":"m","path":"a.md",%s}`
		exc  = `{"manual_id":"m","path":"a.md",%s}`
	)
	arguments := []struct {
		tool, frame, name string
		parameter         string // as an error names it
		bad               []string
		code              toolset.Code
	}{
		{"manual_ls", `{%s}`, "id", "id", notText, toolset.InvalidParameter},
		{"manual_toc", `{%s}`, "manual_id", "manual_id", notText, toolset.InvalidParameter},
		{"manual_toc", `{%s}`, "manual_id", "manual_id", badIDs, toolset.InvalidPath},
		{"manual_toc", toc, "detail", "detail", badChoices, toolset.InvalidParameter},
		{"manual_toc", toc, "path_prefix", "path_prefix", notText, toolset.InvalidParameter},
		{"manual_toc", toc, "path_prefix", "path_prefix", badPaths, toolset.InvalidPath},
		{"manual_toc", toc, "offset", "offset", append(notIntegers, `-1`, `"-1"`, `2147483648`), toolset.InvalidParameter},
		{"manual_toc", toc, "limit", "limit", append(notIntegers, `0`, `"0"`), toolset.InvalidParameter},

		{"manual_find", `{%s}`, "query", "query", append(notText, `""`, `" \t　"`, `null`), toolset.InvalidParameter},
		{"manual_find", find, "manual_id", "manual_id", notText, toolset.InvalidParameter},
		{"manual_find", find, "manual_id", "manual_id", badIDs, toolset.InvalidPath},
		{"manual_find", find, "expand_scope", "expand_scope", notBooleans, toolset.InvalidParameter},
		{"manual_find", find, "include_claim_graph", "include_claim_graph", notBooleans, toolset.InvalidParameter},
		{"manual_find", find, "use_cache", "use_cache", notBooleans, toolset.InvalidParameter},
		{"manual_find", find, "only_unscanned_from_trace_id", "only_unscanned_from_trace_id", append(notText, `""`), toolset.InvalidParameter},
		{"manual_find", find, "budget", "budget", notObjects, toolset.InvalidParameter},
		{"manual_find", `{"query":"q","budget":{%s}}`, "max_candidates", "budget.max_candidates", append(notIntegers, `0`, `-1`), toolset.InvalidParameter},
		{"manual_find", `{"query":"q","budget":{%s}}`, "time_ms", "budget.time_ms", append(notIntegers, `0`, `"0"`), toolset.InvalidParameter},
		{"manual_find", find, "inline_hits", "inline_hits", notObjects, toolset.InvalidParameter},
		{"manual_find", `{"query":"q","inline_hits":{%s}}`, "limit", "inline_hits.limit", append(notIntegers, `0`, `6`), toolset.InvalidParameter},

		{"manual_hits", `{%s}`, "trace_id", "trace_id", append(notText, `""`, `" "`, `null`), toolset.InvalidParameter},
		{"manual_hits", hits, "kind", "kind", badChoices, toolset.InvalidParameter},
		{"manual_hits", hits, "offset", "offset", append(notIntegers, `-1`), toolset.InvalidParameter},
		{"manual_hits", hits, "limit", "limit", append(notIntegers, `0`, `1001`, `"1001"`), toolset.InvalidParameter},
		{"manual_hits", hits, "explain", "explain", notBooleans, toolset.InvalidParameter},

		{"manual_read", `{%s}`, "ref", "ref", append(notObjects, `null`), toolset.InvalidParameter},
		{"manual_read", `{"ref":{"path":"a.md",%s}}`, "manual_id", "ref.manual_id", append(notText, `null`), toolset.InvalidParameter},
		{"manual_read", `{"ref":{"path":"a.md",%s}}`, "manual_id", "ref.manual_id", badIDs, toolset.InvalidPath},
		{"manual_read", `{"ref":{"manual_id":"m",%s}}`, "path", "ref.path", append(notText, `null`), toolset.InvalidParameter},
		{"manual_read", `{"ref":{"manual_id":"m",%s}}`, "path", "ref.path", badPaths, toolset.InvalidPath},
		{"manual_read", ref, "start_line", "ref.start_line", append(notIntegers, `0`, `-3`), toolset.InvalidParameter},
		{"manual_read", ref, "target", "ref.target", append(badChoices, `"vault"`), toolset.InvalidParameter},
		{"manual_read", ref, "title", "ref.title", notText, toolset.InvalidParameter},
		{"manual_read", ref, "json_path", "ref.json_path", notText, toolset.InvalidParameter},
		{"manual_read", ref, "signals", "ref.signals", []string{`"heading"`, `1`, `{}`}, toolset.InvalidParameter},
		{"manual_read", read, "scope", "scope", badChoices, toolset.InvalidParameter},
		{"manual_read", read, "allow_file", "allow_file", notBooleans, toolset.InvalidParameter},
		{"manual_read", read, "expand", "expand", notObjects, toolset.InvalidParameter},
		{"manual_read", strings.Replace(read, "%s", `"expand":{%s}`, 1), "before_chars", "expand.before_chars", append(notIntegers, `-1`), toolset.InvalidParameter},
		{"manual_read", strings.Replace(read, "%s", `"expand":{%s}`, 1), "after_chars", "expand.after_chars", append(notIntegers, `-1`), toolset.InvalidParameter},

		{"manual_scan", `{"path":"a.md",%s}`, "manual_id", "manual_id", append(notText, `null`), toolset.InvalidParameter},
		{"manual_scan", `{"path":"a.md",%s}`, "manual_id", "manual_id", badIDs, toolset.InvalidPath},
		{"manual_scan", `{"manual_id":"m",%s}`, "path", "path", append(notText, `null`), toolset.InvalidParameter},
		{"manual_scan", `{"manual_id":"m",%s}`, "path", "path", badPaths, toolset.InvalidPath},
		{"manual_scan", scan, "start_line", "start_line", append(notIntegers, `0`), toolset.InvalidParameter},
		{"manual_scan", scan, "cursor", "cursor", []string{`true`, `[]`, `10.5`, `-1`, `"-1"`, `"abc"`, `""`, `"10.5"`}, toolset.InvalidParameter},
		{"manual_scan", strings.Replace(scan, "%s", `"cursor":{%s}`, 1), "start_line", "cursor.start_line", append(notIntegers, `0`), toolset.InvalidParameter},
		{"manual_scan", strings.Replace(scan, "%s", `"cursor":{%s}`, 1), "char_offset", "cursor.char_offset", append(notIntegers, `-1`), toolset.InvalidParameter},

		{"manual_excepts", `{%s}`, "manual_id", "manual_id", append(notText, `null`), toolset.InvalidParameter},
		{"manual_excepts", `{%s}`, "manual_id", "manual_id", badIDs, toolset.InvalidPath},
		{"manual_excepts", `{"manual_id":"m",%s}`, "path", "path", notText, toolset.InvalidParameter},
		{"manual_excepts", `{"manual_id":"m",%s}`, "path", "path", badPaths, toolset.InvalidPath},
		{"manual_excepts", exc, "start_line", "start_line", append(notIntegers, `0`, `-1`), toolset.InvalidParameter},
		{"manual_excepts", exc, "offset", "offset", append(notIntegers, `-1`), toolset.InvalidParameter},
		{"manual_excepts", exc, "limit", "limit", append(notIntegers, `0`, `1001`), toolset.InvalidParameter},

		{"vault_find", `{%s}`, "query", "query", append(notText, `""`, `" "`, `null`), toolset.InvalidParameter},
		{"vault_find", find, "scope", "scope", notObjects, toolset.InvalidParameter},
		{"vault_find", `{"query":"q","scope":{%s}}`, "relative_dir", "scope.relative_dir", badPaths, toolset.InvalidPath},
		{"vault_find", `{"query":"q","budget":{%s}}`, "time_ms", "budget.time_ms", append(notIntegers, `0`), toolset.InvalidParameter},
		{"vault_hits", `{"trace_id":"t",%s}`, "kind", "kind", append(badChoices, `"conflicts"`), toolset.InvalidParameter},
	}
	s, f, l := newFakes()
	for _, a := range arguments {
		for _, bad := range a.bad {
			call := strings.Replace(a.frame, "%s", `"`+a.name+`":`+bad, 1)
			err := refused(t, s, a.tool, call)
			if err.Code != a.code || err.Details["parameter"] != a.parameter {
				t.Errorf("%s %s: %v, details %v; want %s of %s", a.tool, call, err, err.Details, a.code, a.parameter)
			}
			if _, ok := err.Details["got"]; !ok || err.Details["expected"] == "" || err.Details["expected"] == nil {
				t.Errorf("%s %s: details lack got or expected: %v", a.tool, call, err.Details)
			}
			exampleWorks(t, s, a.tool, call, err)
		}
		f.asked, l.asked = nil, nil
	}
}

var (
	notText     = []string{`1`, `true`, `[]`, `{}`, `["a"]`}
	notIntegers = []string{`10.5`, `"10.5"`, `"10.0"`, `"ten"`, `""`, `" 10"`, `"+1"`, `"010"`, `"１０"`, `true`, `false`, `[]`, `{}`, `1e99`, `1e999999999999`, `9223372036854775808`, `0.1e-5`}
	notBooleans = []string{`"true"`, `1`, `0`, `""`, `[]`, `{}`}
	notObjects  = []string{`1`, `"x"`, `true`, `[]`}
	badChoices  = []string{`"nonsense"`, `""`, `1`, `true`, `[]`, `{}`}
	badPaths    = []string{
		`""`, `" "`, `"."`, `".."`, `"../a.md"`, `"a/../../b.md"`, `"..\\a.md"`, `"/etc/passwd"`, `"\\a.md"`,
		`"C:/a.md"`, `"c:a.md"`, `"C:\\a.md"`, `"a\u0000.md"`, `"a\nb.md"`,
	}
	badIDs = append([]string{`"a/b"`, `"m/.."`}, badPaths...)
)

// exampleWorks checks that the corrected call of an error is a valid one.
func exampleWorks(t *testing.T, s *Server, tool, call string, err *toolset.Error) {
	t.Helper()
	example, marshalErr := json.Marshal(err.Details["example"])
	if marshalErr != nil {
		t.Fatal(marshalErr)
	}
	if _, again := s.Call(t.Context(), tool, example, nil); again != nil {
		t.Errorf("%s %s: the example %s is refused: %v", tool, call, example, again)
	}
}

func TestMissingArguments(t *testing.T) {
	s, _, _ := newFakes()
	cases := []struct{ tool, args, parameter string }{
		{"manual_toc", `{}`, "manual_id"},
		{"manual_toc", ``, "manual_id"},
		{"manual_toc", `null`, "manual_id"},
		{"manual_find", `{}`, "query"},
		{"manual_hits", `{"kind":"gaps"}`, "trace_id"},
		{"manual_read", `{}`, "ref"},
		{"manual_read", `{"ref":{}}`, "ref.manual_id"},
		{"manual_read", `{"ref":{"manual_id":"m"}}`, "ref.path"},
		{"manual_scan", `{}`, "manual_id"},
		{"manual_scan", `{"manual_id":"m"}`, "path"},
	}
	for _, c := range cases {
		err := refused(t, s, c.tool, c.args)
		if err.Code != toolset.InvalidParameter || err.Details["parameter"] != c.parameter || !strings.Contains(err.Message, "is required") {
			t.Errorf("%s %s: %v %v, want %s required", c.tool, c.args, err, err.Details, c.parameter)
		}
		exampleWorks(t, s, c.tool, c.args, err)
	}
}

func TestUnknownArguments(t *testing.T) {
	s, _, _ := newFakes()
	cases := []struct {
		tool, args, parameter string
		meant                 any
	}{
		{"manual_find", `{"qeury":"x"}`, "qeury", []string{"query"}},
		{"manual_find", `{"query":"x","Manual_ID":"m"}`, "Manual_ID", []string{"manual_id"}},
		{"manual_find", `{"query":"x","budget":{"time_sm":5}}`, "budget.time_sm", []string{"budget.time_ms"}},
		{"manual_find", `{"query":"x","zzzzzzzz":null}`, "zzzzzzzz", nil},
		{"manual_ls", `{"ID":"x"}`, "ID", []string{"id"}},
		{"manual_list", `{"id":"x"}`, "id", nil},
		{"manual_excepts", `{"manual_id":"m","line":3}`, "line", []string{"start_line"}},
		{"manual_hits", `{"trace_id":"t","limt":3}`, "limt", []string{"limit"}},
		{"manual_read", `{"ref":{"manual_id":"m","path":"a.md","line":3}}`, "ref.line", []string{"ref.start_line"}},
		{"manual_scan", `{"manual_id":"m","path":"a.md","cursor":{"char_ofset":3}}`, "cursor.char_ofset", []string{"cursor.char_offset"}},
	}
	for _, c := range cases {
		err := refused(t, s, c.tool, c.args)
		if err.Code != toolset.InvalidParameter || err.Details["parameter"] != c.parameter {
			t.Errorf("%s %s: %v %v", c.tool, c.args, err, err.Details)
		}
		if diff := cmp.Diff(c.meant, err.Details["did_you_mean"]); diff != "" {
			t.Errorf("%s %s: did_you_mean (-want +got):\n%s", c.tool, c.args, diff)
		}
		exampleWorks(t, s, c.tool, c.args, err)
	}
}

func TestTheFirstProblemIsReported(t *testing.T) {
	s, _, _ := newFakes()
	for range 20 {
		err := refused(t, s, "manual_find", `{"budget":{"time_ms":0,"max_candidates":0},"query":1,"b":1,"a":1}`)
		if got := err.Details["parameter"]; got != "b" {
			t.Fatalf("reported %v, want the unknown argument that comes first", got)
		}
		err = refused(t, s, "manual_find", `{"budget":{"time_ms":0,"max_candidates":0},"query":"q"}`)
		if got := err.Details["parameter"]; got != "budget.max_candidates" {
			t.Fatalf("reported %v, want budget.max_candidates", got)
		}
	}
}

func TestMalformedArguments(t *testing.T) {
	s, _, _ := newFakes()
	cases := []struct{ name, args, want string }{
		{"array", `[]`, "must be a JSON object"},
		{"string", `"x"`, "must be a JSON object"},
		{"truncated", `{"query":`, "not well-formed JSON"},
		{"two values", `{"query":"x"} {}`, "not well-formed JSON"},
		{"twice", `{"query":"x","query":"y"}`, `"query" is given twice`},
		{"twice inside", `{"query":"x","budget":{"time_ms":1,"time_ms":2}}`, `"time_ms" is given twice`},
		{"lone surrogate", `{"query":"\ud800"}`, "not well-formed JSON"},
		{"not UTF-8", "{\"query\":\"\xff\"}", "not well-formed JSON"},
		{"deep", `{"query":` + strings.Repeat(`[`, 5000) + strings.Repeat(`]`, 5000) + `}`, "nested deeper than 16"},
		{"large", `{"query":"` + strings.Repeat("x", maxArgumentBytes) + `"}`, "at most 1048576 bytes"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := refused(t, s, "manual_find", c.args)
			if err.Code != toolset.InvalidParameter || !strings.Contains(err.Message, c.want) {
				t.Errorf("got %v, want it to say %q", err, c.want)
			}
			exampleWorks(t, s, "manual_find", c.name, err)
		})
	}
}

func TestErrorsDoNotRepeatLongValues(t *testing.T) {
	s, _, _ := newFakes()
	long := strings.Repeat("長", 5000)
	for _, call := range []string{
		`{"query":"q","manual_id":"/` + long + `"}`, `{"query":"q","` + long + `":1}`,
		`{"query":"q","expand_scope":"` + long + `"}`, `{"query":"q","budget":{"time_ms":1` + strings.Repeat("0", 5000) + `}}`,
	} {
		err := refused(t, s, "manual_find", call)
		raw, marshalErr := json.Marshal(err)
		if marshalErr != nil || len(raw) > 3000 {
			t.Errorf("an error of %d bytes, %v", len(raw), marshalErr)
		}
	}
}

func TestGoodVaultFind(t *testing.T) {
	f := &fakeVault{}
	s := New(Options{VaultFinder: f})
	for _, c := range []struct {
		tool, args string
		want       any
	}{
		{"vault_find", `{"query":"q","scope":{"relative_dir":"a/","glob":"*.md"}}`, search.VaultRequest{Query: "q", Dir: "a", Glob: "*.md", MaxCandidates: 200, TimeMS: 60000}},
		{"vault_hits", `{"trace_id":"t"}`, search.HitsRequest{TraceID: "t", Kind: "candidates", Limit: 50}},
	} {
		if _, err := s.Call(t.Context(), c.tool, json.RawMessage(c.args), nil); err != nil {
			t.Errorf("%s %s: %v", c.tool, c.args, err)
		}
		if diff := cmp.Diff(c.want, f.asked); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.tool, c.args, diff)
		}
	}
}
