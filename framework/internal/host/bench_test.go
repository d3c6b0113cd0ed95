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
		p, err := h.launch(context.Background(), h.supervisors[0].entry())
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
