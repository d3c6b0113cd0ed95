package eval

import (
	"context"
	"slices"
)

// Modes of an effect.
const (
	modeOff   = "off"   // all strategies except this one
	modeAlone = "alone" // this strategy only
)

// Effect is the effect of switching off a strategy, or all others.
type Effect struct {
	Strategy  string     `json:"strategy"`
	Mode      string     `json:"mode"`
	NDCG      float64    `json:"ndcg@10"`
	Recall100 float64    `json:"recall@100"`
	Change    Difference `json:"ndcg_change"` // compared with all strategies together
	Recall    Difference `json:"recall_change"`
}

// Ablation configures [Ablate].
type Ablation struct {
	// Strategies are all that take part.
	Strategies []string
	// Alone are those that may be tried on their own. One that then matches nothing at all is left out of the result.
	Alone []string
	// Run measures the given strategies. step names them for progress.
	Run func(ctx context.Context, strategies []string, step string) (*Report, error)
}

// Ablate switches each strategy off in turn, then runs each alone, and compares the results with base, a run of all.
func Ablate(ctx context.Context, base *Report, a Ablation) ([]Effect, error) {
	effects := []Effect{}
	try := func(name, mode string, strategies []string) error {
		r, err := a.Run(ctx, strategies, name+" "+mode)
		if err != nil || mode == modeAlone && r.Matched.PerQuery == 0 {
			return err
		}
		recall := func(o Outcome) float64 { return o.Recall100 }
		effects = append(effects, Effect{
			Strategy: name, Mode: mode, NDCG: r.NDCG, Recall100: r.Recall100,
			Change: Paired(r.NDCGByQuery(), base.NDCGByQuery()), Recall: Paired(r.column(recall), base.column(recall)),
		})
		return nil
	}
	if len(a.Strategies) > 1 {
		for _, name := range a.Strategies {
			rest := slices.DeleteFunc(slices.Clone(a.Strategies), func(s string) bool { return s == name })
			if err := try(name, modeOff, rest); err != nil {
				return nil, err
			}
		}
	}
	for _, name := range a.Alone {
		if err := try(name, modeAlone, []string{name}); err != nil {
			return nil, err
		}
	}
	return effects, nil
}
