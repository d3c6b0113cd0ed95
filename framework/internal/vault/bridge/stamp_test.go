package bridge

import (
	"bytes"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// A stamp changes nothing behind the front matter, and is there once however often
// it is put.
func FuzzStamp(f *testing.F) {
	for _, seed := range []string{
		"", "text\n", "# a\n---\nb\n", "---\n---\n", "---\ntitle: T\n---\n", "---\r\ntitle: T\r\nsource_manual_ids:\r\n  - other\r\n---\r\ntext",
		"---\nsource_manual_ids: [\"m\"]\nsource_refs:\n  - {\"manual_id\": \"m\", \"path\": \"a.md\"}\n...\ntext\n", "+++\ntitle = \"T\"\n[extra]\nx = 1\n+++\ntext\n",
		"---\nsource_refs: {odd: true}\n---\ntext\n", "\ufeff---\na: b\n---\n\ufefftext", "+++\nsource_refs = 1\n+++\n", "---\ntitle: T\n---", "---\rtitle: T\n---\r\ntext", "+++\n+++",
	} {
		f.Add(seed, "m", "a.md")
	}
	f.Fuzz(func(t *testing.T, text, manual, path string) {
		if !utf8.ValidString(text) || !utf8.ValidString(manual) || !utf8.ValidString(path) || strings.ContainsFunc(manual+path, unicode.IsControl) {
			return // no manual has such a name
		}
		s := Source{ManualID: manual, Path: path, Lines: "1-2", SHA256: "00", HeadingPath: manual + " > " + path}
		stamped, ok := stamp([]byte(text), s)
		if !ok {
			return
		}
		length := corpus.FrontMatter([]byte(text))
		want := text[length:]
		if length == 0 {
			want = strings.TrimPrefix(want, bom)
		}
		if got := stamped[corpus.FrontMatter(stamped):]; string(got) != want {
			t.Fatalf("behind the front matter of %q stands %q, want %q", stamped, got, want)
		}
		if again, ok := stamp(stamped, s); !ok || !bytes.Equal(again, stamped) {
			t.Fatalf("stamped again, %t: %q, want %q", ok, again, stamped)
		}
	})
}
