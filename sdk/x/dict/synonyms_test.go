package dict

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/sdk/text"
)

func TestParseSynonyms(t *testing.T) {
	src := "\uFEFF# money\r\n返金, 払い戻し , Refund\n\n  ＳＳＯ => シングルサインオン、single sign-on  # one way\nC#, csharp\na，b => c\nd︐e ＝＞ f\n"
	got, err := ParseSynonyms("synonyms.txt", []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	want := []Entry{
		{To: []string{"返金", "払い戻し", "refund"}},
		{From: []string{"sso"}, To: []string{"シングルサインオン", "single sign-on"}},
		{To: []string{"c#", "csharp"}},
		{From: []string{"a", "b"}, To: []string{"c"}},
		{From: []string{"d", "e"}, To: []string{"f"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestMistakesNameFileAndLine(t *testing.T) {
	for name, tc := range map[string]struct{ src, want string }{
		"one term":            {"a, b\n返金\n", `f.txt:2: "返金" stands alone`},
		"no left side":        {" => b\n", "f.txt:1: left of =>: there is no term"},
		"no right side":       {"a =>\n", "f.txt:1: right of =>: there is no term"},
		"an empty term":       {"a, , b\n", "f.txt:1: a term is empty"},
		"two arrows":          {"a => b => c\n", "f.txt:1: an entry has one => at most"},
		"a term twice":        {"サーバー, サーバ\n", `f.txt:1: "サーバ" is there twice`},
		"a term on two sides": {"a => b, a\n", `f.txt:1: "a" is there twice`},
		"an entry twice":      {"a, b\n\nB, A\n", "f.txt:3: the entry is there already, in line 1"},
		"a long term":         {"a, " + strings.Repeat("長", 65) + "\n", "f.txt:1: a term has at most 64 characters, this one 65"},
		"a long line":         {strings.Repeat("a,", 9000), "f.txt:1: the line is too long"},
		"many terms":          {"a" + strings.Repeat(",b", 64), "f.txt:1: an entry has at most 64 terms, this one 65"},
		"a control character": {"a, b\nc\x00, d", "f.txt:2: the line holds a control character"},
		"not UTF-8":           {"a, \xff\n", "f.txt:1: the line is not UTF-8"},
		"punctuation only":    {"a, ***\n", `f.txt:1: "***" holds no letter and no digit`},
	} {
		_, err := ParseSynonyms("f.txt", []byte(tc.src))
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAllMistakesAreToldAndTheRestIsKept(t *testing.T) {
	got, err := ParseSynonyms("f.txt", []byte("a\nb, c\nd\n"))
	if len(got) != 1 || len(err.(Errors)) != 2 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestWhatIsTooLargeIsRefusedAsAWhole(t *testing.T) {
	_, err := ParseSynonyms("f.txt", make([]byte, MaxBytes+1))
	if err == nil || !strings.HasPrefix(err.Error(), "f.txt: a dictionary has at most") {
		t.Error(err)
	}
}

// Written entries read back the same.
func TestWriteSynonymsRoundTrips(t *testing.T) {
	term := rapid.StringMatching(`[a-z][a-z0-9 +.-]{0,8}[a-z]|[ぁ-ん一-龥]{1,6}`)
	rapid.Check(t, func(rt *rapid.T) {
		c := collector{seen: map[string]bool{}}
		for range rapid.IntRange(0, 5).Draw(rt, "entries") {
			var e Entry
			for range rapid.IntRange(0, 2).Draw(rt, "from") {
				e.From = c.term(e.From, term.Draw(rt, "term"))
			}
			for range rapid.IntRange(1, 3).Draw(rt, "to") {
				e.To = c.term(e.To, term.Draw(rt, "term"))
			}
			c.add(e)
		}
		var out strings.Builder
		if err := WriteSynonyms(&out, "two\nlines", c.entries); err != nil {
			rt.Fatal(err)
		}
		got, err := ParseSynonyms("f.txt", []byte(out.String()))
		if diff := cmp.Diff(c.entries, got); err != nil || diff != "" {
			rt.Errorf("%v\n%s", err, diff)
		}
	})
}

func FuzzParseSynonyms(f *testing.F) {
	for _, seed := range []string{"a, b\n", "a => b, c # d", "返金、払い戻し\r\n", "=>", "a\x00, b", "\xff,a", ",,,=>,", "#"} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		entries, err := ParseSynonyms("f.txt", src)
		for _, e := range entries {
			if e.check() != "" {
				t.Errorf("a bad entry was taken: %v", e)
			}
			for _, term := range e.terms() {
				if term != text.Fold(term) || strings.ContainsAny(term, commas) {
					t.Errorf("%q is not in normalised form", term)
				}
			}
		}
		if mistakes, ok := err.(Errors); err != nil && (!ok || len(mistakes) == 0 || !strings.HasPrefix(mistakes[0].Error(), "f.txt")) {
			t.Errorf("error %v", err)
		}
		if _, err := ParseWords("f.txt", src); err != nil && !strings.HasPrefix(err.Error(), "f.txt") {
			t.Errorf("error %v", err)
		}
	})
}
