//go:build soak

package evidence

import (
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

// example is the best unit of a file in a ranking, and whether it is about the question.
type example struct {
	asked string
	parts curve
	right bool
}

// Names of the sets that have no folder of their own.
const (
	otherWords = "other words"
	foreign    = "other repositories"
)

// fittedDepth is how many of the best files for a question are examples.
const fittedDepth = 12

// unlike is the coverage from which a repository may well answer another one's question.
const unlike = .6

// examples maps names of sets to their examples.
type examples map[string][]example

func (e examples) add(set, asked string, hits []hit, about func(hit) bool) {
	firsts := files(hits)
	for i, h := range firsts[:min(len(firsts), fittedDepth)] {
		e[set] = append(e[set], example{asked, parts(firsts, i), about(h)})
	}
}

// inquiry is a question of a set with its judgements.
type inquiry struct {
	set, repo, asked string
	code, spec       func(hit) bool // spec is nil if it is not judged
}

// inquiries returns the questions of all sets, and the snapshots of their repositories.
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

// half returns the half, 0 or 1, that a question belongs to.
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

// without returns all examples except those of one half of the questions; -1 leaves none out.
func (e examples) without(fold int) (w weighed) {
	var total float64
	for _, name := range slices.Sorted(maps.Keys(e)) {
		weight := 1 / math.Sqrt(float64(len(e[name])))
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

// loss returns the mean logarithmic loss of a curve.
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

// fit finds the least loss by gradient descent with momentum. No part may count against relevance.
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

// high counts the examples of high relevance, the right ones among them, and the questions.
func (c curve) high(set []example) (items, right, asked int) {
	questions := map[string]bool{}
	for _, x := range set {
		questions[x.asked] = true
		if Score(c.relevance(x.parts)) >= HighRelevance {
			if items++; x.right {
				right++
			}
		}
	}
	return items, right, len(questions)
}

// TestRelevanceIsFitted fits a curve to each half of the questions and prints its loss on the other half, beside the
// curves of the package. Those are higher than the fitted ones, because most examples are of questions about nothing in
// the repository. The test checks that at least half of the questions in other words find what they are about with high
// relevance, and that four in five such files are right.
func TestRelevanceIsFitted(t *testing.T) {
	code, specs := gather(t)
	for _, tt := range []struct {
		name string
		examples
		have curve
	}{{"code", code, codeCurve}, {"specifications", specs, specCurve}} {
		for fold := range 2 {
			made, apart := tt.without(fold).fit(), tt.without(1-fold)
			t.Logf("%s: fitted to a half %.2f, loses %.4f on the other; %.2f loses %.4f", tt.name, made, apart.loss(made), tt.have, apart.loss(tt.have))
		}
		for name, set := range tt.examples {
			items, right, asked := tt.have.high(set)
			t.Logf("%s, %s: %d questions, %d files of high relevance, %d right", tt.name, name, asked, items, right)
			if name == otherWords && (right*5 < items*4 || right*2 < asked) {
				t.Errorf("relevance promises more than it holds, or too little")
			}
		}
	}
}
