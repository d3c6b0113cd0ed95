package patentquery_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	. "github.com/sagasu-search/sagasu/sdk/x/patentquery"
)

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		query      string
		collection Language
		want       map[string][]string // terms by code
	}{
		{`顔認証 AND LED AND G06V10`, Japanese, map[string][]string{}},
		{`顔認証 OR face`, Japanese, map[string][]string{LintMixedLanguage: {"face"}}},
		{`顔認証 NOT helmet`, Japanese, map[string][]string{}},
		{`*N5"顔 sensor"`, English, map[string][]string{LintMixedLanguage: {"顔"}}},
		{`顔認証 OR face`, Mixed, map[string][]string{}},
		{`顔認証 AND face`, Mixed, map[string][]string{LintMixedLanguage: {"顔認証", "face"}}},
		{`(顔認証 OR face) AND (マスク OR mask)`, Mixed, map[string][]string{}},
		{`甲 乙 丙 丁 戊`, Japanese, map[string][]string{}},
		{`pin SAME cap Near "xor"`, English, map[string][]string{LintOperatorWord: {"SAME", "Near"}}},
		{`pin WITH cap`, English, map[string][]string{LintOperatorWord: {"WITH"}}},
		{`US20240051333A1 OR US8,925,999B2 OR cap`, English, map[string][]string{LintNumber: {"US20240051333A1", "US8,925,999B2"}}},
		{`特開2023-123456 特許第6789012号 顔`, Japanese, map[string][]string{LintNumber: {"特開2023-123456", "特許第6789012号"}}},
		{`US 8,925,999 B2`, English, map[string][]string{LintNumber: {"US 8,925,999 B2"}}},
		{`"US20240051333A1" US2400 10:1`, English, map[string][]string{}},
		{`甲 乙 丙 丁 戊 己`, Japanese, map[string][]string{LintManyGroups: nil}},
	} {
		n, err := Parse(c.query)
		if err != nil {
			t.Fatal(err)
		}
		got := map[string][]string{}
		for _, l := range Check(n, c.collection) {
			got[l.Code] = l.Terms
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("Check(%s, %q) (-want +got):\n%s", c.query, c.collection, diff)
		}
	}
}

func TestCheckSemantic(t *testing.T) {
	for text, want := range map[string]bool{
		"顔認証 マスク 遮蔽": true,
		"マスクで顔の一部が遮蔽されている場合に本人を認証する":                     false,
		"(顔 OR 面) AND マスクの着用":                            true,
		`*N30"顔 マスク" を含む`:                                true,
		"マスクの着用　ＡＮＤ　顔の遮蔽":                                true,
		`＊Ｎ３０"顔 マスク" を含む`:                                true,
		"face mask recognition":                          true,
		"A face is recognised although a mask covers it": false,
	} {
		if got := len(CheckSemantic(text)) > 0; got != want {
			t.Errorf("CheckSemantic(%q) warns: %v", text, got)
		}
	}
}
