package rankfusion

import (
	"strings"
	"testing"
)

// BenchmarkLook looks for the facets in one publication of usual length.
func BenchmarkLook(b *testing.B) {
	for name, sentence := range map[string]string{
		"English":  "A tire comprises a “tread” portion with shoulder sipes at 45° to the equator. ",
		"Japanese": "顔認証装置は、撮像部と照合部とを備え、マスクで隠された領域の重みを零とする。",
	} {
		b.Run(name, func(b *testing.B) {
			c, facets := NewCatalog(), map[string][]string{"A": {"顔認証", "sipe"}, "B": {"マスク", "snow"}}
			row := c.Add("X1", Codes{})
			abst, claim := strings.Repeat(sentence, 8), strings.Repeat(sentence, 32)
			b.SetBytes(int64(len(sentence + abst + claim)))
			b.ReportAllocs()
			for b.Loop() {
				c.look(row, facets, sentence, abst, claim)
			}
		})
	}
}
