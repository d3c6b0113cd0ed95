package lane

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestCut(t *testing.T) {
	for _, tc := range []struct {
		text string
		n    int
		want string
	}{
		{"短い文", 3, "短い文"},
		{"短い文です", 3, "短い文"},
		{"一二三四五六七八九。続き", 12, "一二三四五六七八九。続き"},
		{"一二三四五六七八九。続きの文", 11, "一二三四五六七八九。"},
		{"一二三四。六七八九十続き", 10, "一二三四。六七八九十"},
		{"一二三四五六七。九十続き", 10, "一二三四五六七。九十"},
		{"一二三四五六七八。十続き", 10, "一二三四五六七八。"},
		{"line one\nline two", 10, "line one\n"},
		{"か\u3099き", 1, ""},
		{"文。", 0, ""},
		{"", 5, ""},
	} {
		if got := cut(tc.text, tc.n); got != tc.want {
			t.Errorf("cut(%q, %d) = %q, want %q", tc.text, tc.n, got, tc.want)
		}
	}
}

var japanese = rapid.StringOf(rapid.RuneFrom([]rune("顔認証装置のマスク遮蔽を補完する、ガギ\u3099𠮷é\n。。\"\\<&>abc 👩\u200d🔬")))

func TestCutIsABoundedStartThatGrows(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s, n := japanese.Draw(t, "text"), rapid.IntRange(0, 40).Draw(t, "n")
		c := cut(s, n)
		if !strings.HasPrefix(s, c) || utf8.RuneCountInString(c) > n || !utf8.ValidString(c) {
			t.Fatalf("cut(%q, %d) = %q", s, n, c)
		}
		if longer := cut(s, n+1); len(longer) < len(c) {
			t.Fatalf("%d characters give %q, one more gives %q", n, c, longer)
		}
	})
}
