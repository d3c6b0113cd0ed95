package judge

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// one is an evidence in a file of its own.
func one(path, heading, body string) Evidence {
	return Evidence{ManualID: "m", Path: path, StartLine: 1, TextLine: 2, Heading: heading, Text: body}
}

// supporters are the evidences that support the claim that answers.
func supporters(g *Graph) []string {
	var out []string
	for _, e := range g.Edges {
		if e.From == firstClaim && e.Relation == Supports {
			out = append(out, e.To)
		}
	}
	return out
}

func TestOnlyWhatAgreesSupports(t *testing.T) {
	query := ask(sdk.IntentUnknown, "sauna towels", "sauna", "towels")
	for _, tc := range []struct {
		name, claim, other string
		want               []string
	}{
		{"the same", "Towels for the sauna cost 4 euros.", "Sauna towels: 4 euros each.", []string{"e1", "e2"}},
		{"another number", "Towels for the sauna cost 4 euros.", "In the annex a sauna visit with two towels comes to 9 euros.", []string{"e1"}},
		{"the opposite", "Towels can be used in the sauna.", "Towels that are wet cannot be left in the sauna.", []string{"e1"}},
		{"another thing counted", "Towels for the sauna cost 4 euros.", "Sauna towels last 3 years.", []string{"e1", "e2"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g := built(Input{Query: query, Evidences: []Evidence{one("a.md", "Rules", tc.claim), one("b.md", "Prices", tc.other)}})
			if diff := cmp.Diff(tc.want, supporters(g)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestWhatIsCurrentGoesFirst(t *testing.T) {
	old, now := one("old/rules-2019.md", "Guest passes", "A guest pass costs 5 euros."), one("rules.md", "Guest passes", "A guest pass costs 8 euros.")
	for _, tc := range []struct {
		query string
		want  []int
		text  string
	}{
		{"guest pass", []int{1, 0}, "A guest pass costs 8 euros."},
		{"old guest pass", []int{0, 1}, "A guest pass costs 5 euros."},
	} {
		g := built(Input{Query: ask(sdk.IntentUnknown, tc.query, "guest", "pass"), Evidences: []Evidence{old, now}})
		if diff := cmp.Diff(tc.want, g.Top); diff != "" || len(g.Claims) == 0 || g.Claims[0].Text != tc.text {
			t.Errorf("%s: %s %+v", tc.query, diff, g.Claims)
		}
	}
}

func TestClaims(t *testing.T) {
	for _, tc := range []struct {
		name  string
		query sdk.Query
		e     Evidence
		want  string
	}{
		{"a row says its columns", ask(sdk.IntentCompare, "difference between basic and plus", "basic", "plus"),
			one("a.md", "Basic and plus", "| | Basic | Plus |\n|---|---|---|\n| seats | 3 | 9 |\n"), "seats, Basic: 3, Plus: 9"},
		{"a member, not the file", ask(sdk.IntentUnknown, "uploader retries", "uploader", "retries"),
			one("a.json", "a", `{"uploader": {"retries": 5, "pause": "2s"}, "log": "info"}`), "retries: 5"},
		{"who may, not who may not", ask(sdk.IntentEligibility, "who is eligible for the night ferry", "night", "ferry"),
			one("a.md", "Tickets", "Cyclists may take the night ferry. Lorries may not take the night ferry."), "Cyclists may take the night ferry."},
		{"the number itself, not one under a condition", ask(sdk.IntentUnknown, "延滞料はいくら", "延滞料"),
			one("a.md", "延滞料", "延滞料は三日を過ぎて500円になると請求書に載ります。延滞料は一日50円です。"), "延滞料は一日50円です。"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g := built(Input{Query: tc.query, Evidences: []Evidence{tc.e}})
			if len(g.Claims) == 0 || g.Claims[0].Text != tc.want || !g.Answered() {
				t.Errorf("%+v", g.Claims)
			}
		})
	}
}

// A pointer is followed where the answer needs it, and only within its manual.
func TestFollow(t *testing.T) {
	target := toolset.Ref{Target: "manual", ManualID: "m", Path: "c.md", StartLine: 9}
	resolve := func(manual string) func(int, refer.Pointer) (toolset.Ref, bool) {
		return func(int, refer.Pointer) (toolset.Ref, bool) { r := target; r.ManualID = manual; return r, true }
	}
	query := ask(sdk.IntentUnknown, "storm refund", "storm", "refund")
	for _, tc := range []struct {
		name   string
		body   string
		beside string
		manual string
		want   []toolset.Ref
	}{
		{"in the claim", "A refund after a storm follows section 4.2.", "Nothing.", "m", []toolset.Ref{target}},
		{"beside it", "A refund after a storm takes a week. For details see section 4.2.", "Nothing.", "m", []toolset.Ref{target}},
		{"to another manual", "A refund after a storm follows section 4.2.", "Nothing.", "x", nil},
		{"elsewhere, and nothing is lacking", "A refund after a storm takes a week.", "The storm refund desk is described in section 4.2.", "m", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			g := built(Input{Query: query, Resolve: resolve(tc.manual), Evidences: []Evidence{one("a.md", "Refunds", tc.body), one("b.md", "Desk", tc.beside)}})
			if diff := cmp.Diff(tc.want, g.Follow()); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestAbsent(t *testing.T) {
	for _, tc := range []struct {
		query, term, body string
		want              bool
	}{
		{"hard delete", "delete", "Deletion takes a minute.", false},
		{"submission", "submission", "You submit it twice.", false},
		{"resitrction", "resitrction", "The restriction ends.", false},
		{"writeahead log", "writeahead", "The write-ahead log.", false},
		{"even though", "though", "Nothing.", false},
		{"titanium", "titanium", "Steel and brass.", true},
		{"code in a block", "frobnicate", "Run:\n```\nfrobnicate --all\n```\n", false},
		{"来客用駐車場", "来客用駐車場", "来客用の駐車場があります。", false},
		{"払戻金", "払戻金", "払い戻しを受けられます。", false},
		{"洗濯乾燥機", "洗濯乾燥機", "洗濯のあとで干します。", false},
		{"介護休暇", "介護休暇", "夏の休暇は五日です。", true},
		{"ウィンドウメニュー", "ウィンドウメニュー", "メニューを開きます。", false},
		{"館内", "館内", "飲食はできません。", false},
		{"家畜", "家畜", "車を運びます。", true},
	} {
		r := &reader{ctx: t.Context(), evidences: []Evidence{one("a.md", "", tc.body)}}
		if got := r.absent(asked{text: text.Fold(tc.term)}); got != tc.want {
			t.Errorf("%s in %q is absent: %t", tc.term, tc.body, got)
		}
	}
}

func TestInstructs(t *testing.T) {
	query := ask(sdk.IntentProcedure, "how to drain the worker", "drain", "worker")
	for _, tc := range []struct {
		body string
		want bool
	}{
		{"```\nfleet drain w1\n```\n", true},
		{"Idle by then:\n\n    fleet drain w1\n", true},
		{"1. Stop the queue\n2. Unplug\n", true},
		{"`fleet drain w1` empties the worker.\n", true},
		{"Pluck the worker from the list.\n", true},
		{"The worker is drained at night.\n", false},
		{"A worker has a `name`.\n", false},
	} {
		g := built(Input{Query: query, Evidences: []Evidence{one("a.md", "Drain a worker", tc.body)}})
		if got := !slices.ContainsFunc(g.Gaps, func(x Gap) bool { return x.Need == "procedure" }); got != tc.want {
			t.Errorf("%q instructs: %t", tc.body, got)
		}
	}
}
