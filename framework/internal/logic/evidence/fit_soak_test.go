//go:build soak

package evidence

import (
	"fmt"
	"hash/fnv"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// example is a unit that a ranking gave, with whether it is about the question.
type example struct {
	asked string
	parts [7]float64
	right bool
	first bool // the best of its ranking
}

// The sets besides those that are named as their folder.
const (
	otherWords = "other words"
	foreign    = "other repositories"
)

// worth is how much more than by its size a set weighs: that nothing is found where
// nothing is, and what people ask in their own words, matter most.
var worth = map[string]float64{"code_codebase": 1, "spec_diagnoleads_ja": 1, otherWords: 3, foreign: 2}

// fittedDepth is how many of the best units of a question are examples.
const fittedDepth = 12

// unlike is the coverage from which on a repository may well know what another one's
// question is about.
const unlike = .6

// examples are sets of code or of specifications.
type examples map[string][]example

func (e examples) add(set, asked string, hits []hit, about func(hit) bool) {
	for i, h := range hits[:min(len(hits), fittedDepth)] {
		if h.score > 0 {
			e[set] = append(e[set], example{asked, parts(hits, i), about(h), i == 0})
		}
	}
}

// inquiry is a question of a set with what it is about.
type inquiry struct {
	set, repo, asked string
	code, spec       func(hit) bool // spec is nil where it is not judged
}

// inquiries are those of all sets, with the snapshots of their repositories.
func inquiries(t *testing.T) (all []inquiry, snaps map[string]*snapshot.Snapshot) {
	t.Helper()
	snaps = map[string]*snapshot.Snapshot{}
	for _, set := range []string{"code_codebase", "spec_diagnoleads_ja"} {
		dir, queries := judged(t, set)
		_, snaps[set] = openSample(t, dir)
		for _, q := range queries {
			wanted := func(h hit) bool {
				return slices.ContainsFunc(q.Relevant, func(x eval.Target) bool { return x.Path == h.Path })
			}
			all = append(all, inquiry{set, set, q.Query, wanted, nil})
		}
	}
	for _, q := range readAsked(t) {
		if snaps[q.Repo] == nil {
			_, snaps[q.Repo] = openSample(t, filepath.Join(samples, q.Repo))
		}
		all = append(all, inquiry{otherWords, q.Repo, q.Question, q.about, q.binds})
	}
	return all, snaps
}

// gather asks every question of its own repository and of the others.
func gather(t *testing.T) (code, specs examples) {
	t.Helper()
	code, specs = examples{}, examples{}
	no := func(hit) bool { return false }
	all, snaps := inquiries(t)
	for name, snap := range snaps {
		l := newLexicon(snap, repo.DefaultGlobs())
		for _, q := range all {
			r := rank(t.Context(), snap, l, q.asked)
			switch {
			case q.repo == name:
				code.add(q.set, q.asked, r.code, q.code)
				if q.spec != nil {
					specs.add(q.set, q.asked, r.specs, q.spec)
				}
			default:
				if len(r.code) > 0 && r.code[0].coverage < unlike {
					code.add(foreign, q.asked, r.code, no)
				}
				if len(r.specs) > 0 && r.specs[0].coverage < unlike {
					specs.add(foreign, q.asked, r.specs, no)
				}
			}
		}
	}
	return code, specs
}

// half is the half of the questions that one is of.
func half(asked string) int {
	h := fnv.New32a()
	h.Write([]byte(asked))
	return int(h.Sum32() & 1)
}

// weighed are examples with their weights, which sum to 1.
type weighed struct {
	examples []example
	weights  []float64
}

// without are the examples of all questions but one half; -1 leaves none out.
func (e examples) without(fold int) (w weighed) {
	var total float64
	for _, name := range slices.Sorted(maps.Keys(e)) {
		weight := worth[name] / math.Sqrt(float64(len(e[name])))
		for _, x := range e[name] {
			if half(x.asked) != fold {
				w.examples, w.weights = append(w.examples, x), append(w.weights, weight)
				total += weight
			}
		}
	}
	for i := range w.weights {
		w.weights[i] /= total
	}
	return w
}

// loss is the mean logarithmic loss of a curve.
func (w weighed) loss(c curve) (sum float64) {
	for i, x := range w.examples {
		p := c.relevance(x.parts)
		if !x.right {
			p = 1 - p
		}
		sum -= w.weights[i] * math.Log(p)
	}
	return sum
}

// fit descends, with momentum, to the least loss where no part speaks against relevance.
func (w weighed) fit() (c curve) {
	const rate, momentum, rounds = .5, .99, 2000
	ahead := c
	for range rounds {
		var slope curve
		for n, x := range w.examples {
			miss := ahead.relevance(x.parts)
			if x.right {
				miss--
			}
			for i, p := range x.parts {
				slope[i] += w.weights[n] * miss * p
			}
		}
		for i, last := range c {
			if c[i] = ahead[i] - rate*slope[i]; i > 0 {
				c[i] = max(0, c[i])
			}
			ahead[i] = c[i] + momentum*(c[i]-last)
		}
	}
	return c
}

// tally counts what has high relevance.
type tally struct {
	high, good   int
	asked, found map[string]bool
}

// count counts the examples of one half of a set, of both for -1.
func (n *tally) count(c curve, set []example, fold int) {
	least := 0.0
	for _, x := range slices.Backward(set) {
		if fold >= 0 && half(x.asked) != fold {
			continue
		}
		least = max(least, c.relevance(x.parts))
		n.asked[x.asked] = true
		if least >= float64(HighRelevance) {
			if n.high++; x.right {
				n.good++
				n.found[x.asked] = true
			}
		}
		if x.first {
			least = 0
		}
	}
}

func newTally() *tally { return &tally{asked: map[string]bool{}, found: map[string]bool{}} }

func (n *tally) String() string {
	return fmt.Sprintf("%d items, %.2f right, %d of %d questions", n.high, float64(n.good)/float64(max(n.high, 1)), len(n.found), len(n.asked))
}

// TestRelevanceIsFitted fits a curve to each half of the questions, prints what it makes
// of the other one, and holds that the curves of the package are about as good as those
// that are fitted to all.
func TestRelevanceIsFitted(t *testing.T) {
	const slack = 1.03
	code, specs := gather(t)
	for _, tt := range []struct {
		name string
		examples
		have curve
	}{{"code", code, codeCurve}, {"specifications", specs, specCurve}} {
		folds := []curve{tt.without(0).fit(), tt.without(1).fit()}
		for name, set := range tt.examples {
			here, apart := newTally(), newTally()
			here.count(tt.have, set, -1)
			for fold, c := range folds {
				apart.count(c, set, fold)
			}
			t.Logf("%s, %s: %v; fitted to the other half %v", tt.name, name, here, apart)
		}
		all := tt.without(-1)
		made := all.fit()
		t.Logf("%s: %.2f loses %.4f, fitted %.2f %.4f", tt.name, tt.have, all.loss(tt.have), made, all.loss(made))
		if all.loss(tt.have) > slack*all.loss(made) {
			t.Errorf("%s: the curve does not fit the ranking", tt.name)
		}
	}
}
