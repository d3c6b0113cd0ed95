//go:build wild

package answer

import (
	"math"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/wild"
)

// judged is an answer that a reader has judged.
type judged struct {
	from  string
	parts [4]float64 // features of the answer
	right bool
}

// The confidence is fitted to the verdicts of a half (testdata/wild). Each repository is also judged with weights that
// were fitted to the others.
//
//	go test -tags wild -run TestConfidenceIsFitted -v ./framework/internal/logic/answer \
//	  -args -clones DIR -half building
func TestConfidenceIsFitted(t *testing.T) {
	var all []judged
	inUse := func(j judged) float64 {
		return chance([4]float64{rightBase, rightNamed, rightLead, rightAgrees}, j)
	}
	wild.Each(t, func(from wild.Repository) {
		r := openWild(t, from)
		for _, q := range from.Questions {
			found, err := r.searcher.Find(t.Context(), q["question"], wildEvidence)
			if err != nil {
				t.Fatal(err)
			}
			files, _, err := fresh(t.Context(), r.asker.Files, wordingOf(q["question"]), found.Evidence)
			if err != nil {
				t.Fatal(err)
			}
			k := newRanking(t.Context(), q["question"], files)
			w := k.worth(k.claims())
			parts := [4]float64{1, w.named, w.lead, float64(count(w.agrees))}
			all = append(all, judged{from.Name, parts, q["verdict"] == "right"})
		}
	})
	without := map[string][4]float64{}
	for _, j := range all {
		if _, known := without[j.from]; !known {
			without[j.from] = fitted(all, j.from)
		}
	}
	t.Logf("weights of all: %.2f", fitted(all, ""))
	bins(t, "in use", all, inUse)
	bins(t, "each repository by the others", all, func(j judged) float64 { return chance(without[j.from], j) })
}

// chance returns the probability of an answer under some weights.
func chance(weights [4]float64, j judged) float64 {
	z := 0.0
	for i, p := range j.parts {
		z += weights[i] * p
	}
	return 1 / (1 + math.Exp(-z))
}

// fitted returns the weights of a logistic regression on all answers except those of one repository. It uses gradient
// descent and slightly pulls all weights but the first to zero.
func fitted(all []judged, but string) (weights [4]float64) {
	const steps, rate, pull = 20000, .01, .25
	for range steps {
		var slope [4]float64
		for _, j := range all {
			for i, p := range j.parts {
				if j.from != but {
					slope[i] += (chance(weights, j) - float64(count(j.right))) * p
				}
			}
		}
		for i := range weights {
			if i > 0 {
				slope[i] += pull * weights[i]
			}
			weights[i] -= rate * slope[i]
		}
	}
	return weights
}

func bins(t *testing.T, what string, all []judged, p func(judged) float64) {
	for _, b := range [][2]float64{{0, .5}, {.5, .7}, {.7, .8}, {.8, 1}} {
		n, right := 0, 0
		for _, j := range all {
			if sure := p(j); sure > b[0] && sure <= b[1] {
				n, right = n+1, right+count(j.right)
			}
		}
		t.Logf("%s, from %.1f to %.1f: %d, right %d", what, b[0], b[1], n, right)
	}
}
