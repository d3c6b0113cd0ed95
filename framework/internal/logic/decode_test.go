package logic_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/logic"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// item is an item of evidence, with one member set to another value, or left
// out where the value is empty.
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
			r, err := logic.ParseAsk([]byte(tt.raw))
			if err == nil {
				err = r.Check(repo.DefaultGlobs())
			}
			f, ok := errors.AsType[*toolset.Error](err)
			if !ok || f.Code != tt.code || f.Details["parameter"] != tt.parameter || f.Message == "" {
				t.Errorf("%v", err)
			}
		})
	}
}

func TestParseAsk(t *testing.T) {
	r, err := logic.ParseAsk([]byte(ask(item("line", `"7"`), item("line", "null"))))
	if err == nil {
		err = r.Check(repo.DefaultGlobs())
	}
	seven := 7
	want := logic.Evidence{ID: "e1", Kind: logic.Code, Path: "backend/a.ts", Line: &seven, Excerpt: "x", Relevance: .9, SourcePriority: 1}
	second := want
	second.Line = nil
	if diff := cmp.Diff(logic.AskRequest{Question: "When?", Evidence: []logic.Evidence{want, second}}, r); err != nil || diff != "" {
		t.Errorf("%v, -want +got\n%s", err, diff)
	}
}

func TestParseFind(t *testing.T) {
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
			r, err := logic.ParseFind([]byte(tt.raw))
			if tt.parameter == "" {
				if err != nil || r.MaxEvidence != tt.want {
					t.Errorf("%+v, %v", r, err)
				}
				return
			}
			if f, ok := errors.AsType[*toolset.Error](err); !ok || f.Details["parameter"] != tt.parameter {
				t.Errorf("%v", err)
			}
		})
	}
}

func FuzzParseAsk(f *testing.F) {
	f.Add([]byte(ask(item("", ""))))
	f.Add([]byte(`{"evidence": [{"line": "1"}]}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		r, err := logic.ParseAsk(raw)
		if _, ok := errors.AsType[*toolset.Error](err); err != nil && !ok {
			t.Fatalf("%v is no fault", err)
		}
		if err == nil && r.Check(repo.DefaultGlobs()) == nil && (strings.TrimSpace(r.Question) == "" || len(r.Evidence) > logic.MaxEvidence) {
			t.Fatalf("%+v passes", r)
		}
	})
}
