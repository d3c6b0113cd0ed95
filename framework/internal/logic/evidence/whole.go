package evidence

import (
	"context"
	"math"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/unit"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// wholes are the code files of a snapshot, each as one text of all its units. The words of a long question are spread
// over a file, and no single unit contains many of them.
type wholes struct {
	of      []uint32 // file numbers by unit id, or [snapshot.None]
	lengths []float64
	mean    float64 // length
}

func newWholes(snap *snapshot.Snapshot) *wholes {
	w := &wholes{of: make([]uint32, snap.Bound())}
	code, numbers := snap.Keyword(unit.KindKeyword(repo.Code)), map[string]uint32{}
	for _, seg := range snap.Segments() {
		comments, owns := seg.Lengths(snapshot.FieldComment), seg.Lengths(snapshot.FieldOwn)
		for i := range seg.Len() {
			id := seg.Base() + i
			s, ok := snap.Section(id)
			if w.of[id] = snapshot.None; !ok || !code.Contains(id) {
				continue
			}
			n, known := numbers[s.Path]
			if !known {
				n = uint32(len(w.lengths))
				numbers[s.Path], w.lengths = n, append(w.lengths, 0)
			}
			w.of[id] = n
			w.lengths[n] += float64(comments[i]) + float64(owns[i])
			w.mean += float64(comments[i]) + float64(owns[i])
		}
	}
	w.mean /= float64(max(1, len(w.lengths)))
	return w
}

// scores returns the BM25 scores of the files for a question, as shares of the best possible score. An idea counts by
// its own words, or by others if no file contains its own.
func (w *wholes) scores(ctx context.Context, snap *snapshot.Snapshot, q *question) []float64 {
	const k1, b = .9, .4
	all, ideal := make([]float64, len(w.lengths)), 0.0
	freqs := make([]float64, len(w.lengths))
	// add adds the score of a term to each file. It returns the term's weight and whether any file contains it.
	add := func(t lexical.Term) (weight float64, held bool) {
		df := w.count(snap, t.Text, freqs)
		weight = t.Weight * lexical.IDF(len(freqs), df)
		for file, n := range freqs {
			if n > 0 {
				all[file] += weight * n / (n + k1*(1-b+b*w.lengths[file]/w.mean))
			}
		}
		return weight, df > 0
	}
	for _, i := range q.ideas {
		known := false
		for _, t := range i.own {
			weight, held := add(t)
			ideal, known = ideal+weight, known || held
		}
		for _, t := range i.others {
			if !known && ctx.Err() == nil {
				add(t)
			}
		}
	}
	for n := range all {
		all[n] /= max(ideal, math.SmallestNonzeroFloat32)
	}
	return all
}

// count sets the frequency of a term in each file, and returns the number of files that contain it.
func (w *wholes) count(snap *snapshot.Snapshot, term string, freqs []float64) (df int) {
	clear(freqs)
	var p snapshot.Postings
	for _, seg := range snap.Segments() {
		for ok := seg.Postings(term, &p); ok && p.Next(); {
			for _, field := range [...]int{snapshot.FieldComment, snapshot.FieldOwn} {
				for i, n := range p.Freqs(field) {
					if file := w.of[seg.Base()+p.Docs[i]]; n > 0 && file != snapshot.None {
						if freqs[file] == 0 {
							df++
						}
						freqs[file] += float64(n)
					}
				}
			}
		}
	}
	return df
}
