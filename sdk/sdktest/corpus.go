package sdktest

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Section is one section of a test corpus.
type Section struct {
	Manual  string // "m" when empty
	Path    string // a file of its own when empty; a name in .json makes a JSON node
	Line    int    // 1 when 0
	Heading string
	Body    string
}

// Snapshot publishes sections as a snapshot of the manual kind, which is closed
// when the test ends. Ids are the indices of the sections, which must be in
// order of manual, path and line.
func Snapshot(t testing.TB, sections ...Section) *snapshot.Snapshot {
	t.Helper()
	const name = "manual-000001"
	dir, w := t.TempDir(), snapshot.NewWriter(snapshot.ManualSchema(snapshot.KindManual))
	file := ""
	for i, s := range sections {
		manual, line := cmp.Or(s.Manual, "m"), cmp.Or(s.Line, 1)
		path := cmp.Or(s.Path, fmt.Sprintf("%06d.md", i))
		if f := manual + "/" + path; f != file {
			file = f
			w.AddFile(snapshot.File{Group: manual, Path: path})
		}
		node := snapshot.NodeHeading
		if strings.HasSuffix(path, ".json") {
			node = snapshot.NodeJSON
		}
		w.Add(snapshot.Section{
			Title: s.Heading, Node: node, Level: 1, Parent: snapshot.None,
			Start: line, Body: line + 1, OwnEnd: line + 1, End: line + 1,
		}, []string{s.Heading, s.Body})
	}
	return publish(t, dir, name, w)
}

// Publication is a publication of a test corpus.
type Publication struct{ Title, Abst, Claim, Desc string }

// Publications publishes publications as a snapshot, as [Snapshot] does sections. Ids are
// their indices.
func Publications(t testing.TB, pubs ...Publication) *snapshot.Snapshot {
	t.Helper()
	const name = "publication-000001"
	dir, w := t.TempDir(), snapshot.NewWriter(snapshot.PublicationSchema())
	w.AddFile(snapshot.File{Path: "publications.jsonl"})
	for i, p := range pubs {
		w.Add(snapshot.Section{Title: p.Title, Node: snapshot.NodeJSON, Parent: snapshot.None, Start: i + 1, Body: i + 1, OwnEnd: i + 1, End: i + 1},
			[]string{p.Title, p.Abst, p.Claim, p.Desc, "{}"})
	}
	return publish(t, dir, name, w)
}

// publish writes a segment, and opens a snapshot of it until the test ends.
func publish(t testing.TB, dir, name string, w *snapshot.Writer) *snapshot.Snapshot {
	t.Helper()
	info, err := w.WriteFile(context.Background(), dir, snapshot.SegmentFile(name))
	if err == nil {
		err = snapshot.Publish(dir, w.Manifest(name, info))
	}
	if err != nil {
		t.Fatalf("publish the corpus: %v", err)
	}
	snap, err := snapshot.Open(dir, name, true)
	if err != nil {
		t.Fatalf("open the corpus: %v", err)
	}
	t.Cleanup(func() { snap.Close() })
	return snap
}
