package judge

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk/text"
)

func TestQuantities(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"30日以内に限り", "time 2592000 most"},
		{"1枚につき220円", "yen 220 exact per 枚"},
		{"月12,000円", "yen 12000 exact per 月"},
		{"$15 per visit", "dollar 15 exact per visit"},
		{"2週間に1回", "time 1209600 every"},
		{"20 vacation days a year", "time 1728000 exact per year"},
		{"up to 4 devices", "count device 4 most"},
		{"at least 3 characters", "count character 3 least"},
		{"thirty days", "time 2592000 exact"},
		{"約3日", "time 259200 about"},
		{"2~4時間", "time 7200 span"},
		{"3 to 5 days", "time 259200 span"},
		{"3日前まで", "time 259200 ahead"},
		{"第3条と手順5と図2", ""},
		{"2024年4月1日の9時15分", ""},
		{"毎月25日", ""},
		{"version 2.1 of step 3", ""},
		{"0120-123-456", ""},
		{"数字なし", ""},
	} {
		var got []string
		for _, q := range quantities(nil, text.Fold(tc.in)) {
			s := fmt.Sprintf("%s %.0f %s", q.unit.dimension, q.value*q.unit.factor, [...]string{"exact", "most", "least", "every", "ahead", "loose", "about", "span"}[q.role])
			if q.per != "" {
				s += " per " + q.per
			}
			got = append(got, s)
		}
		if s := strings.Join(got, "; "); s != tc.want {
			t.Errorf("%s: %q, want %q", tc.in, s, tc.want)
		}
	}
}

func TestEqualAmounts(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		same bool
	}{
		{"60分", "1時間", true}, {"1GB", "1024MB", true}, {"1GB", "1000MB", true}, {"1年", "12か月", true}, {"1か月", "30日", true},
		{"1か月", "31日", true}, {"30日", "31日", false}, {"2GB", "1024MB", false}, {"1万円", "10,000円", true}, {"3割", "30%", true}, {"90 minutes", "1.5 hours", true},
	} {
		a, b := quantities(nil, text.Fold(tc.a)), quantities(nil, text.Fold(tc.b))
		if len(a) != 1 || len(b) != 1 || a[0].unit.dimension != b[0].unit.dimension {
			t.Fatalf("%s, %s: %v %v", tc.a, tc.b, a, b)
		}
		if got := a[0].equal(&b[0]); got != tc.same {
			t.Errorf("%s = %s: %v", tc.a, tc.b, got)
		}
	}
}

func TestSentences(t *testing.T) {
	e := &Evidence{StartLine: 4, TextLine: 5, Text: "一つ目。二つ目は\n続きます。\n\n- 項目（注。補足）です\n1. 押します。\n> 引用。\n```\nコード。\n```\n| 鍵 | 値 |\n|---|---|\nUse e.g. tape. Then go\non.\n"}
	var got []string
	for _, s := range sentences(nil, &text.Folder{}, e) {
		got = append(got, fmt.Sprintf("%d %s", s.line, s.source))
	}
	want := []string{"5 一つ目。", "5 二つ目は続きます。", "8 項目（注。補足）です", "9 押します。", "14 | 鍵 | 値 |", "16 Use e.g. tape.", "16 Then go on."}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestEdition(t *testing.T) {
	for place, want := range map[string]string{
		"m/guide.md": "", "m/03-guide.md": "", "m/v2/guide.md": "v2", "m/old/guide.md": "old", "m/policy-2021.md": "2021", "m/旧約款.md": "旧", "m/folder.md": "", "m/gold.md": "",
	} {
		manual, path, _ := strings.Cut(place, "/")
		if got := (&Evidence{ManualID: manual, Path: path}).edition(); got != want {
			t.Errorf("%s: %q, want %q", place, got, want)
		}
	}
}

func TestWords(t *testing.T) {
	for in, want := range map[string]string{
		"全従業員の受付期間":                       "従業 員 受付 期間",
		"未開封の商品":                          "未開封 商品",
		"手数料と送料":                          "手数 料 送料",
		"持って行く鍵は":                         "持 行 鍵",
		"the refunds of an a4-sized page": "refunds a4-sized page",
	} {
		x := (*Lexicons)(nil).take()
		var got []string
		for _, w := range x.words(nil, text.Fold(in)) {
			got = append(got, text.Fold(in)[w.start:w.end])
		}
		if s := strings.Join(got, " "); s != want {
			t.Errorf("%s: %q, want %q", in, s, want)
		}
	}
	x := (*Lexicons)(nil).take()
	if a, b := x.entry("refunds"), x.entry("refunded"); a.id != b.id {
		t.Error("two forms of one word have two ids")
	}
}

func TestNothingFollowsAnEmptyListItem(t *testing.T) {
	for _, source := range []string{"- \n返品は30日以内です。", "1. \nReturns take 30 days."} {
		for i, s := range sentences(nil, &text.Folder{}, &Evidence{StartLine: 1, Text: source}) {
			if i == 0 && s.follows {
				t.Errorf("%q: the first sentence follows another", source)
			}
		}
	}
}
