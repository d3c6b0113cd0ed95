package publication

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// allCorrected returns the arguments of a call with a caller's conditions put right.
func allCorrected(entries ...json.RawMessage) map[string]any {
	all := make([]any, len(entries))
	for i, entry := range entries {
		all[i] = corrected(entry)
	}
	return map[string]any{"filters": all}
}

// corrected returns a caller's condition put right: what is good in it stays, the rest is what
// was probably meant, else what a condition on the field usually is.
func corrected(entry json.RawMessage) map[string]any {
	parts, err := partsOf(entry)
	if err != nil || len(parts) == 0 {
		return exampleFilter
	}
	f := Filter{Lop: meant(parts, "lop", lops, nil, "and"),
		Field: meant(parts, "field", FilterFields(), fieldAliases, "fi")}
	f.Op = meant(parts, "op", fieldOps[f.Field], opAliases, cmp.Or(usualOps[f.Field], "in"))
	f.Value = f.sample()
	for _, value := range candidates(f, parts["value"]) {
		if f.takes(value) {
			f.Value = value
			break
		}
	}
	return map[string]any{"lop": f.Lop, "field": f.Field, "op": f.Op, "value": f.Value}
}

// usualOps are the operators that find what a value begins, or holds, where none is given.
var usualOps = map[string]string{
	"fi": "prefix", "ft": "prefix", "ipc": "prefix", "cpc": "prefix", "applicant": "contains", "inventor": "contains",
}

// meant returns a part of a condition when it is good, else the closest word, else usual.
func meant(parts map[string]any, part string, among []string, aliases map[string]string, usual string) string {
	word, bad := choice(parts, part, among, aliases)
	switch {
	case bad == nil:
		return word
	case len(bad.near) > 0:
		return bad.near[0]
	}
	return usual
}

// takes reports whether a value is good for the condition.
func (f Filter) takes(value any) bool {
	f.Value = value
	_, bad := parseValue(f)
	return bad == nil
}

// candidates returns values that a caller may have meant, the likeliest first: the value as it
// is, turned round, less what is wrong in it, and the first good one of it alone.
func candidates(f Filter, value any) []any {
	list, many := value.([]any)
	if !many {
		return []any{value}
	}
	turned := slices.Clone(list)
	slices.Reverse(turned)
	one := Filter{Field: f.Field, Op: "="}
	good := slices.DeleteFunc(slices.Clone(list), func(v any) bool { return !one.takes(v) })
	out := []any{list, turned, good}
	if len(good) > 0 {
		out = append(out, good[0])
	}
	return out
}

// sampleValues are what the fields hold.
var sampleValues = map[string]string{
	"fi": "G06V10/82", "ft": "5B089AA01", "ipc": "G06V10/82", "cpc": "G06V10/82", "country": "JP",
	"applicant": "株式会社アオゾラ", "inventor": "青空 太郎", "pub_id": "JP2023-123456A",
	"date": "2023-04-01", "filing_date": "2023-04-01", "pubyear": "2023",
}

// sample returns a value that the field and the operator of a condition take.
func (f Filter) sample() any {
	one := sampleValues[f.Field]
	switch {
	case f.Op == "in" || f.Op == "not_in":
		return []any{one}
	case f.Op == "range" && f.Field == "pubyear":
		return []any{"2020", one}
	case f.Op == "range":
		return []any{"2020-01-01", one}
	}
	return one
}

// written returns a value as JSON, as far as an error repeats it.
func written(v any) string {
	out, _ := toolset.Marshal(v) // it came from JSON
	return toolset.First(string(out), 40)
}

// maxGot bounds what an error repeats of a caller's filters, in bytes or characters.
const maxGot = 1000

// got returns what a caller gave, as JSON or, when that is long, as the start of it.
func got(raw json.RawMessage) any {
	if len(raw) > maxGot || !json.Valid(raw) {
		return toolset.First(string(raw), maxGot)
	}
	return raw
}
