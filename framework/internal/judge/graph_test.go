package judge

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

func ask(intent sdk.Intent, raw string, terms ...string) sdk.Query {
	q := sdk.Query{Raw: raw, Intent: intent}
	for _, t := range terms {
		q.Terms = append(q.Terms, sdk.Term{Text: t, Kind: sdk.TermSoft, Weight: 1})
	}
	return q
}

func returns() Input {
	return Input{Query: ask(sdk.IntentUnknown, "返品の期限", "返品", "期限"), Evidences: []Evidence{
		{ManualID: "m", Path: "a.md", StartLine: 10, TextLine: 12, Heading: "返品", Text: "返品の方法を説明します。\n返品は商品の到着から30日以内に受け付けます。詳しくは第7条を参照してください。\n"},
		{ManualID: "m", Path: "b.md", StartLine: 1, TextLine: 2, Heading: "質問", Text: "\n返品は商品の到着から14日以内に受け付けます。\n"},
		{ManualID: "m", Path: "c.md", StartLine: 1, TextLine: 2, Heading: "電池", Text: "電池は2本使います。\n"},
	}}
}

func TestBuild(t *testing.T) {
	in := returns()
	article := toolset.Ref{Target: "manual", ManualID: "m", Path: "rules.md", StartLine: 70}
	in.Resolve = func(from int, p refer.Pointer) (toolset.Ref, bool) {
		return article, from == 0 && p.Kind == refer.Article && p.Number == "7"
	}
	g := built(in)
	want := []Claim{{ID: "c1", Facet: sdk.IntentUnknown, Text: "返品は商品の到着から30日以内に受け付けます。", Status: Conflicted, Confidence: 0.5, EvidenceID: "e1", Line: 13}}
	if diff := cmp.Diff(want, g.Claims[:1]); diff != "" {
		t.Error(diff)
	}
	edges := []Edge{
		{From: "c1", To: "e2", Relation: Contradicts, Confidence: 1, ClaimLine: 13, EvidenceLine: 3},
		{From: "c1", To: "e1", Relation: Supports, Confidence: 1, ClaimLine: 13, EvidenceLine: 13},
		{From: "c1", To: "e1", Relation: RequiresFollowup, Confidence: 1, ClaimLine: 13, EvidenceLine: 13,
			Pointer: &refer.Pointer{Text: "第7条", Kind: refer.Article, Number: "7"}, Target: &article},
	}
	own := slices.DeleteFunc(slices.Clone(g.Edges), func(e Edge) bool { return e.From != "c1" })
	if diff := cmp.Diff(edges, own); diff != "" {
		t.Error(diff)
	}
	if len(g.Conflicts) != 1 || g.Conflicts[0].A.Line != 13 || g.Conflicts[0].B.Line != 3 || g.Conflicts[0].Kind != ConflictNumber {
		t.Errorf("conflicts: %+v", g.Conflicts)
	}
	if diff := cmp.Diff([]int{0, 1, 2}, g.Top); diff != "" || len(g.Gaps) != 0 {
		t.Error(diff, g.Gaps)
	}
}

func TestBuildOfNothing(t *testing.T) {
	b, err := json.Marshal(built(Input{Query: ask(sdk.IntentProcedure, "x", "x")}))
	if err != nil || strings.Contains(string(b), "null") {
		t.Errorf("%s %v", b, err)
	}
}

// Whatever the texts are, a graph only tells of what stands in them.
func TestGraphIsGrounded(t *testing.T) {
	sentence := rapid.SampledFrom([]string{"返品は30日以内です。", "返品は14日以内です。", "セール品は返品できません。", "返品できますか？", "第3条を参照。", "- ", "```", "| a | b |",
		"Returns cost $5.", "Returns cost $9. ", "You cannot return it", "\n", "1. 押します", "「返品", "。。", "\xff", "１２３"})
	rapid.Check(t, func(t *rapid.T) {
		in := Input{Query: ask(rapid.SampledFrom(facets[:]).Draw(t, "intent"), "返品の期限 return cost", "返品", "期限", "return", "cost")}
		for i := range rapid.IntRange(0, 55).Draw(t, "n") {
			in.Evidences = append(in.Evidences, Evidence{ManualID: "m", Path: "p", StartLine: 1 + 100*i, Text: strings.Join(rapid.SliceOf(sentence).Draw(t, "text"), "")})
		}
		g := built(in)
		if len(g.Top) != len(g.Evidences) || len(g.Evidences) != min(MostEvidences, len(in.Evidences)) {
			t.Fatalf("%d evidences, %d in order", len(g.Evidences), len(g.Top))
		}
		inside := func(id string, line int) bool {
			e := in.Evidences[index(id)]
			return line >= e.StartLine && line <= e.StartLine+strings.Count(e.Text, "\n")
		}
		for _, e := range g.Edges {
			if !inside(e.To, e.EvidenceLine) || e.Confidence < 0 || e.Confidence > 1 {
				t.Fatalf("edge %+v", e)
			}
		}
		for _, c := range g.Conflicts {
			if c.A.EvidenceID == c.B.EvidenceID || !inside(c.A.EvidenceID, c.A.Line) || !inside(c.B.EvidenceID, c.B.Line) {
				t.Fatalf("conflict %+v", c)
			}
		}
	})
}

func TestGapsOfText(t *testing.T) {
	in := returns()
	in.Query = ask(sdk.IntentProcedure, "ドローンの返品手数料", "ドローン", "返品", "手数料")
	in.Evidences[0].Text = "返品の受け付けは窓口です。「ドローンモード」は試験中です。"
	in.Evidences = in.Evidences[:1]
	want := []Gap{{Facet: sdk.IntentProcedure, Need: "amount", Missing: []string{"手数料"}, About: []string{"ドローン", "返品"}}}
	if diff := cmp.Diff(want, dropTerms(built(in).Gaps)); diff != "" {
		t.Error(diff)
	}
}

func dropTerms(gaps []Gap) []Gap {
	return slices.DeleteFunc(gaps, func(g Gap) bool { return g.Need == "" })
}

func FuzzBuild(f *testing.F) {
	f.Add("返品の期限", "返品 > 期限", "返品は30日以内。\n> 引用\n1. 手順\n")
	f.Add("how many days", "Returns", "Return it within 30 days, see [rules](r.md#x). Don't.\n```\ncode\n")
	f.Fuzz(func(t *testing.T, query, heading, body string) {
		q := ask(sdk.IntentUnknown, query, strings.Fields(text.Fold(query))...)
		e := Evidence{ManualID: "m", Path: "p", StartLine: 1, Heading: heading, Text: body}
		other := e
		other.Path, other.Text = "q", body+body
		if g := built(Input{Query: q, Evidences: []Evidence{e, other}}); g.Gaps == nil || g.Claims == nil {
			t.Error("a list is nil")
		}
	})
}
