package search

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestUnscannedFilesComeBack(t *testing.T) {
	name := rapid.StringMatching(`[a-c]{1,3}`)
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.Custom(func(t *rapid.T) unscannedFile {
			return unscannedFile{
				ManualID: name.Draw(t, "manual"), Path: name.Draw(t, "folder") + "/" + name.Draw(t, "file") + ".md",
				Reason: rapid.SampledFrom(reasons).Draw(t, "reason"), Lines: rapid.SliceOf(rapid.Uint32()).Draw(t, "lines"),
			}
		})).Draw(t, "files")
		var p packer
		for _, f := range want {
			p.add(f.ManualID, f.Path, slices.Index(reasons, f.Reason), f.Lines)
		}
		got, err := p.packed.files()
		if diff := cmp.Diff(want, append([]unscannedFile{}, got...)); diff != "" || err != nil {
			t.Fatalf("%v, %s", err, diff)
		}
		if n := len(p.packed); n > 0 {
			if _, err := p.packed[:rapid.IntRange(1, n).Draw(t, "cut")].files(); err != nil && err != errPacked {
				t.Fatal(err)
			}
		}
	})
}

func FuzzUnscannedFiles(f *testing.F) {
	var p packer
	p.add("disk", "a/b.md", 1, []uint32{1, 9, 30})
	p.add("disk", "a/c.md", 0, nil)
	f.Add([]byte(p.packed))
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := packedFiles(data).files()
		if err != nil {
			return
		}
		var again packer
		for _, x := range files {
			again.add(x.ManualID, x.Path, slices.Index(reasons, x.Reason), x.Lines)
		}
		got, err := again.packed.files()
		if diff := cmp.Diff(files, got); diff != "" || err != nil {
			t.Fatalf("%v, %s", err, diff)
		}
	})
}
