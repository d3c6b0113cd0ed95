package patentquery

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Searching eight bytes at a time finds the same as searching byte by byte.
func TestScan(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := strings.Join(rapid.SliceOfN(rapid.SampledFrom([]string{
			"s", "e", "z", "A", "Z", "0", "9", " ", "\n", "-", "@", "[", "`", "{", "/", ":", "顔", "é", "\x80", "\xff", "sensor", "fooBar", "kPa", "LED", "5G",
			strings.Repeat("small ", 5), strings.Repeat("s", 24),
		}), 0, 100).Draw(t, "pieces"), "")
		leads := rapid.SampledFrom([][]lead{{{'s', 0}}, {{'s', 'e'}}, {{'s', 'e'}, {'e', 's'}}, {{'0', 0}}, {{'z', 0}, {'9', 0}}}).Draw(t, "leads")
		may := func(at int, l lead) bool {
			other := l.second != 0 && at+1 < len(s) && small(s[at+1]) && s[at+1] != l.second
			return s[at] == l.first && !other && !(at > 0 && small(s[at]) && small(s[at-1]))
		}
		for from := range len(s) + 1 {
			at := from
			for at < len(s) && !slices.ContainsFunc(leads, func(l lead) bool { return may(at, l) }) {
				at++
			}
			if got := nextStart(s, from, leads); got != at {
				t.Errorf("nextStart(%q, %d, %q) = %d, want %d", s, from, leads, got, at)
			}
			start, end := slowCamel(s, from)
			if gotStart, gotEnd := NextCamel(s, from); gotStart != start || gotEnd != end {
				t.Errorf("NextCamel(%q, %d) = %d, %d, want %d, %d", s, from, gotStart, gotEnd, start, end)
			}
		}
	})
}

var nearby = []string{
	"sensor", "sensors", "heat", "sink", "heat-sink", "sens", "foo", "fooBar", "foo_bar", "3.5", ".", "-", " ", " ", " ", "a", "顔", "認証", "・", "\n", "v1.2", "light", strings.Repeat("filler ", 20),
}

// A proximity is found if any two places of its sides are close.
func TestProximityOfAllPlaces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := text.Normalize(strings.Join(rapid.SliceOfN(rapid.SampledFrom(nearby), 0, 40).Draw(t, "text"), ""))
		side := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Term {
			word := rapid.SampledFrom([]string{"sensor", "heat", "sink", "heat sink", "foo", "bar", "3.5", "a", "顔", "認証", "顔認", "light"}).Draw(t, "word")
			return Term{Text: word, Quoted: rapid.Bool().Draw(t, "quoted"), Prefix: rapid.Bool().Draw(t, "open")}
		}), 1, 2)
		n := Near{Ordered: rapid.Bool().Draw(t, "ordered"), Words: rapid.Bool().Draw(t, "words"), Distance: rapid.IntRange(0, 6).Draw(t, "distance"),
			Left: side.Draw(t, "left"), Right: side.Draw(t, "right")}
		x, want := NewProximity(n), false
		for _, l := range places(x.Left, &in) {
			for _, r := range places(x.Right, &in) {
				want = want || l.end <= r.start && x.spans(in.Norm[l.end:r.start]) ||
					!n.Ordered && r.end <= l.start && x.spans(in.Norm[r.end:l.start])
			}
		}
		if got := x.In(&in); got != want {
			t.Errorf("%s in %q: %v, want %v", n, in.Norm, got, want)
		}
	})
}

func places(patterns []*Pattern, in *text.Text) (out []span) {
	for _, p := range patterns {
		for start, end := range p.All(in) {
			out = append(out, span{start, end})
		}
	}
	return out
}

func slowCamel(s string, at int) (from, to int) {
	capital := func(b byte) bool { return b >= 'A' && b <= 'Z' }
	for i := at + 1; i < len(s); i++ {
		part := small(s[i-1]) || (capital(s[i-1]) || s[i-1] >= '0' && s[i-1] <= '9') && i+1 < len(s) && small(s[i+1])
		if !capital(s[i]) || !part {
			continue
		}
		for from = i; from > 0 && !isSpace(rune(s[from-1])); from-- {
		}
		for to = i; to < len(s) && !isSpace(rune(s[to])); to++ {
		}
		return from, to
	}
	return -1, -1
}
