package evidence

import (
	"context"
	"math"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/unit"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// wholes are the code files of a snapshot. The words of a question are spread over a file, and no single unit contains
// many of them.
type wholes struct {
	of    []uint32 // file numbers by unit id, or [snapshot.None]
	views []view
}

// view is what some fields of all units of a file say, as one text.
type view struct {
	fields  []int
	k1, b   float64
	share   float64 // weight of the score
	idea    float64 // additional weight for each idea of the question
	lengths []float64
	mean    float64 // length
}

func newWholes(snap *snapshot.Snapshot) *wholes {
	w := &wholes{of: make([]uint32, snap.Bound()), views: []view{
		{fields: []int{snapshot.FieldComment, snapshot.FieldOwn}, k1: 4, b: .75, share: 1, idea: .08},
		{fields: []int{snapshot.FieldContext}, k1: .9, b: .4, share: .7}, // the path
		{fields: []int{snapshot.FieldName}, k1: .9, b: .4, share: .45},
	}}
	code, numbers := snap.Keyword(unit.KindKeyword(repo.Code)), map[string]uint32{}
	for id := range snap.Bound() {
		s, ok := snap.Section(id)
		if w.of[id] = snapshot.None; !ok || !code.Contains(id) {
			continue
		}
		if _, known := numbers[s.Path]; !known {
			numbers[s.Path] = uint32(len(numbers))
		}
		w.of[id] = numbers[s.Path]
	}
	for i := range w.views {
		w.views[i].measure(snap, w.of, len(numbers))
	}
	return w
}

// measure sets the lengths of n files.
func (v *view) measure(snap *snapshot.Snapshot, of []uint32, n int) {
	v.lengths = make([]float64, n)
	for _, seg := range snap.Segments() {
		for _, field := range v.fields {
			for i, length := range seg.Lengths(field) {
				if file := of[int(seg.Base())+i]; file != snapshot.None {
					v.lengths[file] += float64(length)
					v.mean += float64(length) / float64(n)
				}
			}
		}
	}
	v.mean = max(v.mean, 1)
}

// scores returns the weighted sum of the files' BM25 scores in each view, as shares of the best possible ones.
func (w *wholes) scores(ctx context.Context, snap *snapshot.Snapshot, q *question) []float64 {
	all := make([]float64, len(w.views[0].lengths))
	for _, v := range w.views {
		scores, freqs, ideal := make([]float64, len(all)), make([]float64, len(all)), 0.0
		// add adds the score of a term to each file, and returns the term's weight.
		add := func(t lexical.Term) float64 {
			weight := t.Weight * lexical.IDF(len(freqs), w.count(snap, v.fields, t.Text, freqs))
			for file, n := range freqs {
				if n > 0 {
					scores[file] += weight * n / (n + v.k1*(1-v.b+v.b*v.lengths[file]/v.mean))
				}
			}
			return weight
		}
		for _, i := range q.ideas {
			for _, t := range i.own {
				ideal += add(t)
			}
			for _, t := range i.others {
				if ctx.Err() == nil {
					add(t)
				}
			}
		}
		share := (v.share + v.idea*float64(len(q.Share))) / max(ideal, math.SmallestNonzeroFloat32)
		for n := range all {
			all[n] += share * scores[n]
		}
	}
	return all
}

// count sets the frequency of a term in some fields of each file, and returns the number of files that contain it.
func (w *wholes) count(snap *snapshot.Snapshot, fields []int, term string, freqs []float64) (df int) {
	clear(freqs)
	var p snapshot.Postings
	for _, seg := range snap.Segments() {
		for ok := seg.Postings(term, &p); ok && p.Next(); {
			for _, field := range fields {
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
