package page

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// The positive parts of a bar are side by side from its start, the negative parts cover its end, and what remains is as
// long as the score.
func TestBars(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"a", "b", "c", "d", "e"}
		hits := make([]hit, rapid.IntRange(1, 5).Draw(t, "hits"))
		longest := 0.0
		for i := range hits {
			up := 0.0
			hits[i].Score = new(float64)
			for _, name := range names[:rapid.IntRange(1, len(names)).Draw(t, "parts")] {
				amount := rapid.Float64Range(-0.2, 1).Draw(t, "amount")
				hits[i].Explain = append(hits[i].Explain, fusion.Contribution{Source: name, Amount: amount})
				*hits[i].Score += amount
				up += max(amount, 0)
			}
			longest = max(longest, up)
		}
		draw(hits, names)
		for _, h := range hits {
			at, taken := 0.0, 0.0
			for _, b := range h.Bar {
				if b.Width <= 0 || b.Minus != (b.Amount < 0) || names[b.Color] != b.Source {
					t.Fatalf("%+v", b)
				}
				if b.Minus {
					taken += b.Width
					if longest > 0.01 && math.Abs(b.At-(at-taken)) > 0.1 {
						t.Fatalf("%s takes from %v, want %v", b.Source, b.At, at-taken)
					}
				} else if math.Abs(b.At-at) > 0.05 {
					t.Fatalf("%s begins at %v, want %v", b.Source, b.At, at)
				} else {
					at += b.Width
				}
			}
			if at > 100.05 {
				t.Fatalf("a bar of %v", at)
			}
			if want := 100 * *h.Score / longest; longest > 0.01 && math.Abs(at-taken-want) > 0.1 {
				t.Fatalf("%v is left, want %v", at-taken, want)
			}
		}
	})
}

func TestHeldTerms(t *testing.T) {
	for _, tc := range []struct {
		term, matched string
		want          bool
	}{
		{"対象外", "対象 象外", true}, {"対象外", "対象", false}, {"対象外", "対象外", true}, {"raid", "raid", true},
		{"raid", "disk", false}, {"保", "保証", false}, {"approves", "approves", true},
	} {
		if got := holds(strings.Fields(tc.matched), tc.term); got != tc.want {
			t.Errorf("%s among %s: %t", tc.term, tc.matched, got)
		}
	}
}

func TestPieces(t *testing.T) {
	long := strings.Repeat("あ", mostText+10)
	for name, tc := range map[string]struct {
		in   search.Snippet
		want []piece
	}{
		"nothing":          {search.Snippet{}, nil},
		"marks":            {search.Snippet{Text: "a RAID b", Marks: [][2]int{{2, 6}}}, []piece{{"a ", false}, {"RAID", true}, {" b", false}}},
		"a mark at an end": {search.Snippet{Text: "RAID", Marks: [][2]int{{0, 4}}}, []piece{{"RAID", true}}},
		"control signs":    {search.Snippet{Text: "a\x1b\u202eb\n"}, []piece{{"a\ufffd\ufffdb\n", false}}},
		"too long":         {search.Snippet{Text: long}, []piece{{long[:3*mostText], false}, {" …", false}}},
		"marks behind the end": {search.Snippet{Text: long, Marks: [][2]int{{3, 6}, {3 * mostText, 3*mostText + 3}}},
			[]piece{{"あ", false}, {"あ", true}, {long[:3*(mostText-2)], false}, {" …", false}}},
	} {
		if diff := cmp.Diff(tc.want, pieces(tc.in)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestSettings(t *testing.T) {
	got := settingsOf([]weight{{Source: "loose", Weight: 0.5, Was: 0.3}, {Source: "normalized", Weight: 1, Was: 1},
		{Source: "coverage", Weight: 0.7, Was: 0.35}})
	want := []string{"sparse_query_coverage_weight = 0.7", "strategies.loose.weight = 0.5"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
