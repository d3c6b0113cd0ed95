package index

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// A damaged segment shows whether it was read.
func TestVerifiedSegmentsAreNotReadAgain(t *testing.T) {
	b := newBench(t)
	x := b.open()
	b.name(x)
	x.Close()
	const file = "manual-000001.seg"
	path := filepath.Join(b.dir, file)
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 4
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	info, err := os.Lstat(path)
	if err != nil {
		t.Fatal(err)
	}
	same := corpus.Describe("", file, info)
	other := same
	other.ModTime--
	for name, tc := range map[string]struct {
		known memory
		read  bool
	}{
		"never verified":  {memory{}, true},
		"verified":        {memory{key{}: {file: same, read: time.Now().Add(racy), again: true}}, false},
		"changed since":   {memory{key{}: {file: other, read: time.Now().Add(racy), again: true}}, true},
		"changed just so": {memory{key{}: {file: same, read: time.Now(), again: true}}, true},
		"another day":     {memory{key{}: {file: same, read: time.Now().Add(racy + verifyAgain), again: true}}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if err := tc.known.write(b.dir, verifiedFile(snapshot.KindManual)); err != nil {
				t.Fatal(err)
			}
			snap, err := b.open().openVerified("manual-000001")
			if (err != nil) != tc.read {
				t.Errorf("read: %t, want %t: %v", err != nil, tc.read, err)
			}
			if snap != nil {
				snap.Close()
			}
		})
	}
}

func TestVerifiedSegmentsAreRemembered(t *testing.T) {
	b := newBench(t)
	b.name(b.open())
	opened := b.open()
	if err := opened.follow(); err != nil {
		t.Fatal(err)
	}
	known, err := readChecked(b.dir, verifiedFile(snapshot.KindManual))
	if _, ok := known[key{path: "manual-000001.seg"}]; err != nil || !ok || len(known) != 1 {
		t.Errorf("%v, %v", known, err)
	}
}
