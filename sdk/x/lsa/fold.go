package lsa

import (
	"context"
	"errors"
	"runtime"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// chunk is the number of sections that one goroutine folds at a time: tens of megabytes of sums.
const chunk = 1 << 14

// mostFolders is the maximum number of goroutines that fold at a time.
const mostFolders = 4

// Fold returns the quantised vectors of a segment's sections, by local id, including deleted ones. A section without a
// known term gets the zero vector. fields are the weights of the fields. Sections that the model was learned from get
// the vectors that learning gave them.
func (m *Model) Fold(
	ctx context.Context, snap *snapshot.Snapshot, seg *snapshot.Segment, fields []float64,
) (*vector.Set, error) {
	out := vector.NewSet(m.Dim, int(seg.Len()))
	chunks := (int(seg.Len()) + chunk - 1) / chunk
	next := make(chan int, chunks)
	for i := range chunks {
		next <- i
	}
	close(next)
	folders := min(runtime.GOMAXPROCS(0), mostFolders, chunks)
	if err := errors.Join(guard.Each(folders, func(int) error {
		return snap.Guard(func() error { return m.foldChunks(ctx, seg, fields, next, out) })
	})...); err != nil {
		return nil, err
	}
	return out, nil
}

// foldChunks folds chunks until there are no more.
func (m *Model) foldChunks(
	ctx context.Context, seg *snapshot.Segment, fields []float64, next <-chan int, out *vector.Set,
) error {
	var sums []float32
	for i := range next {
		lo := i * chunk
		hi := min(lo+chunk, int(seg.Len()))
		if sums == nil {
			sums = make([]float32, (hi-lo)*m.Dim)
		}
		clear(sums)
		if err := m.sum(ctx, seg, fields, lo, hi, sums); err != nil {
			return err
		}
		for d := lo; d < hi; d++ {
			if v := sums[(d-lo)*m.Dim : (d-lo+1)*m.Dim]; vector.Normalise(v) {
				out.Put(d, v)
			}
		}
	}
	return nil
}

// sum adds up the weighted terms of the sections [lo, hi).
func (m *Model) sum(ctx context.Context, seg *snapshot.Segment, fields []float64, lo, hi int, sums []float32) error {
	var list snapshot.Postings
	for row, term := range m.terms {
		if row%256 == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if !seg.Postings(term, &list) {
			continue
		}
		for ok := list.NextAt(uint32(lo)); ok && int(list.Docs[0]) < hi; ok = list.Next() {
			for i, doc := range list.Docs {
				if d := int(doc); d >= lo && d < hi {
					if tf := frequency(&list, i, fields); tf > 0 {
						addScaled(sums[(d-lo)*m.Dim:(d-lo+1)*m.Dim], m.vector(row), m.weights[row]*damp(tf))
					}
				}
			}
		}
	}
	return nil
}
