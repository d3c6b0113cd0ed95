package toolset_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestDidYouMean(t *testing.T) {
	tests := []struct {
		name  string
		got   string
		among []string
		n     int
		want  []string
	}{
		{"one typo", "insurence", []string{"insurance", "cli", "runbook"}, 3, []string{"insurance"}},
		{"swapped letters", "manaul_find", []string{"manual_find", "manual_hits"}, 3, []string{"manual_find"}},
		{"case and width", "ＣＬＩ", []string{"cli", "clip"}, 3, []string{"cli", "clip"}},
		{"decomposed", "か\u3099いど", []string{"がいど"}, 3, []string{"がいど"}},
		{"contained", "refund", []string{"guide/refund-policy.md", "guide/start.md"}, 3, []string{"guide/refund-policy.md"}},
		{"closest first, cut to n", "abcd", []string{"abxy", "abcx", "abcd"}, 2, []string{"abcd", "abcx"}},
		{"nothing close", "zebra", []string{"insurance"}, 3, []string{}},
		{"one letter off everything", "x", []string{"y"}, 3, []string{}},
		{"no names", "a", nil, 3, []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, toolset.DidYouMean(tt.got, tt.among, tt.n)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestDidYouMeanFindsAnyOneEdit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		name := []rune(rapid.StringMatching(`[a-z約款]{4,20}`).Draw(t, "name"))
		at := rapid.IntRange(0, len(name)-1).Draw(t, "at")
		typo := string(name[:at]) + "#" + string(name[at+1:])
		got := toolset.DidYouMean(typo, []string{"0000", string(name)}, 1)
		if diff := cmp.Diff([]string{string(name)}, got); diff != "" {
			t.Fatal(diff)
		}
	})
}
