package lexical

import (
	"math"
	"math/bits"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestTopKeepsTheBest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		limit := rapid.IntRange(0, 20).Draw(t, "limit")
		var all []Hit
		kept := NewTop(limit)
		for i, score := range rapid.SliceOf(rapid.IntRange(0, 9)).Draw(t, "scores") {
			h := Hit{Section: uint32(i), Score: float64(score)}
			all = append(all, h)
			kept.Offer(h)
		}
		slices.SortFunc(all, better)
		if diff := cmp.Diff(all[:min(limit, len(all))], slices.Clone(kept.Sorted()), cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
	})
}

func TestCoverageSumsShares(t *testing.T) {
	share := make([]float64, MaxSlots)
	for i := range share {
		share[i] = 1.0 / MaxSlots
	}
	c := newCoverage(share)
	rapid.Check(t, func(t *rapid.T) {
		slots := rapid.Uint64().Draw(t, "slots")
		want := float64(bits.OnesCount64(slots)) / MaxSlots
		if got := float64(c.of(slots)); math.Abs(got-want) > 1e-5 {
			t.Fatalf("coverage of %b is %g, want %g", slots, got, want)
		}
	})
}

func TestIDF(t *testing.T) {
	if rare, common := IDF(1000, 1), IDF(1000, 900); rare <= common || common <= 0 {
		t.Errorf("rare %g, common %g", rare, common)
	}
	if over := IDF(10, 12); over <= 0 {
		t.Errorf("a frequency that counts deleted sections gives %g", over)
	}
}

func TestProximity(t *testing.T) {
	one := []float64{1, 1}
	for _, tc := range []struct {
		name, body string
		terms      []string
		want       float64
	}{
		{"adjacent", "disk failure", []string{"disk", "failure"}, 1 / (1 + 1.0/8)},
		{"either order", "failure disk", []string{"disk", "failure"}, 1 / (1 + 1.0/8)},
		{"nearest pair counts", "disk ........ disk failure", []string{"disk", "failure"}, 1 / (1 + 1.0/8)},
		{"one is missing", "disk only", []string{"disk", "failure"}, 0},
		{"a single term has no pair", "disk", []string{"disk"}, 0},
		{"touching", "保証期間", []string{"保証", "期間"}, 1},
	} {
		if got := Proximity(tc.body, tc.terms, one, 8); math.Abs(got-tc.want) > 1e-12 {
			t.Errorf("%s: %g, want %g", tc.name, got, tc.want)
		}
	}
}

func TestTermsInAText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var terms Terms
		terms.Texts = rapid.SliceOfN(rapid.StringMatching(`[abアイ]{1,3}`), 0, 5).Draw(t, "terms")
		for range terms.Texts {
			terms.Weights = append(terms.Weights, rapid.Float64Range(0.1, 5).Draw(t, "weight"))
		}
		body := rapid.StringMatching(`[abcアイウ ]{0,40}`).Draw(t, "body")
		near, share := terms.In(body, 8)
		if near < 0 || near > 1 || math.IsNaN(near) {
			t.Fatalf("proximity %g", near)
		}
		if want := terms.Share(func(term string) bool { return strings.Contains(body, term) }); share != want {
			t.Fatalf("share %g, want %g", share, want)
		}
	})
}
