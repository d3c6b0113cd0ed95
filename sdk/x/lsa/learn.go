package lsa

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Params configure how a model is learned. A limit of 0 means its default.
type Params struct {
	// Dim is the maximum number of dimensions, ≥ 2; a small collection gets fewer.
	Dim int
	// Fields are the weights of the snapshot's fields, ≥ 0, in order.
	Fields []float64
	// LeastDF is the minimum number of sections that contain a term; the default is 3.
	LeastDF int
	// MostShare is the share of the sections, in (0, 1], above which a term says nothing; the default is 0.5.
	MostShare float64
	// MostTerms and MostEntries limit memory and time: the number of learned terms, by default 65,536, and of their
	// occurrences in the sections that are read, by default 8,388,608. Of a larger collection only every n-th section
	// is read.
	MostTerms, MostEntries int
	// Seed seeds the random numbers.
	Seed uint64
}

func (p Params) complete() Params {
	p.LeastDF = cmp.Or(p.LeastDF, 3)
	p.MostShare = cmp.Or(p.MostShare, 0.5)
	p.MostTerms = cmp.Or(p.MostTerms, 1<<16)
	p.MostEntries = cmp.Or(p.MostEntries, 8<<20)
	return p
}

// ErrTooSmall means that a collection has too few sections or terms to learn from.
var ErrTooSmall = errors.New("the collection is too small to learn from")

// Learn learns from a snapshot. The same content gives the same model on every machine of one architecture. Errors wrap
// [ErrTooSmall] or are the error of ctx.
func Learn(ctx context.Context, snap *snapshot.Snapshot, p Params) (*Model, error) {
	p = p.complete()
	terms := vocabulary(snap, p.LeastDF, p.MostShare, p.MostTerms)
	m := &Model{Docs: int(snap.Live().GetCardinality())}
	for _, t := range terms {
		m.terms = append(m.terms, t.Text)
		m.weights = append(m.weights, float32(math.Sqrt(math.Log(1+float64(m.Docs)/float64(t.DF)))))
	}
	a, err := occurrences(ctx, snap, terms, m.weights, p)
	if err != nil {
		return nil, err
	}
	m.Dim = min(p.Dim, a.rows()-1, a.cols-1)
	if m.Dim < 2 {
		return nil, fmt.Errorf("%d sections, %d terms: %w", m.Docs, len(terms), ErrTooSmall)
	}
	a.normaliseColumns()
	if m.vectors, _, err = a.leftSingular(ctx, m.Dim, p.Seed); err != nil {
		return nil, err
	}
	m.index()
	return m, nil
}

// term is a dictionary term with its document frequency.
type term struct {
	Text string
	DF   int
}

// vocabulary returns the terms to learn, most frequent first: at most most words and pairs of characters that occur in
// at least leastDF sections and in at most a share of mostShare.
func vocabulary(snap *snapshot.Snapshot, leastDF int, mostShare float64, most int) []term {
	var out []term
	mostDF := max(int(mostShare*float64(snap.Live().GetCardinality())), leastDF)
	for t, df := range snap.Terms("") {
		if df >= leastDF && df <= mostDF && learnable(t) {
			out = append(out, term{strings.Clone(t), df})
		}
	}
	slices.SortFunc(out, func(a, b term) int { return cmp.Or(b.DF-a.DF, strings.Compare(a.Text, b.Text)) })
	return out[:min(len(out), most)]
}

// occurrences returns the weights of the terms in the sections that are read: a row per term, a column per section.
func occurrences(
	ctx context.Context, snap *snapshot.Snapshot, terms []term, weights []float32, p Params,
) (*matrix, error) {
	total := 0
	for _, t := range terms {
		total += t.DF
	}
	column, read := sample(snap, total/p.MostEntries+1)
	a := newMatrix(read)
	var list snapshot.Postings
	for i, t := range terms {
		if i%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		for _, seg := range snap.Segments() {
			for f := seg.Postings(t.Text, &list); f && list.Next(); {
				a.addBlock(&list, column[seg.Base():], p.Fields, weights[i])
			}
		}
		a.endRow()
	}
	return a, nil
}

// sample numbers every step-th live section; the others get snapshot.None.
func sample(snap *snapshot.Snapshot, step int) (column []uint32, read int) {
	column = slices.Repeat([]uint32{snapshot.None}, int(snap.Bound()))
	live := 0
	for it := snap.Live().Iterator(); it.HasNext(); live++ {
		if id := it.Next(); live%step == 0 {
			column[id] = uint32(read)
			read++
		}
	}
	return column, read
}

// addBlock appends the entries of one block to the last row.
func (a *matrix) addBlock(list *snapshot.Postings, column []uint32, fields []float64, weight float32) {
	for i, doc := range list.Docs {
		if c := column[doc]; c != snapshot.None {
			if tf := frequency(list, i, fields); tf > 0 {
				a.add(c, weight*damp(tf))
			}
		}
	}
}

// frequency returns the frequency of the term in entry i, weighted by field.
func frequency(list *snapshot.Postings, i int, fields []float64) float64 {
	tf := 0.0
	for f, w := range fields {
		if w > 0 {
			tf += w * float64(list.Freq(f, i))
		}
	}
	return tf
}
