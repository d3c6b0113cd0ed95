package cli

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/charmap"
	"golang.org/x/text/encoding/japanese"
	"golang.org/x/text/encoding/unicode"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/plugins"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// credit gives the English manuals, which are ASCII, something that encodings write in ways of their own.
const credit = "\nThanks go to André Müller and Zoë Fernández, who wrote the résumé of this page.\n"

// encoded copies the manuals of the sample in an encoding, and as they are what it cannot hold. It returns how many
// files have other bytes than in UTF-8.
func encoded(t *testing.T, e encoding.Encoding) (dir string, changed int) {
	t.Helper()
	dir = t.TempDir()
	from := os.DirFS(filepath.Join(sample(t), "manuals"))
	err := fs.WalkDir(from, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(from, name)
		if err != nil {
			return err
		}
		if strings.HasSuffix(name, ".md") && !strings.ContainsFunc(string(text), func(r rune) bool { return r > 0x7f }) {
			text = append(text, credit...)
		}
		if other, err := e.NewEncoder().Bytes(text); err == nil && string(other) != string(text) {
			text = other
			changed++
		}
		to := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
			return err
		}
		return os.WriteFile(to, text, 0o644)
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir, changed
}

func TestManualsInOtherEncodingsGiveTheSameAnswers(t *testing.T) {
	answers := func(t *testing.T, e encoding.Encoding) (texts []string, changed int) {
		t.Helper()
		dir, changed := encoded(t, e)
		x, _ := indexOf(t, dir)
		var strategies []sdk.Strategy
		for _, b := range app.Strategies(plugins.Bundled()).Of(snapshot.KindManual).Ordinary() {
			strategies = append(strategies, b.New())
		}
		engine := engineOver(t, x, host.InProcess(strategies...))
		for _, q := range goldQueries(t) {
			texts = append(texts, said(t, engine, q.Query))
		}
		return texts, changed
	}
	want, _ := answers(t, unicode.UTF8)
	for _, tc := range []struct {
		name  string
		in    encoding.Encoding
		least int // files that it writes in another way
	}{
		{"Shift_JIS", japanese.ShiftJIS, 45},
		{"EUC-JP", japanese.EUCJP, 45},
		{"ISO-2022-JP", japanese.ISO2022JP, 30},
		{"UTF-16", unicode.UTF16(unicode.LittleEndian, unicode.UseBOM), 75},
		{"ISO-8859-1", charmap.ISO8859_1, 20},
	} {
		t.Run(tc.name, func(t *testing.T) {
			got, changed := answers(t, tc.in)
			if changed < tc.least {
				t.Errorf("%d files are in %s, at least %d were", changed, tc.name, tc.least)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

var traceID = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{16}`)

// said returns what a search answers and lists, but for its id.
func said(t *testing.T, e *search.Engine, query string) string {
	t.Helper()
	answer, err := e.Find(t.Context(), search.Request{
		Query: query, ExpandScope: true, MaxCandidates: 200, TimeMS: 60_000, Passages: 3,
	})
	if err != nil {
		t.Fatal(err)
	}
	hits, err := e.Hits(t.Context(), search.HitsRequest{TraceID: answer.TraceID, Kind: "candidates", Limit: 1000})
	if err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal([]any{answer, hits})
	if err != nil {
		t.Fatal(err)
	}
	return traceID.ReplaceAllString(string(out), "ID")
}
