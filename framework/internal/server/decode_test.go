package server

import (
	"encoding/json"
	"math/big"
	"strconv"
	"testing"

	"pgregory.net/rapid"
)

// Exact arithmetic is the judge of what number is an integer.
func TestExactIntAgreesWithRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		number := rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,22})?([eE][+-]?[0-9]{1,2})?`).Draw(t, "number")
		exact, ok := new(big.Rat).SetString(number)
		if !ok {
			t.Fatalf("%s is no number", number)
		}
		want := exact.IsInt() && exact.Num().IsInt64()
		got, isInt := exactInt(number)
		if isInt != want || want && int64(got) != exact.Num().Int64() {
			t.Errorf("exactInt(%s) = %d, %v; exactly it is %s", number, got, isInt, exact)
		}
	})
}

func TestTextIntTakesOnlyWhatItWouldWrite(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[+ -]?[0-9]{0,3}[.x ]?`).Draw(t, "text")
		if got, ok := textInt(text); ok && strconv.Itoa(got) != text {
			t.Errorf("textInt(%q) = %d", text, got)
		}
	})
}

// FuzzCall checks that no arguments make a call panic or fail as internal, and
// that every refusal names its parameter.
func FuzzCall(f *testing.F) {
	for _, seed := range []string{
		``, `null`, `{}`, `[]`, `{"query":"x"}`, `{"query":"x","budget":{"time_ms":"10"}}`, `{"trace_id":"t","kind":null,"limit":1e3}`,
		`{"ref":{"manual_id":"m","path":"a.md","start_line":10.0},"expand":{}}`, `{"manual_id":"..","path":"C:\\x","cursor":"5"}`,
		`{"query":"x","query":"y"}`, `{"query":"\ud800"}`, `{"a":[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]}`, `{"cursor":{"char_offset":-1}}`,
	} {
		f.Add(seed)
	}
	s, _, _ := newFakes()
	f.Fuzz(func(t *testing.T, args string) {
		for _, tool := range s.Tools() {
			if tool.typed != nil {
				continue // its toolset's own tests call it
			}
			_, err := s.Call(t.Context(), tool.Name, json.RawMessage(args), nil)
			if err == nil {
				continue
			}
			if err.Code == "internal" || err.Details["parameter"] == nil || err.Details["example"] == nil {
				t.Errorf("%s %q: %v %v", tool.Name, args, err, err.Details)
			}
			if _, marshalErr := json.Marshal(ErrorResult(err)); marshalErr != nil {
				t.Errorf("%s %q: %v", tool.Name, args, marshalErr)
			}
		}
	})
}
