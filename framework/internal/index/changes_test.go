package index

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func TestChangesAreFound(t *testing.T) {
	steps := []struct {
		name   string
		change func(b *bench)
		want   string // a term that must be there
		gone   string // and one that must not
	}{
		{"edit", func(b *bench) { b.write("a/one.md", "# One\napricot\n") }, "apricot", "banana"},
		{"same size", func(b *bench) { b.write("a/one.md", "# One\nzpplez\n## Child\nbanana"[:28]) }, "zpplez", "appl"},
		{"new file", func(b *bench) { b.write("c/deep/new.md", "elderberry") }, "elderberri", "zzz"},
		{"deleted file", func(b *bench) { os.Remove(filepath.Join(b.root, "a/sub/two.md")) }, "appl", "cherri"},
		{"deleted manual", func(b *bench) { os.RemoveAll(filepath.Join(b.root, "b")) }, "appl", "date"},
		{"renamed", func(b *bench) {
			os.Rename(filepath.Join(b.root, "a/one.md"), filepath.Join(b.root, "a/uno.md"))
		}, "appl", "zzz"},
	}
	for _, step := range steps {
		t.Run(step.name, func(t *testing.T) {
			b := newBench(t)
			x := b.open()
			x.merging = true // what merging publishes has another name, too
			old, releaseOld := b.acquire(x)
			defer releaseOld()
			step.change(b)
			snap, release := b.acquire(x)
			defer release()
			if snap.Name() == old.Name() {
				t.Fatal("nothing was built")
			}
			if snap.DocFreq(step.want) == 0 || snap.DocFreq(step.gone) != 0 {
				t.Errorf("terms: %q %d, %q %d", step.want, snap.DocFreq(step.want), step.gone, snap.DocFreq(step.gone))
			}
			if old.DocFreq("appl") != 1 || old.Source(0, 1) != "apple\n" {
				t.Error("the old snapshot changed")
			}
			if again := b.name(x); again != snap.Name() {
				t.Errorf("built again without a change: %s", again)
			}
		})
	}
}

func TestTouchedFilesDoNotRebuild(t *testing.T) {
	b := newBench(t)
	x := b.open()
	first := b.name(x)
	for i := range 3 {
		when := time.Now().Add(time.Duration(-i) * time.Hour)
		if err := os.Chtimes(filepath.Join(b.root, "a/one.md"), when, when); err != nil {
			t.Fatal(err)
		}
		if name := b.name(x); name != first {
			t.Fatalf("a touched file made %s", name)
		}
	}
	if name := b.name(b.open()); name != first {
		t.Fatalf("a second process built %s", name)
	}
}

func TestYoungFilesAreHashed(t *testing.T) {
	now := time.Now()
	file := snapshot.File{Size: 3, ModTime: now.UnixNano(), ChangeTime: now.UnixNano(), Inode: 7}
	other := file
	other.Inode = 8
	for name, tc := range map[string]struct {
		m    memo
		want bool
	}{
		"hashed at once":     {memo{file: file, read: now.Add(time.Millisecond)}, false},
		"hashed later":       {memo{file: file, read: now.Add(racy)}, true},
		"another inode":      {memo{file: other, read: now.Add(racy)}, false},
		"hashed before both": {memo{file: file, read: now.Add(-time.Hour)}, false},
	} {
		if got := tc.m.unchanged(file); got != tc.want {
			t.Errorf("%s: unchanged = %v", name, got)
		}
	}
}

func TestRecentSnapshotNeedsNoWalk(t *testing.T) {
	b := newBench(t)
	walks := 0
	opts := b.options()
	manuals := opts.Manuals
	opts.Manuals = func(ctx context.Context) ([]corpus.Manual, error) { walks++; return manuals(ctx) }
	x, err := Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	b.name(x)
	before := walks
	x.mu.Lock()
	x.checked = time.Now().Add(time.Hour) // keeps the second from passing
	x.mu.Unlock()
	for range 5 {
		_, release, err := x.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		release()
	}
	if walks != before {
		t.Errorf("%d walks", walks-before)
	}
}

func TestSkipped(t *testing.T) {
	b := newBench(t)
	b.write("a/nul.md", "a\x00b")
	b.write("a/noise.md", "\xff\x01\x02")
	if err := os.Symlink("one.md", filepath.Join(b.root, "a/link.md")); err != nil {
		t.Skip("no symbolic links here")
	}
	x := b.open()
	snap, release := b.acquire(x)
	defer release()
	var got []string
	for _, s := range x.Skipped() {
		got = append(got, s.ManualID+"/"+s.Path)
	}
	if diff := cmp.Diff([]string{"a/link.md", "a/noise.md", "a/nul.md"}, got); diff != "" {
		t.Errorf("skipped (-want +got):\n%s", diff)
	}
	if snap.Live().GetCardinality() != 4 {
		t.Errorf("%d sections", snap.Live().GetCardinality())
	}
	b.write("a/nul.md", "readable now")
	if _, release := b.acquire(x); len(x.Skipped()) != 2 {
		t.Errorf("still skipped: %v", x.Skipped())
		release()
	} else {
		release()
	}
}

func TestManualsErrorIsReturned(t *testing.T) {
	b := newBench(t)
	os.RemoveAll(b.root)
	if _, _, err := b.open().acquire(t.Context()); err == nil {
		t.Error("no error without manuals")
	}
}

func TestUnreadableManualIsSkipped(t *testing.T) {
	b := newBench(t)
	opts := b.options()
	opts.Manuals = func(context.Context) ([]corpus.Manual, error) {
		return []corpus.Manual{{ID: "lost", Dir: filepath.Join(b.root, "nowhere")}, {ID: "a", Dir: filepath.Join(b.root, "a")}}, nil
	}
	x, err := Open(opts)
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	snap, release := b.acquire(x)
	defer release()
	if skipped := x.Skipped(); len(skipped) != 1 || skipped[0].ManualID != "lost" || snap.Bound() != 3 {
		t.Errorf("skipped %v, %d sections", skipped, snap.Bound())
	}
}
