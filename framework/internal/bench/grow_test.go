package bench

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// library returns a corpus whose words are rare enough to vary.
func library() []File {
	var files []File
	for i := range 40 {
		var b strings.Builder
		b.WriteString("# 設定の手引き" + strings.Repeat("章", i%3) + "\n\n")
		for j := range 30 {
			b.WriteString("the " + string(rune('a'+i%26)) + string(rune('a'+j%26)) + "word " + string(rune('一'+40*i+j)) + string(rune('丁'+j)) + "を開く。\n")
		}
		b.WriteString("\n## Options\n\nthe end\n")
		files = append(files, File{Manual: "m" + string(rune('a'+i%2)), Path: "p/" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + ".md", Text: []byte(b.String())})
	}
	return files
}

func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		rel, _ := filepath.Rel(dir, path)
		out[filepath.ToSlash(rel)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestGrow(t *testing.T) {
	files := library()
	for _, tc := range []struct {
		sections, want, files int
	}{{8, 8, 4}, {80, 80, 40}, {100, 100, 50}, {240, 240, 120}} {
		dir := filepath.Join(t.TempDir(), "grown")
		written, err := Grow(context.Background(), files, tc.sections, dir, nil)
		if err != nil || written != tc.want {
			t.Fatalf("%d sections: wrote %d, %v", tc.sections, written, err)
		}
		got, cut := tree(t, dir), 0
		for name, text := range got {
			cut += len(corpus.Cut(name, []byte(text)))
		}
		if len(got) != tc.files || cut != tc.want {
			t.Errorf("%d sections: %d files hold %d", tc.sections, len(got), cut)
		}
		for _, f := range files {
			if text, there := got[f.Manual+"/"+f.Path]; there && text != string(f.Text) {
				t.Errorf("%s of the first copy was changed", f.Path)
			}
		}
		entries, err := os.ReadDir(filepath.Dir(dir))
		if err != nil || len(entries) != 1 {
			t.Errorf("beside the corpus there is more: %v, %v", entries, err)
		}
	}
}

func TestGrowIsTheSameEachTime(t *testing.T) {
	a, b := filepath.Join(t.TempDir(), "a"), filepath.Join(t.TempDir(), "b")
	for _, dir := range []string{a, b} {
		if _, err := Grow(context.Background(), library(), 200, dir, nil); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(tree(t, a), tree(t, b)); diff != "" {
		t.Error(diff)
	}
}

func TestGrowAddsWords(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "grown")
	if _, err := Grow(context.Background(), library(), 400, dir, nil); err != nil {
		t.Fatal(err)
	}
	words := func(texts map[string]string) map[string]int {
		out := map[string]int{}
		for _, text := range texts {
			for _, word := range wordForm.FindAllString(text, -1) {
				out[word]++
			}
		}
		return out
	}
	before := map[string]string{}
	for _, f := range library() {
		before[f.Manual+"/"+f.Path] = string(f.Text)
	}
	was, is := words(before), words(tree(t, dir))
	if len(is) < len(was)*5/4 || len(is) > 3*len(was) {
		t.Errorf("%d words became %d in five times the text", len(was), len(is))
	}
	if is["the"] != 5*was["the"] {
		t.Errorf("a common word stands %d times, want %d", is["the"], 5*was["the"])
	}
}

func TestGrowRefuses(t *testing.T) {
	dir := t.TempDir()
	if _, err := Grow(context.Background(), library(), 100, dir, nil); err == nil || !strings.Contains(err.Error(), "exists") {
		t.Errorf("into a folder that exists: %v", err)
	}
	into := filepath.Join(dir, "new")
	if _, err := Grow(context.Background(), nil, 100, into, nil); err == nil || !strings.Contains(err.Error(), "no section") {
		t.Errorf("from nothing: %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	_, err := Grow(ctx, library(), 1000, into, func(string, int, int) { cancel() })
	if !errors.Is(err, context.Canceled) {
		t.Errorf("interrupted: %v", err)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v, %v", entries, err)
	}
}

func TestVaryKeepsWhatIsNoWord(t *testing.T) {
	c := newVocabulary(library()).copy(3)
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab 漢字かなカナー。\n#12"))).Draw(t, "text")
		skeleton := func(s string) string { return wordForm.ReplaceAllString(s, "") }
		varied := string(c.vary([]byte(text)))
		if diff := cmp.Diff(skeleton(text), skeleton(varied)); diff != "" {
			t.Fatalf("%q: %s", text, diff)
		}
		if varied != string(c.vary([]byte(text))) {
			t.Fatalf("%q varies within a copy", text)
		}
	})
}
