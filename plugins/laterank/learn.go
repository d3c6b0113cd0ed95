package laterank

import (
	"context"
	"math"

	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/lsa"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// Bounds of what is learned: they keep a model below 10 MB and the learning
// below a few seconds on a corpus of any size.
const (
	dimension   = 64
	leastDF     = 3
	mostShare   = 0.2 // of the sections; a term that more of them hold tells nothing
	mostTerms   = 1 << 15
	mostEntries = 4 << 20
	seed        = 1 // of the random numbers that the decomposition starts from
)

// learn finds a direction for each term such that terms of the same sections
// point the same way: truncated singular value decomposition of the positive
// pointwise mutual information of terms and sections (Bullinaria and Levy
// 2007, over sections instead of words). The same corpus gives the same model;
// a corpus too small to learn from gives nil.
func learn(ctx context.Context, snap *snapshot.Snapshot) (*model, error) {
	terms := lsa.Vocabulary(snap, leastDF, mostShare, mostTerms)
	a := occurrences(snap, terms)
	k := min(dimension, len(terms)/4, a.Cols()/4)
	if k < 2 {
		return nil, ctx.Err()
	}
	mutualInformation(a)
	vectors, values, err := a.LeftSingular(ctx, k, seed)
	if err != nil {
		return nil, err
	}
	m := &model{dim: k, terms: make(map[string]int, len(terms)), vectors: vectors}
	n := int(snap.Live().GetCardinality())
	for i, t := range terms {
		m.terms[t.Text] = i
		m.weights = append(m.weights, float32(lexical.IDF(n, t.DF)))
		for j, x := range values {
			m.at(i)[j] *= float32(math.Sqrt(x))
		}
		vector.Normalise(m.at(i))
	}
	return m, nil
}

// occurrences counts the terms per section, on a log scale. Of a large corpus
// every n-th section is read.
func occurrences(snap *snapshot.Snapshot, terms []lsa.Term) *lsa.Matrix {
	entries := 0
	for _, t := range terms {
		entries += t.DF
	}
	step := uint32(entries/mostEntries + 1)
	a := lsa.NewMatrix(int((snap.Bound() + step - 1) / step))
	var p snapshot.Postings
	for _, t := range terms {
		for _, seg := range snap.Segments() {
			if seg.Postings(t.Text, &p) {
				addList(a, &p, seg.Base(), step)
			}
		}
		a.EndRow()
	}
	return a
}

// addList appends the entries of one list to the last row.
func addList(a *lsa.Matrix, p *snapshot.Postings, base, step uint32) {
	for p.Next() {
		for i, doc := range p.Docs {
			if (base+doc)%step != 0 {
				continue
			}
			tf := 0
			for f := range p.Fields() {
				tf += int(p.Freq(f, i))
			}
			a.Append((base+doc)/step, float32(1+math.Log(float64(max(tf, 1)))))
		}
	}
}

// mutualInformation turns counts into positive pointwise mutual information:
// max(0, ln(x·total / (row·column))).
func mutualInformation(a *lsa.Matrix) {
	columns, total := make([]float64, a.Cols()), 0.0
	for r := range a.Rows() {
		index, values := a.Row(r)
		for i, x := range values {
			columns[index[i]] += float64(x)
			total += float64(x)
		}
	}
	for r := range a.Rows() {
		index, values := a.Row(r)
		var sum float64
		for _, x := range values {
			sum += float64(x)
		}
		for i, x := range values {
			values[i] = float32(max(0, math.Log(float64(x)*total/(sum*columns[index[i]]))))
		}
	}
}
