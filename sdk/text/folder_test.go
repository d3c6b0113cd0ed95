package text

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// A Folder returns the same as Fold, and its results stay valid when it is used again.
func TestFolder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var f Folder
		var got, want []string
		for _, src := range rapid.SliceOfN(anyText(), 1, 5).Draw(t, "texts") {
			got, want = append(got, f.Fold(src)), append(want, Fold(src))
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("a folder and Fold differ (-Fold +folder):\n%s", diff)
		}
	})
}

func BenchmarkFolder(b *testing.B) {
	for _, s := range samples {
		b.Run(s.name, func(b *testing.B) {
			var f Folder
			b.SetBytes(int64(len(s.text)))
			b.ReportAllocs()
			for b.Loop() {
				for line := range strings.Lines(s.text) {
					f.Fold(line)
				}
			}
		})
	}
}
