package code_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
)

// A condition ends before its else.
func TestConditionsOfPython(t *testing.T) {
	src := "def fee(item, days):\n    rate = TOOL if item.category == \"P\" else PLAIN\n" +
		"    if (rate if days else 0) > 3:\n        pass\n    return [d for d in days if d > 2]\n" +
		"def late(when, match):\n    if when >= days and match is None:\n        pass\n    match item:\n        case 3:\n            pass\n"
	var got []string
	for _, u := range code.Cut("a.py", []byte(src)).Units {
		for _, c := range u.Facts.Conditions {
			got = append(got, c.Text)
		}
	}
	want := []string{`item.category == "P"`, "(rate if days else 0) > 3", "days", "d > 2", "when >= days and match is None", "item", "3"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
}
