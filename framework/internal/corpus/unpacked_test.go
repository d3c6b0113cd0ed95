package corpus_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// ofZip reads zip archives.
type ofZip struct{ corpus.Documents }

func (ofZip) Reads(name string) bool { return strings.HasSuffix(name, ".zip") }

// An archive whose files are next to it is skipped as long as none is missing or has another size.
func TestWalkSkipsWhatIsUnpacked(t *testing.T) {
	dir := folder(t, "site/a.md", "site/in/b.md", "named/c.md", "changed/d.md", "lone.md")
	pack := func(name string, files ...string) {
		t.Helper()
		f, err := os.Create(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		z := zip.NewWriter(f)
		for _, file := range files {
			w, err := z.Create(file)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := w.Write([]byte(strings.TrimPrefix(file, "__MACOSX/"))); err != nil {
				t.Fatal(err)
			}
		}
		if err := z.Close(); err != nil {
			t.Fatal(err)
		}
	}
	pack("site-1.2.zip", "site/a.md", "site/in/b.md", "site/.cache", "__MACOSX/site/a.md")
	pack("more.zip", "site/a.md", "site/new.md")
	pack("changed.zip", "d.md")
	pack("named.zip", "c.md")
	pack("empty.zip")
	if err := os.WriteFile(filepath.Join(dir, "named/c.md"), []byte("c.md"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "broken.zip"), []byte("PK\x03\x04"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, skipped, err := corpus.Walk(t.Context(), corpus.Manual{ID: "m", Dir: dir, Documents: ofZip{}})
	if err != nil {
		t.Fatal(err)
	}
	const why = "its files lie unpacked beside it and are read there"
	got := map[string]string{}
	for _, s := range skipped {
		got[s.Path] = s.Reason
	}
	if diff := cmp.Diff(map[string]string{"site-1.2.zip": why, "named.zip": why}, got); diff != "" {
		t.Error(diff)
	}
}
