package dict

import (
	"slices"
	"testing"
)

func TestALineMayHoldAllForms(t *testing.T) {
	for line, want := range map[string][]string{
		"{補償,保証}{しない,しません}": {"補償しない", "保証しない", "補償しません", "保証しません"},
		"not {a, b} c": {"not a c", "not b c"},
		"支払わ{ない,れない}":  {"支払わない", "支払われない"},
		"open { brace": {"open ( brace"},
	} {
		got, err := ParseWords("x.txt", []byte(line))
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v", line, got, err)
		}
	}
	if _, err := ParseWords("x.txt", []byte("{a,a}b")); err == nil {
		t.Error("a form that is there twice was accepted")
	}
	if got := alternatives("{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"); len(got) != mostForms {
		t.Errorf("%d forms", len(got))
	}
}
