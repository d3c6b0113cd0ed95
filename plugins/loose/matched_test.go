package loose

import (
	"cmp"
	"slices"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk/lexical"
)

// plainly implements matched section by section, straight from the rule.
func plainly(needles []needle, threshold float64, limit int) found {
	out := found{all: roaring.New()}
	for section := range uint32(3 * window) {
		var h held
		for _, n := range needles {
			if n.holders.Contains(section) {
				h.coverage, h.score, h.must = min(h.coverage+n.coverage, 1), h.score+n.weight, h.must || n.must
			}
		}
		if h.score > 0 && (h.must || h.coverage >= threshold) {
			out.all.Add(section)
			out.best = append(out.best, lexical.Hit{Section: section, Score: h.score, Coverage: h.coverage})
		}
	}
	slices.SortFunc(out.best, func(a, b lexical.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Section, b.Section))
	})
	out.best = out.best[:min(limit, len(out.best))]
	return out
}

func TestMatchedIsWhatTheRuleSays(t *testing.T) {
	section := rapid.OneOf(rapid.Uint32Max(70), rapid.Uint32Range(window-3, window+3), rapid.Uint32Max(3*window-1))
	draw := rapid.Custom(func(t *rapid.T) needle {
		n := needle{holders: roaring.BitmapOf(rapid.SliceOf(section).Draw(t, "holders")...)}
		if from := rapid.Uint32Max(2*window).Draw(t, "from"); rapid.Bool().Draw(t, "many") {
			n.holders.AddRange(uint64(from), uint64(from)+700) // more than one chunk
		}
		n.weight, n.coverage = rapid.Float64Range(0.1, 9).Draw(t, "weight"), rapid.Float64Range(0, 0.6).Draw(t, "coverage")
		n.must = rapid.IntRange(0, 3).Draw(t, "must") == 0
		return n
	})
	rapid.Check(t, func(t *rapid.T) {
		needles := rapid.SliceOfN(draw, 0, 4).Draw(t, "needles")
		threshold, limit := rapid.Float64Range(0.01, 1).Draw(t, "threshold"), rapid.IntRange(0, 40).Draw(t, "limit")
		got, want := matched(needles, threshold, limit), plainly(needles, threshold, limit)
		if diff := gocmp.Diff(want.best, got.best, cmpopts.EquateEmpty()); diff != "" || !want.all.Equals(got.all) {
			t.Fatalf("%d matched instead of %d: %s", got.all.GetCardinality(), want.all.GetCardinality(), diff)
		}
	})
}
