package html

import (
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/webpage"
)

func TestTitleOver(t *testing.T) {
	for _, tc := range []struct{ title, home, heading, want string }{
		{"3. Duties — Handbook 12", "", "3. Duties", "Handbook 12"},
		{"Duties | Docs | Example", "Home", "Duties", "Docs | Example"},
		{"Duties (The Handbook)", "", "Duties", "The Handbook"},
		{"第5章 その他", "新メンテナーガイド", "第5章 その他", "新メンテナーガイド"},
		{"Duties", "", "duties", "Duties"},
		{"Duties of all", "Handbook", "Duties", "Duties of all"},
		{"Dutiesofall", "", "Duties", "Dutiesofall"},
		{"Handbook", "Library", "Duties", "Handbook"},
		{"Handbook", "", "", "Handbook"},
	} {
		blocks := []sdk.Block{{Text: "before"}}
		if tc.heading != "" {
			blocks = append(blocks, sdk.Block{Level: 2, Heading: tc.heading})
		}
		if got := titleOver(webpage.Page{Title: tc.title, Home: tc.home}, blocks); got != tc.want {
			t.Errorf("%+v: %q", tc, got)
		}
	}
}
