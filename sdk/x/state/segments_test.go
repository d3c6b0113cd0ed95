package state

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/sample"
)

// count returns a computation of the number of a segment's sections. made counts the computations.
func count(made *int) *Computation[int] {
	return &Computation[int]{
		Ext: ".count", Of: func(*snapshot.Segment) string { return "count" },
		Compute: func(seg *snapshot.Segment) (*int, error) { *made++; n := int(seg.Len()); return &n, nil },
		Encode:  func(n *int) ([]byte, error) { return make([]byte, *n), nil },
		Decode: func(_ *snapshot.Segment, data []byte) (*int, error) {
			n := len(data)
			if len(bytes.TrimLeft(data, "\x00")) > 0 {
				return nil, errors.New("damaged")
			}
			return &n, nil
		},
	}
}

func TestSegmentsAreComputedOnce(t *testing.T) {
	index, dir, logger := t.TempDir(), t.TempDir(), hclog.NewNullLogger()
	snap, err := sample.Sections(index, "manual-000001", snapshot.KindManual, make([]sample.Section, leastKept)...)
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	later, err := sample.Without(snap, "manual-000002", func(_, path string) bool { return path == "000000.md" })
	if err != nil {
		t.Fatal(err)
	}
	defer later.Close()
	made := 0
	c := count(&made)
	var held Parts[int]
	step := func(name string, of *snapshot.Snapshot, in Parts[int], want int) {
		t.Helper()
		parts, now, err := c.Segments(dir, logger, of, in)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := []int{*parts[0], len(now), made}; !cmp.Equal(got, []int{leastKept, 1, want}) {
			t.Errorf("%s: %v, want it made %d times", name, got, want)
		}
		held = now
	}
	step("at first", snap, nil, 1)
	step("when it is held, and a file is deleted", later, held, 1)
	step("when it is kept", later, nil, 1)
	files, err := filepath.Glob(filepath.Join(dir, "*.count"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	if err := os.WriteFile(files[0], []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	step("when the file is damaged", later, nil, 2)
	step("when it was made again", later, nil, 2)
}

func TestSegmentsOfFewSectionsAreNotKept(t *testing.T) {
	dir, made := t.TempDir(), 0
	snap, err := sample.Sections(t.TempDir(), "manual-000001", snapshot.KindManual, sample.Section{})
	if err != nil {
		t.Fatal(err)
	}
	defer snap.Close()
	for range 2 {
		if _, _, err := count(&made).Segments(dir, hclog.NewNullLogger(), snap, nil); err != nil {
			t.Fatal(err)
		}
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 || made != 2 {
		t.Errorf("made %d times, kept %v, %v", made, entries, err)
	}
}
