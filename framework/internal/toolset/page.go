package toolset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
)

// Page returns the reference page of a tool in Markdown, made from its schemas.
func (t Tool) Page() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s. %s\n\n", t.Name, strings.TrimSuffix(t.Title, "."), t.Description)
	fmt.Fprintf(&b, "Toolset `%s`; %s.\n", t.Group, t.Hints)
	var input, output jsonschema.Schema
	mustUnmarshal(t.Input(), &input)
	mustUnmarshal(t.Output(), &output)
	b.WriteString("\n## Arguments\n\n")
	table(&b, &input, true)
	fmt.Fprintf(&b, "\nA typical call:\n\n```json\n%s\n```\n", indented(t.Example))
	b.WriteString("\n## Result\n\n")
	table(&b, &output, false)
	return b.String()
}

// String returns the hints in words, such as "reads only, may be repeated".
func (h Hints) String() string {
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

func mustUnmarshal(raw json.RawMessage, into any) {
	if err := json.Unmarshal(raw, into); err != nil {
		panic("toolset: schema: " + err.Error()) // our own, which tests read
	}
}

func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if err := json.Indent(&b, raw, "", "  "); err != nil {
		return string(raw)
	}
	return b.String()
}

// table lists the members of an object and of the objects in it, one a row.
func table(b *strings.Builder, s *jsonschema.Schema, input bool) {
	rows := members(s, "", input)
	if len(rows) == 0 {
		b.WriteString("None.\n")
		return
	}
	b.WriteString("| name | type | meaning |\n|---|---|---|\n")
	for _, r := range rows {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", r[0], r[1], strings.ReplaceAll(r[2], "|", `\|`))
	}
}

func members(s *jsonschema.Schema, prefix string, input bool) (rows [][3]string) {
	names := slices.Sorted(maps.Keys(s.Properties))
	slices.SortStableFunc(names, func(a, b string) int { // what must be given or is always there comes first
		return strings.Compare(fmt.Sprint(!slices.Contains(always(s), a)), fmt.Sprint(!slices.Contains(always(s), b)))
	})
	for _, name := range names {
		if !input && prefix == "" && name == "error" {
			continue
		}
		p := s.Properties[name]
		rows = append(rows, [3]string{prefix + name, kind(p), meaning(p, input && slices.Contains(always(s), name))})
		inner, at := p, prefix+name+"."
		if p.Items != nil {
			inner, at = p.Items, prefix+name+"[]."
		}
		rows = append(rows, members(inner, at, input)...)
	}
	return rows
}

// always are the members that must be given, or that a successful result has.
func always(s *jsonschema.Schema) []string {
	if len(s.AnyOf) > 0 && len(s.Required) == 0 {
		return s.AnyOf[0].Required
	}
	return s.Required
}

func kind(s *jsonschema.Schema) string {
	types := append(slices.Clone(s.Types), s.Type)
	types = slices.DeleteFunc(types, func(t string) bool { return t == "" || t == "null" })
	name := strings.Join(types, " or ")
	if name == "array" && s.Items != nil {
		return "list of " + kind(s.Items)
	}
	return cmp.Or(name, "any")
}

func meaning(s *jsonschema.Schema, required bool) string {
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
