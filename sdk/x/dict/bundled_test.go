package dict

import (
	"slices"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/text"
)

func TestBundledListsHaveNoMistake(t *testing.T) {
	for name, least := range map[string]int{
		"synonyms.txt": 150, "backend.txt": 140, "related.txt": 350, "subjects.txt": 280,
	} {
		if entries := parsed(name, ParseSynonyms); len(entries) < least {
			t.Errorf("%s: %d entries", name, len(entries))
		}
	}
	if words := Exceptions(); len(words) < 60 {
		t.Errorf("%d words", len(words))
	}
}

func TestSeedWordsAreExceptions(t *testing.T) {
	all := Exceptions()
	for _, seed := range []string{
		"注意", "留意", "対象外", "除外", "不適用", "支払われない", "ただし", "但し", "を除く", "限り", "ない場合",
		"補償しません", "お支払いできません", "お支払いいたしません", "保険金を支払いません", "給付の対象としません", "返金いたしかねます", "適用されない",
		"except", "unless", "excluding", "not covered", "does not apply", "however", "provided that", "limitation", "warning", "caution",
	} {
		if len(all.Find(text.Fold(seed))) == 0 {
			t.Errorf("%s is not found", seed)
		}
	}
	if slices.ContainsFunc(all, func(w string) bool { return w != text.Fold(w) }) {
		t.Error("a word is not normalised")
	}
}

// A term in the list of subjects has only one meaning, also in the list for programs.
func TestSubjectsMeanOneThing(t *testing.T) {
	means := map[string]string{}
	for _, e := range Backend() {
		for _, term := range e.To {
			means[term] = e.To[0]
		}
	}
	for _, e := range Subjects() {
		for _, term := range e.To {
			if means[term] != "" && means[term] != e.To[0] {
				t.Errorf("%s is %s and %s", term, means[term], e.To[0])
			}
			means[term] = e.To[0]
		}
	}
}
