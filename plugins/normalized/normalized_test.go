package normalized

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// soft returns a plan of soft terms.
func soft(threshold float64, words ...string) sdk.Query {
	q := sdk.Query{MatchThreshold: threshold}
	for _, w := range words {
		w = text.Fold(w)
		q.Text += " " + w
		q.Terms = append(q.Terms, sdk.Term{Text: w, Kind: sdk.TermSoft, Weight: 1})
	}
	return q
}

func ids(res *sdk.Result) []uint32 {
	out := []uint32{}
	for _, c := range res.Candidates {
		out = append(out, c.Section)
	}
	return out
}

func search(t *testing.T, q sdk.Query, sections ...sdktest.Section) *sdk.Result {
	t.Helper()
	res, err := New().Search(context.Background(), &sdk.Request{Query: q, Corpus: sdktest.Snapshot(t, sections...), Limit: 10})
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestNotationDoesNotMatter(t *testing.T) {
	filler := sdktest.Section{Heading: "その他", Body: "関係のない文章"}
	for _, tc := range []struct{ query, body string }{
		{"第3条", "第三条に定める"}, {"第Ⅲ条", "第３条に定める"}, {"サーバー", "サーバを再起動する"}, {"ｻｰﾊﾞ", "サーバーを再起動する"},
		{"ＲＡＩＤ", "raid を組む"}, {"policies", "the policy applies"}, {"mapStatus", "call map_status here"}, {"①", "手順1"},
	} {
		got := search(t, soft(0.5, tc.query), filler, sdktest.Section{Heading: "見出し", Body: tc.body})
		if diff := cmp.Diff([]uint32{1}, ids(got)); diff != "" {
			t.Errorf("%q in %q: %s", tc.query, tc.body, diff)
		}
	}
}

// A table repeats the words of its columns; a sentence that contains them once ranks before it.
func TestTheSentenceBeforeTheTable(t *testing.T) {
	table := "| plan | refund | deadline |\n|---|---|---|\n| premium | plan refund | refund deadline |\n" + strings.Repeat("| gold plan | refund | deadline |\n", 3)
	got := search(t, soft(0, "refund", "deadline", "premium", "plan"), sdktest.Section{Heading: "A", Body: table},
		sdktest.Section{Heading: "B", Body: "The deadline for a refund of the premium plan is 14 days after purchase."})
	if diff := cmp.Diff([]uint32{1, 0}, ids(got)); diff != "" {
		t.Error(diff)
	}
}

func TestHeadingsCountMore(t *testing.T) {
	got := search(t, soft(0, "保証"), sdktest.Section{Heading: "概要", Body: "保証 の説明"}, sdktest.Section{Heading: "保証", Body: "保証 の説明"})
	if diff := cmp.Diff([]uint32{1, 0}, ids(got)); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{sdk.SignalHeading, sdk.SignalNormalized}, got.Candidates[0].Signals); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]string{sdk.SignalNormalized}, got.Candidates[1].Signals); diff != "" {
		t.Error(diff)
	}
}

// The names of a file and its folders are searched like text: for the score, coverage, and must terms.
func TestNamesCount(t *testing.T) {
	sections := []sdktest.Section{
		{Heading: "Fees", Body: "what it costs"}, {Heading: "Fees", Body: "what it costs", Names: "direct deposit"},
	}
	got := search(t, soft(0.9, "deposit", "fees"), sections...)
	if diff := cmp.Diff([]uint32{1}, ids(got)); diff != "" {
		t.Fatal(diff)
	}
	found := got.Candidates[0]
	if diff := cmp.Diff([]string{sdk.SignalHeading, sdk.SignalPath, sdk.SignalNormalized}, found.Signals); diff != "" {
		t.Error(diff)
	}
	if found.Coverage != 1 || len(found.Terms) != 2 {
		t.Errorf("coverage %v by %q", found.Coverage, found.Terms)
	}
	phrase := soft(2, "direct deposit") // higher than any coverage
	phrase.Terms[0].Kind = sdk.TermMust
	if diff := cmp.Diff([]uint32{1}, ids(search(t, phrase, sections...))); diff != "" {
		t.Error(diff)
	}
}

func TestANameOfAllFilesAddsNothing(t *testing.T) {
	got := search(t, soft(0, "disk", "manual"),
		sdktest.Section{Body: "a disk", Names: "other"}, sdktest.Section{Body: "a tape", Names: "manual"},
		sdktest.Section{Body: "a card", Names: "manual"}, sdktest.Section{Body: "a drum", Names: "manual"},
		sdktest.Section{Body: "a rope", Names: "manual"}, sdktest.Section{Body: "a disc", Names: "manual"})
	if diff := cmp.Diff(uint32(0), ids(got)[0]); diff != "" {
		t.Error(diff)
	}
}

func TestNearnessBreaksEvenMatches(t *testing.T) {
	got := search(t, soft(0, "故障", "診断"),
		sdktest.Section{Body: "故障。一、二、三、四、五、六、七。診断"},
		sdktest.Section{Body: "一、二、三、四。故障、診断。五、六、七"})
	if diff := cmp.Diff([]uint32{1, 0}, ids(got)); diff != "" {
		t.Error(diff)
	}
}

// A repeated word, and one in a heading, counts more in a query of words than in one with CJK characters, although it
// is the only one found.
func TestWordsAndCJKAreTunedApart(t *testing.T) {
	sections := []sdktest.Section{{Body: "disk failure"}, {Body: "disk disk disk disk"}, {Heading: "disk", Body: "other things"}}
	scores := func(query ...string) map[uint32]float64 {
		out := map[uint32]float64{}
		for _, c := range search(t, soft(0, query...), sections...).Candidates {
			out[c.Section] = c.Score
		}
		return out
	}
	words, cjk := scores("disk"), scores("disk", "猫")
	for _, better := range []uint32{1, 2} {
		if words[better]/words[0] <= cjk[better]/cjk[0] {
			t.Errorf("section %d: %v by words, %v by CJK", better, words, cjk)
		}
	}
}

func TestTheThresholdDecidesWhatMatched(t *testing.T) {
	sections := []sdktest.Section{{Body: "disk failure"}, {Body: "disk"}, {Body: "other"}}
	all := search(t, soft(0, "disk", "failure"), sections...)
	some := search(t, soft(0.9, "disk", "failure"), sections...)
	if all.Matched.GetCardinality() != 2 || some.Matched.GetCardinality() != 1 || some.Examined != 3 || !some.Finished {
		t.Errorf("%v and %v matched, %d examined", all.Matched, some.Matched, some.Examined)
	}
}

func TestNegativeTermsExclude(t *testing.T) {
	q := soft(0, "disk")
	q.Terms = append(q.Terms, sdk.Term{Text: "beta", Kind: sdk.TermNegative, Weight: 1})
	got := search(t, q, sdktest.Section{Body: "disk beta"}, sdktest.Section{Body: "disk"})
	if diff := cmp.Diff([]uint32{1}, ids(got)); diff != "" {
		t.Error(diff)
	}
}

func TestConfigure(t *testing.T) {
	s := New()
	want := defaults()
	want.K1, want.WordPhrase = 1.5, 0.3
	if err := s.Configure(context.Background(), json.RawMessage(`{"k1": 1.5, "word_phrase": 0.3}`)); err != nil || s.config != want {
		t.Errorf("%+v, %v", s.config, err)
	}
	if err := s.Configure(context.Background(), json.RawMessage(`{"k2": 1}`)); err == nil {
		t.Error("an unknown parameter was accepted")
	}
	if !json.Valid(s.Describe().ConfigSchema) {
		t.Error("the schema is not JSON")
	}
}
