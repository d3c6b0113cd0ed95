package synonym

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

func TestFind(t *testing.T) {
	thesaurus := newThesaurus([]dict.Entry{
		{To: []string{"返金", "払い戻し", "refund"}},
		{To: []string{"single sign-on", "sso"}},
		{To: []string{"sign", "看板"}},
		{From: []string{"nas"}, To: []string{"ストレージ"}},
		{To: []string{"ログ", "記録"}},
		{To: []string{"例", "実例"}},
		{To: []string{"policy", "規則"}},
	})
	type found = []match
	for _, tc := range []struct {
		query string
		want  found
	}{
		{"返金 期限", found{{"返金", []string{"払い戻し", "refund"}}}},
		{"返金手続", found{{"返金", []string{"払い戻し", "refund"}}}},
		{"single sign on", found{{"single sign on", []string{"sso"}}}},
		{"sso", found{{"sso", []string{"single sign-on"}}}},
		{"nas", found{{"nas", []string{"ストレージ"}}}},
		{"ストレージ", nil},
		{"policies", found{{"policies", []string{"規則"}}}},
		{"プログラム", nil},
		{"ログ 削除", found{{"ログ", []string{"記録"}}}},
		{"例外", nil},
		{"返金 refund", found{{"返金", []string{"払い戻し"}}, {"refund", []string{"払い戻し"}}}},
		{"", nil},
	} {
		if diff := cmp.Diff(tc.want, thesaurus.find(tc.query), cmp.AllowUnexported(match{})); diff != "" {
			t.Errorf("%q: %s", tc.query, diff)
		}
	}
}

func TestAlternativesOfOneTermAreBounded(t *testing.T) {
	var entries []dict.Entry
	for r := 'a'; r <= 'z'; r++ {
		entries = append(entries, dict.Entry{From: []string{"x1"}, To: []string{string(r) + "9"}})
	}
	found := newThesaurus(entries).find("x1")
	if len(found) != 1 || len(found[0].alternatives) != maxAlternatives || found[0].alternatives[0] != "a9" {
		t.Errorf("%v", found)
	}
}
