package convert

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// told returns a converter for one extension.
func told(name, version string) Converter {
	return Converter{ConverterDescription: sdk.ConverterDescription{Name: name, Version: version,
		Formats: []sdk.Format{{MediaType: "text/x-told", Extensions: []string{".told"}}}}}
}

// crashed is a failure that may be the document's fault.
type crashed struct{ blames bool }

func (c crashed) Error() string { return "it crashed" }
func (c crashed) Brief() string { return "its process ended" }
func (c crashed) Blames() bool  { return c.blames }

func TestRead(t *testing.T) {
	manuals, dir := t.TempDir(), t.TempDir()
	must(t, os.Mkdir(filepath.Join(manuals, "m"), 0o700))
	calls := 0
	set := func(version string) *Set {
		s := New(dir, 2, []Converter{told("told", version), told("late", "1")})
		t.Cleanup(s.Close)
		s.Convert = func(_ context.Context, name string, doc sdk.Document) (*sdk.Converted, error) {
			calls++
			if name != "told" || doc.MediaType != "text/x-told" {
				t.Errorf("%s converts %s", name, doc.MediaType)
			}
			src, err := io.ReadAll(io.NewSectionReader(doc.Content, 0, doc.Size))
			must(t, err)
			switch string(src) {
			case "secret":
				return nil, &wire.UnreadableError{Reason: "it is encrypted"}
			case "crash":
				return nil, crashed{true}
			case "closed":
				return nil, crashed{false}
			}
			return &sdk.Converted{Encoding: "euc-jp", Blocks: []sdk.Block{{Level: 1, Heading: "H", Text: string(src), Place: sdk.Place{Page: 7}}}}, nil
		}
		return s
	}
	read := func(s *Set, name, content string) (corpus.File, string) {
		t.Helper()
		must(t, os.WriteFile(filepath.Join(manuals, "m", name), []byte(content), 0o600))
		must(t, os.Chtimes(filepath.Join(manuals, "m", name), time.Time{}, time.Now().Add(-time.Hour)))
		found, err := corpus.Manuals(manuals, s)
		must(t, err)
		f, err := corpus.Open(t.Context(), found[0], name)
		if err == nil {
			return f, ""
		}
		bad, ok := errors.AsType[*toolset.Error](err)
		if !ok || bad.Code != toolset.NotAvailable {
			t.Fatalf("%v", err)
		}
		return f, bad.Details["reason"].(string)
	}
	s := set("1")
	for range 2 {
		f, reason := read(s, "a.TOLD", "text")
		if string(f.Text) != "# H\n\ntext\n" || f.Source(3, 3).Page != 7 || f.Encoding != "euc-jp" || reason != "" {
			t.Errorf("%q %v %q", f.Text, f.Source(3, 3), reason)
		}
	}
	if calls != 1 {
		t.Errorf("a document was converted %d times", calls)
	}
	if f, _ := read(s, "b.told", "text"); string(f.Text) != "# H\n\ntext\n" || calls != 1 {
		t.Error("the same content was converted again")
	}
	for _, tc := range []struct {
		content, reason string
		again           int // of the converter, for two readings
	}{
		{"secret", "it is encrypted (converter told)", 1},
		{"crash", "it is not converted, because told failed: its process ended", 1},
		{"closed", "it is not converted, because told failed: its process ended", 2},
	} {
		calls = 0
		for range 2 {
			if _, reason := read(s, "a.told", tc.content); reason != tc.reason {
				t.Errorf("%s: %q", tc.content, reason)
			}
		}
		if calls != tc.again {
			t.Errorf("%s was converted %d times", tc.content, calls)
		}
	}
	calls = 0
	if read(set("2"), "a.told", "text"); calls != 1 {
		t.Error("another version of a converter does not convert again")
	}
	entries, err := filepath.Glob(filepath.Join(dir, "*"+extension))
	must(t, err)
	for _, name := range entries {
		data, err := os.ReadFile(name)
		must(t, err)
		must(t, os.WriteFile(name, []byte(strings.Replace(string(data), "text", "test", 1)), 0o600))
	}
	if f, _ := read(s, "a.told", "text"); string(f.Text) != "# H\n\ntext\n" || calls != 2 {
		t.Errorf("a damaged file is read: %q", f.Text)
	}
	s.Convert = nil
	if _, reason := read(s, "c.told", "new"); reason != corpus.NotConverted {
		t.Errorf("%q", reason)
	}
}
