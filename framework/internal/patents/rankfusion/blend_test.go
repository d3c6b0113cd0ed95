package rankfusion

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk/x/patentcode"
)

// doc is a publication as the naive fusion reads it.
type doc struct {
	codes Codes
	text  string
}

// look records which terms of the facets the texts of a row hold.
func (c *Catalog) look(row uint32, facets map[string][]string, texts ...string) {
	f := NewFinder(facets)
	c.Note(row, f, f.Held(texts...))
}

// naive computes score and best rank of each publication from the formulas, one
// publication at a time, and returns the order and the scores.
func naive(docs map[string]doc, lanes map[string][]string, order []Lane, p Params) (ids []string, score map[string]float64) {
	score = map[string]float64{}
	best := map[string]int{}
	for id := range docs {
		rrf, held := 0.0, 0.0
		for _, l := range order {
			if i := slices.Index(lanes[l.Name], id); i >= 0 {
				w := l.Weight * value(p.Weights, 1, l.Type) * value(p.LaneWeights, 1, l.Name)
				rrf, held = rrf+w/(p.K+float64(i+1)), held+1
				if best[id] == 0 || i+1 < best[id] {
					best[id] = i + 1
				}
			}
		}
		if held > 0 {
			pi := 0.4*naiveCode(docs[id].codes, p) + 0.3*naiveFacet(docs[id].text, p) + 0.3*held/float64(len(order)) + 0.3*Representativeness()[p.Representatives[id]]
			score[id] = rrf * (1 + p.Beta*pi)
		}
	}
	ids = slices.Sorted(maps.Keys(score))
	slices.SortStableFunc(ids, func(a, b string) int {
		if math.Abs(score[a]-score[b]) > rounding {
			return cmp.Compare(score[b], score[a])
		}
		return cmp.Compare(best[a], best[b])
	})
	return ids, score
}

// rounding is how far scores may lie apart that are equal by the formulas.
const rounding = 1e-13

func naiveCode(codes Codes, p Params) float64 {
	total, sum := 0.0, 0.0
	for code, w := range p.Profile.FI {
		total += w
		norm, full := patentcode.NormFI(code)
		for _, own := range codes.FI {
			if n, _ := patentcode.NormFI(own); n == norm {
				sum += codeWeight * w
				break
			}
		}
		if slices.Contains(codes.FI, full) && full != norm {
			sum += secondaryWeight * w
		}
	}
	for code, w := range p.Profile.FT {
		total += w
		if slices.Contains(codes.FT, code) {
			sum += w
		}
	}
	if total == 0 {
		return 0
	}
	return sum / total
}

func naiveFacet(text string, p Params) (sum float64) {
	for name, terms := range p.FacetTerms {
		for _, term := range terms {
			if strings.Contains(text, term) {
				sum += value(p.FacetWeights, 1, name) / float64(len(terms)) / float64(len(p.FacetTerms))
			}
		}
	}
	return sum
}

func TestBlendEqualsTheFormulas(t *testing.T) {
	weights := func(keys ...string) *rapid.Generator[map[string]float64] {
		return rapid.MapOfN(rapid.SampledFrom(keys), rapid.SampledFrom([]float64{0, 0.1, 0.5, 1, 3}), 0, len(keys))
	}
	some := func(from ...string) *rapid.Generator[[]string] {
		return rapid.SliceOfNDistinct(rapid.SampledFrom(from), 0, len(from), rapid.ID[string])
	}
	rapid.Check(t, func(t *rapid.T) {
		p := DefaultParams()
		p.Weights, p.LaneWeights = weights("fulltext", "semantic").Draw(t, "weights"), weights("x", "y", "z").Draw(t, "lane weights")
		p.Profile = Profile{FI: weights("G06V10/82", "G06V10/82A", "H04N5/232@Z", "G06V").Draw(t, "fi"), FT: weights("5B1", "5B2").Draw(t, "ft")}
		p.FacetTerms = map[string][]string{"A": {"顔", "mask"}, "B": {"装置"}}
		p.FacetWeights = weights("A", "B").Draw(t, "facet weights")
		p.Representatives = map[string]string{"d1": "A", "d2": "B", "d30": "C"}
		docs, ids := map[string]doc{}, []string{}
		for i := range rapid.IntRange(0, 12).Draw(t, "docs") {
			id := fmt.Sprintf("d%d", i)
			ids = append(ids, id)
			docs[id] = doc{
				Codes{FI: some("G06V10/82", "G06V10/82A", "H04N5/232@Z", "G06V").Draw(t, "codes"), FT: some("5B1", "5B2", "5B3").Draw(t, "f-terms")},
				strings.Join(some("顔認証", "mask", "装置").Draw(t, "text"), "。"),
			}
		}
		c, lanes, order := NewCatalog(), map[string][]string{}, []Lane{}
		for i, name := range []string{"x", "y", "z"}[:rapid.IntRange(0, 3).Draw(t, "lanes")] {
			if len(ids) > 0 {
				lanes[name] = some(ids...).Draw(t, "lane")
			}
			l := Lane{Type: []string{"fulltext", "fulltext", "semantic"}[i], Name: name, Weight: rapid.SampledFrom([]float64{0, 0.8, 1}).Draw(t, "weight")}
			for _, id := range lanes[name] {
				row := c.Add(id, docs[id].codes)
				c.look(row, p.FacetTerms, docs[id].text)
				l.Rows = append(l.Rows, row)
			}
			order = append(order, l)
		}
		ranked := c.Blend(order, p)
		got, scores := []string{}, map[string]float64{}
		for _, d := range ranked {
			got = append(got, c.ID(d.Row))
			scores[c.ID(d.Row)] = d.Score
		}
		want, exact := naive(docs, lanes, order, p)
		for i, id := range got[:min(len(got), len(want))] {
			if scores[id] != scores[want[i]] && math.Abs(exact[id]-exact[want[i]]) <= rounding {
				want[i] = id // a tie by the formulas, which rounding has decided
			}
		}
		if diff := gocmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatal(diff)
		}
		if shares := c.Shares(order, ranked, p); shares != nil {
			if sum := shares[0] + more(shares); math.Abs(sum-1) > 1e-12 {
				t.Fatalf("contributions sum to %v", sum)
			}
		} else if len(ranked) > 0 && ranked[0].Score > 0 {
			t.Fatal("no contributions although there are scores")
		}
	})
}

func more(shares []float64) (sum float64) {
	for _, s := range shares[1:] {
		sum += s
	}
	return sum
}

// lanesOf puts publications without codes into lanes.
func lanesOf(c *Catalog, lists ...[]string) []Lane {
	lanes := make([]Lane, len(lists))
	for i, ids := range lists {
		lanes[i] = Lane{Type: "fulltext", Name: fmt.Sprintf("fulltext_%d", i), Weight: 1}
		for _, id := range ids {
			lanes[i].Rows = append(lanes[i].Rows, c.Add(id, Codes{}))
		}
	}
	return lanes
}

func TestEqualRanksInOtherLanesTie(t *testing.T) {
	c := NewCatalog()
	lanes := lanesOf(c,
		[]string{"q", "b", "r", "a", "s", "c"},
		[]string{"t", "c", "u", "b", "v", "a"},
		[]string{"w", "a", "x", "c", "y", "b"})
	ranked := c.Blend(lanes, DefaultParams())
	for i, want := range []string{"a", "b", "c"} {
		if c.ID(ranked[i].Row) != want || ranked[i].Score != ranked[0].Score {
			t.Errorf("place %d: %s with %v, want %s with %v", i+1, c.ID(ranked[i].Row), ranked[i].Score, want, ranked[0].Score)
		}
	}
}

func TestTiesGoByBestRankThenID(t *testing.T) {
	c := NewCatalog()
	p := DefaultParams()
	p.Weights = map[string]float64{"fulltext": 0}
	var got []string
	for _, d := range c.Blend(lanesOf(c, []string{"z", "b", "k"}, []string{"a", "k"}), p) {
		got = append(got, fmt.Sprint(c.ID(d.Row), d.Best))
	}
	if diff := gocmp.Diff([]string{"a1", "z1", "b2", "k2"}, got); diff != "" {
		t.Error(diff)
	}
}

func TestWeightOfALane(t *testing.T) {
	weights := Params{
		Weights:     map[string]float64{"fulltext": 2, "semantic": 3},
		LaneWeights: map[string]float64{"recall": 5, "fulltext_precision": 7, "precision": 100, "semantic": 11},
	}
	for _, tc := range []struct {
		lane Lane
		want float64
	}{
		{Lane{Type: "fulltext", Name: "fulltext_recall", Weight: 1}, 10},
		{Lane{Type: "fulltext", Name: "fulltext_precision", Weight: 1}, 14},
		{Lane{Type: "fulltext", Name: "fulltext", Weight: 0.5}, 1},
		{Lane{Type: "semantic", Name: "semantic", Weight: 1}, 33},
		{Lane{Type: "original_dense", Name: "original_dense", Weight: 1}, 3},
		{Lane{Type: "original_dense", Name: "semantic_recall", Weight: 1}, 15},
	} {
		if got := weights.weight(tc.lane); got != tc.want {
			t.Errorf("%+v: %v, want %v", tc.lane, got, tc.want)
		}
	}
}

func TestFacetTermsCompareNormalised(t *testing.T) {
	for _, tc := range []struct {
		term, text string
		want       bool
	}{
		{"face recognition", "A FACE Recognition unit", true}, {"マスク", "ﾏｽｸ検出部", true}, {"ＡＩ", "ai", true},
		{"straße", "STRASSE", true}, {"ΟΔΟΣ", "οδος", true}, {"㈱", "(株)", true}, {"サーバー", "サーバ", false}, {"装置", "装。置", false},
	} {
		c, facets := NewCatalog(), map[string][]string{"A": {tc.term}}
		row := c.Add("d", Codes{})
		if len(c.Unread([]uint32{row}, facets)) != 1 {
			t.Errorf("%s: nobody looked, and nothing is unread", tc.term)
		}
		c.look(row, facets, "title", tc.text)
		lanes := []Lane{{Rows: []uint32{row}, Weight: 1}}
		if got := c.Blend(lanes, Params{K: 60, FacetTerms: facets})[0].PiFacet == 1; got != tc.want || len(c.Unread([]uint32{row}, facets)) != 0 {
			t.Errorf("%s in %s: %v", tc.term, tc.text, got)
		}
	}
}

func TestATermOfAFacetCountsOnce(t *testing.T) {
	p := Params{K: 60, FacetTerms: map[string][]string{"A": {"顔", "顔", "　顔 ", "ＬＥＤ", "led"}}}
	c := NewCatalog()
	row := c.Add("d", Codes{})
	lanes := []Lane{{Rows: []uint32{row}, Weight: 1}}
	c.look(row, p.FacetTerms, "顔を見る")
	for name, p := range map[string]Params{"as given": p, "in effect": p.Effective()} {
		if unread := c.Unread([]uint32{row}, p.FacetTerms); len(unread) > 0 {
			t.Errorf("%s: the text is to be read again", name)
		}
		if got := c.Blend(lanes, p)[0].PiFacet; got != 0.5 {
			t.Errorf("%s: π_facet is %v, want one of two terms", name, got)
		}
	}
	if diff := gocmp.Diff([]string{"顔", "ＬＥＤ"}, p.Effective().FacetTerms["A"]); diff != "" {
		t.Error(diff)
	}
	if len(p.FacetTerms["A"]) != 5 {
		t.Error("the caller's terms were changed")
	}
}

func TestATermLiesWithinOneText(t *testing.T) {
	c, facets := NewCatalog(), map[string][]string{"A": {"顔認証"}}
	row := c.Add("d", Codes{})
	c.look(row, facets, "顔", "認証")
	if got := c.Blend([]Lane{{Rows: []uint32{row}, Weight: 1}}, Params{K: 60, FacetTerms: facets}); got[0].PiFacet != 0 {
		t.Error("a term was found across title and abstract")
	}
}
