package judge

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

func namesOf(q *sdk.Query) []string {
	var out []string
	for _, t := range thingsOf(q, text.Fold(q.Raw)) {
		out = append(out, t.text)
	}
	return out
}

func TestNumberedThingsOfAQuery(t *testing.T) {
	for query, want := range map[string][]string{
		"別表９の割合": {"別表9"}, "別表 九": {"別表 九"}, "付表三": {"付表三"}, "図3": {"図3"}, "様式第五号": {"様式第5号"},
		"第七条の二第三項": {"第7条の2", "第3項"}, "第7条の2つ目": {"第7条"}, "第４０項": {"第40項"},
		"Appendix Z": {"appendix z"}, "see section 99.9": {"section 99.9"}, "Fig. 3": {"fig. 3"},
		"表一覧": nil, "地図3枚": nil, "代表3": nil, "図2つ": nil, "7条": nil, "tables of 2020": nil, "section on fees": nil,
	} {
		if diff := cmp.Diff(want, namesOf(&sdk.Query{Raw: query})); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
	q := &sdk.Query{Raw: "e-1099 within 30日 -別表2", Terms: []sdk.Term{
		{Text: "e-1099", Kind: sdk.TermMust}, {Text: "30日", Kind: sdk.TermMust}, {Text: "a-1", Kind: sdk.TermMust, Phrase: true}, {Text: "別表2", Kind: sdk.TermNegative},
	}}
	if diff := cmp.Diff([]string{"e-1099"}, namesOf(q)); diff != "" {
		t.Error(diff)
	}
}

func TestOnlyTheNumberedThingItselfStands(t *testing.T) {
	for _, tc := range []struct {
		query, text string
		want        bool
	}{
		{"別表9", "支払額は別表９のとおり", true}, {"別表9", "別表九による", true}, {"別表9", "別表 9", true}, {"別表9", "別表 九", true}, {"別表9", "別表第9", true},
		{"別表9", "別表91", false}, {"別表9", "別表19", false}, {"別表9", "別表4の9", false}, {"別表9", "表9", false}, {"別表9", "別表9-2", false}, {"別表2", "別表二十", false},
		{"付表3", "附表3", true}, {"付表3", "別表3", false}, {"図3", "地図3", false}, {"図3", "下の図3を見る", true}, {"Figure 3", "see fig. 3", true},
		{"第77条", "第７７条(返還)", true}, {"第77条", "第七十七条", true}, {"第77条", "第 77 条", true}, {"第77条", "第77条の規定", true}, {"第77条", "第77条の2つの場合", true},
		{"第77条", "第77条の2", false}, {"第77条", "第177条", false}, {"第77条", "77日の条件", false}, {"第77条の2", "第77条", false}, {"第77条の2", "第七十七条の二", true},
		{"第40項", "40 届け出", true}, {"第40項", "料金は40 円", false}, {"第1項", "当社は支払う", true}, {"第2章", "# 2. 保険金", true}, {"section 4.2", "4.2 Limits", true}, {"section 4.2", "§4.2", true},
		{"section 4.2", "4.25 Limits", false}, {"section 4.2", "section 4", false}, {"section 4.2", "section 4.2.1", false},
		{"Appendix Z", "Appendix Z: codes", true}, {"Appendix Z", "appendix zero", false}, {"Appendix Z", "the appendix, Z", false},
		{"様式第5号", "様式5", true}, {"様式第5号", "様式第6号", false},
	} {
		things := thingsOf(&sdk.Query{}, text.Fold(tc.query))
		if len(things) != 1 || things[0].stands(text.Fold(tc.text)) != tc.want {
			t.Errorf("%s in %s: %+v", tc.query, tc.text, things)
		}
	}
}

func TestOnlyTheCodeItselfStands(t *testing.T) {
	for _, tc := range []struct {
		code, text string
		want       bool
	}{
		{"e-1099", "error E-1099: disk", true}, {"e-1099", "E1099", true}, {"e-1099", "E 1099", true}, {"e-1099", "コードE-1099は", true}, {"e-1099", "see E-1099.", true},
		{"e-1099", "E-10991", false}, {"e-1099", "E-1098", false}, {"e-1099", "BE-1099", false}, {"e-1099", "E-1099.2", false}, {"e-1099", "1099", false}, {"e-1099", "E-1099b", false},
	} {
		if got := (&thing{number: tc.code}).stands(text.Fold(tc.text)); got != tc.want {
			t.Errorf("%s in %s: %t", tc.code, tc.text, got)
		}
	}
}

func TestAThingStandsInItsOwnName(t *testing.T) {
	query := rapid.SampledFrom([]string{"別表", "付表", "図", "様式第", "Appendix ", "section ", "table "})
	rapid.Check(t, func(t *rapid.T) {
		name := query.Draw(t, "kind") + rapid.StringMatching(`[1-9][0-9]{0,3}`).Draw(t, "number")
		things := thingsOf(&sdk.Query{}, text.Fold(name))
		if len(things) != 1 || !things[0].stands(text.Fold("まず、"+name+"。")) || things[0].stands(text.Fold(name+"1")) {
			t.Errorf("%s: %+v", name, things)
		}
	})
}

func FuzzThingsOf(f *testing.F) {
	for _, s := range []string{"別表九", "第7条の2", "fig. 3-1", "e-1099", "\xff図1", "第条", "section "} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		norm := text.Fold(s)
		for _, x := range thingsOf(&sdk.Query{Terms: []sdk.Term{{Text: norm, Kind: sdk.TermMust}}}, norm) {
			if x.number == "" || !strings.Contains(norm, x.text) || x.text == "" {
				t.Errorf("%q: %+v", s, x)
			}
			x.stands(norm)
		}
	})
}

// A number that nothing has is a gap whatever else of the query stands.
func TestALackingNumberIsAGap(t *testing.T) {
	query := []string{"別表9の割合", "別表9", "別表", "9", "割合"}
	texts := []string{"別表4の割合は9か月までは85%です。", "別表9の割合は70%です。"}
	g := graphOf(nil, query, texts[0])
	if want := []Gap{{Facet: sdk.IntentUnknown, Missing: []string{"別表9"}}}; !cmp.Equal(want, g.Gaps) {
		t.Errorf("gaps %+v", g.Gaps)
	}
	if g = graphOf(nil, query, texts...); len(g.Gaps) > 0 {
		t.Errorf("gaps %+v though it stands", g.Gaps)
	}
	in := Input{Query: sdk.Query{Raw: query[0], Terms: []sdk.Term{{Text: "割合"}}}, Evidences: []Evidence{{Text: texts[0]}}}
	in.Normalized = func(int) string { return text.Fold(strings.Join(texts, "\n")) }
	if g = built(in); slices.ContainsFunc(g.Gaps, func(g Gap) bool { return slices.Contains(g.Missing, "別表9") }) {
		t.Errorf("gaps %+v though it stands below what is read", g.Gaps)
	}
}
