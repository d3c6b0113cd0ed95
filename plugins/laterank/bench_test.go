package laterank

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/sdktest"
)

// BenchmarkLearn learns likenesses of words from 5,000 sections of 30 words: what a
// strategy that is told to does in the background after a new snapshot.
func BenchmarkLearn(b *testing.B) {
	zipf := rand.NewZipf(rand.New(rand.NewPCG(1, 2)), 1.2, 8, 20_000)
	sections := make([]sdktest.Section, 5000)
	for i := range sections {
		var words []string
		for range 30 {
			words = append(words, fmt.Sprintf("w%x", zipf.Uint64()))
		}
		sections[i] = sdktest.Section{Heading: fmt.Sprint("section ", i), Body: strings.Join(words, " ")}
	}
	snap := sdktest.Snapshot(b, sections...)
	b.ReportAllocs()
	for b.Loop() {
		if m, err := learn(b.Context(), snap); err != nil || m == nil {
			b.Fatal(m, err)
		}
	}
}
