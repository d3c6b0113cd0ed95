package sdktest

import (
	"testing"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/sample"
)

// Section is one section of a test corpus.
type Section = sample.Section

// Publication is a publication of a test corpus.
type Publication = sample.Publication

// Snapshot publishes sections as a snapshot of the manual kind, which is closed
// when the test ends. Ids are the indices of the sections, which must be in
// order of manual, path and line.
func Snapshot(t testing.TB, sections ...Section) *snapshot.Snapshot {
	t.Helper()
	snap, err := sample.Sections(t.TempDir(), "manual-000001", snapshot.KindManual, sections...)
	return closing(t, snap, err)
}

// Publications publishes publications as a snapshot, as [Snapshot] does sections. Ids are
// their indices.
func Publications(t testing.TB, pubs ...Publication) *snapshot.Snapshot {
	t.Helper()
	snap, err := sample.Publications(t.TempDir(), "publication-000001", pubs...)
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
