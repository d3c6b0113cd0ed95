package search

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A trace finds the digest of a file by the order of its files alone.
func TestDigestsAreInTheOrderOfFiles(t *testing.T) {
	trace := Trace{Candidates: []Candidate{
		{ManualID: "b", Path: "1"}, {ManualID: "a", Path: "1"}, {ManualID: "b", Path: "1"},
	}}
	left := []unscannedFile{
		{ManualID: "a", Path: "1"}, {ManualID: "gone", Path: "1"}, {ManualID: "a", Path: "2"},
		{ManualID: "gone", Path: "1"}, {ManualID: "a", Path: "2"},
	}
	known := fileTable{manuals: map[string]map[string]fileDigest{}}
	for i, f := range []fileName{{"a", "1"}, {"a", "2"}, {"b", "1"}} {
		known.add(f.manual, f.path, [digestBytes]byte{byte(i + 1)})
	}
	d := newDigester(known)
	for _, c := range trace.Candidates {
		d.add(c.ManualID, c.Path)
	}
	for _, f := range left {
		d.add(f.ManualID, f.Path)
	}
	want := []byte{}
	for f := range trace.files(left) {
		hash := known.manuals[f.manual][f.path].hash
		want = append(want, hash[:]...)
	}
	if diff := cmp.Diff(want, d.out); diff != "" {
		t.Error(diff)
	}
}
