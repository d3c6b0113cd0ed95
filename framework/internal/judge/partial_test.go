package judge

import (
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// said is an answer that takes up a whole sentence, with the first of its amounts.
func said(in string) (string, *answer) {
	s := folded(in)
	a := &answer{statement: &statement{}, span: clause{end: len(s.norm)}}
	if found := s.amounts(); len(found) > 0 {
		a.amount = &found[0]
	}
	return s.norm, a
}

func TestInCondition(t *testing.T) {
	for _, tc := range []struct {
		in, word string
		want     bool
	}{
		{"雨天の場合は中止します。", "雨天", true},
		{"中止は雨天でも伝えます。", "雨天", false},
		{"登録しなければなりません。", "登録", false},
		{"雨天の場合は30分待ちます。", "雨天", true},
		{"雨天は30分待つ場合に数えます。", "雨天", false},
		{"if it rains the tour ends", "rains", true},
		{"the tour ends when it rains", "rains", true},
		{"when open, the tour ends at the gate", "gate", false},
		{"wait 30 minutes after the gong", "gong", true},
		{"after the gong wait 30 minutes at the gate", "gate", false},
	} {
		norm, a := said(tc.in)
		at := strings.Index(norm, tc.word)
		if got := inCondition(norm, a, word{start: at, end: at + len(tc.word)}); got != tc.want {
			t.Errorf("%s in %q stands in a condition: %t", tc.word, tc.in, got)
		}
	}
}

func TestTopicOf(t *testing.T) {
	for in, want := range map[string]string{
		"駐輪場は30台まで停められます。":                   "駐輪場",
		"雨のとき、駐輪場は閉まります。":                    "駐輪場",
		"停められます。":                            "",
		"The bike shed holds nothing.":       "",
		"The bike shed is open.":             "the bike shed",
		"When it rains, the shed is closed.": "the shed",
	} {
		norm, a := said(in)
		if from, to := topicOf(norm, a); norm[from:to] != want {
			t.Errorf("the topic of %q is %q, want %q", in, norm[from:to], want)
		}
	}
}

func TestRivalTitles(t *testing.T) {
	for _, tc := range []struct {
		a, b string
		want bool
	}{
		{"料金 > ライトプラン", "料金 > プロプラン", true},
		{"料金 > ライトプラン", "料金 > ライトプラン", false},
		{"Fees > Day ticket", "Fees > Night ticket", true},
		{"Fees", "Rules", false},
	} {
		r := &reader{sentences: []sentence{{evidence: 0}, {evidence: 1}}, places: []place{{heading: text.Fold(tc.a)}, {heading: text.Fold(tc.b)}}}
		if got := r.rivalTitles(&statement{sentence: 0}, &statement{sentence: 1}); got != tc.want {
			t.Errorf("%q and %q are rivals: %t", tc.a, tc.b, got)
		}
	}
}
