package text

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestLoose(t *testing.T) {
	for src, want := range map[string]string{
		"":      "",
		"plain": "plain",
		"サーバ・クライアント (方式)":      "サーバクライアント方式",
		"foo-bar_baz/qux 'x'":  "foobarbazquxx",
		"a, b. c; d: e! f? 、。": "abcdef",
		"c++ c# 50% a=b":       "c++c#50%a=b",
	} {
		if got := Loose(src); got != want {
			t.Errorf("Loose(%q) = %q, want %q", src, got, want)
		}
	}
}

func TestIndexLoose(t *testing.T) {
	for _, tc := range []struct {
		norm, needle string
		want         string // the expected match, or ""
		start        int
	}{
		{"use foo-bar here", "foobar", "foo-bar", 4},
		{"use foobar here", "foobar", "foobar", 4},
		{"fo foo bar", "foobar", "foo bar", 3},
		{"サーバ・ク", "サーバク", "サーバ・ク", 0},
		{"サーバ・クライアント", "サーバークライアント", "サーバ・クライアント", 0},
		{"コピ・機", "コピー機", "", -1},
		{"a-b", "aーb", "", -1},
		{"アイウ・ーエ", "アイウーエ", "アイウ・ーエ", 0},
		{"サーバ", "サーバー", "", -1},
		{"f-o-o", "foo", "f-o-o", 0},
		{"foo", "foob", "", -1},
		{"foo", "", "", -1},
		{"", "a", "", -1},
		{"--a--", "a", "a", 2},
	} {
		start, end := IndexLoose(tc.norm, tc.needle)
		if start != tc.start || start >= 0 && tc.norm[start:end] != tc.want {
			t.Errorf("IndexLoose(%q, %q) = %d, %d", tc.norm, tc.needle, start, end)
		}
	}
}

func TestLooseLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		norm := Fold(anyText().Draw(t, "src"))
		needle := Loose(Fold(anyText().Draw(t, "needle")))
		if strings.ContainsFunc(Loose(norm), IsSeparator) {
			t.Fatalf("separator in Loose(%q)", norm)
		}
		start, end := IndexLoose(norm, needle)
		found, contained := start >= 0, needle != "" && strings.Contains(Loose(norm), needle)
		if contained && !found || found && !contained && !strings.Contains(needle, longVowel) {
			t.Fatalf("IndexLoose(%q, %q) = %d", norm, needle, start)
		}
		if found && withoutLongVowels(Loose(norm[start:end])) != withoutLongVowels(needle) {
			t.Fatalf("IndexLoose(%q, %q) found %q", norm, needle, norm[start:end])
		}
	})
}

func withoutLongVowels(s string) string { return strings.ReplaceAll(s, longVowel, "") }

func TestCutRunes(t *testing.T) {
	for _, tc := range []struct {
		src  string
		max  int
		want string
	}{
		{"", 3, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "abc"},
		{"日本語", 2, "日本"},
		{"日本語", 0, ""},
		{"ae\u0301x", 2, "a"},
		{"ae\u0301x", 3, "ae\u0301"},
		{"か\u3099き", 1, ""},
		{"a👩\u200D💻b", 2, "a"},
		{"a\r\nb", 2, "a"},
		{"ｶﾞｷ", 1, ""},
		{"한\u11a8a", 1, ""},
		{"a\xFFb", 2, "a\xFF"},
	} {
		if got := CutRunes(tc.src, tc.max); got != tc.want {
			t.Errorf("CutRunes(%q, %d) = %q, want %q", tc.src, tc.max, got, tc.want)
		}
	}
}

func TestCutRunesLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src, max := anyText().Draw(t, "src"), rapid.IntRange(0, 30).Draw(t, "max")
		cut := CutRunes(src, max)
		if !strings.HasPrefix(src, cut) || len([]rune(cut)) > max {
			t.Fatalf("CutRunes(%q, %d) = %q", src, max, cut)
		}
	})
}
