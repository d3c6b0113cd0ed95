package host

import (
	"context"
	"errors"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
)

// BenchmarkStart measures from nothing to the first description and back.
func BenchmarkStart(b *testing.B) {
	h, _ := start(b, options(b, "actor"))
	for b.Loop() {
		p, err := h.launch(context.Background(), h.slots[0].entry())
		must(b, err)
		p.close()
	}
}

// BenchmarkStartSix starts six strategies at once.
func BenchmarkStartSix(b *testing.B) {
	o := options(b, "a", "b", "c", "d", "e", "f")
	start(b, o)
	for b.Loop() {
		h, err := New(o)
		must(b, err)
		if _, failures := h.Strategies(context.Background()); len(failures) > 0 {
			b.Fatal(failures)
		}
		must(b, h.Close())
	}
}

// BenchmarkSearch is a search for 100 candidates, with and without the border.
func BenchmarkSearch(b *testing.B) {
	h, _ := start(b, options(b, "actor"))
	snap := publish(b, h.options.IndexDir, 1000)
	req := request(snap, "find")
	req.Query.Terms = []sdk.Term{{Text: "保険"}, {Text: "例外"}}
	settle(b, h)
	for name, s := range map[string]searcher{"process": h, "local": InProcess(&actor{name: "actor"})} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				res, err := s.Search(context.Background(), "actor", req)
				if err != nil || len(res.Candidates) != 100 {
					b.Fatal(errors.Join(err, errors.New("not 100 candidates")))
				}
			}
		})
	}
}

// borders are the ways to run a strategy, the usual one first.
var borders = []struct {
	name              string
	unconfined, clear bool
}{{"usual", false, false}, {"unconfined", true, false}, {"clear", false, true}, {"bare", true, true}}

// BenchmarkBorder measures what the sandbox and the encryption cost, each against none:
// for a start of a bundled strategy, and for a search for 100 candidates.
func BenchmarkBorder(b *testing.B) {
	for _, border := range borders {
		o := options(b, "actor")
		o.unconfined, o.clear = border.unconfined, border.clear
		h, _ := start(b, o)
		snap := publish(b, h.options.IndexDir, 1000)
		req := request(snap, "find")
		settle(b, h)
		b.Run("start/"+border.name, func(b *testing.B) {
			for b.Loop() {
				p, err := h.launch(context.Background(), h.slots[0].entry())
				must(b, err)
				p.close()
			}
		})
		b.Run("search/"+border.name, func(b *testing.B) {
			for b.Loop() {
				_, err := h.Search(context.Background(), "actor", req)
				must(b, err)
			}
		})
	}
}
