package search

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func packed(files ...unscannedFile) packedFiles {
	p := filePacking{packing: new(packing)}
	for _, f := range files {
		p.file(&f)
	}
	return p.out
}

func TestUnscannedFilesComeBack(t *testing.T) {
	name := rapid.StringMatching(`[a-c]{1,3}`)
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.Custom(func(t *rapid.T) unscannedFile {
			lines := rapid.SliceOf(rapid.Uint32()).Draw(t, "lines")
			return unscannedFile{
				ManualID: name.Draw(t, "manual"), Path: name.Draw(t, "folder") + "/" + name.Draw(t, "file") + ".md",
				Reason: rapid.SampledFrom([]string{reasonTime, ReasonCap, reasonStage, reasonHard}).Draw(t, "reason"), Lines: lines,
				Digest: digest(rapid.SliceOfN(rapid.Byte(), 8, 8).Draw(t, "digest")),
			}
		})).Draw(t, "files")
		got, err := packed(want...).files()
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Fatalf("%v, %s", err, diff)
		}
	})
}

func FuzzUnscannedFiles(f *testing.F) {
	f.Add([]byte(packed(unscannedFile{"disk", "a/b.md", ReasonCap, digest{7}, []uint32{1, 9, 30}}, unscannedFile{ManualID: "disk", Path: "a/c.md", Reason: reasonTime})))
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := packedFiles(data).files()
		if err != nil {
			return
		}
		got, err := packed(files...).files()
		if diff := cmp.Diff(files, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Fatalf("%v, %s", err, diff)
		}
	})
}
