package evidence

import (
	"cmp"
	"math"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
)

// leastRelevance is the minimum relevance of a match.
const leastRelevance = .02

// curve turns the scores of a ranking into relevance: a logistic regression on judged questions with a weight for each
// of the [parts].
type curve [6]float64

// Fitted to judged questions, see docs/logic.md.
var (
	codeCurve = curve{-9.2, 1.9, 6.6, 3.3, 2.6, 2.2}
	specCurve = curve{-7.8, 2.7, 3.8, 1.9, 4.1, 0}
)

// files returns the best unit of each file in a ranking, if its score is above 0.
func files(hits []hit) (firsts []hit) {
	seen := map[string]bool{}
	for _, h := range hits {
		if h.score > 0 && !seen[h.Path] {
			seen[h.Path], firsts = true, append(firsts, h)
		}
	}
	return firsts
}

// parts returns the features of the best unit of the file at i: 1, its lead over all others, its score as a share of
// the best, its saturated score, the coverage of the best unit of all, and how certainly specifications mean the file.
func parts(firsts []hit, i int) curve {
	h, top, before := firsts[i], firsts[0], 0.0
	switch {
	case len(firsts) == 1:
		before = 1
	case i == 0:
		before = 1 - firsts[1].score/top.score
	}
	return curve{1, before, h.score / top.score, h.score / (h.score + .5), max(top.coverage, min(1, top.score)), h.path}
}

func (c curve) relevance(parts curve) float64 {
	var z float64
	for i, p := range parts {
		z += c[i] * p
	}
	return 1 / (1 + math.Exp(-z))
}

// fadePower makes a unit much less relevant than the best one of its file even if it scores only slightly less.
const fadePower = 3

// items returns the matching units of a ranking, the most relevant first, with their relevance in thousandths. The best
// unit of a file is as relevant as the file.
func (c curve) items(hits []hit, globs repo.Globs) []item {
	firsts, best, all := files(hits), map[string]item{}, []item{}
	for i, h := range firsts {
		priority, _ := globs.Classify(h.Path)
		best[h.Path] = item{h, c.relevance(parts(firsts, i)), priority}
	}
	for _, h := range hits {
		b := best[h.Path]
		relevance := math.Round(1000*b.relevance*math.Pow(max(0, h.score)/b.score, fadePower)) / 1000
		if relevance >= leastRelevance {
			all = append(all, item{h, relevance, b.priority})
		}
	}
	slices.SortStableFunc(all, func(a, b item) int { return cmp.Compare(b.relevance, a.relevance) })
	return all
}

// sameFile is the factor for each better unit of the same file.
const sameFile = .5

// specShare is the inverse of the share of the evidence that is kept for matching specifications
// (docs/reference/tools/find_logic_evidence.md).
const specShare = 3

// item is a unit with its relevance.
type item struct {
	hit
	relevance float64
	priority  repo.Kind // of its source
}

// choose takes at most most items of code and specifications. At least a third are specifications if there are enough;
// a single item is code, which answers need first. The items are ordered by priority and relevance.
func choose(code, specs []item, most int) []item {
	kept := min(len(specs), (most+specShare-1)/specShare)
	if most == 1 {
		kept = 0
	}
	code = spread(code, most-kept)
	specs = spread(specs, most-len(code))
	all := append(code, specs...)
	slices.SortStableFunc(all, func(a, b item) int {
		return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(b.relevance, a.relevance))
	})
	return all
}

// spread takes the best items; items of a file that already has better ones rank lower.
func spread(items []item, most int) []item {
	type valued struct {
		item
		value float64
	}
	all, before := []valued{}, map[string]float64{} // number of better items of a file
	for _, x := range items {
		all = append(all, valued{x, x.relevance * math.Pow(sameFile, before[x.Path])})
		before[x.Path]++
	}
	slices.SortStableFunc(all, func(a, b valued) int { return cmp.Compare(b.value, a.value) })
	var out []item
	for _, v := range all[:min(most, len(all))] {
		out = append(out, v.item)
	}
	return out
}
