package lexical

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFinderAgreesWithIndex(t *testing.T) {
	word := rapid.StringOfN(rapid.SampledFrom([]rune("abサーバ保証x")), 1, 4, -1)
	rapid.Check(t, func(t *rapid.T) {
		needle, sample := word.Draw(t, "needle"), rapid.StringOf(rapid.SampledFrom([]rune("aサ保x"))).Draw(t, "sample")
		s := strings.Join(rapid.SliceOf(word).Draw(t, "text"), "")
		f := NewFinder(needle, sample)
		if got, want := f.Index(s), strings.Index(s, needle); got != want {
			t.Fatalf("%q in %q: %d", needle, s, got)
		}
	})
}

func BenchmarkFinder(b *testing.B) {
	s := strings.Repeat("契約者が死亡したときは、相続人がその権利を継ぐ。保険料は毎月払う。", 40)
	for name, needle := range map[string]string{"kanji": "保険金", "katakana": "サーバ", "latin": "vector"} {
		f := NewFinder(needle, s)
		b.Run(name+"/finder", func(b *testing.B) {
			for b.Loop() {
				f.Index(s)
			}
		})
		b.Run(name+"/strings", func(b *testing.B) {
			for b.Loop() {
				strings.Contains(s, needle)
			}
		})
	}
}
