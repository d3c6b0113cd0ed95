package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// toolPage returns the reference page of a tool in Markdown, made from its schemas.
func toolPage(t toolset.Tool) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s. %s\n\n", t.Name, strings.TrimSuffix(t.Title, "."), t.Description)
	fmt.Fprintf(&b, "Toolset `%s`; %s.\n", t.Group, hintWords(t.Hints))
	var input, output jsonschema.Schema
	mustUnmarshalSchema(t.Input(), &input)
	mustUnmarshalSchema(t.Output(), &output)
	b.WriteString("\n## Arguments\n\n")
	schemaTable(&b, &input, true)
	fmt.Fprintf(&b, "\nA typical call:\n\n```json\n%s\n```\n", indentedJSON(t.Example))
	b.WriteString("\n## Result\n\n")
	schemaTable(&b, &output, false)
	return b.String()
}

// hintWords returns hints in words, such as "reads only, may be repeated".
func hintWords(h toolset.Hints) string {
	words := []string{"writes"}
	if h.ReadOnly {
		words = []string{"reads only"}
	}
	for _, w := range []struct {
		is   bool
		word string
	}{{h.Destructive, "may overwrite"}, {h.Idempotent, "may be repeated"}, {h.OpenWorld, "asks a service"}} {
		if w.is {
			words = append(words, w.word)
		}
	}
	return strings.Join(words, ", ")
}

func mustUnmarshalSchema(raw json.RawMessage, into any) {
	if err := json.Unmarshal(raw, into); err != nil {
		panic("schema: " + err.Error()) // our own, which tests read
	}
}

func indentedJSON(raw json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return string(raw)
	}
	return b.String()
}

// schemaTable lists the members of an object and of the objects in it, one a row.
func schemaTable(b *strings.Builder, s *jsonschema.Schema, input bool) {
	rows := schemaRows(s, "", input)
	if len(rows) == 0 {
		b.WriteString("None.\n")
		return
	}
	b.WriteString("| name | type | meaning |\n|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", r[0], r[1], strings.ReplaceAll(r[2], "|", `\|`))
	}
}

func schemaRows(s *jsonschema.Schema, prefix string, input bool) (rows [][3]string) {
	names := slices.Sorted(maps.Keys(s.Properties))
	slices.SortStableFunc(names, func(a, b string) int { // what must be given or is always there comes first
		return strings.Compare(fmt.Sprint(!slices.Contains(alwaysThere(s), a)), fmt.Sprint(!slices.Contains(alwaysThere(s), b)))
	})
	for _, name := range names {
		if !input && prefix == "" && name == "error" {
			continue
		}
		p := s.Properties[name]
		rows = append(rows, [3]string{prefix + name, schemaType(p), schemaMeaning(p, input && slices.Contains(alwaysThere(s), name))})
		inner, at := p, prefix+name+"."
		if p.Items != nil {
			inner, at = p.Items, prefix+name+"[]."
		}
		rows = append(rows, schemaRows(inner, at, input)...)
	}
	return rows
}

// alwaysThere returns the members that must be given, or that a successful result has.
func alwaysThere(s *jsonschema.Schema) []string {
	if len(s.AnyOf) > 0 && len(s.Required) == 0 {
		return s.AnyOf[0].Required
	}
	return s.Required
}

func schemaType(s *jsonschema.Schema) string {
	types := append(slices.Clone(s.Types), s.Type)
	types = slices.DeleteFunc(types, func(t string) bool { return t == "" || t == "null" })
	name := strings.Join(types, " or ")
	if name == "array" && s.Items != nil {
		return "list of " + schemaType(s.Items)
	}
	return cmp.Or(name, "any")
}

func schemaMeaning(s *jsonschema.Schema, required bool) string {
	var parts []string
	if required {
		parts = append(parts, "Required.")
	}
	if s.Description != "" {
		parts = append(parts, s.Description)
	}
	var words []string
	for _, word := range s.Enum {
		if word != nil {
			words = append(words, fmt.Sprint(word))
		}
	}
	if len(words) > 0 {
		parts = append(parts, "One of "+strings.Join(words, ", ")+".")
	}
	switch {
	case s.Minimum != nil && s.Maximum != nil:
		parts = append(parts, fmt.Sprintf("%g to %g.", *s.Minimum, *s.Maximum))
	case s.Minimum != nil:
		parts = append(parts, fmt.Sprintf("At least %g.", *s.Minimum))
	}
	if len(s.Default) > 0 {
		parts = append(parts, "Default "+string(s.Default)+".")
	}
	return strings.Join(parts, " ")
}
