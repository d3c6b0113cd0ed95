package judge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
)

// kinds of the conflicts between two texts, each of a file of its own.
func kindsOf(query sdk.Query, a, b string) (kinds []string) {
	for _, c := range built(Input{Query: query, Evidences: []Evidence{one("a.md", "", a), one("b.md", "", b)}}).Conflicts {
		kinds = append(kinds, c.Kind)
	}
	return kinds
}

// What answers the question is held against each other, however it is worded; what
// answers a part of it or another one is not.
func TestAnswersClash(t *testing.T) {
	for _, tc := range []struct {
		name  string
		query sdk.Query
		a, b  string
		want  []string
	}{
		{"numbers", ask(sdk.IntentUnknown, "how long is a locker rental", "locker", "rental"),
			"A locker rental runs for three hours.", "Every rental of a locker expires after five hours.", []string{ConflictNumber}},
		{"the same number", ask(sdk.IntentUnknown, "how long is a locker rental", "locker", "rental"),
			"A locker rental runs for three hours.", "Every rental of a locker expires after 180 minutes.", nil},
		{"a kind of its own", ask(sdk.IntentUnknown, "how long is a locker rental", "locker", "rental"),
			"A locker rental runs for three hours.", "For a premium member a locker rental runs for five hours.", nil},
		{"a condition of its own", ask(sdk.IntentUnknown, "how long is a locker rental", "locker", "rental"),
			"A locker rental runs for three hours.", "During the festival a locker rental runs for five hours.", nil},
		{"yes and no", ask(sdk.IntentUnknown, "庭園で写真撮影できますか", "庭園", "写真", "撮影"),
			"庭園での写真撮影はできます。", "庭園での写真撮影はできません。", []string{ConflictPolarity}},
		{"no without a question", ask(sdk.IntentUnknown, "庭園で写真撮影できますか", "庭園", "写真", "撮影"),
			"庭園での写真撮影はできます。", "庭園の池では泳げません。", nil},
		{"only some", ask(sdk.IntentUnknown, "庭園で写真撮影できますか", "庭園", "写真", "撮影"),
			"庭園での写真撮影はできます。", "庭園での写真撮影は一部できません。", nil},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if diff := cmp.Diff(tc.want, kindsOf(tc.query, tc.a, tc.b)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestScopeOfStances(t *testing.T) {
	for _, tc := range []struct {
		text            string
		sweeps, limited bool
	}{
		{"すべての会員が利用できます。", true, false},
		{"予約した人だけが入れます。", false, true},
		{"入れないことがあります。", false, true},
		{"guests may bring every pet", true, false},
		{"some guests may enter", false, true},
		{"guests may enter", false, false},
	} {
		st := stance{text: tc.text}
		if st.sweeps() != tc.sweeps || st.limited() != tc.limited {
			t.Errorf("%q sweeps %t, limited %t", tc.text, st.sweeps(), st.limited())
		}
	}
}
