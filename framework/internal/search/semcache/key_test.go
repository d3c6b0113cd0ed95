package semcache

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

func TestForm(t *testing.T) {
	for query, want := range map[string]string{
		"初期化の手順を教えてください。":               "初期化の手順",
		"返品は、できませんか？":                   "返品はできない",
		"在庫はありますか":                      "在庫はある",
		"すいか":                           "すいか",
		"静か":                            "静か",
		"使い方はそれほど豊か":                    "使い方はそれほど豊か",
		"原因は何なのか":                       "原因は何",
		"とは":                            "とは",
		"How do I reset a password?":    "reset a password",
		"does plan A cover the dentist": "does plan a cover dentist",
		"how to":                        "how to",
		"How can we please customers?":  "please customers",
		"Tell me about the":             "the",
		"?":                             "?",
	} {
		if got := form(text.Fold(query)); got != want {
			t.Errorf("form(%q) = %q, want %q", query, got, want)
		}
	}
}

func TestWhatMustAgree(t *testing.T) {
	base := sdk.Query{Raw: "restore the backup", Intent: sdk.IntentUnknown, MatchThreshold: 0.12,
		Terms: []sdk.Term{{Text: "backup", Kind: sdk.TermMust, Weight: 1}, {Text: "restore", Kind: sdk.TermSoft, Weight: 1}}}
	same := base
	same.Raw, same.Terms = "Restore backup", []sdk.Term{base.Terms[0]}
	if k := KeyOf(same); k.Meaning != KeyOf(base).Meaning || k.Exact == KeyOf(base).Exact {
		t.Error("an article should make another query of the same meaning")
	}
	for name, change := range map[string]func(*sdk.Query){
		"intent":    func(q *sdk.Query) { q.Intent = sdk.IntentProcedure },
		"threshold": func(q *sdk.Query) { q.MatchThreshold = 0.2 },
		"must term": func(q *sdk.Query) { q.Terms = q.Terms[1:] },
		"phrase": func(q *sdk.Query) {
			q.Terms = []sdk.Term{{Text: "backup", Kind: sdk.TermMust, Phrase: true, Weight: 1}}
		},
		"exclusion": func(q *sdk.Query) {
			q.Terms = append(q.Terms[:2:2], sdk.Term{Text: "tape", Kind: sdk.TermNegative, Weight: 1})
		},
		"long text": func(q *sdk.Query) { q.Raw = strings.Repeat(q.Raw+" ", 200) },
	} {
		q := base
		change(&q)
		k, b := KeyOf(q), KeyOf(base)
		if k.Meaning == b.Meaning && k.Intent == b.Intent || k.Exact == b.Exact {
			t.Errorf("%s: another one shares a key", name)
		}
	}
}

// Changing any digit changes what is asked.
func TestDigitsBind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		words := rapid.SliceOfN(rapid.SampledFrom([]string{"手順", "の", "料金", "は", "how", "to", "the", "a", "plan", "を", "から", "please", " ", "、"}), 0, 6)
		before, after := strings.Join(words.Draw(t, "before"), " "), strings.Join(words.Draw(t, "after"), " ")
		digits := rapid.IntRange(0, 9)
		a, b := digits.Draw(t, "a"), digits.Draw(t, "b")
		query := func(n int) sdk.Query { return sdk.Query{Raw: before + string(rune('0'+n)) + after} }
		if equal := KeyOf(query(a)).Meaning == KeyOf(query(b)).Meaning; equal != (a == b) {
			t.Fatalf("%q and %q: same meaning is %t", query(a).Raw, query(b).Raw, equal)
		}
	})
}

// However a query is typed, it has the same meaning, and no input makes KeyOf fail.
func FuzzKeyOf(f *testing.F) {
	for _, s := range []string{"初期化の手順を教えてください", "how do I reset a password?", "か", "a", "-x 、 の手順", "\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		norm := text.Fold(raw)
		k := KeyOf(sdk.Query{Raw: raw})
		if k != KeyOf(sdk.Query{Raw: norm}) {
			t.Errorf("%q and its normalised form differ", raw)
		}
		if norm != "" && form(norm) == "" {
			t.Errorf("nothing is left of %q", raw)
		}
	})
}
