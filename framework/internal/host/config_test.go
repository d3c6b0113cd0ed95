package host

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

const configSchema = `{"type": "object", "properties": {
	"weight": {"type": "number", "minimum": 0},
	"model": {"type": "object", "properties": {"name": {"type": "string", "pattern": "^[a-z]+$"}}},
	"free": {"type": "object", "additionalProperties": {"type": "integer"}},
	"open": {"type": "object", "properties": {"a": {}}, "additionalProperties": true}
}, "required": ["weight"]}`

func TestCheckConfig(t *testing.T) {
	for config, want := range map[string]string{
		`{"weight": 1}`: "",
		`{"weight": 1, "model": {"name": "a"}, "free": {"x": 1}, "open": {"a": 1, "b": 2}}`: "",
		`{"weihgt": 1}`:                           "weihgt: unknown key; did you mean weight?",
		`{"weight": 1, "zzzzzz": 1}`:              "zzzzzz: unknown key; the keys are free, model, open, weight",
		`{"weight": 1, "model": {"nmae": "a"}}`:   "model.nmae: unknown key; did you mean name?",
		`{"weight": 1, "model": {"name": "A 1"}}`: "model.name: ",
		`{"weight": -1}`:                          "weight: ",
		`{"weight": "1"}`:                         "weight: ",
		`{"weight": 1, "free": {"x": "y"}}`:       "free.x: ",
		`{}`:                                      "weight",
		`[]`:                                      "array",
		`{`:                                       "it is not JSON",
	} {
		err := CheckConfig(json.RawMessage(configSchema), json.RawMessage(config))
		if want == "" {
			must(t, err)
			continue
		}
		if _, ok := errors.AsType[*ConfigError](err); !ok || !strings.Contains(err.Error(), want) {
			t.Errorf("%s gave %v, want %q", config, err, want)
		}
	}
}

func TestSchemasThatCannotBeUsed(t *testing.T) {
	if err := CheckConfig(nil, json.RawMessage(`{}`)); err == nil || !strings.Contains(err.Error(), "takes no configuration") {
		t.Errorf("no schema gave %v", err)
	}
	for _, schema := range []string{`{`, `{"type": 3}`, `{"$ref": "file:///etc/passwd"}`, `{"$ref": "https://example.com/x"}`, `{"$ref": "other.json"}`} {
		err := CheckConfig(json.RawMessage(schema), json.RawMessage(`{}`))
		if _, blamed := errors.AsType[*ConfigError](err); err == nil || blamed {
			t.Errorf("%s gave %v", schema, err)
		}
	}
}

func FuzzCheckConfig(f *testing.F) {
	f.Add(configSchema, `{"weight": 1}`)
	f.Add(`{"properties": {"a": {"$ref": "#"}}}`, `{"a": {"a": {"b": 1}}}`)
	f.Fuzz(func(t *testing.T, schema, config string) {
		if CheckConfig(json.RawMessage(schema), json.RawMessage(config)) == nil && !json.Valid([]byte(config)) {
			t.Errorf("%q passed", config)
		}
	})
}
