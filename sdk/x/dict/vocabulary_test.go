package dict

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
)

func TestParseWords(t *testing.T) {
	got, err := ParseWords("exceptions.txt", []byte("# words\n対象外\nＮｏｔ  Covered\n"))
	if diff := cmp.Diff(Vocabulary{"対象外", "not covered"}, got); err != nil || diff != "" {
		t.Error(err, diff)
	}
	_, err = ParseWords("exceptions.txt", []byte("a\n\nＡ\n--\n"))
	want := "exceptions.txt:3: \"a\" is there already, in line 1\nexceptions.txt:4: \"--\" holds no letter and no digit"
	if err == nil || err.Error() != want {
		t.Error(err)
	}
}

func TestChoicesAreBounded(t *testing.T) {
	got, err := ParseWords("w.txt", []byte(strings.Repeat("{a,b}", 11)+"\n"+strings.Repeat("{a,b}", 10)+"\n"))
	if want := "w.txt:1: a line has at most 10 choices {a,b}"; len(got) != mostForms || err == nil || err.Error() != want {
		t.Errorf("%d words, %v", len(got), err)
	}
}

func TestIndexFindsWords(t *testing.T) {
	for _, tc := range []struct {
		norm, term string
		want       int
	}{
		{"a cat sat", "cat", 2}, {"category cat", "cat", 9}, {"bobcat", "cat", -1}, {"cat", "cat", 0}, {"x-cat,", "cat", 2},
		{"プログラム", "ログ", -1}, {"プログラムのログ", "ログ", len("プログラムの")}, {"ログを見る", "ログ", 0}, {"ログイン", "ログ", -1},
		{"例外の例", "例", len("例外の")}, {"保険料金表", "料金", len("保険")}, {"nas対応", "nas", 0}, {"払い戻します", "払い戻し", 0},
		{"", "a", -1}, {"a", "", -1},
	} {
		if got := Index(tc.norm, tc.term); got != tc.want {
			t.Errorf("Index(%q, %q) = %d, want %d", tc.norm, tc.term, got, tc.want)
		}
	}
}

func TestFindPrefersTheLongestAndDoesNotOverlap(t *testing.T) {
	v := Vocabulary{"not covered", "not", "対象外", "対象", "外"}
	norm := "not covered, not 対象外"
	want := []Place{{"not covered", 0, 11}, {"not", 13, 16}, {"対象外", 17, 26}}
	if diff := cmp.Diff(want, v.Find(norm)); diff != "" {
		t.Error(diff)
	}
	if len(v.Find("nothing")) != 0 {
		t.Error("In disagrees with Find")
	}
}

func TestLoad(t *testing.T) {
	folder, err := Load(fstest.MapFS{
		"dict/synonyms.txt":   {Data: []byte("a, b\n")},
		"dict/other.syn.txt":  {Data: []byte("c => d\n")},
		"dict/exceptions.txt": {Data: []byte("対象外\n")},
		"dict/notes.txt":      {Data: []byte("not a dictionary")},
	}, "dict")
	if err != nil {
		t.Fatal(err)
	}
	want := &Folder{
		Synonyms:   []Entry{{From: []string{"c"}, To: []string{"d"}}, {To: []string{"a", "b"}}},
		Exceptions: Vocabulary{"対象外"},
		Files:      []File{{"dict/exceptions.txt", 1}, {"dict/other.syn.txt", 1}, {"dict/synonyms.txt", 1}},
	}
	if diff := cmp.Diff(want, folder); diff != "" {
		t.Error(diff)
	}
}

func TestLoadWithoutAFolder(t *testing.T) {
	if folder, err := Load(fstest.MapFS{}, "dict"); err != nil || len(folder.Files) != 0 {
		t.Errorf("%+v, %v", folder, err)
	}
}

func TestLoadTellsTheMistakesOfAllFiles(t *testing.T) {
	_, err := Load(fstest.MapFS{
		"dict/synonyms.txt":   {Data: []byte("a\n")},
		"dict/exceptions.txt": {Data: []byte("x\nx\n")},
		"dict/z.syn.txt/file": {Data: []byte("a folder of that name")},
	}, "dict")
	want := `dict/exceptions.txt:2: "x" is there already, in line 1
dict/synonyms.txt:1: "a" stands alone; an entry needs two terms, "a, b" or "a => b"
dict/z.syn.txt: it is no regular file; links are not followed`
	if err == nil || err.Error() != want {
		t.Errorf("%v", err)
	}
}
