package corpus_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

func TestLineSnippet(t *testing.T) {
	english := strings.Repeat("configuration of volumes ", 12)
	japanese := strings.Repeat("保険金をお支払いしない場合。", 20)
	for name, tc := range map[string]struct{ line, sought, begins, ends string }{
		"a short line":     {"  a walrus eats", "walrus", "  a walrus", "eats"},
		"in the middle":    {english + "a walrus eats " + english, "walrus", "…", "…"},
		"at the beginning": {"a walrus eats " + english, "walrus", "a walrus", "…"},
		"at the end":       {english + "a walrus", "walrus", "…", "a walrus"},
		"without spaces":   {japanese + "海象。" + japanese, "海象", "…保険金", "場合。…"},
	} {
		got := corpus.LineSnippet(tc.line, strings.Index(tc.line, tc.sought))
		if !strings.HasPrefix(got, tc.begins) || !strings.HasSuffix(got, tc.ends) || !strings.Contains(got, tc.sought) || utf8.RuneCountInString(got) > 200 {
			t.Errorf("%s: %q", name, got)
		}
		for word := range strings.FieldsSeq(strings.Trim(got, "…")) {
			if !strings.Contains(" "+tc.line+" ", " "+word+" ") && name != "without spaces" {
				t.Errorf("%s: %q is cut", name, word)
			}
		}
	}
}
