package server

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/logic"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/schema"
)

// fakeLogic answers with what a test gives it and keeps what it was asked.
type fakeLogic struct {
	asked any
	found logic.Found
	err   error
}

func (l *fakeLogic) Find(_ context.Context, r logic.FindRequest) (logic.Found, error) {
	l.asked = r
	return l.found, l.err
}

func (l *fakeLogic) Ask(_ context.Context, r logic.AskRequest) (logic.Answer, error) {
	l.asked = r
	return logic.Answer{Evidence: []logic.Ground{}, Unknowns: []string{}, Status: logic.Insufficient}, l.err
}

func logicServer(mode LogicMode) (*Server, *fakeLogic) {
	l := &fakeLogic{}
	return New(Options{Toolsets: []string{"logic"}, Logic: l, LogicMode: mode}), l
}

// What the tools promise is what package schema publishes, and the documents say so.
func TestLogicToolsHaveThePublishedSchemas(t *testing.T) {
	s, _ := logicServer(LogicMode{})
	published := map[string]schema.Tool{}
	for _, p := range []schema.Tool{schema.FindLogicEvidence(), schema.AskLogicQA()} {
		published[p.Name] = p
	}
	documents, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "logic.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range s.Tools() {
		want := published[tool.Name]
		if string(tool.Input) != string(want.Input) || string(tool.Output) != string(want.Output) {
			t.Errorf("%s has other schemas than those published", tool.Name)
		}
		var in, out struct{ Properties map[string]any }
		if err := errors.Join(json.Unmarshal(tool.Input, &in), json.Unmarshal(tool.Output, &out)); err != nil {
			t.Fatal(err)
		}
		for _, properties := range []map[string]any{in.Properties, out.Properties} {
			for name := range properties {
				if !strings.Contains(string(documents), "`"+name+"`") {
					t.Errorf("docs/logic.md does not tell of %s, which %s has", name, tool.Name)
				}
			}
		}
		delete(published, tool.Name)
	}
	if len(published) != 0 {
		t.Errorf("no tool for %v", published)
	}
}

func TestLogicArguments(t *testing.T) {
	s, l := logicServer(LogicMode{})
	if _, err := s.Call(t.Context(), "find_logic_evidence", []byte(`{"question": "q", "scope": "backend", "max_evidence": "20"}`), nil); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(logic.FindRequest{Question: "q", Scope: "backend", MaxEvidence: 20}, l.asked); diff != "" {
		t.Error(diff)
	}
	if _, err := s.Call(t.Context(), "ask_logic_qa", []byte(`{"question": "q", "evidence": [{"id": "e", "kind": "code", "path": "backend/a.ts", "line": null, "excerpt": "x", "relevance": 0.70, "source_priority": 1}]}`), nil); err != nil {
		t.Fatal(err)
	}
	want := logic.AskRequest{Question: "q", Evidence: []logic.Evidence{{ID: "e", Kind: logic.Code, Path: "backend/a.ts", Excerpt: "x", Relevance: .7, SourcePriority: 1}}}
	if diff := cmp.Diff(want, l.asked); diff != "" {
		t.Error(diff)
	}
}

func TestLogicRefusesBadArguments(t *testing.T) {
	item := `{"id": "e", "kind": "code", "path": "backend/a.ts", "line": 1, "excerpt": "x", "relevance": 1, "source_priority": 1}`
	many := strings.TrimSuffix(strings.Repeat(item+",", 21), ",")
	for _, tt := range []struct{ tool, args, parameter string }{
		{"find_logic_evidence", ``, "question"},
		{"find_logic_evidence", `{"question": " ", "scope": "backend"}`, "question"},
		{"find_logic_evidence", `{"question": "q"}`, "scope"},
		{"find_logic_evidence", `{"question": "q", "scope": "frontend"}`, "scope"},
		{"find_logic_evidence", `{"question": "q", "scope": "backend", "max_evidence": 21}`, "max_evidence"},
		{"find_logic_evidence", `{"question": "q", "scope": "backend", "max_evidence": true}`, "max_evidence"},
		{"find_logic_evidence", `{"question": "q", "scope": "backend", "max": 3}`, "max"},
		{"ask_logic_qa", `{"evidence": []}`, "question"},
		{"ask_logic_qa", `{"question": "q"}`, "evidence"},
		{"ask_logic_qa", `{"question": "q", "evidence": [` + many + `]}`, "evidence"},
		{"ask_logic_qa", `{"question": "q", "evidence": [` + item + `, {"id": "f"}]}`, "evidence[1].kind"},
		{"ask_logic_qa", `{"question": "q", "evidence": [` + strings.Replace(item, `"id"`, `"note": 1, "id"`, 1) + `]}`, "evidence[0].note"},
		{"ask_logic_qa", `{"question": "q", "evidence": [` + strings.Replace(item, `"relevance": 1`, `"relevance": "much"`, 1) + `]}`, "evidence[0].relevance"},
	} {
		s, l := logicServer(LogicMode{})
		err := refused(t, s, tt.tool, tt.args)
		if err.Code != toolset.InvalidParameter || err.Details["parameter"] != tt.parameter || l.asked != nil {
			t.Errorf("%s %s: %v %v, asked %v", tt.tool, tt.args, err, err.Details, l.asked)
		}
		exampleWorks(t, s, tt.tool, tt.args, err)
	}
}

// The tools are rolled back by a setting: they stay, and refuse.
func TestLogicSwitchedOff(t *testing.T) {
	s, l := logicServer(LogicMode{Off: true})
	if n := len(s.Tools()); n != 2 {
		t.Errorf("%d tools", n)
	}
	for _, call := range [][2]string{{"find_logic_evidence", `{"question": "q", "scope": "backend"}`}, {"ask_logic_qa", `{"question": "q", "evidence": []}`}, {"ask_logic_qa", `{"old": 1}`}} {
		if err := refused(t, s, call[0], call[1]); err.Code != toolset.NotAvailable || !strings.Contains(err.Message, "LOGIC_QA=off") || l.asked != nil {
			t.Errorf("%v: %v", call, err)
		}
	}
}

func TestLogicHints(t *testing.T) {
	s, _ := logicServer(LogicMode{Remote: true})
	for _, tool := range s.Tools() {
		remote := tool.Name == "ask_logic_qa"
		if want := (Hints{ReadOnly: true, Idempotent: !remote, OpenWorld: remote}); tool.Hints != want {
			t.Errorf("%s: %+v", tool.Name, tool.Hints)
		}
	}
	if !strings.Contains(s.instructions(), "ask_logic_qa") || slices.ContainsFunc(New(Options{}).Tools(), func(t Tool) bool { return t.Toolset == logicTools }) {
		t.Error("the tools are offered by what is behind them")
	}
}

func TestLogicLogHoldsNoText(t *testing.T) {
	found := counters(logic.Found{Evidence: []logic.Evidence{{Excerpt: "secret"}}})
	answered := counters(logic.Answer{Answer: "secret", Status: logic.OK, Evidence: []logic.Ground{{Claim: "secret"}}, Unknowns: []string{"unbacked:secret"}})
	raw, err := json.Marshal([]any{found, answered})
	if err != nil || strings.Contains(string(raw), "secret") || !strings.Contains(string(raw), `"status","ok"`) {
		t.Errorf("%s, %v", raw, err)
	}
}
