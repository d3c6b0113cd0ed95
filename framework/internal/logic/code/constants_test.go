package code_test

import (
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
)

// In Python, the colon after a condition does not begin a type.
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

// The name of an argument is not a constant. The result of the call is the value of one.
func TestArgumentsGiveNoValues(t *testing.T) {
	src := "DEFAULT_GRACE = td(hours=1)\nMAX_AGE = min(3, td(days=30))\nLIMITS = {\"days\": 3}\nclass Check:\n    name = models.CharField(blank=True, max_length=100)\n    kind: str = \"simple\"\n"
	got := ""
	r := code.Read("a.py", []byte(src))
	for _, u := range r.Units {
		for _, c := range r.Values(u) {
			got += c.Name + "=" + c.Value + " "
		}
	}
	if want := "DEFAULT_GRACE=td(hours=1) days=3 kind=\"simple\" "; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// A blank name in Go is not a constant.
func TestBlankNamesGiveNoValues(t *testing.T) {
	r := code.Read("a.go", []byte("package a\n\nvar _ Auther = (*Manager)(nil)\n"))
	for _, u := range r.Units {
		if got := r.Values(u); len(got) > 0 {
			t.Errorf("%v", got)
		}
	}
}

// A constant as the key of a Go map is used, not declared.
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
