package search

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// want is the part of a plan that a table row names.
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
		"ください":                             {intent: sdk.IntentUnknown, soft: []string{"ください"}},
	} {
		t.Run(query, func(t *testing.T) {
			q := Plan(query, 0.3)
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

func TestALongQueryIsCut(t *testing.T) {
	var numbered strings.Builder
	for i := range 300 {
		fmt.Fprintf(&numbered, "word%d ", i)
	}
	for name, tc := range map[string]struct {
		query    string
		warnings int
	}{
		"of 4000 characters":           {strings.Repeat("平成元年", 1000), 0},
		"of more characters":           {strings.Repeat("平成元年", 1001), 1},
		"of many words, often the one": {strings.Repeat("word ", 700), 0},
		"of many words":                {numbered.String(), 1},
		"of too much":                  {strings.Repeat(numbered.String(), 3), 2},
	} {
		t.Run(name, func(t *testing.T) {
			q := Plan(tc.query, 0.3)
			if n := utf8.RuneCountInString(q.Raw); n > 4000 || len(q.Terms) > 256 || !strings.HasPrefix(tc.query, q.Raw) {
				t.Errorf("%d characters, %d terms", n, len(q.Terms))
			}
			row := sdktest.Section{Manual: "m", Path: "a.md", Line: 1, Heading: "A", Body: "word1 word 平成元年"}
			e := engine(t, []sdktest.Section{row}, fakes{list: []words{exact}})
			answer, err := find(t, e, request(tc.query))
			if err != nil {
				t.Fatal(err)
			}
			if len(answer.Warnings) != tc.warnings {
				t.Errorf("warnings %q", answer.Warnings)
			}
			for _, a := range answer.NextActions {
				if query, _ := a.Params["query"].(string); utf8.RuneCountInString(query) > 4000 {
					t.Errorf("proposal %s of %d bytes", a.Type, len(query))
				}
			}
		})
	}
}

func TestPlanKeepsSomethingToSearchFor(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		raw := rapid.StringMatching(`[a-z東京ーサバのは ?]{1,20}[a-z京サ]`).Draw(t, "query")
		q := Plan(raw, 0.3)
		if q.Text == "" || len(q.Terms) == 0 {
			t.Fatalf("nothing left of %q: %+v", raw, q)
		}
	})
}
