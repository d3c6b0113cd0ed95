package search

import (
	"context"
	"slices"
)

// Factors by which a weight is changed to see what a section would need, the least change first.
var (
	raising  = [...]float64{1.25, 1.5, 2, 3, 5}
	lowering = [...]float64{0.8, 0.6, 0.4, 0.2, 0}
)

// needs finds single weights with which a section would be among the hits shown, as far as ctx lasts. Only weights of
// sources that set it apart from the last one shown are tried.
func (q *explainer) needs(ctx context.Context, s *Standing, line int) (out []Need) {
	if q.record == nil {
		b := newFusionRecord(q.run, q.judged)
		q.record, q.fusedOrder = &b, b.fuse()
	}
	section, ok := q.record.find(s.Ref.ManualID, s.Ref.Path, line)
	if !ok {
		return nil
	}
	for _, source := range q.record.sources() {
		i := slices.IndexFunc(s.LastShown.Differences, func(d Difference) bool { return d.Source == source.Source })
		if i < 0 || source.Weight == 0 {
			continue
		}
		factors := raising
		switch d := s.LastShown.Differences[i]; {
		case d.A == d.B:
			continue
		case d.A < d.B:
			factors = lowering
		}
		for _, factor := range factors {
			if ctx.Err() != nil {
				return out
			}
			weight := min(factor*source.Weight, mostWeight)
			ranked, unseen := q.record.weighed(map[string]float64{source.Source: weight}, "").order(q.fusedOrder)
			if rank := rankOf(ranked, section); rank > 0 && rank <= q.shown {
				out = append(out, Need{source.Source, weight, source.Weight, rank, unseen})
				break
			}
		}
	}
	return out
}
