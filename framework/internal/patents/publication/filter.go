package publication

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Filter is one condition on a publication, as a caller gives it.
type Filter struct {
	Lop   string `json:"lop"`   // and, or, not
	Field string `json:"field"` // see [FilterFields]
	Op    string `json:"op"`    // in its own name, not an alias
	Value any    `json:"value"`

	test test
}

// test is a condition in the form in which it is checked.
type test struct {
	values []string // of codes and names, in their one writing
	spans  []days   // of dates and years
}

// days are the days from first to last, as numbers YYYYMMDD; 0 for an open side.
type days struct{ first, last int }

// Filters select publications: all and and not must hold, and one or if there is any.
type Filters []Filter

// opAliases are other names of operators.
var opAliases = map[string]string{
	"eq": "=", "==": "=", "neq": "!=", "ne": "!=", "<>": "!=", "gt": ">", "gte": ">=", "lt": "<", "lte": "<=",
	"between": "range", "starts_with": "prefix", "startswith": "prefix",
}

// fieldAliases are other names of fields.
var fieldAliases = map[string]string{"publication_date": "date", "assignee": "applicant", "year": "pubyear"}

var (
	codeOps = []string{"in", "not_in", "=", "!=", "contains", "prefix"}
	dateOps = []string{"in", "not_in", "=", "!=", ">", ">=", "<", "<=", "range"}
)

var fieldOps = map[string][]string{
	"fi": codeOps, "ft": codeOps, "ipc": codeOps, "cpc": codeOps, "country": codeOps,
	"applicant": codeOps, "inventor": codeOps, "pub_id": codeOps,
	"date": dateOps, "filing_date": dateOps, "pubyear": dateOps,
}

// FilterFields returns the fields that a filter may name.
func FilterFields() []string { return slices.Sorted(maps.Keys(fieldOps)) }

// lops say how a condition counts among the others.
var lops = []string{"and", "or", "not"}

// exampleFilter is what a filter looks like.
var exampleFilter = map[string]any{"lop": "and", "field": "fi", "op": "in", "value": []string{"G06V10/82"}}

// ParseFilters reads a list of filters; null and nothing are none. The error names the
// entry and what it should be.
func ParseFilters(raw json.RawMessage) (Filters, *toolset.Error) {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		return nil, nil
	}
	var entries []json.RawMessage
	if err := json.Unmarshal(raw, &entries); err != nil {
		return nil, toolset.Errorf(toolset.FilterError, "filters must be a list of conditions {lop, field, op, value}").
			Argument("filters", got(raw), "a list").With("example", allCorrected(raw))
	}
	filters := Filters{}
	for i, entry := range entries {
		f, bad := parseFilter(entry)
		if bad != nil {
			return nil, bad.report(i, entries)
		}
		filters = append(filters, f)
	}
	return filters, nil
}

// badFilter says what is wrong with one entry.
type badFilter struct {
	part     string // of the entry: lop, field, op, value; "" for the whole
	problem  string
	expected any
	near     []string
}

func (b *badFilter) report(i int, entries []json.RawMessage) *toolset.Error {
	name := fmt.Sprintf("filters[%d]", i)
	if b.part != "" {
		name += "." + b.part
	}
	e := toolset.Errorf(toolset.FilterError, "%s %s", name, b.problem).
		Argument(name, got(entries[i]), b.expected).With("entry", i).With("example", allCorrected(entries...))
	if len(b.near) > 0 {
		e.With("did_you_mean", b.near)
	}
	return e
}

func parseFilter(entry json.RawMessage) (Filter, *badFilter) {
	parts, err := partsOf(entry)
	if err != nil || parts == nil {
		return Filter{}, &badFilter{problem: "must be an object {lop, field, op, value}", expected: exampleFilter}
	}
	for _, name := range slices.Sorted(maps.Keys(parts)) {
		if known := []string{"lop", "field", "op", "value"}; !slices.Contains(known, name) {
			return Filter{}, &badFilter{problem: "has an unknown part " + written(name), expected: known,
				near: toolset.DidYouMean(name, known, 1)}
		}
	}
	var f Filter
	var bad *badFilter
	if f.Lop, bad = choice(parts, "lop", lops, nil); bad != nil {
		return f, bad
	}
	if f.Field, bad = choice(parts, "field", FilterFields(), fieldAliases); bad != nil {
		return f, bad
	}
	if f.Op, bad = choice(parts, "op", fieldOps[f.Field], opAliases); bad != nil {
		return f, bad
	}
	f.Value = parts["value"]
	f.test, bad = parseValue(f)
	return f, bad
}

// partsOf reads an entry; numbers stay as they are written.
func partsOf(entry json.RawMessage) (parts map[string]any, err error) {
	dec := json.NewDecoder(bytes.NewReader(entry))
	dec.UseNumber()
	err = dec.Decode(&parts)
	return parts, err
}

// choice reads a part that is one of some words, in any case.
func choice(parts map[string]any, part string, among []string, aliases map[string]string) (string, *badFilter) {
	raw, there := parts[part]
	word, isText := raw.(string)
	word = strings.ToLower(strings.TrimSpace(word))
	word = cmp.Or(aliases[word], word)
	switch {
	case !there || raw == nil:
		return "", &badFilter{part, "is missing", among, nil}
	case !isText || !slices.Contains(among, word):
		of := ""
		if part == "op" {
			of = fmt.Sprintf(" for the field %s", parts["field"])
		}
		return "", &badFilter{part, fmt.Sprintf("is %s, which is no %s%s", written(raw), part, of), among,
			toolset.DidYouMean(word, among, 1)}
	}
	return word, nil
}
