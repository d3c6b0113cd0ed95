package query

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// want is the part of a plan that a table row specifies.
type want struct {
	intent             sdk.Intent
	must, soft, negate []string
}

func TestPlan(t *testing.T) {
	for query, w := range map[string]want{
		"保証の対象外となる場合を教えてください":              {intent: sdk.IntentExceptions, soft: []string{"保証", "対象外", "場合"}},
		"第十二条の払い戻しの手順":                     {intent: sdk.IntentProcedure, must: []string{"第12条"}, soft: []string{"第", "12", "条", "払戻", "手順"}},
		"サーバーとは":                           {intent: sdk.IntentDefinition, soft: []string{"サーバ"}},
		`"read only" mode -beta`:           {intent: sdk.IntentUnknown, must: []string{"read only"}, soft: []string{"mode"}, negate: []string{"beta"}},
		"How do I reset the E-1042 error?": {intent: sdk.IntentProcedure, must: []string{"e-1042"}, soft: []string{"reset", "error"}},
		"I'd like to tell me about leases": {intent: sdk.IntentUnknown, soft: []string{"leases"}},
		"we need spare parts, help us":     {intent: sdk.IntentUnknown, soft: []string{"spare", "parts"}},
		"a wish list and a help page":      {intent: sdk.IntentUnknown, soft: []string{"wish", "list", "help", "page"}},
		`deploy -"two approvals" steps`:    {intent: sdk.IntentProcedure, soft: []string{"deploy"}, negate: []string{"two approvals"}},
		`-"read only" mode`:                {intent: sdk.IntentUnknown, soft: []string{"mode"}, negate: []string{"read only"}},
		`read-"only" mode`:                 {intent: sdk.IntentUnknown, must: []string{"only"}, soft: []string{"read", "mode"}},
		`plans except "free tier"`:         {intent: sdk.IntentExceptions, soft: []string{"plans"}, negate: []string{"free tier"}},
		"「月額」以外の費用":                        {intent: sdk.IntentUnknown, soft: []string{"費用"}, negate: []string{"月額"}},
		"＂月額＂の費用":                          {intent: sdk.IntentUnknown, must: []string{"月額"}, soft: []string{"費用"}},
		"保証　－対象":                           {intent: sdk.IntentEligibility, soft: []string{"保証"}, negate: []string{"対象"}},
		"東京以外の支店":                          {intent: sdk.IntentUnknown, soft: []string{"支店"}, negate: []string{"東京"}},
		"what is not covered":              {intent: sdk.IntentExceptions, soft: []string{"not", "covered"}},
		"--force オプション":                    {intent: sdk.IntentUnknown, soft: []string{"force", "オプション"}},
		"list everything about the walrus": {intent: sdk.IntentUnknown, soft: []string{"walrus"}},
		"list all units":                   {intent: sdk.IntentUnknown, soft: []string{"units"}},
		"full list of marmots":             {intent: sdk.IntentUnknown, soft: []string{"marmots"}},
		"list everything":                  {intent: sdk.IntentUnknown, soft: []string{"list", "everything"}},
		"walrus に関する記述を全て":                 {intent: sdk.IntentUnknown, soft: []string{"walrus"}},
		"料金一覧":                             {intent: sdk.IntentUnknown, soft: []string{"料金"}},
		"How do I use 4.4. rules?":         {intent: sdk.IntentProcedure, soft: []string{"use", "4.4", "rules"}},
		"changes of version 3.5":           {intent: sdk.IntentUnknown, soft: []string{"changes", "version", "3.5"}},
		"changes of version 35":            {intent: sdk.IntentUnknown, must: []string{"version35"}, soft: []string{"changes"}},
		"ください":                             {intent: sdk.IntentUnknown, soft: []string{"ください"}},
	} {
		t.Run(query, func(t *testing.T) {
			q, _ := Plan(query, 0.3)
			got := want{intent: q.Intent}
			for _, term := range q.Terms {
				switch term.Kind {
				case sdk.TermMust:
					got.must = append(got.must, term.Text)
				case sdk.TermSoft:
					got.soft = append(got.soft, term.Text)
				case sdk.TermNegative:
					got.negate = append(got.negate, term.Text)
				}
			}
			if diff := cmp.Diff(w, got, cmp.AllowUnexported(want{})); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestPlanKeepsSomethingToSearchFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.StringMatching(`[a-z東京ーサバのは ?]{1,20}[a-z京サ]`).Draw(t, "query")
		q, _ := Plan(raw, 0.3)
		if q.Text == "" || len(q.Terms) == 0 {
			t.Fatalf("nothing left of %q: %+v", raw, q)
		}
	})
}

func TestQueriesThatAskForAll(t *testing.T) {
	for query, want := range map[string]bool{
		"保険金が支払われない場合をすべて教えて": true, "エラーコードの一覧": true, "どんなとき解約できますか": true, "割引には何があるか": true,
		"免責となる場合を挙げてください": true, "全ての料金プラン": true, "Which all plans have a fee?": true, "List every error code": true, "What does each plan cost?": true,
		"tell me everything about marmots": true, "ことごとく marmot": true, "full list of marmots": true, "walrus に関する全ての記述": true,
		"一覧画面を開く": false, "保険金はいくらですか": false, "全体の流れ": false, "The sync does not work at all": false, "mailing list archive": false,
		"Does it run hourly or every 4 hours?": false, "What is paid each month?": false, "What runs every day in each region?": true,
		"Can users call each other?": false, "install a wall mount": false, "how to replace a disk": false,
	} {
		if got := AsksForAll(text.Fold(query)); got != want {
			t.Errorf("%s: %v", query, got)
		}
	}
}

// Words that only ask are not part of the text. The same goes for words that ask how to use a Latin word, but they stay
// terms.
func TestPlanLeavesOutWhatAsks(t *testing.T) {
	for query, want := range map[string]string{
		"算出プロパティって何?":                                  "算出プロパティ",
		"算出プロパティって何ですか":                                "算出プロパティ",
		"算出プロパティについて詳しく知りたいのですが":                       "算出プロパティ",
		"算出プロパティについて教えていただけますか":                        "算出プロパティ",
		"算出プロパティを説明してくれませんか":                           "算出プロパティ",
		"教えていただけますか":                                   "教えていただけますか",
		"I would like to know more about VA education": "va education",
		"Explain label matching":                       "label matching",
		"help me understand label matching":            "label matching",
		"histogram の使い方":                               "histogram",
		"std::vector の使い方":                             "std::vector",
		"git rebaseのやり方は?":                             "git rebase",
		"webpack を使う方法":                                "webpack",
		"alertmanager の設定方法":                           "alertmanager の設定方法",
		"乱数ライブラリの使い方":                                  "乱数ライブラリの使い方",
		"使い方":                                          "使い方",
		"の使い方":                                         "の使い方",
		"histogram の使い方の例":                             "histogram の使い方の例",
	} {
		q, _ := Plan(query, 0.3)
		if q.Text != want {
			t.Errorf("%s: %q, want %q", query, q.Text, want)
		}
	}
	q, _ := Plan("histogram の使い方", 0.3)
	if len(q.Terms) != 2 || q.Terms[1].Weight != 1 {
		t.Errorf("terms %+v", q.Terms)
	}
}
