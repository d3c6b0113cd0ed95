package translation

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// edict is written in the format of EDICT.
const edict = `保険 [ほけん] /(n) insurance/guarantee/(P)/
基底クラス [きていクラス] /(n) base class/
変える [かえる] /(v1,vt) to change/to alter/(P)/
払う [はらう] /(v5u,vt) to pay/(P)/
高い [たかい] /(adj-i) expensive/(P)/
車 [くるま] /(n) car/vehicle/(P)/
手数料 [てすうりょう] /(n) handling charge/fee/
州 [しゅう] /(n) state/
`

// configured returns a strategy with a translation file.
func configured(t *testing.T, src string) *Strategy {
	t.Helper()
	all, _, err := dict.EDICT(strings.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "edict.bi.txt")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := all.Write(f, ""); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	config, err := json.Marshal(map[string]any{"files": []string{name}, "bundled": false})
	if err != nil {
		t.Fatal(err)
	}
	s := New()
	if err := s.Configure(t.Context(), config); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// found returns the sections that a query finds, best first.
func found(t *testing.T, s *Strategy, corpus *snapshot.Snapshot, query string, terms ...sdk.Term) []uint32 {
	t.Helper()
	res := searched(t, s, &sdk.Request{Query: sdk.Query{Text: query, Terms: terms}, Corpus: corpus, Limit: 9})
	var out []uint32
	for _, c := range res.Candidates {
		out = append(out, c.Section)
	}
	if int(res.Matched.GetCardinality()) != len(out) || !res.Finished {
		t.Errorf("%d matched, %d candidates, finished: %v", res.Matched.GetCardinality(), len(out), res.Finished)
	}
	return out
}

func searched(t *testing.T, s *Strategy, req *sdk.Request) *sdk.Result {
	t.Helper()
	res, err := s.Search(context.Background(), req)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func TestJapaneseQueryFindsEnglishText(t *testing.T) {
	corpus := sdktest.Snapshot(t,
		sdktest.Section{Heading: "Insurance of vehicles", Body: "The insurance of the car."},
		sdktest.Section{Heading: "Fees", Body: "Change the state of the form and pay the fee."},
		sdktest.Section{Heading: "Server", Body: "The server of RCU domains is expensive to query."},
		sdktest.Section{Heading: "Classes", Body: "The base class of all."},
		sdktest.Section{Heading: "Bases", Body: "The base of the lamp."})
	s := configured(t, edict)
	for name, tc := range map[string]struct {
		query string
		want  []uint32
	}{
		"a word":                         {"保険", []uint32{0}},
		"more words are better":          {"車の保険", []uint32{0}},
		"an inflected verb":              {"変えたい", []uint32{1}},
		"a verb of five rows":            {"払わない", []uint32{1}},
		"an adjective":                   {"高かった", []uint32{2}},
		"katakana by its sound":          {"サーバー", []uint32{2}},
		"a phrase, all of it":            {"基底クラス", []uint32{3}},
		"a word of a longer one":         {"手数料表", []uint32{1}},
		"a word that both share":         {"rcuの使い方", []uint32{2}},
		"a word that no dictionary has":  {"冷蔵庫", nil},
		"hiragana":                       {"どこで", nil},
		"nothing":                        {"", nil},
		"a word beside one that is none": {"冷蔵庫の保険", []uint32{0}},
	} {
		if diff := cmp.Diff(tc.want, found(t, s, corpus, tc.query)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if got := found(t, s, corpus, "保険", sdk.Term{Text: "car", Kind: sdk.TermNegative, Weight: 1}); got != nil {
		t.Errorf("in spite of a negative term: %v", got)
	}
	scoped := searched(t, s, &sdk.Request{
		Query: sdk.Query{Text: "保険"}, Corpus: corpus, Limit: 9, Scope: roaring.BitmapOf(1, 2),
	})
	if len(scoped.Candidates) > 0 {
		t.Errorf("out of scope: %v", scoped.Candidates)
	}
}

func TestALoanwordIsNotTakenForAShorterWord(t *testing.T) {
	corpus := sdktest.Snapshot(t,
		sdktest.Section{Heading: "Taxes", Body: "Prices include tax."}, sdktest.Section{Heading: "Trips", Body: "Take a taxi."})
	for _, query := range []string{"タクシー", "タクシ"} {
		if diff := cmp.Diff([]uint32{1}, found(t, New(), corpus, query)); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
}

func TestEnglishQueryFindsJapaneseText(t *testing.T) {
	corpus := sdktest.Snapshot(t,
		sdktest.Section{Heading: "保険", Body: "車の保険について"},
		sdktest.Section{Heading: "料金", Body: "料金を変えました。払った手数料は戻りません。"},
		sdktest.Section{Heading: "サーバー", Body: "サーバーのRCUは高かった。"},
		sdktest.Section{Heading: "クラス", Body: "基底クラスの話"},
		sdktest.Section{Heading: "電車", Body: "基底の話、底クとクラとラス"})
	s := configured(t, edict)
	for name, tc := range map[string]struct {
		query string
		want  []uint32
	}{
		"a word":              {"insurance", []uint32{0}},
		"an inflected verb":   {"changes", []uint32{1}},
		"a verb's stem":       {"who paying", []uint32{1}},
		"the sound":           {"servers", []uint32{2}},
		"a word both share":   {"rcu", []uint32{2}},
		"a phrase":            {"base class", []uint32{3}},
		"a word nobody knows": {"refrigerator", nil},
		"stop words":          {"what is the", nil},
	} {
		if diff := cmp.Diff(tc.want, found(t, s, corpus, tc.query)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

func TestQueryInTheTextsOwnLanguageIsLeftAlone(t *testing.T) {
	english := sdktest.Snapshot(t, sdktest.Section{Heading: "Car", Body: "The insurance of the car."})
	japanese := sdktest.Snapshot(t, sdktest.Section{Heading: "車", Body: "車の保険"})
	both := sdktest.Snapshot(t,
		sdktest.Section{Heading: "Car", Body: "The insurance of the car."},
		sdktest.Section{Heading: "車", Body: "車の保険"})
	s := configured(t, edict)
	for _, tc := range []struct {
		query  string
		corpus *snapshot.Snapshot
		want   []uint32
	}{
		{"car insurance", english, nil}, {"車の保険", japanese, nil},
		{"car insurance", both, nil}, {"車の保険", both, nil},
		{"car insurance", japanese, []uint32{0}}, {"車の保険", english, []uint32{0}},
	} {
		if diff := cmp.Diff(tc.want, found(t, s, tc.corpus, tc.query)); diff != "" {
			t.Errorf("%s: %s", tc.query, diff)
		}
	}
}

func TestANumberAloneIsNoTranslation(t *testing.T) {
	corpus := sdktest.Snapshot(t,
		sdktest.Section{Heading: "Freight", Body: "5kg in short"}, // too short to be recognised as English
		sdktest.Section{Heading: "枚数", Body: "5枚のサーバーです。"})
	s := configured(t, edict)
	for query, want := range map[string][]uint32{"5kg": nil, "5": nil, "server 5": {1}} {
		if diff := cmp.Diff(want, found(t, s, corpus, query)); diff != "" {
			t.Errorf("%s: %s", query, diff)
		}
	}
}

func TestConfidence(t *testing.T) {
	for _, tc := range []struct{ own, best, want float64 }{
		{0, 1, 1}, {0.4, 1, 1}, {0.475, 1, 0.5}, {0.55, 1, 0}, {1, 1, 0}, {0.2, 0.2, 0}, {0.1, 0.5, 1},
	} {
		if got := confidence(tc.own, tc.best); got < tc.want-1e-9 || got > tc.want+1e-9 {
			t.Errorf("own %v, best %v: %v instead of %v", tc.own, tc.best, got, tc.want)
		}
	}
}

// All translations of a word count as one word: a section that uses three of them does not cover more of the query than
// one that uses one.
func TestTranslationsOfAWordCountAsOne(t *testing.T) {
	corpus := sdktest.Snapshot(t,
		sdktest.Section{Heading: "One", Body: "the car in the state"},
		sdktest.Section{Heading: "Two", Body: "the car the vehicle"},
		sdktest.Section{Heading: "Three", Body: "the state of things"},
		sdktest.Section{Heading: "Four", Body: "the car in general"})
	s := configured(t, edict)
	res := searched(t, s, &sdk.Request{Query: sdk.Query{Text: "州の車"}, Corpus: corpus, Limit: 9})
	if res.Candidates[0].Section != 0 || res.Candidates[0].Coverage != 1 {
		t.Errorf("%+v", res.Candidates)
	}
	coverage := map[uint32]float64{}
	for _, c := range res.Candidates {
		coverage[c.Section] = c.Coverage
	}
	if coverage[1] == 0 || coverage[1] != coverage[3] {
		t.Errorf("two translations cover %v, one of them %v", coverage[1], coverage[3])
	}
	if diff := cmp.Diff([]string{"州", "車"}, res.Candidates[0].Terms); diff != "" {
		t.Error(diff)
	}
}

func TestSynonymsThatMixTheLanguagesAreTranslations(t *testing.T) {
	corpus := sdktest.Snapshot(t, sdktest.Section{Heading: "Fridge", Body: "The refrigerator of the kitchen."})
	s := New()
	config := `{"entries": [{"to": ["冷蔵庫", "refrigerator"]}]}`
	if err := s.Configure(t.Context(), json.RawMessage(config)); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]uint32{0}, found(t, s, corpus, "冷蔵庫")); diff != "" {
		t.Error(diff)
	}
}

func TestConfigureRefuses(t *testing.T) {
	for _, config := range []string{`{"files": ["/nowhere/x.bi.txt"]}`, `{"file": []}`} {
		if err := New().Configure(t.Context(), json.RawMessage(config)); err == nil {
			t.Errorf("%s is taken", config)
		}
	}
}

func TestInflection(t *testing.T) {
	for word, want := range map[string]string{
		"変え": "変える", "払い": "払う", "払わ": "払う", "言っ": "言う", "書か": "書く", "読ん": "読む", "高く": "高い", "見": "見る", "待て": "待つ",
	} {
		if got := bases(word, true); !slices.Contains(got, want) {
			t.Errorf("bases of %s: %q", word, got)
		}
	}
	for word, want := range map[string][]string{
		"変える": {"変える", "変え"}, "待つ": {"待つ", "待ち", "待た", "待っ", "待て"}, "高い": {"高い", "高く", "高か"},
		"少ない": {"少ない", "少なく", "少なか"},
		"サーバ": {"サーバ"}, "server": {"server"}, "ある": {"ある"}, "見る": {"見る", "見り", "見ら", "見っ", "見れ"},
	} {
		if diff := cmp.Diff(want, forms(word)); diff != "" {
			t.Errorf("forms of %s: %s", word, diff)
		}
	}
}

func FuzzSearch(f *testing.F) {
	f.Add("保険が切れてしまった", true)
	f.Add("base class of サーバー", false)
	f.Add("ーーァ\xff々", true)
	corpus := sdktest.Snapshot(f,
		sdktest.Section{Heading: "Insurance", Body: "The insurance of the car, the server and the base class."},
		sdktest.Section{Heading: "保険", Body: "車の保険とサーバー、基底クラス"})
	f.Fuzz(func(t *testing.T, query string, scoped bool) {
		req := sdk.Request{Query: sdk.Query{Text: query}, Corpus: corpus, Limit: 2}
		if scoped {
			req.Scope = roaring.BitmapOf(1)
		}
		res, err := New().Search(t.Context(), &req)
		if err != nil || !res.Finished {
			t.Fatalf("%+v, %v", res, err)
		}
		for _, c := range res.Candidates {
			if !(c.Score > 0) || c.Coverage < 0 || c.Coverage > 1 || scoped && c.Section != 1 {
				t.Errorf("%+v", c)
			}
		}
	})
}

// What a Latin word names is at home where the word occurs, whatever sections in the query's language say about the
// rest.
func TestLatinWordsOfTheOtherLanguage(t *testing.T) {
	english := sdktest.Section{Heading: "Polo", Body: "The car insurance of a polo."}
	for body, want := range map[string][]uint32{
		"車の保険の手数料は次のとおりです。":       {0},
		"車の保険の手数料は次のとおりです。polo も": nil,
	} {
		corpus := sdktest.Snapshot(t, english, sdktest.Section{Heading: "自動車", Body: body},
			sdktest.Section{Heading: "住所", Body: "あて先はこちらです。"}, sdktest.Section{Heading: "電話", Body: "番号はこちらです。"})
		if diff := cmp.Diff(want, found(t, configured(t, edict), corpus, "polo の車の保険の手数料")); diff != "" {
			t.Errorf("beside %s: %s", body, diff)
		}
	}
}
