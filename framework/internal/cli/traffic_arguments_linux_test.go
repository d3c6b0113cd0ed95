package cli

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// kinds are what members with other names hold: what one call answers another may ask for.
var kinds = map[string]string{
	"only_unscanned_from_trace_id": "trace_id", "base_run_id": "run_id", "run_id_lane": "run_id", "pub_ids": "pub_id", "from_ref": "ref",
	"from_path": "path", "to_path": "path", "artifact_path": "path", "source_path": "path", "written_path": "path", "path_prefix": "path", "relative_dir": "path", "glob": "path",
	"cursor": "next_cursor", "offset": "next_cursor", "expected_sha256": "sha256", "range": "applied_range", "cited_ranges": "applied_range",
	"question": "query", "text": "query", "find": "query", "excerpt": "query",
}

func kindOf(name string) string { return cmp.Or(kinds[name], name) }

// mostSeen bounds what is kept of a kind.
const mostSeen = 100

// learn keeps values of an answer for later calls.
func (c *caller) learn(v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			c.keep(kindOf(name), v[name])
			c.learn(v[name])
		}
	case []any:
		for i, x := range v {
			if i == 5 {
				return
			}
			c.learn(x)
		}
	}
}

func (c *caller) keep(kind string, v any) {
	if list, ok := v.([]any); ok && len(list) > mostSeen {
		v = slices.Clone(list[:mostSeen])
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.wanted[kind] || v == nil {
		return
	}
	if seen := c.seen[kind]; len(seen) < mostSeen {
		c.seen[kind] = append(seen, v)
	} else {
		seen[c.IntN(mostSeen)] = v
	}
}

// recalled returns a value of that kind that an answer had, nil for none.
func (c *caller) recalled(kind string) any {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.seen[kind]) == 0 {
		return nil
	}
	return pick(c.Rand, c.seen[kind])
}

// ask calls a tool with arguments made at random, or as an answer proposed.
func (c *caller) ask(tool toolset.Tool) {
	if proposed, _ := c.recalled("next_actions").([]any); len(proposed) > 0 && c.often(20) {
		action := pick(c.Rand, proposed).(map[string]any)
		if name, _ := action["type"].(string); name != "stop" {
			c.call(name, action["params"])
			return
		}
	}
	var example map[string]any
	if err := json.Unmarshal(tool.Example, &example); err != nil {
		c.t.Fatal(err)
	}
	c.call(tool.Name, c.object(c.schemas[tool.Name], example))
}

// object makes an argument object: what is required nearly always, of the rest some.
func (c *caller) object(s *jsonschema.Schema, example map[string]any) map[string]any {
	out := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		if given := slices.Contains(s.Required, name); given && c.often(100) || !given && c.IntN(3) > 0 {
			continue
		}
		out[name] = c.value(name, s.Properties[name], example[name])
	}
	if c.often(60) {
		out[pick(c.Rand, []string{"querry", "", "Query", "params", "limit ", "\x00", "ref"})] = c.wrong()
	}
	return out
}

// wrong returns what no argument expects, or few.
func (c *caller) wrong() any {
	return pick(c.Rand, []any{
		nil, true, -1, 0, 1.5, 1 << 40, json.Number("1e30"), "10", "", " ", "x", []any{}, []any{nil}, map[string]any{}, map[string]any{"": nil}, []any{[]any{}},
		json.RawMessage("99999999999999999999"), json.RawMessage(`"\ud800"`), json.RawMessage("-0.0"), json.RawMessage("1e400"),
	})
}

// value makes the value of an argument: of the example, of an earlier answer, new or wrong.
func (c *caller) value(name string, s *jsonschema.Schema, example any) any {
	if c.often(40) {
		return c.wrong()
	}
	if len(s.AnyOf) > 0 {
		s = pick(c.Rand, s.AnyOf)
	}
	kind := cmp.Or(s.Type, append(s.Types, "null")[0])
	if v := c.recalled(kindOf(name)); v != nil && typeOf(v) == kind && c.IntN(4) > 0 {
		return v
	}
	if len(s.Enum) > 0 {
		return pick(c.Rand, s.Enum)
	}
	switch kind {
	case "object":
		given, _ := example.(map[string]any)
		if s.Properties != nil {
			return c.object(s, given)
		}
		return c.open(s, given)
	case "array":
		given, _ := example.([]any)
		out := []any{}
		for i := range c.IntN(1 + c.IntN(5)) {
			out = append(out, c.value(name, cmp.Or(s.Items, &jsonschema.Schema{}), append(given[min(i, len(given)):], nil)[0]))
		}
		return out
	case "string":
		return c.text(name, example)
	case "integer", "number":
		return c.number(s)
	case "boolean":
		return c.often(2)
	}
	return cmp.Or[any](example, c.wrong())
}

// open makes an object whose members its schema does not name.
func (c *caller) open(s *jsonschema.Schema, example map[string]any) map[string]any {
	out := maps.Clone(example)
	if out == nil || c.often(4) {
		out = map[string]any{}
	}
	members := cmp.Or(s.AdditionalProperties, &jsonschema.Schema{})
	for range c.IntN(3) {
		name := pick(c.Rand, []string{"title", "abst", "claim", "desc", "fulltext", "semantic", "code", "facet", "lane", "rep", "fi", "ft", "ipc", "cpc", "recall", c.words()})
		out[name] = c.value(name, members, example[name])
	}
	return out
}

func typeOf(v any) string {
	switch v.(type) {
	case string:
		return "string"
	case map[string]any:
		return "object"
	case []any:
		return "array"
	}
	return ""
}

func (c *caller) text(name string, example any) string {
	if text, ok := example.(string); ok && c.often(3) {
		return text
	}
	switch kindOf(name) {
	case "query":
		return c.query()
	case "content":
		_, text := c.document()
		return string(text)
	case "path", "id", "manual_id":
		return c.path()
	}
	return c.words()
}

// path is one that may be, or one that must be refused.
func (c *caller) path() string {
	switch c.IntN(4) {
	case 0:
		return pick(c.Rand, []string{
			"", ".", "..", "../x.md", "/etc/passwd", `a\b.md`, "C:/x.md", "a\x00.md", "a\nb.md", "artifacts/daily/2026-01-31.md", ".system/x", "*.md", "**", "[", "a/./b.md",
			"dir::edited::", "file::edited::edited-01.md", "dir::..::x", "e\u0301.md", strings.Repeat("a/", 200) + "x.md", strings.Repeat("あ", 300) + ".md", "edited", " edited ",
		})
	case 1:
		return c.words()
	}
	return fmt.Sprintf("%s%sedited-%02d%s", pick(c.Rand, []string{"", "edited/", "docs/", "artifacts/", "notes/"}), pick(c.Rand, []string{"", "", "deep/"}), c.IntN(editedFiles), pick(c.Rand, []string{".md", ".json"}))
}

// number is within its bounds, at them or beyond.
func (c *caller) number(s *jsonschema.Schema) any {
	low, high := 0.0, 200.0
	if s.Minimum != nil {
		low = *s.Minimum
	}
	if s.Maximum != nil {
		high = *s.Maximum
	}
	edges := []any{low, high, low - 1, high + 1, low + 1, json.Number("9223372036854775807"), -1, fmt.Sprint(int(high))}
	if c.often(5) {
		return pick(c.Rand, edges)
	}
	return int(low) + c.IntN(int(min(high-low, 2000))+1)>>c.IntN(10)
}
