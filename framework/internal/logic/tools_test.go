package logic

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sagasu-search/sagasu/framework/internal/logic/answer"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/schema"
)

var update = flag.Bool("update", false, "write the schemas of sdk/schema anew")

// fakeService records what it was asked. It answers from evidence in files that do not exist.
type fakeService struct{ asked any }

func (s *fakeService) Find(_ context.Context, args FindArgs) (evidence.Found, error) {
	s.asked = args
	return evidence.Found{Evidence: []evidence.Evidence{}, UnresolvedReasons: []string{}, SearchScope: []string{}}, nil
}

func (s *fakeService) Ask(ctx context.Context, args AskArgs) (answer.Answer, error) {
	s.asked = args
	return answer.Asker{Files: noFiles{}, Globs: repo.DefaultGlobs()}.Ask(ctx, args.Question, args.Evidence)
}

type noFiles struct{}

func (noFiles) ReadFile(path string) ([]byte, error) {
	return nil, toolset.Errorf(toolset.NotFound, "there is no %s", path)
}

// toolsOf returns find_logic_evidence and ask_logic_qa.
func toolsOf(m mode) (find, ask toolset.Tool, s *fakeService) {
	s = &fakeService{}
	tools := toolsetOf(s, m).Tools
	return tools[0], tools[1], s
}

// The published schemas match the tools: run with -update and read the difference.
func TestPublishedSchemas(t *testing.T) {
	find, ask, _ := toolsOf(mode{})
	document, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "logic.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range []struct {
		tool      toolset.Tool
		published schema.Tool
	}{{find, schema.FindLogicEvidence()}, {ask, schema.AskLogicQA()}} {
		for part, c := range map[string]struct{ got, want json.RawMessage }{
			"input": {p.tool.Input(), p.published.Input}, "output": {p.tool.Output(), p.published.Output},
		} {
			got := indented(t, c.got)
			if *update {
				name := fmt.Sprintf("%s.%s.json", p.tool.Name, part)
				if err := os.WriteFile(filepath.Join("..", "..", "..", "sdk", "schema", name), []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
				continue
			}
			if diff := cmp.Diff(string(c.want), got); diff != "" {
				t.Errorf("%s, %s (-want +got):\n%s", p.tool.Name, part, diff)
			}
			var described struct{ Properties map[string]any }
			if err := json.Unmarshal(c.got, &described); err != nil {
				t.Fatal(err)
			}
			for name := range described.Properties {
				if !strings.Contains(string(document), "`"+name+"`") {
					t.Errorf("docs/logic.md does not describe %s, which %s has", name, p.tool.Name)
				}
			}
		}
	}
}

// indented formats a schema for people, with < and > unescaped.
func indented(t *testing.T, raw json.RawMessage) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		t.Fatal(err)
	}
	return strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(b.String()) + "\n"
}

// item returns an item of evidence with one member set to another value, or without the member if the value is empty.
func item(member, value string) string {
	members := [][2]string{{"id", `"e1"`}, {"kind", `"code"`}, {"path", `"backend/a.ts"`}, {"line", "1"},
		{"excerpt", `"x"`}, {"relevance", "0.9"}, {"source_priority", "1"}}
	if member != "" && !strings.Contains("id kind path line excerpt relevance source_priority", member) {
		members = append(members, [2]string{member, value})
	}
	parts := []string{}
	for _, m := range members {
		if m[0] == member {
			m[1] = value
		}
		if m[1] != "" {
			parts = append(parts, fmt.Sprintf("%q: %s", m[0], m[1]))
		}
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

func ask(items ...string) string {
	return `{"question": "When?", "evidence": [` + strings.Join(items, ", ") + `]}`
}

// refusal returns the error of a call, and checks that its example is a valid call.
func refusal(t *testing.T, tool toolset.Tool, raw string) *toolset.Error {
	t.Helper()
	_, _, err := tool.Call(t.Context(), []byte(raw))
	if err == nil {
		return nil
	}
	if example := err.Details["example"]; example != nil {
		if _, _, again := tool.Call(t.Context(), encode(t, example)); again != nil {
			t.Errorf("%s: the example %s is refused: %v", raw, encode(t, example), again)
		}
	}
	return err
}

func TestBadQuestions(t *testing.T) {
	tests := []struct {
		name, raw string
		code      toolset.Code
		parameter string
	}{
		{"no object", `[]`, toolset.InvalidParameter, "arguments"},
		{"broken", `{"question": `, toolset.InvalidParameter, "arguments"},
		{"named twice", `{"question": "a", "question": "b", "evidence": []}`, toolset.InvalidParameter, "arguments"},
		{"no question", `{"evidence": []}`, toolset.InvalidParameter, "question"},
		{"blank question", `{"question": " \n", "evidence": []}`, toolset.InvalidParameter, "question"},
		{"question of a wrong type", `{"question": 1, "evidence": []}`, toolset.InvalidParameter, "question"},
		{"foreign argument", `{"question": "a", "evidence": [], "scope": "backend"}`, toolset.InvalidParameter, "scope"},
		{"no evidence", `{"question": "a"}`, toolset.InvalidParameter, "evidence"},
		{"null evidence", `{"question": "a", "evidence": null}`, toolset.InvalidParameter, "evidence"},
		{"evidence is no array", `{"question": "a", "evidence": {}}`, toolset.InvalidParameter, "evidence"},
		{"21 items", ask(strings.Split(strings.Repeat(item("", "")+"|", 20)+item("", ""), "|")...), toolset.InvalidParameter, "evidence"},
		{"item is a string", ask(`"e1"`), toolset.InvalidParameter, "evidence[0]"},
		{"second item", ask(item("", ""), item("kind", "")), toolset.InvalidParameter, "evidence[1].kind"},
		{"foreign member", ask(item("score", "1")), toolset.InvalidParameter, "evidence[0].score"},
		{"no id", ask(item("id", "")), toolset.InvalidParameter, "evidence[0].id"},
		{"blank id", ask(item("id", `""`)), toolset.InvalidParameter, "evidence[0].id"},
		{"unknown kind", ask(item("kind", `"test"`)), toolset.InvalidParameter, "evidence[0].kind"},
		{"kind against path", ask(item("kind", `"spec"`)), toolset.InvalidParameter, "evidence[0].kind"},
		{"no path", ask(item("path", "")), toolset.InvalidParameter, "evidence[0].path"},
		{"path up", ask(item("path", `"backend/../../etc/passwd"`)), toolset.InvalidPath, "evidence[0].path"},
		{"absolute path", ask(item("path", `"/etc/passwd"`)), toolset.InvalidPath, "evidence[0].path"},
		{"path outside", ask(item("path", `"frontend/a.ts"`)), toolset.OutOfScope, "evidence[0].path"},
		{"test", ask(item("path", `"backend/a.test.ts"`)), toolset.OutOfScope, "evidence[0].path"},
		{"archive", ask(item("path", `"openspec/changes/archive/specs/a.md"`)), toolset.OutOfScope, "evidence[0].path"},
		{"no line", ask(item("line", "")), toolset.InvalidParameter, "evidence[0].line"},
		{"line 0", ask(item("line", "0")), toolset.InvalidParameter, "evidence[0].line"},
		{"half a line", ask(item("line", "1.5")), toolset.InvalidParameter, "evidence[0].line"},
		{"line of a wrong type", ask(item("line", "true")), toolset.InvalidParameter, "evidence[0].line"},
		{"empty excerpt", ask(item("excerpt", `""`)), toolset.InvalidParameter, "evidence[0].excerpt"},
		{"long excerpt", ask(item("excerpt", `"`+strings.Repeat("長", 241)+`"`)), toolset.InvalidParameter, "evidence[0].excerpt"},
		{"relevance", ask(item("relevance", "1.1")), toolset.InvalidParameter, "evidence[0].relevance"},
		{"relevance of a wrong type", ask(item("relevance", `"high"`)), toolset.InvalidParameter, "evidence[0].relevance"},
		{"priority", ask(item("source_priority", "4")), toolset.InvalidParameter, "evidence[0].source_priority"},
		{"priority against path", ask(item("source_priority", "2")), toolset.InvalidParameter, "evidence[0].source_priority"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, ask, _ := toolsOf(mode{})
			if err := refusal(t, ask, tt.raw); err == nil || err.Code != tt.code || err.Details["parameter"] != tt.parameter || err.Message == "" {
				t.Errorf("%v", err)
			}
		})
	}
}

// An error shows a number as the client sent it, and as a JSON number if a reader of JSON can parse it as one.
func TestNumbersInErrors(t *testing.T) {
	find, answering, _ := toolsOf(mode{})
	for number, want := range map[string]string{
		"0": "0", "-1": "-1", "1.50": "1.50", "0.00000000000000000000": "0.00000000000000000000",
		"100000000000000000000": "100000000000000000000", `"0"`: `"0"`, "1e999": `"1e999"`,
	} {
		for _, x := range []struct {
			tool toolset.Tool
			raw  string
		}{
			{find, `{"question": "a", "scope": "backend", "max_evidence": ` + number + `}`},
			{answering, ask(item("source_priority", number))},
		} {
			err := refusal(t, x.tool, x.raw)
			if err == nil {
				t.Fatalf("%s is taken", x.raw)
			}
			if got := string(encode(t, err.Details["got"])); got != want {
				t.Errorf("%s: got %s, want %s", x.raw, got, want)
			}
		}
	}
}

func TestEvidenceIsDecoded(t *testing.T) {
	_, tool, s := toolsOf(mode{})
	got, _, err := tool.Call(t.Context(), []byte(ask(item("line", `"7"`), item("line", "null"))))
	if err != nil {
		t.Fatal(err)
	}
	seven := evidence.Line(7)
	want := evidence.Evidence{ID: "e1", Kind: evidence.Code, Path: "backend/a.ts", Line: &seven, Excerpt: "x", Relevance: .9, SourcePriority: 1}
	second := want
	second.Line = nil
	if diff := cmp.Diff(AskArgs{Question: "When?", Evidence: []evidence.Evidence{want, second}}, s.asked); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if unknowns := got.(answer.Answer).Unknowns; !slices.Equal(unknowns, []string{"stale:backend/a.ts:7", "stale:backend/a.ts:null"}) {
		t.Errorf("%v", unknowns)
	}
}

func TestFindArguments(t *testing.T) {
	tests := []struct {
		raw       string
		want      int
		parameter string
	}{
		{`{"question": "a", "scope": "backend"}`, 8, ""},
		{`{"question": "a", "scope": "backend", "max_evidence": null}`, 8, ""},
		{`{"question": "a", "scope": "backend", "max_evidence": 20}`, 20, ""},
		{`{"question": "a", "scope": "backend", "max_evidence": "3"}`, 3, ""},
		{`{"question": "a", "scope": "backend", "max_evidence": 21}`, 0, "max_evidence"},
		{`{"question": "a", "scope": "backend", "max_evidence": 0}`, 0, "max_evidence"},
		{`{"question": "a", "scope": "backend", "max_evidence": "3.0"}`, 0, "max_evidence"},
		{`{"question": "a", "scope": "frontend"}`, 0, "scope"},
		{`{"question": "a"}`, 0, "scope"},
		{`{"question": "", "scope": "backend"}`, 0, "question"},
		{`{"question": "a", "scope": "backend", "max_evidences": 3}`, 0, "max_evidences"},
	}
	for _, tt := range tests {
		t.Run(tt.raw, func(t *testing.T) {
			find, _, s := toolsOf(mode{})
			err := refusal(t, find, tt.raw)
			if tt.parameter != "" {
				if err == nil || err.Details["parameter"] != tt.parameter || s.asked != nil && err.Details["example"] == nil {
					t.Errorf("%v", err)
				}
				return
			}
			if diff := cmp.Diff(FindArgs{Question: "a", Scope: Backend, MaxEvidence: tt.want}, s.asked); err != nil || diff != "" {
				t.Errorf("%v %s", err, diff)
			}
		})
	}
	input := toolset.InputSchema(reflect.TypeFor[FindArgs]())
	if most := *input.Properties["max_evidence"].Maximum; most != 20 {
		t.Errorf("at most %g, not 20", most)
	}
}

func FuzzAskArguments(f *testing.F) {
	f.Add([]byte(ask(item("", ""))))
	f.Add([]byte(`{"evidence": [{"line": "1"}]}`))
	_, tool, s := toolsOf(mode{})
	f.Fuzz(func(t *testing.T, raw []byte) {
		s.asked = nil
		if _, _, err := tool.Call(t.Context(), raw); err != nil && err.Code == toolset.Internal {
			t.Fatalf("%v", err)
		}
		if args, ok := s.asked.(AskArgs); ok && (strings.TrimSpace(args.Question) == "" || len(args.Evidence) > 20) {
			t.Fatalf("%+v passes", args)
		}
	})
}

func compile(t *testing.T, raw []byte) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("mem:///tool.json", doc); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("mem:///tool.json")
	if err != nil {
		t.Fatal(err)
	}
	return compiled
}

// fits returns the error of validating a value with a schema.
func fits(t *testing.T, s *jsonschema.Schema, raw []byte) error {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(value)
}

func encode(t *testing.T, v any) []byte {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// The tool refuses what the schema refuses, but it also accepts "10" for 10.
func TestSchemaAndToolAgree(t *testing.T) {
	find, asking, _ := toolsOf(mode{})
	for tool, calls := range map[*toolset.Tool][]string{
		&find: {
			`{"question": "a", "scope": "backend"}`, `{"question": "a", "scope": "backend", "max_evidence": 21}`, `{"question": "a"}`,
			`{"question": "a", "scope": "web"}`, `{"scope": "backend"}`, `{"question": "a", "scope": "backend", "max_evidence": null, "limit": 3}`,
		},
		&asking: {
			ask(), ask(item("", "")), ask(item("line", "null")), ask(item("line", "")), ask(item("line", "1.5")), ask(item("extra", "1")),
			ask(item("kind", `"x"`)), ask(item("source_priority", "4")), ask(item("relevance", `"x"`)), ask(`1`),
		},
	} {
		input := compile(t, tool.Input())
		for _, raw := range calls {
			err := refusal(t, *tool, raw)
			if bad := fits(t, input, []byte(raw)); (bad == nil) != (err == nil) {
				t.Errorf("%s: schema %v, tool %v", raw, bad, err)
			}
		}
	}
}

func TestResultsFitTheirSchemas(t *testing.T) {
	find, asking, _ := toolsOf(mode{})
	line := evidence.Line(1)
	place := evidence.Evidence{ID: "e", Kind: evidence.Code, Path: "backend/a.ts", Line: &line, Excerpt: "x", Relevance: .7, SourcePriority: 1}
	found := evidence.Found{Evidence: []evidence.Evidence{place}, UnresolvedReasons: []string{}, SearchScope: []string{}}
	failed := map[string]any{"error": toolset.Invalid("question", "", "a question")}
	grounds := []answer.Ground{{Kind: evidence.Spec, Path: "openspec/specs/a.md", Line: &line, Claim: "c"}}
	for _, c := range []struct {
		schema json.RawMessage
		value  any
		fits   bool
	}{
		{find.Output(), found, true}, {find.Output(), evidence.Found{}, false}, {find.Output(), failed, true},
		{asking.Input(), AskArgs{Question: "When?", Evidence: found.Evidence}, true},
		{asking.Output(), answer.Answer{Status: answer.OK, Confidence: .6, Evidence: grounds, Unknowns: []string{}}, true},
		{asking.Output(), answer.Answer{Status: answer.OutOfScope, Evidence: []answer.Ground{}, Unknowns: []string{}}, true},
		{asking.Output(), answer.Answer{Evidence: []answer.Ground{}, Unknowns: []string{}}, false}, {asking.Output(), failed, true},
	} {
		if err := fits(t, compile(t, c.schema), encode(t, c.value)); (err == nil) != c.fits {
			t.Errorf("%+v: %v", c.value, err)
		}
	}
}

// A setting switches the tools off: they are still listed, and refuse every call.
func TestSwitchedOff(t *testing.T) {
	find, asking, s := toolsOf(mode{off: true})
	for raw, tool := range map[string]toolset.Tool{`{"question": "q", "scope": "backend"}`: find, `{"question": "q", "evidence": []}`: asking, `{"old": 1}`: asking} {
		if err := refusal(t, tool, raw); err == nil || err.Code != toolset.NotAvailable || !strings.Contains(err.Message, "LOGIC_QA=off") || s.asked != nil {
			t.Errorf("%s: %v", raw, err)
		}
	}
}

func TestHints(t *testing.T) {
	find, asking, _ := toolsOf(mode{remote: true})
	if find.Hints != toolset.Reading || asking.Hints != (toolset.Hints{ReadOnly: true, OpenWorld: true}) {
		t.Errorf("%+v, %+v", find.Hints, asking.Hints)
	}
	if _, asking, _ = toolsOf(mode{}); asking.Hints != toolset.Reading {
		t.Errorf("%+v", asking.Hints)
	}
}

func TestExamplesAreValid(t *testing.T) {
	for _, tool := range toolsetOf(&fakeService{}, mode{}).Tools {
		_, example, _ := strings.Cut(tool.Description, "Example: ")
		for _, call := range []string{example, string(tool.Example)} {
			if err := refusal(t, tool, call); err != nil {
				t.Errorf("%s: %s: %v", tool.Name, call, err)
			}
		}
	}
}

func TestCountersHoldNoText(t *testing.T) {
	found := evidence.Found{Evidence: []evidence.Evidence{{Excerpt: "secret"}}}.Counters()
	answered := answer.Answer{Answer: "secret", Status: answer.OK, Evidence: []answer.Ground{{Claim: "secret"}}, Unknowns: []string{"unbacked:secret"}}.Counters()
	raw := string(encode(t, []any{found, answered}))
	if strings.Contains(raw, "secret") || !strings.Contains(raw, `"status","ok"`) {
		t.Error(raw)
	}
}
