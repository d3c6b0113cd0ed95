package sdk_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/schema"
)

var (
	pythonNames = regexp.MustCompile(`(?m)^__all__ = \[(.*)\]$`)
	pythonDef   = regexp.MustCompile(`^(    )?(?:class|def) (\w+)(\([^)]*\))?:`)
)

// python lists what the Python library exports: the functions and the methods of the classes
// that __all__ names.
func python(t *testing.T) (out []string) {
	data, err := os.ReadFile(filepath.Join("python", "sagasu.py"))
	if err != nil {
		t.Fatal(err)
	}
	names := pythonNames.FindStringSubmatch(string(data))
	if names == nil {
		t.Fatal("sagasu.py names nothing in __all__")
	}
	class := ""
	for line := range strings.Lines(string(data)) {
		m := pythonDef.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		name := m[2]
		if m[1] == "" {
			class = name
		} else {
			name = class + "." + name
		}
		if strings.Contains(names[1], `"`+class+`"`) && !strings.HasPrefix(m[2], "_") {
			out = append(out, "python "+name+m[3])
		}
	}
	return out
}

// schemas lists the members of the published schemas.
func schemas(t *testing.T) (out []string) {
	for _, tool := range []schema.Tool{schema.FindLogicEvidence(), schema.AskLogicQA()} {
		out = append(out, members(t, "schema "+tool.Name+" input ", tool.Input)...)
		out = append(out, members(t, "schema "+tool.Name+" output ", tool.Output)...)
	}
	return out
}

// members lists the members of a JSON Schema with their types, those of lists behind [].
func members(t *testing.T, path string, raw json.RawMessage) (out []string) {
	var node struct {
		Type       any
		Properties map[string]json.RawMessage
		Items      json.RawMessage
		Required   []string
	}
	if string(raw) == "true" || string(raw) == "false" {
		return nil
	}
	if err := json.Unmarshal(raw, &node); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
	for _, name := range slices.Sorted(maps.Keys(node.Properties)) {
		var member struct{ Type any }
		if err := json.Unmarshal(node.Properties[name], &member); err != nil {
			t.Fatalf("%s%s: %v", path, name, err)
		}
		line := fmt.Sprintf("%s%s %v", path, name, member.Type)
		if slices.Contains(node.Required, name) {
			line += ", required"
		}
		out = append(append(out, line), members(t, path+name+".", node.Properties[name])...)
	}
	if node.Items != nil {
		out = append(out, members(t, strings.TrimSuffix(path, ".")+"[].", node.Items)...)
	}
	return out
}
