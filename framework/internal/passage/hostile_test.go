package passage

import (
	"strings"
	"testing"
)

// Each of these would keep a reader with quadratic running time busy for many minutes.
func TestHostile(t *testing.T) {
	for name, piece := range map[string]string{
		"comments that do not end": "<!-- ", "full stops": "。", "full stops and spaces": "。! ", "addresses that do not end": "](",
	} {
		t.Run(name, func(t *testing.T) {
			source := strings.Repeat(piece, (1<<20)/len(piece)) + "\nThe last word"
			for _, u := range Units(source) {
				_ = u.Sentence()
			}
			read := Read(source, wordsOf("last word"))
			if p, ok := read.Choose(390); !ok || !strings.HasSuffix(p.Text, "last word") {
				t.Errorf("%q, %v", p.Text, ok)
			}
			read.Sentences(3, 200, .5)
		})
	}
}
