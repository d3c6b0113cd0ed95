package rankfusion

import (
	"testing"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
	"pgregory.net/rapid"
)

// slowFold returns what foldCase shortens.
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

func TestFolding(t *testing.T) {
	characters := rapid.SliceOfN(rapid.OneOf(
		rapid.RuneFrom([]rune("aAzZ09 -.é\u0301ÅａＡｱﾞがか゛゙ーㇰー顔認証、。【】“”°±ßςΣ½①㌔…‐\u00b4\u3000\u1161\uac00")),
		rapid.RuneFrom([]rune("aAzZ09 顔認証かがカー、。“”°")),    // all plain, now and then
		rapid.RuneFrom([]rune("@AZ[`az{ 09\n~\x00\x7f")), // ASCII, eight bytes at a time
	), 0, 40)
	rapid.Check(t, func(t *rapid.T) {
		s := string(characters.Draw(t, "text"))
		if got := foldCase(s); got != slowFold(s) {
			t.Fatalf("%q becomes %q, want %q", s, got, slowFold(s))
		}
	})
}
