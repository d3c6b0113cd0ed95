package logic_test

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/sagasu-search/sagasu/framework/internal/logic"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/schema"
)

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

// fits reports what a schema says against a value.
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

func TestAnswersFitTheirSchema(t *testing.T) {
	output := compile(t, schema.AskLogicQA().Output)
	code, spec := evidence(t, "backend/ts/accounts.ts", "account.failedLogins >="), evidence(t, "openspec/specs/accounts/spec.md", "5 consecutive")
	stale := code
	stale.Excerpt = "gone"
	for _, a := range []logic.Answer{
		answer(t, "When is an account locked?", code), answer(t, "When is an account locked?", code, spec), answer(t, "When is an account locked?"),
		answer(t, "When is an account locked?", stale), answer(t, "How many users do we have?", code), {},
	} {
		err := fits(t, output, encode(t, a))
		if (err == nil) != (a.Status != "") {
			t.Errorf("%+v: %v", a, err)
		}
	}
	failed := map[string]any{"error": toolset.Invalid("question", "", "a question")}
	if err := fits(t, output, encode(t, failed)); err != nil {
		t.Error(err)
	}
}

func TestEvidenceFitsItsSchemas(t *testing.T) {
	found := logic.Found{Evidence: []logic.Evidence{evidence(t, "backend/ts/accounts.ts", "MAX_FAILED_LOGINS")}, UnresolvedReasons: []string{}, SearchScope: []string{}}
	if err := fits(t, compile(t, schema.FindLogicEvidence().Output), encode(t, found)); err != nil {
		t.Error(err)
	}
	call := encode(t, map[string]any{"question": "When?", "evidence": found.Evidence})
	if err := fits(t, compile(t, schema.AskLogicQA().Input), call); err != nil {
		t.Error(err)
	}
	if r, err := logic.ParseAsk(call); err != nil || r.Check(repo.DefaultGlobs()) != nil {
		t.Errorf("what was found is no evidence: %v", err)
	}
}

// What a schema refuses the reader of arguments refuses, too; it takes "10"
// for 10 besides.
func TestSchemaAndReaderAgree(t *testing.T) {
	find, asks := compile(t, schema.FindLogicEvidence().Input), compile(t, schema.AskLogicQA().Input)
	for _, raw := range []string{
		`{"question": "a", "scope": "backend"}`, `{"question": "a", "scope": "backend", "max_evidence": 21}`, `{"question": "a"}`,
		`{"question": "a", "scope": "web"}`, `{"scope": "backend"}`, `{"question": "a", "scope": "backend", "max_evidence": null, "limit": 3}`,
	} {
		_, err := logic.ParseFind([]byte(raw))
		if bad := fits(t, find, []byte(raw)); (bad == nil) != (err == nil) {
			t.Errorf("%s: schema %v, reader %v", raw, bad, err)
		}
	}
	for _, raw := range []string{
		ask(), ask(item("", "")), ask(item("line", "null")), ask(item("line", "")), ask(item("line", "1.5")), ask(item("extra", "1")),
		ask(item("kind", `"x"`)), ask(item("source_priority", "4")), ask(item("relevance", `"x"`)), ask(`1`),
	} {
		r, err := logic.ParseAsk([]byte(raw))
		if err == nil {
			err = r.Check(repo.DefaultGlobs())
		}
		if bad := fits(t, asks, []byte(raw)); (bad == nil) != (err == nil) {
			t.Errorf("%s: schema %v, reader %v", raw, bad, err)
		}
	}
}
