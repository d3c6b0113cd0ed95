package search

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

func TestUnscannedFilesComeBack(t *testing.T) {
	name := rapid.StringMatching(`[a-c]{1,3}`)
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOf(rapid.Custom(func(t *rapid.T) unscannedFile {
			return unscannedFile{
				ManualID: name.Draw(t, "manual"), Path: name.Draw(t, "folder") + "/" + name.Draw(t, "file") + ".md",
				Reason: rapid.SampledFrom([]string{reasonTime, ReasonCap, reasonStage, reasonHard}).Draw(t, "reason"), Lines: rapid.SliceOf(rapid.Uint32()).Draw(t, "lines"),
			}
		})).Draw(t, "files")
		packed, err := pack(want)
		if err != nil {
			t.Fatal(err)
		}
		got, err := packed.files()
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Fatalf("%v, %s", err, diff)
		}
	})
}

func FuzzUnscannedFiles(f *testing.F) {
	packed, err := pack([]unscannedFile{{"disk", "a/b.md", ReasonCap, []uint32{1, 9, 30}}, {"disk", "a/c.md", reasonTime, nil}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte(packed))
	f.Fuzz(func(t *testing.T, data []byte) {
		files, err := packedFiles(data).files()
		if err != nil {
			return
		}
		again, err := pack(files)
		if err != nil {
			t.Fatal(err)
		}
		got, err := again.files()
		if diff := cmp.Diff(files, got, cmpopts.EquateEmpty()); diff != "" || err != nil {
			t.Fatalf("%v, %s", err, diff)
		}
	})
}
