package fusion

import (
	"cmp"
	"math"
	"slices"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func byID(a, b uint32) int { return cmp.Compare(a, b) }

var lists = []List{
	{Source: "a", Weight: 1, Entries: []Entry{{Section: 1, Score: 8}, {Section: 2, Score: 4}}},
	{Source: "b", Weight: 0.5, Entries: []Entry{{Section: 2, Score: 3}, {Section: 3, Score: 3}}},
}

func TestMerge(t *testing.T) {
	type row struct {
		Section uint32
		Score   float64
	}
	for _, tc := range []struct {
		method Method
		want   []row
	}{
		{Weighted, []row{{1, 1}, {2, 1}, {3, 0.5}}},
		{RRF, []row{{2, 1.0/62 + 0.5/61}, {1, 1.0 / 61}, {3, 0.5 / 62}}},
		{CombMNZ, []row{{2, 2}, {1, 1}, {3, 0.5}}},
	} {
		t.Run(string(tc.method), func(t *testing.T) {
			var got []row
			for _, r := range Merge(tc.method, lists, nil, byID, 30) {
				got = append(got, row{r.Section, r.Score})
			}
			if diff := gocmp.Diff(tc.want, got, cmpopts.EquateApprox(0, 1e-12)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestMergeBonusReordersAndIsKept(t *testing.T) {
	bonus := Bonus{Source: "coverage", Weight: 2, Value: func(s uint32) float64 { return map[uint32]float64{3: 1}[s] }}
	got := Merge(Weighted, lists, []Bonus{bonus}, byID, 1)
	want := Ranked{Section: 3, Score: 2.5, Contributions: []Contribution{
		{Source: "b", Rank: 2, Raw: 3, Scaled: 1, Weight: 0.5, Amount: 0.5},
		{Source: "coverage", Raw: 1, Scaled: 1, Weight: 2, Amount: 2},
	}}
	if diff := gocmp.Diff(want, got[0]); diff != "" {
		t.Error(diff)
	}
	if got[1].Section != 1 || got[1].Score != 1 || got[1].Contributions != nil {
		t.Errorf("%+v is the second, beyond the one that is kept", got[1])
	}
}

func TestContributionsAreProducts(t *testing.T) {
	unsure := slices.Clone(lists)
	unsure[0].Confidence = 0.5
	bonus := Bonus{Source: "coverage", Weight: 0.3, Value: func(uint32) float64 { return 0.7 }}
	for _, method := range []Method{Weighted, RRF, CombMNZ} {
		for _, r := range Merge(method, unsure, []Bonus{bonus}, byID, 30) {
			sum := 0.0
			for _, c := range r.Contributions {
				product := c.Weight * cmp.Or(c.Confidence, 1) * float64(max(c.Lists, 1)) * c.Scaled
				if math.Abs(product-c.Amount) > 1e-12 {
					t.Errorf("%s: %+v is not its product, %v", method, c, product)
				}
				sum += c.Amount
			}
			if math.Abs(sum-r.Score) > 1e-12 {
				t.Errorf("%s: the contributions sum to %v, the score is %v", method, sum, r.Score)
			}
		}
	}
}

func TestMergeTiesFollowOrder(t *testing.T) {
	tied := []List{{Source: "a", Weight: 1, Entries: []Entry{{Section: 9, Score: 1}, {Section: 4, Score: 1}, {Section: 7, Score: 1}}}}
	var got []uint32
	for _, r := range Merge(Weighted, tied, nil, byID, 30) {
		got = append(got, r.Section)
	}
	if diff := gocmp.Diff([]uint32{4, 7, 9}, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseMethod(t *testing.T) {
	if m, err := ParseMethod("rrf"); m != RRF || err != nil {
		t.Errorf("rrf: %v, %v", m, err)
	}
	if _, err := ParseMethod("best"); err == nil {
		t.Error("an unknown method was accepted")
	}
}

func TestMergeProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		method := rapid.SampledFrom([]Method{Weighted, RRF, CombMNZ}).Draw(t, "method")
		var in []List
		members := map[uint32]bool{}
		for i := range rapid.IntRange(0, 4).Draw(t, "lists") {
			l := List{Source: string(rune('a' + i)), Weight: rapid.Float64Range(0, 3).Draw(t, "weight")}
			for _, s := range rapid.SliceOfDistinct(rapid.Uint32Range(0, 30), rapid.ID[uint32]).Draw(t, "sections") {
				l.Entries = append(l.Entries, Entry{Section: s, Score: rapid.Float64Range(0, 1e6).Draw(t, "score")})
				members[s] = true
			}
			in = append(in, l)
		}
		out := Merge(method, in, nil, byID, 31)
		if len(out) != len(members) {
			t.Fatalf("%d sections went in, %d came out", len(members), len(out))
		}
		for i, r := range out {
			var sum float64
			for _, c := range r.Contributions {
				sum += c.Amount
			}
			if math.Abs(sum-r.Score) > 1e-9*max(1, r.Score) {
				t.Fatalf("contributions of %d sum to %g, score is %g", r.Section, sum, r.Score)
			}
			if i > 0 && out[i-1].Score < r.Score {
				t.Fatalf("rank %d scores less than rank %d", i, i+1)
			}
		}
	})
}
