package laterank

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Bounds of what is learned: they keep a model below 10 MB and the learning
// below a few seconds on a corpus of any size.
const (
	dimension   = 64
	leastDF     = 3
	mostShare   = 0.2 // of the sections; a term that more of them hold tells nothing
	mostTerms   = 1 << 15
	mostEntries = 4 << 20
)

// learn finds a direction for each term such that terms of the same sections
// point the same way: truncated singular value decomposition of the positive
// pointwise mutual information of terms and sections (Bullinaria and Levy
// 2007, over sections instead of words). The same corpus gives the same model;
// a corpus too small to learn from gives nil.
func learn(ctx context.Context, snap *snapshot.Snapshot) (*model, error) {
	terms := vocabulary(snap)
	a := occurrences(snap, terms)
	k := min(dimension, len(terms)/4, a.cols/4)
	if k < 2 {
		return nil, ctx.Err()
	}
	a.inform()
	vectors, err := a.directions(ctx, k)
	if err != nil {
		return nil, err
	}
	m := &model{dim: k, terms: make(map[string]int, len(terms)), vectors: vectors}
	n := int(snap.Live().GetCardinality())
	for i, t := range terms {
		m.terms[t.text] = i
		m.weights = append(m.weights, float32(lexical.IDF(n, t.df)))
		normalise(m.at(i))
	}
	return m, nil
}

// term is a dictionary term with its document frequency.
type term struct {
	text string
	df   int
}

// vocabulary gives the terms to learn, most frequent first.
func vocabulary(snap *snapshot.Snapshot) []term {
	var out []term
	most := int(mostShare * float64(snap.Live().GetCardinality()))
	for t, df := range snap.Terms("") {
		if df >= leastDF && df <= most && learnable(t) {
			out = append(out, term{strings.Clone(t), df})
		}
	}
	slices.SortFunc(out, func(a, b term) int { return cmp.Or(b.df-a.df, strings.Compare(a.text, b.text)) })
	return out[:min(len(out), mostTerms)]
}

// occurrences counts the terms per section, on a log scale. Of a large corpus
// every n-th section is read.
func occurrences(snap *snapshot.Snapshot, terms []term) *matrix {
	entries := 0
	for _, t := range terms {
		entries += t.df
	}
	step := uint32(entries/mostEntries + 1)
	a := &matrix{cols: int((snap.Bound() + step - 1) / step), starts: []int{0}}
	var p snapshot.Postings
	for _, t := range terms {
		for _, seg := range snap.Segments() {
			if seg.Postings(t.text, &p) {
				a.addList(&p, seg.Base(), step)
			}
		}
		a.starts = append(a.starts, len(a.index))
	}
	return a
}

// addList appends the entries of one list to the last row.
func (a *matrix) addList(p *snapshot.Postings, base, step uint32) {
	for p.Next() {
		for i, doc := range p.Docs {
			if (base+doc)%step != 0 {
				continue
			}
			tf := 0
			for f := range p.Fields() {
				tf += int(p.Freq(f, i))
			}
			a.index = append(a.index, (base+doc)/step)
			a.values = append(a.values, float32(1+math.Log(float64(max(tf, 1)))))
		}
	}
}

// inform turns counts into positive pointwise mutual information:
// max(0, ln(x·total / (row·column))).
func (a *matrix) inform() {
	columns, total := make([]float64, a.cols), 0.0
	for i, x := range a.values {
		columns[a.index[i]] += float64(x)
		total += float64(x)
	}
	for r := range a.rows() {
		index, values := a.row(r)
		var sum float64
		for _, x := range values {
			sum += float64(x)
		}
		for i, x := range values {
			values[i] = float32(max(0, math.Log(float64(x)*total/(sum*columns[index[i]]))))
		}
	}
}
