package lexical

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

var plain = Weights{Word: 1, Exact: 0, Whole: 0, Unigram: 0, Bigram: 1, CommonKana: 1}

var params = Params{K1: 0.9, B: []float64{0.4, 0.4, 0.2}, Weight: []float64{2, 1, 3}}

var words = []string{"disk", "failure", "replace", "保証", "期間", "サーバ", "第3条", "backup", "の", "ください"}

// drawCorpus returns sections of a few words each.
func drawCorpus(t *rapid.T) []sdktest.Section {
	some := rapid.SliceOfN(rapid.SampledFrom(words), 0, 8)
	var out []sdktest.Section
	for range rapid.IntRange(1, 40).Draw(t, "sections") {
		out = append(out, sdktest.Section{
			Heading: strings.Join(some.Draw(t, "heading"), " "),
			Body:    ". " + strings.Join(some.Draw(t, "body"), " "), // a repeated heading would not count
			Names:   strings.Join(some.Draw(t, "names"), " "),
		})
	}
	return out
}

// naive computes the expected result of Search directly from the formula.
func naive(snap *snapshot.Snapshot, sections []sdktest.Section, bag *Bag) map[uint32]Hit {
	out := make(map[uint32]Hit)
	n := len(sections)
	for id, s := range sections {
		fields := []string{s.Heading, s.Body, s.Names}
		hit := Hit{Section: uint32(id)}
		for _, term := range bag.Terms {
			df, x := 0, 0.0
			for _, other := range sections {
				if mark(other.Heading, term.Text)+mark(other.Body, term.Text)+mark(other.Names, term.Text) > 0 {
					df++
				}
			}
			for f, field := range fields {
				length := float64(snap.Segments()[0].Lengths(f)[id])
				x += params.Weight[f] * float64(mark(field, term.Text)) / (1 - params.B[f] + params.B[f]*length/max(snap.AvgLen(f), 1))
			}
			if x == 0 {
				continue
			}
			hit.Score += term.Weight * IDF(n, df) * x / (params.K1 + x)
			if term.Slot >= 0 {
				hit.Slots |= 1 << term.Slot
			}
		}
		for slot, share := range bag.Share {
			if hit.Slots&(1<<slot) != 0 {
				hit.Coverage += share
			}
		}
		if hit.Score > 0 && hit.Coverage >= bag.Threshold-1e-4 {
			out[uint32(id)] = hit
		}
	}
	return out
}

func mark(s, term string) int {
	t := text.Normalize(s)
	var z text.Tokenizer
	n := 0
	for tok := range z.Tokens(&t) {
		if tok.Term == term {
			n++
		}
	}
	return n
}

func TestSearchFollowsTheFormula(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		sections := drawCorpus(rt)
		snap := sdktest.Snapshot(t, sections...)
		query := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 4).Draw(rt, "query"), " ")
		threshold := rapid.SampledFrom([]float64{0, 0.3, 0.7, 1}).Draw(rt, "threshold")
		bag := NewBag(snap, &sdk.Query{Text: query, MatchThreshold: threshold}, plain)
		want := naive(snap, sections, bag)

		got := Search(context.Background(), snap, nil, bag.Query, params, len(sections))
		if !got.Finished || got.Examined != len(sections) {
			rt.Fatalf("examined %d of %d, finished %v", got.Examined, len(sections), got.Finished)
		}
		if len(got.Hits) != len(want) || int(got.Matched.GetCardinality()) != len(want) {
			rt.Fatalf("%q: %d hits, %d matched, want %d", query, len(got.Hits), got.Matched.GetCardinality(), len(want))
		}
		for i, h := range got.Hits {
			w := want[h.Section]
			if math.Abs(h.Score-w.Score) > 1e-4*max(1, w.Score) || math.Abs(h.Coverage-w.Coverage) > 1e-4 || h.Slots != w.Slots {
				rt.Fatalf("%q: %+v, want %+v", query, h, w)
			}
			if i > 0 && better(got.Hits[i-1], h) > 0 {
				rt.Fatalf("rank %d is better than rank %d", i+1, i)
			}
		}
	})
}

// Terms that do not decide are scored only where they matter. The best hits must be exactly those of a search that
// keeps all.
func TestALimitChangesNoHit(t *testing.T) {
	weights := Weights{Word: 1, Exact: 0.2, Whole: 0.5, Unigram: 0.5, Bigram: 1, CommonKana: 1}
	scope := func(rt *rapid.T, n int) *roaring.Bitmap {
		if rapid.Bool().Draw(rt, "everything") {
			return nil
		}
		return roaring.BitmapOf(rapid.SliceOf(rapid.Uint32Max(uint32(n))).Draw(rt, "scope")...)
	}
	rapid.Check(t, func(rt *rapid.T) {
		sections := drawCorpus(rt)
		snap := sdktest.Snapshot(t, sections...)
		query := strings.Join(rapid.SliceOfN(rapid.SampledFrom(append(words, "保険", "期限", "disks")), 1, 6).Draw(rt, "query"), " ")
		bag := NewBag(snap, &sdk.Query{Text: query, MatchThreshold: rapid.SampledFrom([]float64{0, 0.05, 0.5}).Draw(rt, "threshold")}, weights)
		within, limit := scope(rt, len(sections)), rapid.IntRange(-1, 12).Draw(rt, "limit")
		all := Search(t.Context(), snap, within, bag.Query, params, len(sections))
		some := Search(t.Context(), snap, within, bag.Query, params, limit)
		if diff := cmp.Diff(all.Hits[:min(max(limit, 0), len(all.Hits))], some.Hits, cmpopts.EquateEmpty()); diff != "" || !all.Matched.Equals(some.Matched) {
			rt.Fatalf("%q, best %d: %s", query, limit, diff)
		}
		if found := Any(t.Context(), snap, within, bag.Query, params); found == all.Matched.IsEmpty() {
			rt.Fatalf("%q: any %t of %d matched", query, found, all.Matched.GetCardinality())
		}
	})
}

// manySections returns sections that span several windows.
func manySections(n int) []sdktest.Section {
	out := make([]sdktest.Section, n)
	for i := range out {
		out[i] = sdktest.Section{Heading: fmt.Sprintf("heading %d", i%7), Body: fmt.Sprintf("common text number%d", i%1000)}
	}
	return out
}

func TestSearchAcrossWindowsAndScopes(t *testing.T) {
	n := 2*window + 100
	snap := sdktest.Snapshot(t, manySections(n)...)
	bag := NewBag(snap, &sdk.Query{Text: "number5"}, plain)
	all := Search(context.Background(), snap, nil, bag.Query, params, n)
	want := roaring.New()
	for i := 5; i < n; i += 1000 {
		want.Add(uint32(i))
	}
	if !all.Matched.Equals(want) {
		t.Errorf("matched %v, want %v", all.Matched, want)
	}
	scope := roaring.BitmapOf(5, 6, 1005, window+1, uint32(n-1))
	some := Search(context.Background(), snap, scope, bag.Query, params, n)
	if diff := cmp.Diff([]uint32{5, 1005}, some.Matched.ToArray()); diff != "" || some.Examined != 5 || !some.Finished {
		t.Errorf("examined %d, finished %v, matched %s", some.Examined, some.Finished, diff)
	}
	if limited := Search(context.Background(), snap, nil, bag.Query, params, 3); len(limited.Hits) != 3 || !limited.Matched.Equals(want) {
		t.Errorf("a limit of 3 gave %d hits and %d matched", len(limited.Hits), limited.Matched.GetCardinality())
	}
}

func TestAnyLooksInEachWindow(t *testing.T) {
	n := 2*window + 100
	snap := sdktest.Snapshot(t, append(manySections(n), sdktest.Section{Heading: "last", Body: "quartz"})...)
	for query, want := range map[string]bool{"quartz": true, "number5": true, "basalt": false} {
		bag := NewBag(snap, &sdk.Query{Text: query}, plain)
		if got := Any(t.Context(), snap, nil, bag.Query, params); got != want {
			t.Errorf("%s: %t, want %t", query, got, want)
		}
	}
}

func TestSearchStopsWithItsContext(t *testing.T) {
	snap := sdktest.Snapshot(t, manySections(10)...)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	bag := NewBag(snap, &sdk.Query{Text: "common"}, plain)
	if got := Search(ctx, snap, nil, bag.Query, params, 10); got.Finished || got.Examined != 0 {
		t.Errorf("a cancelled search examined %d and finished: %v", got.Examined, got.Finished)
	}
}

func TestMustTermsMatchWhateverTheCoverage(t *testing.T) {
	snap := sdktest.Snapshot(t, sdktest.Section{Heading: "", Body: "disk failure E-1042 raised"}, sdktest.Section{Heading: "", Body: "disk 1042 and E elsewhere"}, sdktest.Section{Heading: "", Body: "disk"})
	q := sdk.Query{Text: "replace broken device e-1042 disk", MatchThreshold: 0.99, Terms: []sdk.Term{{Text: "e-1042", Kind: sdk.TermMust, Weight: 1}}}
	bag := NewBag(snap, &q, plain)
	bag.Threshold = 1.01 // cannot be reached
	got := Search(context.Background(), snap, nil, bag.Query, params, 9)
	if diff := cmp.Diff([]uint32{0}, got.Matched.ToArray()); diff != "" {
		t.Error(diff)
	}
}

func TestContaining(t *testing.T) {
	sections := []sdktest.Section{
		{Heading: "保証期間", Body: "購入から1年"}, {Heading: "", Body: "マイ・ナンバー・カード"}, {Heading: "", Body: "マイナンバーカード"}, {Heading: "", Body: "data base"}, {Heading: "", Body: "database"}, {Heading: "foo-bar", Body: ""}, {Heading: "", Body: "保証する期間"},
		{Heading: "設定 → 表示", Body: "🎉 (a)"}, {Heading: "", Body: "5 × 3 ［b］"}, {Heading: "", Body: "a how-to"},
	}
	snap := sdktest.Snapshot(t, sections...)
	for _, tc := range []struct {
		term         string
		exact, loose []uint32
	}{
		{"保証期間", []uint32{0}, []uint32{0}},
		{"マイナンバカード", nil, []uint32{1}},
		{text.Fold("マイナンバーカード"), []uint32{2}, []uint32{1, 2}},
		{"database", []uint32{4}, []uint32{3, 4}},
		{"foobar", nil, []uint32{5}},
		{"how-to", []uint32{9}, []uint32{9}}, // stop words
		{"absent", nil, nil},
		{"→", []uint32{7}, []uint32{7}},
		{"🎉", []uint32{7}, []uint32{7}},
		{"×", []uint32{8}, []uint32{8}},
		{text.Fold("［"), []uint32{7, 8}, []uint32{7, 8}}, // all brackets are in one class
		{"÷", nil, nil},
		{"", nil, nil},
	} {
		ctx := context.Background()
		if diff := cmp.Diff(tc.exact, Containing(ctx, snap, tc.term).ToArray(), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("Containing(%q): %s", tc.term, diff)
		}
		if diff := cmp.Diff(tc.loose, ContainingLoose(ctx, snap, tc.term).ToArray(), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("ContainingLoose(%q): %s", tc.term, diff)
		}
	}
}

func TestContainingIsExactForJapanese(t *testing.T) {
	piece := rapid.SampledFrom([]string{"保", "証", "期", "間", "・", " ", "-", "サ", "ン"})
	rapid.Check(t, func(rt *rapid.T) {
		var sections []sdktest.Section
		for range rapid.IntRange(1, 12).Draw(rt, "sections") {
			sections = append(sections, sdktest.Section{Body: strings.Join(rapid.SliceOfN(piece, 0, 10).Draw(rt, "body"), "")})
		}
		snap := sdktest.Snapshot(t, sections...)
		needle := text.Loose(text.Fold(strings.Join(rapid.SliceOfN(piece, 1, 3).Draw(rt, "needle"), "")))
		if needle == "" {
			return
		}
		var want []uint32
		for id := range sections {
			if strings.Contains(text.Loose(snap.Normalized(uint32(id), snapshot.FieldBody)), needle) {
				want = append(want, uint32(id))
			}
		}
		if diff := cmp.Diff(want, ContainingLoose(context.Background(), snap, needle).ToArray(), cmpopts.EquateEmpty()); diff != "" {
			rt.Fatalf("%q: %s", needle, diff)
		}
	})
}

func TestWithout(t *testing.T) {
	snap := sdktest.Snapshot(t, sdktest.Section{Heading: "", Body: "stable beta"}, sdktest.Section{Heading: "", Body: "stable"})
	ctx := context.Background()
	negative := []sdk.Term{{Text: "beta", Kind: sdk.TermNegative, Weight: 1}}
	if got := ExcludeNegative(ctx, snap, nil, negative); got == nil || !got.Equals(roaring.BitmapOf(1)) {
		t.Errorf("scope without beta: %v", got)
	}
	if got := ExcludeNegative(ctx, snap, nil, []sdk.Term{{Text: "beta", Kind: sdk.TermNegative, Weight: 0.5}}); got != nil {
		t.Errorf("a light aversion excludes: %v", got)
	}
}

func TestContentWeighsRareTermsMore(t *testing.T) {
	snap := sdktest.Snapshot(t, sdktest.Section{Heading: "", Body: "disk failure"}, sdktest.Section{Heading: "", Body: "disk"}, sdktest.Section{Heading: "", Body: "disk"})
	got := ContentTerms(snap, []sdk.Term{{Text: "disk", Kind: sdk.TermSoft, Weight: 1}, {Text: "failure", Kind: sdk.TermSoft, Weight: 1}, {Text: "x", Kind: sdk.TermNegative, Weight: 1}})
	if diff := cmp.Diff([]string{"disk", "failure"}, got.Texts); diff != "" || got.Weights[0] >= got.Weights[1] {
		t.Errorf("weights %v %s", got.Weights, diff)
	}
}

func BenchmarkSearch(b *testing.B) {
	snap := sdktest.Snapshot(b, manySections(70_000)...)
	q := sdk.Query{Text: "common text number5 heading", MatchThreshold: 0.3}
	b.ReportAllocs()
	for b.Loop() {
		bag := NewBag(snap, &q, plain)
		Search(context.Background(), snap, nil, bag.Query, params, 200)
	}
}
