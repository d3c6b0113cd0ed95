package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/plugins/fulltext"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// samplePublications returns the sample collection as a snapshot in dir.
func samplePublications(t *testing.T, dir string) *snapshot.Snapshot {
	t.Helper()
	const name = "publication-000001"
	w, seen := snapshot.NewWriter(snapshot.PublicationSchema()), map[string]bool{}
	claim := func(number string) bool { old := seen[number]; seen[number] = true; return !old }
	add := func(r corpus.Row) error { w.Add(r.Section, r.Fields, r.Keywords...); return nil }
	for _, file := range []string{"en.jsonl", "ja.jsonl"} {
		w.AddFile(snapshot.File{Path: file})
		f, err := os.Open(filepath.Join(repository(t), "testdata", "publications", file))
		if err != nil {
			t.Fatal(err)
		}
		err = publication.Source{}.AddRecords(t.Context(), add, f, claim, func(r publication.Refused) { t.Errorf("refused: %+v", r) })
		if f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	info, err := w.WriteFile(t.Context(), dir, snapshot.SegmentFile(name))
	if err == nil {
		err = snapshot.Publish(dir, w.Manifest(name, info))
	}
	if err != nil {
		t.Fatal(err)
	}
	snap, err := snapshot.Open(dir, name, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { snap.Close() })
	return snap
}

func TestFulltextOverTheBorder(t *testing.T) {
	dir := t.TempDir()
	snap := samplePublications(t, dir)
	h, err := host.New(host.Options{
		Entries: []host.Entry{{Name: "fulltext"}}, IndexDir: dir, StateDir: t.TempDir(), MemoryLimit: -1,
		Bundled: func(names ...string) []string { return append([]string{"plugin", "serve"}, names...) },
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { h.Close() })
	if _, failed := h.Start(t.Context()); len(failed) > 0 {
		t.Fatal(failed)
	}
	for _, c := range []struct{ query, params string }{
		{"顔認証 AND (遮蔽 OR マスク)", ""},
		{`title:device OR *N60"image features"`, `{"field_boosts": {"title": 1}, "feature_scope": "title_abst_claims"}`},
		{"NOT 顔", `{"feature_scope": "top_claim"}`},
	} {
		req := &sdk.Request{Corpus: snap, Query: sdk.Query{Raw: c.query}, Limit: 1000, Scope: snap.Keyword("group:")}
		if c.params != "" {
			req.Params = json.RawMessage(c.params)
		}
		want, err := fulltext.New().Search(t.Context(), req)
		if err != nil {
			t.Fatal(err)
		}
		got, err := h.Search(t.Context(), "fulltext", req)
		if err != nil {
			t.Fatal(c.query, err)
		}
		if diff := cmp.Diff(want.Candidates, got.Candidates); diff != "" || !want.Matched.Equals(got.Matched) || len(got.Candidates) == 0 {
			t.Errorf("%s: %d matched here, %d there\n%s", c.query, want.Matched.GetCardinality(), got.Matched.GetCardinality(), diff)
		}
	}
	if _, err := h.Search(t.Context(), "fulltext", &sdk.Request{Corpus: snap, Query: sdk.Query{Raw: "(顔"}, Limit: 1}); err == nil {
		t.Error("a query that cannot be read was answered")
	}
}
