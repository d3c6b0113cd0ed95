package sdktest

import (
	"testing"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/sample"
)

// Section is one section of a test corpus.
type Section struct {
	Manual  string // default "m"
	Path    string // default a separate file; a name that ends in .json makes a JSON node
	Line    int    // default 1
	Heading string
	Body    string
	Names   string // names of the file and its folders, for the field path
}

// Publication is one publication of a test corpus.
type Publication struct{ Title, Abst, Claim, Desc string }

// Snapshot publishes sections as a snapshot of the manual kind, which is closed when the test
// ends. Ids are the indices of the sections, which must be in order of manual, path and line.
func Snapshot(t testing.TB, sections ...Section) *snapshot.Snapshot {
	t.Helper()
	snap, err := Publish(t.TempDir(), sections...)
	return closing(t, snap, err)
}

// Gathered is like [Snapshot], but for sections gathered from a collection with these statistics.
func Gathered(t testing.TB, of snapshot.Statistics, sections ...Section) *snapshot.Snapshot {
	t.Helper()
	all := Snapshot(t, sections...)
	m := all.Manifest()
	m.Name, m.Gathered = "manual-000002", &of
	if err := snapshot.Store(all.Dir(), m); err != nil {
		t.Fatalf("publish the corpus: %v", err)
	}
	snap, err := snapshot.Open(all.Dir(), m.Name, true)
	return closing(t, snap, err)
}

// Publish is like [Snapshot], but publishes in dir, which must exist. The caller closes the snapshot.
func Publish(dir string, sections ...Section) (*snapshot.Snapshot, error) {
	all := make([]sample.Section, len(sections))
	for i, s := range sections {
		all[i] = sample.Section(s)
	}
	return sample.Sections(dir, "manual-000001", snapshot.KindManual, all...)
}

// Publications publishes publications as a snapshot, which is closed when the test ends. Ids are
// the indices of the publications.
func Publications(t testing.TB, pubs ...Publication) *snapshot.Snapshot {
	t.Helper()
	all := make([]sample.Publication, len(pubs))
	for i, p := range pubs {
		all[i] = sample.Publication(p)
	}
	snap, err := sample.Publications(t.TempDir(), "publication-000001", all...)
	return closing(t, snap, err)
}

// closing closes a snapshot when the test ends.
func closing(t testing.TB, snap *snapshot.Snapshot, err error) *snapshot.Snapshot {
	t.Helper()
	if err != nil {
		t.Fatalf("publish the corpus: %v", err)
	}
	t.Cleanup(func() { snap.Close() })
	return snap
}
