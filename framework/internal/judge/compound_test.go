package judge

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// A word of many letters costs so much for each of them, and not for each pair: what is looked
// up takes memory each time.
func TestALongWordIsLookedForOnce(t *testing.T) {
	w := &whole{norm: strings.Repeat("平成に元号が年を", 300)}
	looked := func(letters int) float64 {
		word := strings.Repeat("平成元年", letters/4)
		return testing.AllocsPerRun(1, func() { w.covers(word) })
	}
	short, long := looked(40), looked(400)
	if short == 0 || long > 20*short {
		t.Errorf("%.0f times for 40 letters, %.0f for 400", short, long)
	}
}

// longest gives what trying every length gives.
func TestLongestIsTheLongest(t *testing.T) {
	letter := rapid.SampledFrom([]rune("平成元年名称の比較アと"))
	rapid.Check(t, func(t *rapid.T) {
		w := &whole{norm: string(rapid.SliceOfN(letter, 0, 30).Draw(t, "text"))}
		kana := func(c rune) bool { return scriptOf(c) == hiragana }
		letters := slices.DeleteFunc(rapid.SliceOfN(letter, 1, 8).Draw(t, "letters"), kana)
		want := 0
		for n := 2; n <= len(letters); n++ {
			if commonWords[string(letters[:n])] || standsSpread(w.norm, letters[:n]) {
				want = n
			}
		}
		if got := w.longest(letters); got != want {
			t.Errorf("%d of %q, want %d", got, string(letters), want)
		}
	})
}

// standsSpread reports whether s holds the letters in order, with up to three hiragana after each.
func standsSpread(s string, letters []rune) bool {
	for from := range []rune(s) {
		rest, held := []rune(s)[from:], 0
		for gap := 0; held < len(letters) && len(rest) > 0 && gap <= 3; rest = rest[1:] {
			switch {
			case rest[0] == letters[held]:
				held, gap = held+1, 0
			case held > 0 && scriptOf(rest[0]) == hiragana:
				gap++
			default:
				gap = 4
			}
		}
		if held == len(letters) {
			return true
		}
	}
	return false
}
