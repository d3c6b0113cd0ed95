package tension

import (
	"context"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/framework/internal/judge/cases"
)

// Measure tallies what Find returns for cases, by [cases.Case.Groups].
func Measure(ctx context.Context, all []cases.Case) (map[string]*Tally, error) {
	out := make(map[string]*Tally)
	for i := range all {
		answers, err := answersIn(ctx, &all[i])
		if err != nil {
			return nil, err
		}
		found, err := Find(ctx, all[i].Query, all[i].Evidences, answers)
		if err != nil {
			return nil, err
		}
		add(out, &all[i], found)
	}
	return out, nil
}

// answersIn returns how likely each unit of a case is the answer.
func answersIn(ctx context.Context, c *cases.Case) ([][]float64, error) {
	in := answer.Input{Query: c.Query, Evidences: c.Evidences}
	in.WithoutIndex()
	judged, err := answer.Judge(ctx, &in)
	if err != nil {
		return nil, err
	}
	return judged.Units, nil
}

// add counts the findings for a case in each of its groups.
func add(tallies map[string]*Tally, c *cases.Case, found []Tension) {
	for _, key := range c.Groups() {
		if tallies[key] == nil {
			tallies[key] = &Tally{}
		}
		tallies[key].add(c, found)
	}
}

// clean reports whether a case looks like a contradiction but has none.
func clean(c *cases.Case) bool { return strings.HasPrefix(c.Kind, "clean/") }

// Tally counts results over cases.
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

// Figures are the rates of a tally, null if the denominator is 0.
type Figures struct {
	Cases      int      `json:"cases"`
	First      *float64 `json:"first"`
	Three      *float64 `json:"three"`
	ShownClean *float64 `json:"shown_clean"` // tensions per clean case
}

// Figures returns the rates.
func (t *Tally) Figures() Figures {
	return Figures{t.Cases, share(t.First, t.Cases), share(t.Three, t.Cases), share(t.Shown, t.Clean)}
}

func share(n, of int) *float64 {
	if of == 0 {
		return nil
	}
	return new(float64(n) / float64(of))
}
