package tension

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/judge/cases"
)

// Measure tallies what Find returns for cases, by [cases.Case.Groups].
func Measure(ctx context.Context, all []cases.Case) (map[string]*Tally, error) {
	out := make(map[string]*Tally)
	for i := range all {
		found, err := Find(ctx, all[i].Query, all[i].Evidences)
		if err != nil {
			return nil, err
		}
		add(out, &all[i], found)
	}
	return out, nil
}

// add counts what was found of a case in each of its groups.
func add(tallies map[string]*Tally, c *cases.Case, found []Tension) {
	for _, key := range c.Groups() {
		if tallies[key] == nil {
			tallies[key] = &Tally{}
		}
		tallies[key].add(c, found)
	}
}

// clean reports a case that tempts to find something and has nothing.
func clean(c *cases.Case) bool { return strings.HasPrefix(c.Kind, "clean/") }

// Tally counts what was shown of cases.
type Tally struct {
	Cases       int `json:"cases"` // with a contradiction
	First       int `json:"first"` // of them, with a true pair first
	Three       int `json:"three"` // with a true pair among those shown
	Clean       int `json:"clean"` // cases of kind clean/…
	Shown       int `json:"shown"` // tensions shown in those
	cases.Tally     // of conflicts asserted
}

func (t *Tally) add(c *cases.Case, found []Tension) {
	right, hit := 0, false
	for i, x := range found {
		is := slices.Contains(c.Conflicts, [2]int{x.A.Evidence, x.B.Evidence})
		t.First += count(is && i == 0)
		hit = hit || is
		right += count(is && x.Conflict)
		t.Wrong += count(!is && x.Conflict)
	}
	t.Right, t.Missed = t.Right+right, t.Missed+len(c.Conflicts)-right
	t.Cases += count(len(c.Conflicts) > 0)
	t.Three += count(hit)
	t.Clean += count(clean(c))
	t.Shown += count(clean(c)) * len(found)
}

func count(b bool) int { return int(flag(b)) }

// Figures are the shares of a tally, null where there is nothing to share.
type Figures struct {
	Cases      int      `json:"cases"`
	First      *float64 `json:"first"`
	Three      *float64 `json:"three"`
	ShownClean *float64 `json:"shown_clean"` // tensions a clean case
}

// Figures gives the shares.
func (t *Tally) Figures() Figures {
	return Figures{t.Cases, share(t.First, t.Cases), share(t.Three, t.Cases), share(t.Shown, t.Clean)}
}

func share(n, of int) *float64 {
	if of == 0 {
		return nil
	}
	return new(float64(n) / float64(of))
}

func descending(a, b float64) int { return cmp.Compare(b, a) }

// What the thresholds are chosen for, on cases whose domain was not fitted.
const (
	mostShown = 0.78 // tensions a clean case
	leastSure = 0.87 // precision of conflicts
)

// thresholds chooses Shown and Asserted.
func (w *Weights) thresholds(held []heldOut) {
	type claim struct {
		probability float64
		right       bool
	}
	var claims []claim
	var tempted []float64
	n := 0
	for _, h := range held {
		if h.wide {
			continue
		}
		n += count(clean(h.of))
		for _, m := range h.ranked[:min(len(h.ranked), MostTensions)] {
			if clean(h.of) {
				tempted = append(tempted, m.probability)
			}
			if h.g.pairs[m.best].nameable() {
				claims = append(claims, claim{m.probability, slices.Contains(h.of.Conflicts, [2]int{m.a, m.b})})
			}
		}
	}
	slices.SortFunc(tempted, descending)
	if k := int(mostShown * float64(n)); k < len(tempted) {
		w.Shown = tempted[k]
	}
	slices.SortStableFunc(claims, func(a, b claim) int { return descending(a.probability, b.probability) })
	w.Asserted = 1
	right := 0
	for i, c := range claims {
		if !c.right {
			continue
		}
		if right++; float64(right) >= leastSure*float64(i+1) {
			w.Asserted = c.probability
		}
	}
}
