package answer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// input returns a query and sections, each written "heading | text".
func input(query string, sections ...string) *Input {
	norm := text.Fold(query)
	in := &Input{Query: sdk.Query{Raw: query, Text: norm}}
	t := text.Text{Norm: norm}
	for run := range text.Runs(&t) {
		if word := norm[run.Start:run.End]; run.Class != text.Hiragana && !text.EnglishStop(word) {
			in.Query.Terms = append(in.Query.Terms, sdk.Term{Text: word, Kind: sdk.TermSoft, Weight: 1})
		}
	}
	for i, s := range sections {
		heading, body, _ := strings.Cut(s, " | ")
		in.Evidences = append(in.Evidences, section.Section{
			ManualID: "m", Path: fmt.Sprintf("%d.md", i), StartLine: 3, TextLine: 4, Heading: heading, Text: body,
		})
	}
	in.WithoutIndex()
	return in
}

func judge(t testing.TB, in *Input) *Judgement {
	t.Helper()
	var j Judge
	out, err := j.Judge(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// best returns the unit that is chosen, told or not.
func best(t testing.TB, in *Input) (shown string, line int) {
	t.Helper()
	r, err := read(t.Context(), in, new(text.Tokenizer))
	if err != nil {
		t.Fatal(err)
	}
	c := r.choose(&weights().Sentence)
	if c.unit < 0 {
		return "", 0
	}
	return r.excerpt(c.unit), r.units[c.unit].line
}

func TestLongUnitsAreCutAroundTheQuery(t *testing.T) {
	far := strings.Repeat("and many other acronyms that nobody asks for, ", 4)
	for _, tc := range []struct{ name, query, body, want string }{
		{"as it is", "acronym of Verliebt", "The acronym of Verliebt is ViB.", "The acronym of Verliebt is ViB."},
		{"the start", "acronym of Verliebt", "The acronym of Verliebt is ViB, " + far + "end.", "The acronym of Verliebt is ViB"},
		{"the end", "acronym of Verliebt", "Some prefer, " + far + "and the acronym of Verliebt is ViB.", "acronym of Verliebt is ViB."},
		{"the middle", "acronym of Verliebt", "Some, " + far + "the acronym of Verliebt is ViB, " + far + "end.", "acronym of Verliebt is ViB, and"},
		{"the end of the sentence before", "how far did the combine go in one day",
			"The farmers, " + far + "had the combine. It did go forty acres in one day.", "had the combine. It did go forty acres in one day."},
	} {
		got, _ := best(t, input(tc.query, "Names | "+tc.body))
		if n := utf8.RuneCountInString(got); n > longestAnswer || !strings.Contains(got, tc.want) {
			t.Errorf("%s: %d characters without %q: %s", tc.name, n, tc.want, got)
		}
		if at := strings.Index(tc.body, got); at < 0 || at > 0 && tc.body[at-1] != ' ' {
			t.Errorf("%s: not a part of the text from the start of a word on: %s", tc.name, got)
		}
	}
}

func TestBestUnit(t *testing.T) {
	for _, tc := range []struct {
		name, query string
		sections    []string
		want        string
		line        int
	}{
		{"no rule of dashes", "AB-240", []string{"AB-240 manual | ---\ntitle: AB-240 manual\n---\n\nThis manual describes it.",
			"x | y"}, "title: AB-240 manual", 5},
		{"a sentence with the amount", "ゴルフバッグの料金はいくらですか",
			[]string{"手荷物 | 自転車は1台1,500円です。ゴルフバッグは1個500円です。カバーを掛けてください。"}, "ゴルフバッグは1個500円です。", 4},
		{"a row of a table", "What is the deposit for a roll cage?",
			[]string{"Deposits | | Carrier | Deposit |\n|---|---|\n| Pallet | $14 |\n| Roll cage | $120 |"}, "| Roll cage | $120 |", 7},
		{"not the header of a table", "RAIDの方式",
			[]string{"RAID | | RAIDの方式 | 台数 |\n|---|---|\n| 0 | 2 |\n| RAID 5 | 3 |"}, "| RAID 5 | 3 |", 7},
		{"an item of a list", "How do I reset the router?",
			[]string{"Router | Care:\n- Dust the case monthly.\n- To reset the router, hold the button for ten seconds."}, "- To reset the router, hold the button for ten seconds.", 6},
		{"a setting", "retry_limit の値は何ですか",
			[]string{"設定 | timeout: 30\nretry_limit: 5\n"}, "retry_limit: 5", 5},
		{"no question", "Is wireless internet free?",
			[]string{"FAQ | Is wireless internet free?\n\nWireless internet is free of charge."}, "Wireless internet is free of charge.", 6},
		{"with the one before that it points to", "Who founded the harbour museum?",
			[]string{"Museum | The harbour museum opened in 1911. It was founded by the shipowner, who loved the harbour museum."},
			"The harbour museum opened in 1911. It was founded by the shipowner, who loved the harbour museum.", 4},
		{"nothing to choose", "What is it?", []string{"FAQ | Is it here?"}, "", 0},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, line := best(t, input(tc.query, tc.sections...))
			if got != tc.want || line != tc.line {
				t.Errorf("line %d %q, want %d %q", line, got, tc.line, tc.want)
			}
		})
	}
}

func TestGaps(t *testing.T) {
	ferry := []string{
		"フェリー > 手荷物 > 自転車 | 自転車は、袋に入れなければ1台1,500円です。予約は要りません。",
		"フェリー > 手荷物 > ゴルフバッグ | ゴルフバッグは1個500円でお預かりします。",
		"フェリー > ペット | ペットは専用の部屋で1頭1,800円です。",
	}
	for _, tc := range []struct {
		name, query string
		sections    []string
		want        []Gap
	}{
		{"a thing that no section holds", "フェリーにカヌーを預ける料金はいくらですか", ferry, []Gap{{Terms: []string{"カヌー"}}}},
		{"none where all is held", "フェリーにゴルフバッグを預ける料金はいくらですか", ferry, nil},
		{"a weight where no text has one", "ゴルフバッグの重さは何キロですか", ferry, []Gap{{Facet: "weight"}}},
		{"what the answer gives", "支払われない場合をすべて",
			[]string{
				"規程 > 第2条 支払わない場合 | 次のいずれかに該当する場合は、保険金を支払いません。次の場合です。\n\n- 地震による損害\n- 故意による損害",
				"規程 > 第1条 支払い | 保険金は事故の通知から30日以内に支払います。", "規程 > 第3条 手続き | 1. 電話で通知する。\n2. 書類を送る。",
			}, nil},
		{"no common word", "Please tell me what the price of a bicycle usually is",
			[]string{"Fares | The price of a bicycle is $5."}, nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got := judge(t, input(tc.query, tc.sections...)).Gaps
			for i := range got {
				if got[i].Probability <= 0 || got[i].Probability > 1 {
					t.Errorf("probability %v", got[i].Probability)
				}
				got[i].Probability = 0
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestMissing(t *testing.T) {
	for _, tc := range []struct {
		query, text string
		want        []string
	}{
		{"Parking FEE", "Fares | The fee for a bicycle is $5.", []string{"Parking"}},
		{"bicycle fees", "Fares | The fee for a bicycle is $5.", nil},
		{"details of the fee", "Fares | The fee for a bicycle is $5.", nil},
		{"please tell me the fee", "Fares | The fee for a bicycle is $5.", nil},
		{"レンタカーの料金", "料金 | 自転車の料金は500円です。", []string{"レンタカー"}},
		{"パスポートの発行", "発行 | パスワードの発行はサポートへ。", []string{"パスポート"}},
		{"クラウドサーバーの料金", "料金 | クラウドのサーバーの料金は500円です。", nil},
		{"有給休暇の日数", "休暇 | 有給の休暇は年に20日です。", nil},
	} {
		if diff := cmp.Diff(tc.want, judge(t, input(tc.query, tc.text, "港 | フェリーの港です。")).Missing); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.query, diff)
		}
	}
}

func TestTermsAreWrittenAsInTheQuery(t *testing.T) {
	r := reading{in: &Input{Query: sdk.Query{Raw: "飲み物とエレベーター、Parking"}}}
	for term, want := range map[string]string{"飲物": "飲み物", "エレベータ": "エレベーター", "parking": "Parking", "階段": "階段"} {
		if got := r.written(term); got != want {
			t.Errorf("%s is written %s, want %s", term, got, want)
		}
	}
}

func TestWhatRetrievalFoundIsNoGap(t *testing.T) {
	in := input("フェリーにカヌーを預けられますか", "フェリー | フェリーに小舟を預けられます。", "港 | フェリーの港です。")
	if got := judge(t, in).Gaps; len(got) != 1 {
		t.Fatalf("without retrieval's word: %v", got)
	}
	in.Held = []string{"カヌー"}
	if got := judge(t, in).Gaps; len(got) != 0 {
		t.Errorf("what a synonym held is a gap: %v", got)
	}
}

func TestACodeThatNothingHoldsIsAGap(t *testing.T) {
	in := input("エラー E42 の意味", "エラー | E41 は紙づまりです。")
	in.Query.Terms = append(in.Query.Terms, sdk.Term{Text: "e42", Kind: sdk.TermMust, Weight: 1})
	got := judge(t, in).Gaps
	if len(got) != 1 || len(got[0].Terms) != 1 || got[0].Terms[0] != "e42" {
		t.Errorf("gaps %v", got)
	}
}

func TestANumberBehindAWordIsNoCode(t *testing.T) {
	in := input("How many people of ages 20-40 live there?", "Town | Many people live there.")
	in.Query.Terms = append(in.Query.Terms, sdk.Term{Text: "ages20-40", Kind: sdk.TermMust, Weight: 1})
	for _, g := range judge(t, in).Gaps {
		if len(g.Terms) > 0 && g.Terms[0] == "ages20-40" && g.Probability == 1 {
			t.Errorf("a code: %v", g)
		}
	}
}

func TestATypoIsASuggestion(t *testing.T) {
	in := input("restrction of the licence", "Licence | The restriction of a licence ends after a year.")
	in.Query.Terms[0].Text = "resxrction" // no word of the text begins alike
	in.Nearest = func(word string) (string, bool) { return "restriction", word == "resxrction" }
	got := judge(t, in)
	if diff := cmp.Diff([]string{"restriction"}, got.DidYouMean); diff != "" || len(got.Gaps) > 0 {
		t.Errorf("gaps %v, suggestions -want +got:\n%s", got.Gaps, diff)
	}
}

// Ready reports whether the query is answered: a sentence does so, nothing is missing, and it stands in a section
// that is surely among the relevant ones.
func (j *Judgement) Ready() bool {
	return j.Answer != nil && len(j.Gaps) == 0 && j.Stands >= LeastStands
}

func TestReady(t *testing.T) {
	sure := Judgement{Answer: &Answer{}, Stands: LeastStands}
	for name, tc := range map[string]struct {
		change func(*Judgement)
		want   bool
	}{
		"an answer that stands": {func(*Judgement) {}, true},
		"no answer":             {func(j *Judgement) { j.Answer = nil }, false},
		"a gap":                 {func(j *Judgement) { j.Gaps = []Gap{{}} }, false},
		"an unsure section":     {func(j *Judgement) { j.Stands = LeastStands - .01 }, false},
	} {
		j := sure
		tc.change(&j)
		if got := j.Ready(); got != tc.want {
			t.Errorf("%s: ready %t", name, got)
		}
	}
}

func TestNothingRelatedIsNotReady(t *testing.T) {
	for _, query := range []string{"flurb the quandle", "もけもけ星人のぬるぽ", "?", ""} {
		j := judge(t, input(query, "Fares | A bicycle costs $5.", "料金 | 自転車は500円です。"))
		if j.Ready() || j.Answer != nil {
			t.Errorf("%q is answered: %+v", query, j.Answer)
		}
	}
	if j := judge(t, input("What does a bicycle cost?")); j.Ready() || len(j.Relevance) > 0 {
		t.Errorf("without sections: %+v", j)
	}
}

func TestWeightsFitTheFeatures(t *testing.T) {
	m := weights()
	for name, tc := range map[string]struct {
		model    *model
		features []string
		bias     int
	}{
		"sentence": {&m.Sentence, sentenceFeatures, 0}, "right": {&m.Right, verdictFeatures, 1},
		"stands": {&m.Stands, verdictFeatures, 1}, "relevance": {&m.Relevance, relevanceFeatures, 1},
		"missing": {&m.Missing, missingFeatures, 1}, "facet": {&m.Facet, facetFeatures, 1},
	} {
		if diff := cmp.Diff(tc.features, tc.model.Features[tc.bias:]); diff != "" || len(tc.model.Weights) != len(tc.model.Features) {
			t.Errorf("%s: %d weights, features -code +data:\n%s", name, len(tc.model.Weights), diff)
		}
	}
}

func TestFacets(t *testing.T) {
	for query, want := range map[string]string{
		"料金はいくらですか": "amount", "提出はいつまでですか": "period date", "How wide is the door?": "size",
		"the feedback center": "", "手続きの方法を教えてください": "procedure", "何合目ですか": "limit", "What fee do I pay?": "amount",
		"料金を払った人": "", "What is the name for the cost of a policy?": "", "What is the cost of a policy?": "amount",
		"How do influenza viruses escape?": "", "how do i escape": "procedure", "Which forecasts show higher skill?": "",
	} {
		var got []string
		for _, f := range asked(text.Fold(query)) {
			got = append(got, f.name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q asks for %q, want %q", query, got, want)
		}
	}
	period := facets()[0]
	for s, want := range map[string]bool{
		"30日以内": true, "within twenty minutes": true, "room 12 is free": false, "it costs $ 3.50": false, "随時": true,
	} {
		if got := period.given(text.Fold(s)); got != want {
			t.Errorf("%q gives a period: %t", s, got)
		}
	}
	for _, tc := range []struct{ query, said, want string }{
		{"How often is it cleaned?", "Once after each tour.", "period"},
		{"How long does it take?", "Once it is deleted it is gone.", ""},
		{"What is the phone number?", "Dial 555-0172.", "contact"},
		{"What is the phone number?", "Open 13:00-15:00.", ""},
		{"How do I stop it?", "Turn the lever.", "procedure"},
		{"How do I stop it?", "Levers do not turn by themselves.", ""},
	} {
		if got := KindOf(tc.query, tc.said); got != tc.want {
			t.Errorf("%q to %q gives %q, want %q", tc.said, tc.query, got, tc.want)
		}
	}
}

func TestAWordForAFacetIsNoThing(t *testing.T) {
	for _, g := range judge(t, input("停電したときの連絡先の電話番号を知りたい", "停電 | 停電したときは、懐中電灯をお使いください。")).Gaps {
		if slices.Contains(g.Terms, "連絡先") {
			t.Errorf("missing %v", g.Terms)
		}
	}
}

func TestACancelledJudgementFails(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var j Judge
	if _, err := j.Judge(ctx, input("a bicycle", "Fares | A bicycle costs $5.")); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

// TestCostIsBounded counts allocations: longer texts and more of them cost no more than the bounds allow.
func TestCostIsBounded(t *testing.T) {
	for name, unit := range map[string]string{
		"sentences": "A bicycle costs $5 a day. ", "one word": "bicycle", "rows": "| bicycle | 5 |\n", "numbers": "5 - ",
		"Japanese": "自転車は500円です。", "marks": "「（", "spaces": " ", "questions": "自転車ですか。",
	} {
		cost := func(n int) float64 {
			fares := "Fares | " + strings.Repeat(unit, n)
			in := input("What does a bicycle cost for 5 days? 自転車はいくらですか")
			for range 60 {
				in.Evidences = append(in.Evidences, section.Section{Heading: "Fares", Text: fares, Score: 1})
			}
			var j Judge
			return testing.AllocsPerRun(1, func() {
				if _, err := j.Judge(t.Context(), in); err != nil {
					t.Fatal(err)
				}
			})
		}
		if once, more := cost(10_000), cost(40_000); more > 1.1*once+50 {
			t.Errorf("%s: %.0f allocations, four times the text %.0f", name, once, more)
		}
	}
}

func FuzzJudge(f *testing.F) {
	f.Add("料金はいくらですか", "料金", "1台500円です。\n| a | b |\n|---|---|\n| 1 | 2 |", "カヌー")
	f.Add(".5 inch", "", "5.\n- .\n?", "")
	f.Add("何", "か", "か。", "何")
	f.Add("\xff how 1,", "x", "\xff\xfe 1,. ", "\xff")
	f.Fuzz(func(t *testing.T, query, heading, body, term string) {
		in := input(query, heading+" | "+body, body, "か | "+heading)
		in.Query.Terms = append(in.Query.Terms, sdk.Term{Text: text.Fold(term), Kind: sdk.TermMust})
		in.Nearest = func(word string) (string, bool) { meant, _, ok := strings.Cut(body, " "); return meant, ok }
		j := judge(t, in)
		probability := func(p float64) {
			if !(p >= 0 && p <= 1) {
				t.Errorf("probability %v", p)
			}
		}
		probability(j.Stands)
		for _, p := range j.Relevance {
			probability(p)
		}
		for _, g := range j.Gaps {
			probability(g.Probability)
		}
		if a := j.Answer; a != nil {
			probability(a.Probability)
			if a.Evidence >= len(in.Evidences) || a.Line < in.Evidences[a.Evidence].StartLine || utf8.RuneCountInString(a.Text) > longestAnswer {
				t.Errorf("answer %+v", a)
			}
		}
	})
}

// TestReadingIsBounded counts what is read of very many, very long sections.
func TestReadingIsBounded(t *testing.T) {
	for _, unit := range []string{"a bicycle ", "A. ", "自転車。", "自"} {
		in := input("What does a bicycle cost?")
		for range 100 {
			in.Evidences = append(in.Evidences, section.Section{Text: strings.Repeat(unit, 20_000), Score: 1})
		}
		r, err := read(t.Context(), in, new(text.Tokenizer))
		if err != nil {
			t.Fatal(err)
		}
		size := 0
		for i := range r.units {
			size += len(r.units[i].text)
		}
		if len(r.sections) != 10 || len(r.units) > 400 || size == 0 || size > 10*4096 {
			t.Errorf("%q: %d sections, %d units, %d bytes", unit, len(r.sections), len(r.units), size)
		}
	}
}

func TestWhatSpeaksForAGap(t *testing.T) {
	r, err := read(t.Context(), input("Was the washer-dryer admitted to the recording studio? 夜行バスの定期試験",
		"Rules | Clean the washing machine and the dryer. 期末の試験はバスの中で行う。"), new(text.Tokenizer))
	if err != nil {
		t.Fatal(err)
	}
	of := func(s string) *term { return &term{Term: sdk.Term{Text: s}, tokens: r.held(s)} }
	if !r.beside(of("recording"), of("studio")) || r.beside(of("studio"), of("recording")) {
		t.Error("of recording studio the second word follows the first")
	}
	if !r.beside(of("夜行"), of("バス")) {
		t.Error("夜行 does not stand before バス")
	}
	for s, want := range map[string]bool{"admitted": true, "studio": false, "夜行": false} {
		if r.verb(of(s)) != want {
			t.Errorf("%q is a verb: %t", s, !want)
		}
	}
	for s, want := range map[string]float64{"試合": 0.5, "期末": 1, "夜間": 0, "studio": 0} {
		if got := r.kanji(of(s)); got != want {
			t.Errorf("of the kanji of %q %v are held, want %v", s, got, want)
		}
	}
	for s, want := range map[string]float64{"washer-dryer": 1, "studio": 0} {
		if got := r.part(of(s)); got != want {
			t.Errorf("of %q %v is held, want %v", s, got, want)
		}
	}
	for query, want := range map[string]bool{"何合目ですか": false, "いつ着きますか": false, "料金はいくらですか": true} {
		if f := asked(query)[0]; f.mayBeGap() != want {
			t.Errorf("%q: %s may be a gap: %t", query, f.name, !want)
		}
	}
}

func TestJudgementsShareNoTokens(t *testing.T) {
	body := strings.Repeat("and many other acronyms that nobody asks for, ", 8)
	var judge Judge
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			word := strings.Repeat("x", i+1) + "ing"
			in := input("acronym of "+word, "Names | The acronym of "+word+", "+body+" is ViB.", "More | None of "+body)
			for range 20 {
				if _, err := judge.Judge(t.Context(), in); err != nil {
					t.Error(err)
				}
				if likely, err := judge.Likely(t.Context(), in); err != nil || len(likely) != 2 || likely[0] != 1 {
					t.Errorf("likely %v %v", likely, err)
				}
			}
		})
	}
	group.Wait()
}
