package judge

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
	"github.com/sagasu-search/sagasu/framework/internal/judge/tension"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// built judges without a deadline.
func built(in Input) *Graph {
	in.WithoutIndex()
	g, err := Build(context.Background(), in)
	if err != nil {
		panic(err) // the context never ends
	}
	return g
}

func ask(intent sdk.Intent, raw string, terms ...string) sdk.Query {
	q := sdk.Query{Raw: raw, Intent: intent}
	for _, t := range terms {
		q.Terms = append(q.Terms, sdk.Term{Text: t, Kind: sdk.TermSoft, Weight: 1})
	}
	return q
}

func returns() Input {
	return Input{Input: answer.Input{Query: ask(sdk.IntentUnknown, "返品の期限", "返品", "期限"), Evidences: []section.Section{
		{ManualID: "m", Path: "a.md", StartLine: 10, TextLine: 12, Heading: "返品", Text: "返品の方法を説明します。\n返品は商品の到着から30日以内に受け付けます。詳しくは第7条を参照してください。\n"},
		{ManualID: "m", Path: "b.md", StartLine: 1, TextLine: 2, Heading: "質問", Text: "\n返品は商品の到着から14日以内に受け付けます。\n"},
		{ManualID: "m", Path: "c.md", StartLine: 1, TextLine: 2, Heading: "電池", Text: "電池は2本使います。\n"},
	}}}
}

// Findings become claims, edges, conflicts and tensions, each with its place.
func TestBuild(t *testing.T) {
	in := returns()
	article := toolset.Ref{Target: "manual", ManualID: "m", Path: "rules.md", StartLine: 70}
	in.Resolve = func(from int, p refer.Pointer) (toolset.Ref, bool) {
		return article, from == 0 && p.Kind == refer.Article && p.Number == "7"
	}
	in.Evidences[0].Text = "返品の方法を説明します。\n返品の期限は第7条のとおり商品の到着から30日です。\n"
	b := builder{in: &in, graph: Unjudged()}
	best := answer.Answer{Evidence: 0, Line: 13, Text: "返品の期限は第7条のとおり商品の到着から30日です。", Kind: "period", Probability: 0.9}
	judged := answer.Judgement{
		Answer: &best, Best: &best, Supports: []answer.Place{{Evidence: 1, Line: 3}}, Stands: 0.95, Relevance: []float64{0.9, 0.4},
		Gaps: []answer.Gap{{Facet: "amount"}, {Terms: []string{"ドローン"}}}, DidYouMean: []string{"could"},
	}
	b.verdict(&judged)
	b.tensions([]tension.Tension{
		{A: tension.Side{Evidence: 0, Line: 13, Text: best.Text}, B: tension.Side{Evidence: 1, Line: 3, Text: "14日以内です。"}, Kind: tension.Number, Probability: 0.8, Conflict: true},
		{A: tension.Side{Evidence: 1, Line: 3, Text: "14日以内です。"}, B: tension.Side{Evidence: 2, Line: 2, Text: "2本です。"}, Kind: tension.Number, Probability: 0.2},
		{A: tension.Side{Evidence: 1, Line: 3}, B: tension.Side{Evidence: shownAmong}, Kind: tension.Number, Probability: 0.2},
	})
	b.follow(&judged)
	b.facets()
	g := b.graph
	wantClaims := []Claim{{ID: "c1", Facet: sdk.IntentUnknown, Text: best.Text, Status: Conflicted, Confidence: 0.9, EvidenceID: "e1", Line: 13}}
	wantEdges := []Edge{
		{From: "c1", To: "e1", Relation: Supports, Confidence: 0.9, ClaimLine: 13, EvidenceLine: 13},
		{From: "c1", To: "e2", Relation: Supports, Confidence: 0.9, ClaimLine: 13, EvidenceLine: 3},
		{From: "c1", To: "e2", Relation: Contradicts, Confidence: 0.8, ClaimLine: 13, EvidenceLine: 3},
		{From: "c1", To: "e1", Relation: RequiresFollowup, Confidence: 0.9, ClaimLine: 13, EvidenceLine: 13,
			Pointer: &refer.Pointer{Text: "第7条", Kind: refer.Article, Number: "7"}, Target: &article},
	}
	wantGaps := []Gap{
		{Facet: sdk.IntentUnknown, Missing: []string{"amount"}, Need: "amount", About: []string{"返品", "期限"}},
		{Facet: sdk.IntentUnknown, Missing: []string{"ドローン"}},
	}
	for what, diff := range map[string]string{
		"claims": cmp.Diff(wantClaims, g.Claims), "edges": cmp.Diff(wantEdges, g.Edges), "gaps": cmp.Diff(wantGaps, g.Gaps),
		"facets": cmp.Diff([]FacetRow{{Facet: sdk.IntentUnknown, Claims: 1, Conflicted: 1, Coverage: Partial}}, g.Facets),
		"meant":  cmp.Diff([]string{"could"}, g.Meant),
		"answer": cmp.Diff(&Answer{ManualID: "m", Path: "a.md", Line: 13, Text: best.Text, Kind: "period"}, g.Answer),
	} {
		if diff != "" {
			t.Errorf("%s (-want +got):\n%s", what, diff)
		}
	}
	if !g.Answered() || len(g.Tensions) != 2 || len(g.Conflicts) != 1 || g.Conflicts[0].A.Line != 13 || g.Conflicts[0].B.Line != 3 {
		t.Errorf("answered %t, %+v, %+v", g.Answered(), g.Tensions, g.Conflicts)
	}
}

// The text of a JSON file may begin above the best match, whose line its reference has.
func TestAQuoteHasTheLineOnWhichItStands(t *testing.T) {
	in := Input{Input: answer.Input{Evidences: []section.Section{{ID: 7, Path: "a.json", StartLine: 9, TextLine: 1, Text: "{\n\"days\": 30\n}\n"}}}}
	b := builder{in: &in, graph: Unjudged()}
	if n, line, ok := b.place(sdk.Quote{Section: 7, Text: "30"}); n != 0 || line != 2 || !ok {
		t.Errorf("evidence %d, line %d, %t", n, line, ok)
	}
}

// A sentence that does not answer is a claim only if it refers to one that does.
// A quote that is in no evidence must not cost a later tension its place.
func TestTensionsOfJudgesThatCannotBePlaced(t *testing.T) {
	in := returns()
	for i := range in.Evidences {
		in.Evidences[i].ID = uint32(i)
	}
	bad := sdk.Tension{A: sdk.Quote{Section: 0, Text: "45日以内"}, B: sdk.Quote{Section: 1, Text: "14日以内"}}
	good := sdk.Tension{A: sdk.Quote{Section: 1, Text: "14日以内"}, B: sdk.Quote{Section: 0, Text: "30日以内"}, Probability: 0.7}
	in.Said.Tensions = []sdk.Tension{bad, bad, bad, good, good, good, good}
	b := builder{in: &in, graph: Unjudged()}
	want := tension.Tension{A: tension.Side{Evidence: 0, Line: 13, Text: "30日以内"},
		B: tension.Side{Evidence: 1, Line: 3, Text: "14日以内"}, Probability: 0.7}
	if diff := cmp.Diff([]tension.Tension{want, want, want}, b.contradicted(nil)); diff != "" {
		t.Error(diff)
	}
}

func TestUnansweredIsFollowed(t *testing.T) {
	in := returns()
	in.Resolve = func(int, refer.Pointer) (toolset.Ref, bool) { return toolset.Ref{Path: "rules.md"}, true }
	b := builder{in: &in, graph: Unjudged()}
	b.follow(&answer.Judgement{Best: &answer.Answer{Text: "返品は第7条を参照。", Line: 3}})
	if len(b.graph.Claims) != 1 || b.graph.Claims[0].Status != Unresolved || len(b.graph.Follow()) != 1 {
		t.Errorf("%+v, %+v", b.graph.Claims, b.graph.Edges)
	}
	b.graph = Unjudged()
	b.follow(&answer.Judgement{Best: &answer.Answer{Text: "返品できます。"}})
	if len(b.graph.Claims) != 0 {
		t.Errorf("%+v", b.graph.Claims)
	}
}

func TestBuildOfNothing(t *testing.T) {
	b, err := json.Marshal(built(Input{Input: answer.Input{Query: ask(sdk.IntentProcedure, "x", "x")}}))
	if err != nil || strings.Contains(string(b), "null") {
		t.Errorf("%s %v", b, err)
	}
}

// Whatever the texts, a graph contains only what they say.
func TestGraphIsGrounded(t *testing.T) {
	sentence := rapid.SampledFrom([]string{"返品は30日以内です。", "返品は14日以内です。", "セール品は返品できません。", "返品できますか？", "第3条を参照。", "- ", "```", "| a | b |",
		"Returns cost $5.", "Returns cost $9. ", "You cannot return it", "\n", "1. 押します", "「返品", "。。", "\xff", "１２３"})
	rapid.Check(t, func(t *rapid.T) {
		var in Input
		in.Query = ask(rapid.SampledFrom([]sdk.Intent{sdk.IntentUnknown, sdk.IntentProcedure, sdk.IntentDefinition}).Draw(t, "intent"), "返品の期限 return cost", "返品", "期限", "return", "cost")
		for i := range rapid.IntRange(0, 55).Draw(t, "n") {
			in.Evidences = append(in.Evidences, section.Section{ManualID: "m", Path: "p", StartLine: 1 + 100*i, Text: strings.Join(rapid.SliceOf(sentence).Draw(t, "text"), "")})
		}
		g := built(in)
		if len(g.Evidences) != min(MostEvidences, len(in.Evidences)) {
			t.Fatalf("%d evidences of %d", len(g.Evidences), len(in.Evidences))
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

func FuzzBuild(f *testing.F) {
	f.Add("返品の期限", "返品 > 期限", "返品は30日以内。\n> 引用\n1. 手順\n")
	f.Add("how many days", "Returns", "Return it within 30 days, see [rules](r.md#x). Don't.\n```\ncode\n")
	f.Fuzz(func(t *testing.T, query, heading, body string) {
		q := ask(sdk.IntentUnknown, query, strings.Fields(text.Fold(query))...)
		e := section.Section{ManualID: "m", Path: "p", StartLine: 1, Heading: heading, Text: body}
		other := e
		other.Path, other.Text = "q", body+body
		if g := built(Input{Input: answer.Input{Query: q, Evidences: []section.Section{e, other}}}); g.Gaps == nil || g.Claims == nil {
			t.Error("a list is nil")
		}
	})
}
