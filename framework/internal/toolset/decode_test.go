package toolset

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type searchArgs struct {
	Query  string   `json:"query" required:"what to search for" filled:"" minLength:"1" doc:"What to search for."`
	Expand bool     `json:"expand" default:"true"`
	Kind   string   `json:"kind" enum:"all,best" default:"all"`
	Budget budget   `json:"budget"`
	Inline *inline  `json:"inline"`
	Ranges []lines  `json:"ranges"`
	Names  []string `json:"names"`
	Scored
}

type Scored struct {
	Weights map[string]float64 `json:"weights" min:"0"`
}

type budget struct {
	Limit int `json:"limit" min:"1" max:"100" default:"20"`
}

type inline struct {
	Rows int `json:"rows" min:"1" default:"5"`
}

type lines struct {
	Start int `json:"start_line" required:"a line" min:"1"`
}

type bounded struct {
	Text  string  `json:"text" maxLength:"3"`
	Rows  []lines `json:"rows" maxItems:"1"`
	Start *int    `json:"start" required:"a line, or null" nullable:"" min:"1"`
}

func TestBoundsAndNull(t *testing.T) {
	for raw, parameter := range map[string]string{
		`{"text":"長い字","start":null}`:  "",
		`{"start":1}`:                  "",
		`{}`:                           "start",
		`{"start":0}`:                  "start",
		`{"start":null,"text":"四文字だ"}`: "text",
		`{"start":null,"rows":[{"start_line":1},{"start_line":2}]}`: "rows",
	} {
		args, bad := ParseArguments([]byte(raw))
		if bad != nil {
			t.Fatal(bad)
		}
		_, err := Decode[bounded](args)
		if parameter == "" && err == nil {
			continue
		}
		if failed, ok := err.(*Error); !ok || failed.Details["parameter"] != parameter {
			t.Errorf("%s: %v, want a problem of %q", raw, err, parameter)
		}
	}
	raw := string(Define(Tool{}, func(context.Context, bounded) (*searchResult, error) { return nil, nil }).Input())
	for _, want := range []string{`"maxLength":3`, `"maxItems":1`, `"required":["start"]`, `["integer","null"]`} {
		if !strings.Contains(raw, want) {
			t.Errorf("%s lacks %s", raw, want)
		}
	}
}

type searchResult struct {
	ID    string   `json:"id"`
	Rows  []lines  `json:"rows" schema:"objects"`
	Score *float64 `json:"score"`
	Note  string   `json:"note,omitempty" doc:"Why."`

	Share  *float64       `json:"share" optional:""`
	Call   map[string]any `json:"call" schema:"object" nullable:""`
	Hidden int            `json:"hidden" schema:"-"`
}

func decode(t *testing.T, raw string) (searchArgs, error) {
	t.Helper()
	args, bad := ParseArguments([]byte(raw))
	if bad != nil {
		return searchArgs{}, bad
	}
	return Decode[searchArgs](args)
}

func TestDecode(t *testing.T) {
	plain := searchArgs{Query: "q", Expand: true, Kind: "all", Budget: budget{Limit: 20}}
	with := func(change func(*searchArgs)) searchArgs { a := plain; change(&a); return a }
	for raw, want := range map[string]searchArgs{
		`{"query":"q"}`: plain,
		`{"query":"q","expand":null,"kind":null}`:       plain,
		`{"query":"q","expand":false}`:                  with(func(a *searchArgs) { a.Expand = false }),
		`{"query":"q","budget":{"limit":"7"}}`:          with(func(a *searchArgs) { a.Budget.Limit = 7 }),
		`{"query":"q","inline":{}}`:                     with(func(a *searchArgs) { a.Inline = &inline{Rows: 5} }),
		`{"query":"q","ranges":[{"start_line":2.0}]}`:   with(func(a *searchArgs) { a.Ranges = []lines{{Start: 2}} }),
		`{"query":"q","weights":{"a":2}}`:               with(func(a *searchArgs) { a.Weights = map[string]float64{"a": 2} }),
		`{"query":"q","names":["a","b"],"kind":"best"}`: with(func(a *searchArgs) { a.Names, a.Kind = []string{"a", "b"}, "best" }),
	} {
		got, err := decode(t, raw)
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v %s", raw, err, diff)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for raw, parameter := range map[string]string{
		`{}`:                                     "query",
		`{"query":" "}`:                          "query",
		`{"query":1}`:                            "query",
		`{"query":"q","kin":"all"}`:              "kin",
		`{"query":"q","kind":"al"}`:              "kind",
		`{"query":"q","expand":1}`:               "expand",
		`{"query":"q","budget":{"limit":0}}`:     "budget.limit",
		`{"query":"q","budget":{"limit":101}}`:   "budget.limit",
		`{"query":"q","budget":{"size":1}}`:      "budget.size",
		`{"query":"q","budget":[]}`:              "budget",
		`{"query":"q","ranges":{}}`:              "ranges",
		`{"query":"q","ranges":[{}]}`:            "ranges[0].start_line",
		`{"query":"q","ranges":[1]}`:             "ranges[0]",
		`{"query":"q","inline":{"rows":true}}`:   "inline.rows",
		`{"query":"q","names":[1]}`:              "names[0]",
		`{"query":"q","names":1}`:                "names",
		`{"budget":{"limit":0},"unknown":false}`: "unknown",
	} {
		_, err := decode(t, raw)
		if bad, ok := err.(*Error); !ok || bad.Code != InvalidParameter || bad.Details["parameter"] != parameter {
			t.Errorf("%s: %v, want a problem of %s", raw, err, parameter)
		}
	}
}

func TestAWrongObjectNamesItsMembers(t *testing.T) {
	_, err := decode(t, `{"query":"q","inline":["rows"]}`)
	if want := "invalid_parameter: inline must be an object with rows"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

func TestDefaultsAndCheck(t *testing.T) {
	a := Defaults[searchArgs]()
	if diff := cmp.Diff(searchArgs{Expand: true, Kind: "all", Budget: budget{Limit: 20}}, a); diff != "" {
		t.Error(diff)
	}
	a.Query = "q"
	a.Kind = "" // not a kind, and the default does not replace it
	if _, err := Check(a); err == nil {
		t.Error("an empty kind is taken")
	}
	a.Kind = "best"
	if got, err := Check(a); err != nil || !cmp.Equal(a, got) {
		t.Error(got, err)
	}
	a.Budget.Limit = 1000
	if _, err := Check(a); err == nil {
		t.Error("a limit out of bounds is taken")
	}
}

func TestSchemas(t *testing.T) {
	tool := Define(Tool{Always: []string{"note"}}, func(context.Context, searchArgs) (*searchResult, error) { return nil, nil })
	for name, c := range map[string]struct {
		got  json.RawMessage
		want string
	}{
		"input": {tool.Input(), `{
			"type": "object",
			"properties": {
				"query": {"type": "string", "minLength": 1, "description": "What to search for."},
				"expand": {"type": ["boolean", "null"], "default": true},
				"kind": {"type": ["string", "null"], "enum": ["all", "best", null], "default": "all"},
				"budget": {"type": ["object", "null"], "properties": {
					"limit": {"type": ["integer", "null"], "minimum": 1, "maximum": 100, "default": 20}
				}, "additionalProperties": false},
				"inline": {"type": ["object", "null"], "properties": {
					"rows": {"type": ["integer", "null"], "minimum": 1, "default": 5}
				}, "additionalProperties": false},
				"ranges": {"type": ["array", "null"], "items": {"type": "object", "properties": {
					"start_line": {"type": "integer", "minimum": 1}
				}, "required": ["start_line"], "additionalProperties": false}},
				"names": {"type": ["array", "null"], "items": {"type": "string"}},
				"weights": {"type": ["object", "null"], "additionalProperties": {"type": "number", "minimum": 0}}
			},
			"required": ["query"],
			"additionalProperties": false
		}`},
		"output": {tool.Output(), `{
			"type": "object",
			"properties": {
				"id": {"type": "string"},
				"rows": {"type": "array", "items": {"type": "object"}},
				"score": {"type": ["number", "null"]},
				"note": {"type": "string", "description": "Why."},
				"share": {"type": ["number", "null"]},
				"call": {"type": ["object", "null"]},
				"error": {
					"type": "object",
					"description": "Present instead of the other members when the call failed.",
					"properties": {
						"code": {"type": "string"},
						"message": {"type": "string", "description": "What is wrong and what to do next."},
						"details": {"type": "object"}
					},
					"required": ["code", "message", "details"]
				}
			},
			"anyOf": [{"required": ["id", "rows", "score", "call", "note"]}, {"required": ["error"]}]
		}`},
	} {
		var got, want any
		if err := json.Unmarshal(c.got, &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal([]byte(c.want), &want); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestCall(t *testing.T) {
	answer := func() (*searchResult, error) { return &searchResult{ID: "x"}, nil }
	tool := Define(Tool{Name: "search", Example: json.RawMessage(`{"query":"q"}`)}, func(context.Context, searchArgs) (*searchResult, error) { return answer() })
	if got, _, err := tool.Call(t.Context(), json.RawMessage(`{"query":"q"}`)); err != nil || got.(*searchResult).ID != "x" {
		t.Error(got, err)
	}
	_, _, err := tool.Call(t.Context(), nil)
	if err == nil || err.Code != InvalidParameter || !cmp.Equal(err.Details["example"], any(map[string]any{"query": "q"})) {
		t.Error(err, err.Details)
	}
	answer = func() (*searchResult, error) { panic("on fire") }
	_, _, err = tool.Call(t.Context(), json.RawMessage(`{"query":"q"}`))
	if err == nil || err.Code != Internal || !strings.Contains(errors.Unwrap(err).Error(), "on fire") {
		t.Error(err)
	}
	ended, end := context.WithCancel(t.Context())
	end()
	if _, _, err = tool.Call(ended, json.RawMessage(`{"query":"q"}`)); err == nil || err.Code != NotAvailable {
		t.Error(err)
	}
}

func TestLiftPutsMembersBesideTheirObject(t *testing.T) {
	type args struct {
		A string `json:"a"`
		B string `json:"b"`
	}
	for _, tc := range []struct{ raw, a, b, parameter string }{
		{`{"a": "x", "params": {"b": "y"}}`, "x", "y", ""},
		{`{"params": {"a": "x", "b": "y"}, "a": "x"}`, "x", "y", ""},
		{`{"a": "x", "params": {"a": "y"}}`, "", "", "params.a"},
		{`{"a": "x", "params": "y"}`, "", "", "params"},
	} {
		in, bad := ParseArguments([]byte(tc.raw))
		if bad != nil {
			t.Fatal(bad)
		}
		in.Lift("params")
		got, err := Decode[args](in)
		if tc.parameter == "" && (err != nil || got != args{tc.a, tc.b}) || tc.parameter != "" && (err == nil || AsError(err).Details["parameter"] != tc.parameter) {
			t.Errorf("%s: %+v, %v", tc.raw, got, err)
		}
	}
}

// A passage names its lines; as a place it has the first of them.
func TestLinesOfAPassageBecomeAPlace(t *testing.T) {
	tool := Define(Tool{Name: "read", Example: json.RawMessage(`{"ref": {"path": "a.md"}}`)},
		func(context.Context, struct {
			Ref Ref `json:"ref" required:"a section"`
		}) (*struct{}, error) {
			return nil, nil
		})
	for given, want := range map[string]map[string]any{
		`{"path": "b.md", "lines": "12-18"}`:                  {"path": "b.md", "start_line": 12},
		`{"path": "b.md", "lines": "12-18", "start_line": 3}`: {"path": "b.md", "start_line": json.Number("3")},
		`{"path": "b.md", "lines": "all"}`:                    {"path": "b.md"},
	} {
		_, _, err := tool.Call(t.Context(), json.RawMessage(`{"ref": `+given+`}`))
		if err == nil {
			t.Fatalf("%s is taken", given)
		}
		if diff := cmp.Diff(map[string]any{"ref": want}, err.Details["example"]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", given, diff)
		}
	}
}
