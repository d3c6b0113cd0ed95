package publication

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/patentcode"
)

// parseValue brings the value of a filter to the form in which it is checked.
func parseValue(f Filter) (test, *badFilter) {
	isDate := fieldOps[f.Field][len(fieldOps[f.Field])-1] == "range"
	values, bad := listed(f)
	if bad != nil {
		return test{}, bad
	}
	if isDate {
		return dateTest(f, values)
	}
	var t test
	for _, v := range values {
		s, isText := v.(string)
		if s = f.writing(s); !isText || s == "" {
			return test{}, &badFilter{"value", fmt.Sprintf("holds %s, which is no text", written(v)),
				"a text such as " + sampleValues[f.Field], nil}
		}
		t.values = append(t.values, s)
		t.values = append(t.values, f.twins(s)...)
	}
	return t, nil
}

// listed returns the values of a filter, one where the operator compares with one.
func listed(f Filter) ([]any, *badFilter) {
	list, many := f.Value.([]any)
	switch {
	case f.Value == nil:
		return nil, &badFilter{"value", "is missing", f.sample(), nil}
	case f.Op == "range" && (!many || len(list) != 2):
		return nil, &badFilter{"value", "must be a list of two for the op range, null for an open side",
			f.sample(), nil}
	case f.Op == "in" || f.Op == "not_in" || f.Op == "range":
		if many && len(list) == 0 {
			return nil, &badFilter{"value", "is an empty list", "a list with at least one value", nil}
		}
	case many && (f.Op != "prefix" && f.Op != "contains" || len(list) == 0):
		return nil, &badFilter{"value", fmt.Sprintf("is a list; the op %s compares with one value, in and "+
			"not_in with a list", f.Op), "one value", nil}
	}
	if !many {
		list = []any{f.Value}
	}
	return list, nil
}

// twins returns the other values of records that a value in its form means: an FI code's letter with or without @,
// and the kind codes of a number that has the letter of one.
func (f Filter) twins(s string) []string {
	switch twin := patentcode.TwinFI(s); {
	case f.Field == "fi" && f.Op != "contains" && twin != "":
		return []string{twin}
	case f.Field == "pub_id" && f.Op != "prefix" && f.Op != "contains":
		return fullKinds(s)
	}
	return nil
}

// writing returns a code or name in the form in which records are compared.
func (f Filter) writing(s string) string {
	switch f.Field {
	case "fi":
		_, full := patentcode.NormFI(s)
		return full
	case "ft":
		return patentcode.NormFTerm(s)
	case "ipc", "cpc":
		return patentcode.NormIPC(s)
	case "country":
		return patentcode.Plain(s)
	case "pub_id":
		if f.Op == "prefix" || f.Op == "contains" {
			return bare(patentcode.Plain(s))
		}
		return NumberOf(s)
	}
	return patentcode.NormName(s)
}

// dateTest reads the dates of a filter as spans of days.
func dateTest(f Filter, values []any) (test, *badFilter) {
	read := make([]days, len(values))
	for i, v := range values {
		d, ok := dateOf(f.Field, v)
		if !ok && !(v == nil && f.Op == "range") {
			return test{}, &badFilter{"value", fmt.Sprintf("holds %s, which is no date", written(v)),
				"a date such as " + dateForms(f.Field), nil}
		}
		read[i] = days{d.First(), d.Last()}
	}
	one := read[0]
	switch f.Op {
	case "range":
		span := days{one.first, read[1].last}
		if span.first > 0 && span.last > 0 && span.first > span.last {
			return test{}, &badFilter{"value", "ends before it begins",
				[]any{"the earlier date", "the later date"}, nil}
		}
		return test{spans: []days{span}}, nil
	case ">":
		return test{spans: []days{{first: one.last + 1}}}, nil
	case ">=":
		return test{spans: []days{{first: one.first}}}, nil
	case "<":
		return test{spans: []days{{last: one.first - 1}}}, nil
	case "<=":
		return test{spans: []days{{last: one.last}}}, nil
	}
	return test{spans: read}, nil
}

// dateForms returns the ways to write a date of a field.
func dateForms(field string) string {
	if field == "pubyear" {
		return "2023"
	}
	return "2023-04-01, 20230401, 2023-04 or 2023"
}

// dateOf reads a date, for pubyear a year alone.
func dateOf(field string, v any) (Date, bool) {
	var s string
	switch v := v.(type) {
	case string:
		s = v
	case json.Number:
		s = v.String()
	}
	d, ok := ParseDate(strings.TrimSpace(s))
	return d, ok && (field != "pubyear" || d.Month == 0)
}
