package lexical

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	corpora "github.com/sagasu-search/sagasu/sdk/x/sample"
)

// Proof by terms must agree with the texts, whatever the stemmer makes of a word.
func TestContainingLooseIsWhatTheTextsSay(t *testing.T) {
	word := rapid.SampledFrom([]string{
		"hope", "hoping", "hoped", "hop", "hopping", "die", "dies", "dying", "tie", "tying", "sky", "skies", "data", "base", "database",
		"data-base", "data_bases", "dataBase", "data base", "template", "templates", "int", "ints", "std::int", "relational", "relate", "v1.2", "1.2", "12",
		"1.2.3", "11.2", "data-1.2", "data1.2",
	})
	rapid.Check(t, func(rt *rapid.T) {
		var sections []sdktest.Section
		for range rapid.IntRange(1, 12).Draw(rt, "sections") {
			sections = append(sections, sdktest.Section{Body: strings.Join(rapid.SliceOfN(word, 0, 4).Draw(rt, "body"), " ")})
		}
		snap := sdktest.Snapshot(t, sections...)
		needle := LooseForm(text.Fold(word.Draw(rt, "needle")))
		read := func(id uint32) bool { return containsApart(snap, id, needle) }
		want := verified(t.Context(), snap, joined(needle), read)
		for _, pair := range splits(snap, needle) {
			want.Or(verified(t.Context(), snap, pair, read))
		}
		if diff := cmp.Diff(want.ToArray(), ContainingLoose(t.Context(), snap, needle).ToArray(), cmpopts.EquateEmpty()); diff != "" {
			rt.Fatalf("%q: %s", needle, diff)
		}
	})
}

func TestWordsShareLettersWithTheirStems(t *testing.T) {
	letters := rapid.SliceOfN(rapid.SampledFrom(strings.Split("abcdefghijklmnopqrstuvwxyz", "")), 1, 6)
	ending := rapid.SampledFrom([]string{"", "s", "es", "ies", "ed", "ied", "ing", "ying", "ly", "ational", "ization", "iviti", "biliti", "fulness", "ement", "edly", "er", "y"})
	rapid.Check(t, func(t *rapid.T) {
		word := strings.Join(letters.Draw(t, "letters"), "") + ending.Draw(t, "ending")
		stem, ok := stemmed(word)
		if n := sharedLetters(stem); ok && (len(word) < n || word[:n] != stem[:n]) {
			t.Fatalf("%q begins unlike its stem %q", word, stem)
		}
	})
}

func TestContainingInHasDeletedSections(t *testing.T) {
	dir := t.TempDir()
	snap, err := corpora.Sections(dir, "manual-000001", snapshot.KindManual,
		corpora.Section{Body: "a raid"}, corpora.Section{Body: "a disk"}, corpora.Section{Body: "raid → disk"})
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	left, err := corpora.Without(snap, "manual-000002", func(_, path string) bool { return path == "000000.md" })
	if err != nil {
		t.Fatal(err)
	}
	defer left.Close()
	for s, want := range map[string][2][]uint32{"raid": {{0, 2}, {2}}, "→": {{2}, {2}}, "": {}, "no": {}} {
		in := ContainingIn(t.Context(), left.Segments()[0], s).ToArray()
		if diff := cmp.Diff(want, [2][]uint32{in, Containing(t.Context(), left, s).ToArray()}, cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%q: %s", s, diff)
		}
	}
}
