package manuals

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

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
		{"manual_find", `{%s}`, "queries", "queries", []string{`1`, `{}`, `[]`, `["a","b","c","d","e","f","g","h","i"]`}, toolset.InvalidParameter},
		{"manual_find", find, "queries", "queries", []string{`["q"]`}, toolset.InvalidParameter},
		{"manual_find", find, "passages", "passages", append(notIntegers, `-1`, `21`), toolset.InvalidParameter},
		{"manual_find", find, "max_tokens", "max_tokens", append(notIntegers, `99`, `50001`), toolset.InvalidParameter},
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
		{"manual_hits", hits, "format", "format", badChoices, toolset.InvalidParameter},
		{"manual_hits", hits, "max_tokens", "max_tokens", append(notIntegers, `99`, `50001`), toolset.InvalidParameter},
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
		{"manual_read", `{%s}`, "refs", "refs", []string{`1`, `"x"`, `{}`, `[]`, `[` + strings.Repeat(`{"manual_id":"m","path":"a.md"},`, 20) + `{}]`}, toolset.InvalidParameter},
		{"manual_read", read, "refs", "refs", []string{`[{"manual_id":"m","path":"a.md"}]`}, toolset.InvalidParameter},
		{"manual_read", read, "max_chars", "max_chars", append(notIntegers, `0`, `12001`), toolset.InvalidParameter},
		{"manual_read", read, "max_tokens", "max_tokens", append(notIntegers, `99`, `50001`), toolset.InvalidParameter},
		{"manual_read", read, "line_numbers", "line_numbers", notBooleans, toolset.InvalidParameter},
		{"manual_read", read, "cursor", "cursor", notObjects, toolset.InvalidParameter},
		{"manual_read", strings.Replace(read, "%s", `"cursor":{%s}`, 1), "index", "cursor.index", append(notIntegers, `-1`), toolset.InvalidParameter},
		{"manual_read", strings.Replace(read, "%s", `"cursor":{%s}`, 1), "char_offset", "cursor.char_offset", append(notIntegers, `-1`), toolset.InvalidParameter},
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
	}
	tools := echoes()
	for _, a := range arguments {
		for _, bad := range a.bad {
			call := strings.Replace(a.frame, "%s", `"`+a.name+`":`+bad, 1)
			err := corrected(t, tools[a.tool], call)
			if err.Code != a.code || err.Details["parameter"] != a.parameter {
				t.Errorf("%s %s: %v, details %v; want %s of %s", a.tool, call, err, err.Details, a.code, a.parameter)
			}
			if _, ok := err.Details["got"]; !ok || err.Details["expected"] == "" || err.Details["expected"] == nil {
				t.Errorf("%s %s: details lack got or expected: %v", a.tool, call, err.Details)
			}
		}
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

// echoes returns the tools by name, with functions that return their arguments as they were read.
func echoes() map[string]toolset.Tool {
	m := &Module{Library: New(Options{})}
	return map[string]toolset.Tool{
		"manual_list": echo[ListArgs](m.listTool()), "manual_ls": echo[LsArgs](m.lsTool()), "manual_toc": echo[TocArgs](m.tocTool()),
		"manual_find": echo[FindArgs](m.findTool()), "manual_hits": echo[HitsArgs](m.hitsTool()), "manual_read": echo[ReadArgs](m.readTool()),
		"manual_scan": echo[ScanArgs](m.scanTool()), "manual_excepts": echo[ExceptsArgs](m.exceptsTool()),
	}
}

func echo[A any](t toolset.Tool) toolset.Tool {
	return toolset.Define(t, func(_ context.Context, args A) (A, error) { return args, nil })
}

// refused calls a tool that must refuse, and returns the error as a client reads it.
func refused(t *testing.T, tool toolset.Tool, args string) *toolset.Error {
	t.Helper()
	result, _, err := tool.Call(t.Context(), json.RawMessage(args))
	if err == nil {
		t.Fatalf("%s %s was answered: %v", tool.Name, args, result)
	}
	return err
}

// corrected is refused for an error whose example is a valid call.
func corrected(t *testing.T, tool toolset.Tool, args string) *toolset.Error {
	t.Helper()
	err := refused(t, tool, args)
	example, marshalErr := json.Marshal(err.Details["example"])
	if marshalErr != nil {
		t.Fatal(marshalErr)
	}
	if _, _, again := tool.Call(t.Context(), example); again != nil {
		t.Errorf("%s %s: the example %s is refused: %v", tool.Name, args, example, again)
	}
	return err
}

func TestGoodInput(t *testing.T) {
	find := func(change func(*FindArgs)) FindArgs {
		a := FindArgs{Query: "q", ExpandScope: true, Budget: Budget{MaxCandidates: 200, TimeMS: 60_000}, Passages: 3, MaxTokens: 1200}
		change(&a)
		return a
	}
	cases := []struct {
		tool, args string
		want       any
	}{
		{"manual_list", `{}`, ListArgs{}},
		{"manual_ls", ``, LsArgs{ID: "manuals"}},
		{"manual_ls", `{"id":null}`, LsArgs{ID: "manuals"}},
		{"manual_ls", `{"id":"dir::a b::c"}`, LsArgs{ID: "dir::a b::c"}},
		{"manual_toc", `{"manual_id":" m "}`, TocArgs{ManualID: "m", Detail: "headings"}},
		{"manual_toc", `{"manual_id":"m","detail":"nodes","path_prefix":"en\\x/","offset":"3","limit":5}`,
			TocArgs{ManualID: "m", Detail: "nodes", PathPrefix: "en/x/", Offset: 3, Limit: new(5)}},
		{"manual_find", `{"query":"q"}`, find(func(*FindArgs) {})},
		{"manual_find", `{"query":"q","manual_id":null,"expand_scope":null,"only_unscanned_from_trace_id":null,"include_claim_graph":null,"use_cache":null,"budget":null,"inline_hits":null}`,
			find(func(*FindArgs) {})},
		{"manual_find", `{"query":"除外","manual_id":"m","expand_scope":false,"only_unscanned_from_trace_id":"t","include_claim_graph":true,"use_cache":false,"budget":{"max_candidates":"10","time_ms":1e3},"inline_hits":{"limit":2}}`,
			FindArgs{Query: "除外", ManualID: "m", OnlyUnscanned: "t", ClaimGraph: true, UseCache: new(bool), Budget: Budget{10, 1000}, Passages: 3, MaxTokens: 1200, InlineHits: &InlineHits{2}}},
		{"manual_find", `{"query":"q","budget":{"max_candidates":null},"inline_hits":{}}`, find(func(a *FindArgs) { a.InlineHits = &InlineHits{5} })},
		{"manual_hits", `{"trace_id":"t"}`, HitsArgs{TraceID: "t", Kind: "candidates", Format: "rows", Limit: 50}},
		{"manual_hits", `{"trace_id":"t","kind":"gaps","offset":10.0,"limit":1000,"explain":true}`,
			HitsArgs{TraceID: "t", Kind: "gaps", Format: "rows", Offset: 10, Limit: 1000, Explain: true}},
		{"manual_read", `{"ref":{"manual_id":"m","path":"./a//b.md"}}`, ReadArgs{Ref: &Ref{ManualID: "m", Path: "a/b.md"}}},
		{"manual_read", `{"ref":{"target":"manual","manual_id":"m","path":"a.md","start_line":3,"json_path":null,"title":"x","signals":["heading"]},"scope":"snippet","allow_file":true,"expand":{"before_chars":0,"after_chars":"7"}}`,
			ReadArgs{Ref: &Ref{Target: "manual", ManualID: "m", Path: "a.md", StartLine: new(3), Title: "x", Signals: []string{"heading"}}, Scope: "snippet", AllowFile: true, Expand: Expand{0, 7}}},
		{"manual_read", `{"ref":{"manual_id":"m","path":"a.pdf","source":{"path":"a.pdf","page":3}}}`,
			ReadArgs{Ref: &Ref{ManualID: "m", Path: "a.pdf", Source: json.RawMessage(`{"page":3,"path":"a.pdf"}`)}}},
		{"manual_read", `{"ref":{"manual_id":"m","path":"a.json","json_path":"/0/id"}}`, ReadArgs{Ref: &Ref{ManualID: "m", Path: "a.json", JSONPath: new("/0/id")}}},
		{"manual_read", `{"refs":[{"manual_id":"m","path":"a.md"},{"manual_id":"n","path":"b.json"}],"ref":null,"max_chars":"500","max_tokens":100,"line_numbers":true,"cursor":{"index":1,"char_offset":null}}`,
			ReadArgs{Refs: []Ref{{ManualID: "m", Path: "a.md"}, {ManualID: "n", Path: "b.json"}}, MaxChars: 500, MaxTokens: 100, LineNumbers: true, Cursor: &ReadCursor{Index: 1}}},
		{"manual_excepts", `{"manual_id":"m"}`, ExceptsArgs{ManualID: "m", Limit: 50}},
		{"manual_excepts", `{"manual_id":"m","path":null,"start_line":null,"offset":null,"limit":null}`, ExceptsArgs{ManualID: "m", Limit: 50}},
		{"manual_excepts", `{"manual_id":"m","path":"en\\x.md","start_line":"3","offset":2,"limit":1000}`,
			ExceptsArgs{ManualID: "m", Path: "en/x.md", StartLine: new(3), Offset: 2, Limit: 1000}},
		{"manual_scan", `{"manual_id":"m","path":"a.md"}`, ScanArgs{ManualID: "m", Path: "a.md"}},
		{"manual_scan", `{"manual_id":"m","path":"a.md","start_line":2,"cursor":{"start_line":4,"char_offset":9}}`,
			ScanArgs{ManualID: "m", Path: "a.md", StartLine: new(2), Cursor: ScanCursor{new(4), new(9)}}},
		{"manual_scan", `{"manual_id":"m","path":"a.md","cursor":12000}`, ScanArgs{ManualID: "m", Path: "a.md", Cursor: ScanCursor{CharOffset: new(12000)}}},
		{"manual_scan", `{"manual_id":"m","path":"a.md","cursor":"0"}`, ScanArgs{ManualID: "m", Path: "a.md", Cursor: ScanCursor{CharOffset: new(0)}}},
		{"manual_scan", `{"manual_id":"m","path":"a.md","cursor":{"char_offset":null}}`, ScanArgs{ManualID: "m", Path: "a.md"}},
	}
	tools := echoes()
	for _, c := range cases {
		got, _, err := tools[c.tool].Call(t.Context(), json.RawMessage(c.args))
		if err != nil {
			t.Errorf("%s %s: %v %v", c.tool, c.args, err, err.Details)
			continue
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.tool, c.args, diff)
		}
		again, marshalErr := json.Marshal(got) // as the command line checks them
		if marshalErr != nil {
			t.Fatal(marshalErr)
		}
		if got, _, err := tools[c.tool].Call(t.Context(), again); err != nil || !cmp.Equal(c.want, got) {
			t.Errorf("%s %s: %s is read as %v, %v", c.tool, c.args, again, got, err)
		}
	}
}

func TestMissingArguments(t *testing.T) {
	tools := echoes()
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
		err := corrected(t, tools[c.tool], c.args)
		if err.Code != toolset.InvalidParameter || err.Details["parameter"] != c.parameter || !strings.Contains(err.Message, "is required") {
			t.Errorf("%s %s: %v %v, want %s required", c.tool, c.args, err, err.Details, c.parameter)
		}
	}
}

func TestUnknownArguments(t *testing.T) {
	tools := echoes()
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
		err := corrected(t, tools[c.tool], c.args)
		if err.Code != toolset.InvalidParameter || err.Details["parameter"] != c.parameter {
			t.Errorf("%s %s: %v %v", c.tool, c.args, err, err.Details)
		}
		if diff := cmp.Diff(c.meant, err.Details["did_you_mean"]); diff != "" {
			t.Errorf("%s %s: did_you_mean (-want +got):\n%s", c.tool, c.args, diff)
		}
	}
}

func TestTheFirstProblemIsReported(t *testing.T) {
	tools := echoes()
	for range 20 {
		err := refused(t, tools["manual_find"], `{"budget":{"time_ms":0,"max_candidates":0},"query":1,"b":1,"a":1}`)
		if got := err.Details["parameter"]; got != "b" {
			t.Fatalf("reported %v, want the unknown argument that comes first", got)
		}
		err = refused(t, tools["manual_find"], `{"budget":{"time_ms":0,"max_candidates":0},"query":"q"}`)
		if got := err.Details["parameter"]; got != "budget.max_candidates" {
			t.Fatalf("reported %v, want budget.max_candidates", got)
		}
	}
}

func TestMalformedArguments(t *testing.T) {
	tools := echoes()
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
		{"large", `{"query":"` + strings.Repeat("x", 1<<20) + `"}`, "at most 1048576 bytes"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			err := corrected(t, tools["manual_find"], c.args)
			if err.Code != toolset.InvalidParameter || !strings.Contains(err.Message, c.want) {
				t.Errorf("got %v, want it to say %q", err, c.want)
			}
		})
	}
}

func TestErrorsDoNotRepeatLongValues(t *testing.T) {
	tools := echoes()
	long := strings.Repeat("長", 5000)
	for _, call := range []string{
		`{"query":"q","manual_id":"/` + long + `"}`, `{"query":"q","` + long + `":1}`,
		`{"query":"q","expand_scope":"` + long + `"}`, `{"query":"q","budget":{"time_ms":1` + strings.Repeat("0", 5000) + `}}`,
	} {
		err := refused(t, tools["manual_find"], call)
		raw, marshalErr := json.Marshal(err)
		if marshalErr != nil || len(raw) > 3000 {
			t.Errorf("an error of %d bytes, %v", len(raw), marshalErr)
		}
	}
}

// What a caller has said is kept in the corrected call, at the place where it belongs.
func TestMisplacedArgumentsAreMoved(t *testing.T) {
	tools := echoes()
	for _, c := range []struct{ tool, args, want string }{
		{"manual_read", `{"manual_id":"nas","path":"12.md"}`, `{"ref":{"manual_id":"nas","path":"12.md"}}`},
		{"manual_read", `{"manual_id":"nas","path":"12.md","start_line":3,"scope":"snippet"}`, `{"ref":{"manual_id":"nas","path":"12.md","start_line":3},"scope":"snippet"}`},
		{"manual_read", `{"ref":{"manual_id":"nas","path":"12.md"},"start_line":3,"before_chars":9}`, `{"ref":{"manual_id":"nas","path":"12.md","start_line":3},"expand":{"before_chars":9}}`},
		{"manual_read", `{"from_ref":{"manual_id":"nas","path":"12.md","score":1}}`, `{"ref":{"manual_id":"nas","path":"12.md"}}`},
		{"manual_scan", `{"ref":{"manual_id":"nas","path":"12.md","start_line":3,"title":"x"}}`, `{"manual_id":"nas","path":"12.md","start_line":3}`},
		{"manual_scan", `{"manual_id":"nas","path":"12.md","char_offset":7}`, `{"manual_id":"nas","path":"12.md","cursor":{"char_offset":7}}`},
		{"manual_find", `{"query":"q","max_candidates":5}`, `{"query":"q","budget":{"max_candidates":5}}`},
		{"manual_find", `{"queries":["q","r"],"zzz":1}`, `{"queries":["q","r"]}`},
		{"manual_find", `{"query":"q","qurey":1}`, `{"query":"q"}`},
		{"manual_find", `{"arguments":{"query":"q"}}`, `{"query":"q"}`},
	} {
		err := corrected(t, tools[c.tool], c.args)
		got, marshalErr := json.Marshal(err.Details["example"])
		var example, want any
		if marshalErr != nil || json.Unmarshal(got, &example) != nil || json.Unmarshal([]byte(c.want), &want) != nil {
			t.Fatal(marshalErr, c.want)
		}
		if diff := cmp.Diff(want, example); diff != "" {
			t.Errorf("%s %s (-want +got):\n%s", c.tool, c.args, diff)
		}
	}
}

// FuzzCall checks that no arguments make a call panic or fail as internal, and
// that every refusal names its parameter.
func FuzzCall(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `{}`, `[]`, `{"query":"x"}`, `{"query":"x","budget":{"time_ms":"10"}}`, `{"trace_id":"t","kind":null,"limit":1e3}`,
		`{"ref":{"manual_id":"m","path":"a.md","start_line":10.0},"expand":{}}`, `{"manual_id":"..","path":"C:\\x","cursor":"5"}`,
		`{"query":"x","query":"y"}`, `{"query":"\ud800"}`, `{"a":[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]}`, `{"cursor":{"char_offset":-1}}`,
	} {
		f.Add(seed)
	}
	tools := echoes()
	f.Fuzz(func(t *testing.T, args string) {
		for _, tool := range tools {
			_, _, err := tool.Call(t.Context(), json.RawMessage(args))
			if err == nil {
				continue
			}
			if err.Code == toolset.Internal || err.Details["parameter"] == nil || err.Details["example"] == nil {
				t.Errorf("%s %q: %v %v", tool.Name, args, err, err.Details)
			}
			if _, marshalErr := json.Marshal(err); marshalErr != nil {
				t.Errorf("%s %q: %v", tool.Name, args, marshalErr)
			}
		}
	})
}
