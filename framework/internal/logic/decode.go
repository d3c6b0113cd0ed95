package logic

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strings"

	json "github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// ParseFind reads and checks the arguments of a search for evidence.
func ParseFind(raw []byte) (FindRequest, error) {
	f := fieldsOf("", raw, "question", "scope", "max_evidence")
	r := FindRequest{Question: f.question(), Scope: f.text("scope", `"backend"`), MaxEvidence: DefaultEvidence}
	if r.Scope != Backend {
		f.wrong("scope", r.Scope, `"backend", the only scope there is`)
	}
	if _, given := f.value("max_evidence"); given {
		r.MaxEvidence = f.integer("max_evidence", 1, MaxEvidence)
	}
	return r, f.err()
}

// ParseAsk reads the arguments of a question and checks them but for the paths,
// which [AskRequest.Check] does.
func ParseAsk(raw []byte) (AskRequest, error) {
	f := fieldsOf("", raw, "question", "evidence")
	r := AskRequest{Question: f.question(), Evidence: []Evidence{}}
	value, given := f.value("evidence")
	var items []jsontext.Value
	switch {
	case !given:
		f.missing("evidence", "the array that find_logic_evidence gave, [] when it found nothing")
	case value.Kind() != '[' || json.Unmarshal(value, &items) != nil:
		f.wrong("evidence", kindName(value), "an array of evidence items")
	case len(items) > MaxEvidence:
		f.wrong("evidence", fmt.Sprintf("%d items", len(items)), fmt.Sprintf("at most %d items", MaxEvidence))
	}
	if err := f.err(); err != nil {
		return r, err
	}
	for i, item := range items {
		e, err := parseEvidence(fmt.Sprintf("evidence[%d]", i), item)
		if err != nil {
			return r, err
		}
		r.Evidence = append(r.Evidence, e)
	}
	return r, nil
}

func parseEvidence(name string, raw jsontext.Value) (Evidence, error) {
	f := fieldsOf(name, raw, "id", "kind", "path", "line", "excerpt", "relevance", "source_priority")
	e := Evidence{
		ID: f.text("id", "a string"), Kind: Kind(f.text("kind", `"code" or "spec"`)), Path: f.text("path", "a path below the root"),
		Excerpt: f.text("excerpt", "the lines as they stand in the file"), Relevance: f.number("relevance", "a number from 0 to 1"),
		SourcePriority: f.integer("source_priority", 1, 3),
	}
	if value, ok := f.values["line"]; !ok {
		f.missing("line", "the line where the excerpt starts, or null")
	} else if value.Kind() != 'n' {
		line := f.integer("line", 1, math.MaxInt32)
		e.Line = &line
	}
	return e, f.err()
}

// fields are the members of a JSON object and the first problem with them.
type fields struct {
	prefix  string
	values  map[string]jsontext.Value
	problem *toolset.Error
}

func fieldsOf(name string, raw []byte, known ...string) *fields {
	f := &fields{prefix: name}
	if name != "" {
		f.prefix = name + "."
	} else {
		name = "arguments"
	}
	if kind := jsontext.Value(bytes.TrimSpace(raw)).Kind(); kind != '{' {
		f.wrongAt(name, kindName(raw), "a JSON object")
		return f
	}
	if err := json.Unmarshal(raw, &f.values); err != nil {
		f.wrongAt(name, "JSON that is not well-formed, or names a member twice", "one JSON object, each name once")
		return f
	}
	names := []string{}
	for given := range f.values {
		names = append(names, given)
	}
	slices.Sort(names)
	for _, given := range names {
		if !slices.Contains(known, given) {
			f.foreign(given, known)
		}
	}
	return f
}

func (f *fields) foreign(name string, known []string) {
	err := toolset.Errorf(toolset.InvalidParameter, "%s is not known here; give only %s", f.prefix+shorten(name), strings.Join(known, ", ")).
		With("parameter", f.prefix+shorten(name)).With("got", shorten(name)).With("expected", "one of "+strings.Join(known, ", "))
	if close := toolset.DidYouMean(shorten(name), known, 1); len(close) > 0 {
		err = err.With("did_you_mean", []string{f.prefix + close[0]})
	}
	f.fail(err)
}

func (f *fields) fail(err *toolset.Error) {
	if f.problem == nil {
		f.problem = err
	}
}

func (f *fields) wrongAt(name string, got any, expected string) {
	f.fail(toolset.Invalid(name, got, expected))
}

func (f *fields) wrong(name string, got any, expected string) {
	f.wrongAt(f.prefix+name, got, expected)
}

func (f *fields) missing(name, expected string) {
	f.fail(toolset.Errorf(toolset.InvalidParameter, "%s is required: give %s", f.prefix+name, expected).
		With("parameter", f.prefix+name).With("got", nil).With("expected", expected))
}

func (f *fields) err() error {
	if f.problem != nil {
		return f.problem
	}
	return nil
}

// value is a member; null is none.
func (f *fields) value(name string) (jsontext.Value, bool) {
	v, ok := f.values[name]
	return v, ok && v.Kind() != 'n'
}

func (f *fields) text(name, expected string) string {
	v, ok := f.value(name)
	if !ok {
		f.missing(name, expected)
		return ""
	}
	var s string
	if json.Unmarshal(v, &s) != nil {
		f.wrong(name, kindName(v), expected)
	}
	return s
}

func (f *fields) question() string {
	q := f.text("question", "what you want to know of the backend's logic")
	if strings.TrimSpace(q) == "" {
		f.wrong("question", q, "a question that is not empty")
	}
	return q
}

func (f *fields) number(name, expected string) float64 {
	v, ok := f.value(name)
	if !ok {
		f.missing(name, expected)
		return 0
	}
	var n float64
	if v.Kind() != '0' || json.Unmarshal(v, &n) != nil {
		f.wrong(name, kindName(v), expected)
	}
	return n
}

// integer takes a whole number, or a string that is one.
func (f *fields) integer(name string, low, high int) int {
	expected := fmt.Sprintf("an integer from %d to %d", low, high)
	if high == math.MaxInt32 {
		expected = fmt.Sprintf("an integer, %d or more", low)
	}
	v, ok := f.value(name)
	if !ok {
		f.missing(name, expected)
		return low
	}
	var n float64
	plain := jsontext.Value(strings.Trim(string(v), `"`))
	if v.Kind() != '0' && v.Kind() != '"' || !plain.IsValid() || plain.Kind() != '0' || json.Unmarshal(plain, &n) != nil ||
		n != math.Trunc(n) || n < float64(low) || n > float64(high) || v.Kind() == '"' && fmt.Sprint(int(n)) != string(plain) {
		f.wrong(name, kindName(v), expected)
		return low
	}
	return int(n)
}

// kindName is a value as an error repeats it.
func kindName(v jsontext.Value) string {
	switch v = bytes.TrimSpace(v); v.Kind() {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"', '0', 't', 'f', 'n':
		return shorten(string(v))
	}
	return "nothing that is JSON"
}

func shorten(s string) string {
	if runes := []rune(s); len(runes) > 200 {
		return string(runes[:200]) + "…"
	}
	return s
}
