package code_test

import (
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
)

// The colon behind a condition of Python is no sign that a type follows.
func TestConditionGivesNoValue(t *testing.T) {
	src := "MOST_DAYS = 14\n\ndef close(ticket, days):\n    if days > MOST_DAYS:\n        ticket.status = \"closed\"\n    LEAST: int = 3\n"
	for _, u := range code.Cut("a.py", []byte(src)).Units {
		for _, c := range u.Facts.Constants {
			if c.Value != "14" && c.Value != "3" {
				t.Errorf("%s of %s is %s", c.Name, u.Name, c.Value)
			}
		}
	}
}

// A key of a map of Go is a use of its constant, and no value of it.
func TestKeysOfMapsGiveNoValues(t *testing.T) {
	src := "package a\n\nconst ModeSafe = \"safe\"\n\nvar known = map[string]bool{\n\tModeSafe: true,\n}\n\nvar preset = limits{\n\tmost: 5,\n}\n"
	got := ""
	for _, u := range code.Cut("a.go", []byte(src)).Units {
		for _, c := range u.Facts.Constants {
			got += c.Name + "=" + c.Value + " "
		}
	}
	if want := "ModeSafe=\"safe\" most=5 "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
