package rankfusion

import (
	"testing"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// slowFold is what foldCase shortens.
func slowFold(s string) string { return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s))) }

func TestInertCharactersAre(t *testing.T) {
	n := 0
	for r := rune(utf8.RuneSelf); r <= utf8.MaxRune; r++ {
		if !inert(r) {
			continue
		}
		n++
		s := string(r)
		if p := norm.NFKC.PropertiesString(s); slowFold(s) != s || !p.BoundaryBefore() {
			t.Errorf("%U %s is not inert: %q", r, s, slowFold(s))
		}
	}
	if n < 20_000 {
		t.Errorf("only %d are", n)
	}
}

func TestPlainFoldingIsFolding(t *testing.T) {
	characters := rapid.SliceOfN(rapid.OneOf(
		rapid.RuneFrom([]rune("aAzZ09 -.é́ÅａＡｱﾞがか゛゙ーㇰー顔認証、。【】“”°±ßςΣ½①㌔…‐")),
		rapid.RuneFrom([]rune("aAzZ09 顔認証かがカー、。“”°")), // all plain, now and then
	), 0, 12)
	rapid.Check(t, func(t *rapid.T) {
		s := string(characters.Draw(t, "text"))
		if got, ok := foldPlain(s); ok && got != slowFold(s) {
			t.Fatalf("%q becomes %q, want %q", s, got, slowFold(s))
		}
	})
	for s, want := range map[string]bool{"Tire “A” 45°": true, "【課題】マスクで顔。": true, "ｶ": false, "か\u3099": false, "É": false, "\xff": false} {
		if _, ok := foldPlain(s); ok != want {
			t.Errorf("%q is plain: %t", s, ok)
		}
	}
}
