package answer

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
)

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

// Texts have ranges of numbers, and forms of words that the index does not have.
func TestWhichWordsAreMissing(t *testing.T) {
	for query, want := range map[string][]string{
		"フォークリフトの講習は17歳でも受けられますか":  nil,
		"フォークリフトにタイヤチェーンを巻いて走れますか": {"タイヤチェーン"},
	} {
		in := input(query, "講習 | フォークリフトの講習は18歳から受けられます。", "運転 | フォークリフトは倉庫の中を走れます。")
		var got []string
		for _, g := range judge(t, in).Gaps {
			got = append(got, g.Terms...)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
}

// The plan joins a word and a number, a name such as sev 1 or a date. The query does not write that as one word.
func TestAJoinedNameIsMissingIfItsWordIs(t *testing.T) {
	for _, tc := range []struct {
		query, joined string
		want          []string
	}{
		{"December 25 fares", "december25", nil},
		{"Pier 25 fares", "pier25", []string{"Pier 25"}},
		{"PIER25 fares", "pier25", []string{"PIER25"}},
	} {
		in := input(tc.query, "Fares | The fares fall in December.")
		in.Query.Terms = []sdk.Term{{Text: tc.joined, Kind: sdk.TermMust, Weight: 1}, {Text: "fares", Kind: sdk.TermSoft, Weight: 1}}
		if diff := cmp.Diff(tc.want, judge(t, in).Missing); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.query, diff)
		}
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
		if slices.Contains(g.Terms, "ages20-40") {
			t.Errorf("a gap: %v", g)
		}
	}
}

func TestATypoIsASuggestion(t *testing.T) {
	in := input("restrction of the licence", "Licence | The restriction of a licence ends after a year.")
	in.Query.Terms[0].Text = "resxrction" // no word of the text begins like this
	in.Nearest = func(word string) (string, bool) { return "restriction", word == "resxrction" }
	got := judge(t, in)
	if diff := cmp.Diff([]string{"restriction"}, got.DidYouMean); diff != "" || len(got.Gaps) > 0 {
		t.Errorf("gaps %v, suggestions -want +got:\n%s", got.Gaps, diff)
	}
}

// A correction is not a word of the query.
func TestACorrectionThatNoTextHasIsNotMissing(t *testing.T) {
	in := input("tailr of quilts", "Towing | A trailer is lent for a day.")
	in.Query.Terms = append(in.Query.Terms, sdk.Term{Text: "tailor", Kind: sdk.TermSoft, Weight: 1})
	in.Nearest = func(word string) (string, bool) { return "tailor", word == "tailr" }
	got := judge(t, in)
	if !slices.Equal(got.DidYouMean, []string{"tailor"}) || !slices.Equal(got.Missing, []string{"quilts"}) {
		t.Errorf("suggestions %q, missing %q", got.DidYouMean, got.Missing)
	}
}

func TestATypoThatBeginsLikeTheRightWordIsASuggestionToo(t *testing.T) {
	in := input("ownershp of the licence", "Licence | The ownership of a licence ends after a year.")
	in.Nearest = func(word string) (string, bool) { return "ownership", word == "ownershp" }
	if got := judge(t, in); !slices.Equal(got.DidYouMean, []string{"ownership"}) || len(got.Gaps) > 0 {
		t.Errorf("gaps %v, suggestions %v", got.Gaps, got.DidYouMean)
	}
	in.Held = []string{"ownershp"} // a text spells it like this
	if got := judge(t, in); len(got.DidYouMean) > 0 {
		t.Errorf("suggestions %v for a word that was found", got.DidYouMean)
	}
}

func TestWhatSpeaksForAGap(t *testing.T) {
	r, err := read(t.Context(), input("Was the washer-dryer admitted to the recording studio? 夜行バスの定期試験",
		"Rules | Clean the washing machine and the dryer. 期末の試験はバスの中で行う。"))
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

func TestAForeignWordIsLatinInJapanese(t *testing.T) {
	for query, want := range map[string]float64{
		"Androidの料金はいくらですか": 1, "アンドロイドの料金はいくらですか": 0, "What is the Android fee?": 0,
	} {
		r, err := read(t.Context(), input(query, "料金 | 大人は500円です。"))
		if err != nil {
			t.Fatal(err)
		}
		if got := r.missingOf(0, 0)[slices.Index(missingFeatures, "foreign")]; got != want {
			t.Errorf("%q: %s is foreign: %v", query, r.asked[0].Text, got)
		}
	}
}
