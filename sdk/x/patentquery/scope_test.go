package patentquery_test

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk/text"
	. "github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

func TestCut(t *testing.T) {
	for _, c := range []struct {
		scope     Scope
		src, want string
	}{
		{TopClaim, "1. A spoke of 2.5 mm.\n2 . The spoke of claim 1.\n3. It.", "1. a spoke of 2.5 mm."},
		{TopClaim, "A rim and 2 spokes", "a rim and 2 spokes"},
		{TopClaim, "【請求項１】甲。【請求項２】乙。【請求項２０】丙。", "(請求項1)甲。"},
		{BackgroundJP, "【技術分野】甲。【背景技術】乙（以下、丙）。【発明の概要】丁。", "乙(以下、丙)。"},
		{BackgroundJP, "【従来の技術】乙。【発明が解決しようとする課題】丁。", "乙。"},
		{BackgroundJP, "【技術分野】甲。背景技術", ""},
		{Wide, "All of it", "all of it"},
	} {
		if got := c.scope.Cut(text.Fold(c.src)); got != c.want {
			t.Errorf("%s of %q: %q, want %q", c.scope, c.src, got, c.want)
		}
	}
}

func TestParseParams(t *testing.T) {
	for raw, want := range map[string]Params{
		"":                                {FeatureScope: Wide},
		`{}`:                              {FeatureScope: Wide},
		`{"feature_scope": "top_claim"}`:  {FeatureScope: TopClaim},
		`{"field_boosts": {"claims": 7}}`: {FeatureScope: Wide, FieldBoosts: map[string]float64{"claims": 7}},
	} {
		got, err := ParseParams(json.RawMessage(raw))
		if diff := cmp.Diff(want, got); diff != "" || err != nil {
			t.Errorf("%s: %v %s", raw, err, diff)
		}
	}
	p := Params{FieldBoosts: map[string]float64{"claims": 7, "title": 0}}
	if got, err := p.Boosts(); err != nil || got != [4]float64{0, 10, 7, 4} {
		t.Errorf("%v, %v", got, err)
	}
	for _, raw := range []string{`{"field_boosts": {"body": 1}}`, `{"field_boosts": {"desc": -1}}`, `{"feature_scope": "half"}`, `{"scope": ""}`, `[]`} {
		if _, err := ParseParams(json.RawMessage(raw)); err == nil {
			t.Errorf("%s was taken", raw)
		}
	}
}

var inflected = []string{
	"stability", "stabilities", "capability", "relational", "hopping", "hoping", "dying", "die", "skies", "singly", "rationalization", "sensibly",
	"don't", "users'", "data-sets", "dataset", "data_set", "x.stability", "v1.2", "100mm", "led", "照明", "、", "naïve",
}

// Finding a stem without tokenising the whole text gives the same result as with it.
func TestStemsAreFoundWherePiecesAreCut(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		src := ""
		for _, w := range rapid.SliceOfN(rapid.SampledFrom(inflected), 1, 8).Draw(t, "words") {
			src += w + rapid.SampledFrom([]string{" ", " ", "", "-", "."}).Draw(t, "glue")
		}
		body := text.Normalize(src)
		term := rapid.SampledFrom(inflected[:12]).Draw(t, "term")
		p := NewPattern(Term{Text: term})
		type place struct{ Start, End int }
		var got, want []place
		for start, end := range p.All(&body) {
			got = append(got, place{start, end})
		}
		var z text.Tokenizer
		for tok := range z.Tokens(&body) {
			if tok.Term == p.Stem() {
				want = append(want, place{tok.Start, tok.End})
			}
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatalf("%s in %q: %s", term, body.Norm, diff)
		}
	})
}

func TestProof(t *testing.T) {
	for term, want := range map[string]string{"顔": "顔", "認証": "認証", "顔認証": "", "sensors": "sensor", "heat-sink": "", "LED照": ""} {
		if got := NewPattern(Term{Text: term}).Proof(); got != want {
			t.Errorf("Proof(%s) = %q, want %q", term, got, want)
		}
	}
}
