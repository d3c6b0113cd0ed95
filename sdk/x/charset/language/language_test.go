package language

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	german  = Train("de", strings.Repeat("Die Prüfung läuft über größere Schlüssel, die der Schüler führt.\n", 9), "")
	russian = Train("ru", strings.Repeat("Договор расторгается по письменному заявлению.\n", 9), "°")
	english = Train("en", strings.Repeat("The contract ends by a written notice.\n", 9), "")
)

func TestATextIsCheapestInItsLanguage(t *testing.T) {
	for text, want := range map[string]*Model{
		"über die Schlüssel": german, "письменно": russian, "a written contract": english,
	} {
		least := want.Cost(english, []rune(text), 1e9).Sum()
		for _, m := range []*Model{german, russian, english} {
			if cost := m.Cost(english, []rune(text), 1e9).Sum(); m != want && cost <= least {
				t.Errorf("%q costs %g in %s and %g in %s", text, cost, m.Code, least, want.Code)
			}
		}
	}
}

func TestASCIICostsTheSameInLanguagesOfOtherLetters(t *testing.T) {
	other := Train("el", strings.Repeat("Η σύμβαση λήγει με γραπτή ειδοποίηση.\n", 9), "")
	text := []rune("Press Ctrl+C to stop")
	if a, b := russian.Cost(english, text, 1e9), other.Cost(english, text, 1e9); a != b || a.ASCII == 0 || a.Other != 0 {
		t.Errorf("got %+v and %+v", a, b)
	}
}

func TestCostEndsAboveTheMost(t *testing.T) {
	text := []rune(strings.Repeat("ÿ", 1000))
	if got := german.Cost(english, text, 100).Sum(); got < 100 || got > 200 {
		t.Errorf("got %g", got)
	}
}

func TestModelsAreReadAsWritten(t *testing.T) {
	want := []*Model{german, russian, english}
	var data []byte
	for _, m := range want {
		data = m.Append(data)
	}
	got, err := Read(data)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(Model{})); diff != "" {
		t.Error(diff)
	}
	if _, err := Read(data[:len(data)/2]); err == nil {
		t.Error("half of the data is no error")
	}
}
