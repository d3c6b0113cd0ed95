package embedding

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// gatheredOf returns a snapshot of another's sections as if gathered from a collection, with a stored field.
func gatheredOf(t testing.TB, of *snapshot.Snapshot, name string, text func(section uint32) string) *snapshot.Snapshot {
	t.Helper()
	schema := snapshot.SchemaOf(of.Kind())
	schema.Fields = append(schema.Fields, name)
	w := snapshot.NewWriter(schema)
	w.AddFile(snapshot.File{Group: "m", Path: "a.md"})
	for it := of.Live().Iterator(); it.HasNext(); {
		id := it.Next()
		if id%2 == 0 {
			continue
		}
		sec, _ := of.Section(id)
		sec.Parent = snapshot.None
		w.Add(sec, []string{
			of.Source(id, snapshot.FieldHeading), of.Source(id, snapshot.FieldBody), of.Source(id, snapshot.FieldPath), text(id),
		})
	}
	dir, at := t.TempDir(), "manual-000001"
	info, err := w.WriteFile(t.Context(), dir, snapshot.SegmentFile(at))
	if err != nil {
		t.Fatal(err)
	}
	m := w.Manifest(at, info)
	m.Gathered = &snapshot.Statistics{Sections: 1 << 20}
	if err := snapshot.Store(dir, m); err != nil {
		t.Fatal(err)
	}
	out, err := snapshot.Open(dir, at, true)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { out.Close() })
	return out
}

// scores returns the candidates' scores by heading.
func scores(snap *snapshot.Snapshot, res *sdk.Result) map[string]float64 {
	out := map[string]float64{}
	for _, c := range res.Candidates {
		sec, _ := snap.Section(c.Section)
		out[sec.Title] = c.Score
	}
	return out
}

func TestStoredVectorsAreSearched(t *testing.T) {
	all := sections(300)
	all[1].Body = strings.Repeat("battery electrode cathode anode. ", 100) // several pieces
	snap := publish(t, t.TempDir(), 1, all)
	e, ctx := serve(t, snap), surroundings(t, t.TempDir())
	t.Setenv(keyEnv, secret)
	last := 0
	field, err := stored(ctx, json.RawMessage(e.config()), snap, func(done, total int) {
		if last = done; total != 300 {
			t.Errorf("%d of %d", done, total)
		}
	})
	if err != nil || last != 300 {
		t.Fatalf("%d are made, %v", last, err)
	}
	local, s := start(t, e.config()), start(t, e.config())
	if err := complete(t, ctx, local, snap); err != nil {
		t.Fatal(err)
	}
	made := len(e.sent())
	gathered := gatheredOf(t, snap, field.Name, field.Text)
	if err := s.Open(ctx, gathered); err != nil {
		t.Fatal(err)
	}
	request := func(of *snapshot.Snapshot) *sdk.Request {
		return &sdk.Request{Corpus: of, Query: sdk.Query{Raw: "voltage"}, Limit: 300}
	}
	want, err := local.Search(ctx, request(snap))
	if err != nil {
		t.Fatal(err)
	}
	got, err := s.Search(ctx, request(gathered))
	if err != nil || len(got.Warnings) > 0 {
		t.Fatalf("%v, %v", got.Warnings, err)
	}
	if texts := e.sent()[made:]; !slices.Equal(texts, []string{"Q voltage", "Q voltage"}) {
		t.Errorf("the texts %q were embedded anew", texts)
	}
	// Scores of each list are relative to its own last section.
	byTitle, found := scores(snap, want), scores(gathered, got)
	odd, first := map[string]float64{}, got.Candidates[0]
	sec, _ := gathered.Section(first.Section)
	for title := range found {
		odd[title] = byTitle[title] - byTitle[sec.Title] + first.Score
	}
	if diff := cmp.Diff(odd, found, rounded); diff != "" || len(found) < 50 {
		t.Errorf("%d sections, index to collection: %s", len(found), diff)
	}
}

// rounded compares with a tolerance for rounding errors.
var rounded = cmp.Comparer(func(a, b float64) bool { return a-b < 1e-9 && b-a < 1e-9 })

func TestStoredVectorsOfAnotherModel(t *testing.T) {
	snap := publish(t, t.TempDir(), 1, sections(30))
	ctx := surroundings(t, t.TempDir())
	s := start(t, fmt.Sprintf(`{"dir":%q}`, words(t)))
	space, err := s.space()
	if err != nil {
		t.Fatal(err)
	}
	for name, of := range map[string]*snapshot.Snapshot{
		"of this model": gatheredOf(t, snap, storedName("another"), func(uint32) string { return "" }),
		"damaged":       gatheredOf(t, snap, storedName(space), func(uint32) string { return "c2FnYXN1UAEBAAAA" }),
	} {
		res := find(t, ctx, s, of, "voltage")
		if len(res.Candidates) > 0 || len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], name) {
			t.Errorf("%s: %d candidates, warnings %q", name, len(res.Candidates), res.Warnings)
		}
	}
}

func TestVectorsToStoreThatCannotBeMade(t *testing.T) {
	snap := publish(t, t.TempDir(), 1, sections(30))
	e, ctx := serve(t, snap), surroundings(t, t.TempDir())
	t.Setenv(keyEnv, secret)
	e.misbehaves(func(_ int, w http.ResponseWriter, _ *http.Request) bool {
		w.WriteHeader(http.StatusForbidden)
		return true
	})
	ignore := func(int, int) {}
	_, err := stored(ctx, json.RawMessage(e.config()), snap, ignore)
	if err == nil || !strings.Contains(err.Error(), "403") || strings.Contains(err.Error(), secret) {
		t.Errorf("a service that refuses: %v", err)
	}
	if _, err := stored(ctx, json.RawMessage(`{}`), snap, ignore); err == nil {
		t.Error("it has no model, and makes vectors")
	}
	over, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := stored(over, json.RawMessage(e.config()), snap, ignore); err == nil {
		t.Error("an upload that was interrupted has vectors")
	}
}

// TestLongSectionsFitAMessage checks how much is kept for a section with the maximum number of pieces.
func TestLongSectionsFitAMessage(t *testing.T) {
	all := sections(30)
	all[1].Body = strings.Repeat("battery electrode cathode anode. ", 3000)
	snap := publish(t, t.TempDir(), 1, all)
	e, ctx := serve(t, snap), surroundings(t, t.TempDir())
	e.dim = 1536
	t.Setenv(keyEnv, secret)
	field, err := stored(ctx, json.RawMessage(e.config()), snap, func(int, int) {})
	if err != nil {
		t.Fatal(err)
	}
	data, err := base64.StdEncoding.DecodeString(field.Text(1))
	if err != nil {
		t.Fatal(err)
	}
	part, err := vector.DecodePart(data)
	if err != nil || part.Set.Len() != 10 || len(data) > mostStored+mostStored/16 {
		t.Errorf("%d vectors in %d bytes, %v", part.Set.Len(), len(data), err)
	}
}

// TestVectorsOfTwoModelsAreNotStored lets a service change its model during a build that fails, and retries.
func TestVectorsOfTwoModelsAreNotStored(t *testing.T) {
	snap := publish(t, t.TempDir(), 1, sections(90))
	e, ctx := serve(t, snap), surroundings(t, t.TempDir())
	t.Setenv(keyEnv, secret)
	e.misbehaves(func(sent int, w http.ResponseWriter, _ *http.Request) bool {
		if sent >= 40 {
			w.WriteHeader(http.StatusForbidden)
		}
		return sent >= 40
	})
	made := func() error {
		_, err := stored(ctx, json.RawMessage(e.config()), snap, func(int, int) {})
		return err
	}
	if made() == nil {
		t.Fatal("a service that refuses made vectors")
	}
	e.misbehaves(nil)
	e.dim = 12
	if err := made(); err == nil || !strings.Contains(err.Error(), "unusable") {
		t.Errorf("vectors of two models: %v", err)
	}
	if err := made(); err != nil {
		t.Errorf("of the new model: %v", err)
	}
}
