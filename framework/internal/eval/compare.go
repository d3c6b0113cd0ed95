package eval

import (
	"cmp"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
)

// listed is the maximum number of losses and of gains that a comparison lists.
const listed = 10

// Comparison compares a run with an earlier one, query by query.
type Comparison struct {
	Baseline string   `json:"baseline,omitempty"` // source of the earlier run
	Figures  []Figure `json:"figures"`
	Losses   []Change `json:"losses"` // the largest, worst first
	Gains    []Change `json:"gains"`  // the largest, best first
}

// Figure is one measure of both runs.
type Figure struct {
	Name   string     `json:"name"`
	Before float64    `json:"before"`
	Now    float64    `json:"now"`
	Change Difference `json:"change"`
}

// Change is one query in both runs.
type Change struct {
	ID         string  `json:"id"`
	Query      string  `json:"query"`
	Before     float64 `json:"before"` // nDCG
	Now        float64 `json:"now"`
	RankBefore int     `json:"rank_before"` // of the first relevant section, 0 if there is none
	RankNow    int     `json:"rank_now"`
}

// Compare compares now with before. It fails if they are not runs of the same judged queries with the same cut-off.
func Compare(now, before *Report) (*Comparison, error) {
	old, err := align(now, before)
	if err != nil {
		return nil, err
	}
	c := &Comparison{}
	add := func(name string, figure func(Outcome) float64) {
		x, y := now.column(figure), old.column(figure)
		c.Figures = append(c.Figures, Figure{name, average(y), average(x), Paired(x, y)})
	}
	add(fmt.Sprintf("nDCG@%d", now.K), func(o Outcome) float64 { return o.NDCG })
	add(fmt.Sprintf("MRR@%d", now.K), func(o Outcome) float64 { return o.MRR })
	add("recall@100", func(o Outcome) float64 { return o.Recall100 })
	c.Losses, c.Gains = extremes(now, old)
	return c, nil
}

// align returns before's outcomes in the order of now's.
func align(now, before *Report) (*Report, error) {
	if before.K != now.K {
		return nil, fmt.Errorf("it was cut at %d, this run is at %d", before.K, now.K)
	}
	at := make(map[string]Outcome, len(before.PerQuery))
	for _, o := range before.PerQuery {
		at[o.ID] = o
	}
	out := &Report{K: now.K}
	for _, o := range now.PerQuery {
		old, ok := at[o.ID]
		switch {
		case !ok:
			return nil, fmt.Errorf("it has %d queries, this run %d: query %q is not among them", len(before.PerQuery),
				len(now.PerQuery), o.ID)
		case old.Query != o.Query:
			return nil, fmt.Errorf("query %q asks for %q there and %q here", o.ID, old.Query, o.Query)
		case !slices.Equal(old.Expected, o.Expected):
			return nil, fmt.Errorf("query %q is judged differently there", o.ID)
		}
		delete(at, o.ID)
		out.PerQuery = append(out.PerQuery, old)
	}
	if len(at) > 0 {
		first := slices.Min(slices.Collect(maps.Keys(at)))
		return nil, fmt.Errorf("it has %d queries, this run %d: query %q is missing here", len(before.PerQuery),
			len(now.PerQuery), first)
	}
	return out, nil
}

// extremes returns the queries with the largest losses and gains; old is aligned with now.
func extremes(now, old *Report) (losses, gains []Change) {
	losses, gains = []Change{}, []Change{}
	for i, o := range now.PerQuery {
		was := old.PerQuery[i]
		c := Change{o.ID, o.Query, was.NDCG, o.NDCG, was.Rank, o.Rank}
		switch {
		case c.Now < c.Before:
			losses = append(losses, c)
		case c.Now > c.Before:
			gains = append(gains, c)
		}
	}
	delta := func(c Change) float64 { return c.Now - c.Before }
	slices.SortStableFunc(losses, func(a, b Change) int { return cmp.Compare(delta(a), delta(b)) })
	slices.SortStableFunc(gains, func(a, b Change) int { return cmp.Compare(delta(b), delta(a)) })
	return losses[:min(listed, len(losses))], gains[:min(listed, len(gains))]
}

const resamples = 10_000

// Difference compares a figure of the same queries in two runs.
type Difference struct {
	Mean float64 `json:"mean"` // now minus before
	// Low and High bound the 95 % interval of the paired percentile bootstrap
	// (Efron 1979; Sakai, SIGIR 2006): 10,000 resamples of the queries, with a
	// fixed seed.
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Better int     `json:"better"` // queries whose figure is higher now
	Worse  int     `json:"worse"`
}

// Paired compares now with before, the figures of the same queries in the same order. There must be at least one.
func Paired(now, before []float64) Difference {
	var d Difference
	deltas := make([]float64, len(now))
	for i := range now {
		deltas[i] = now[i] - before[i]
		switch {
		case deltas[i] > 0:
			d.Better++
		case deltas[i] < 0:
			d.Worse++
		}
	}
	d.Mean = average(deltas)
	if d.Better+d.Worse > 0 {
		d.Low, d.High = interval(deltas)
	}
	return d
}

// interval returns the 95 % interval of the mean.
func interval(deltas []float64) (low, high float64) {
	random := rand.New(rand.NewPCG(1, 2))
	means := make([]float64, resamples)
	for i := range means {
		var sum float64
		for range deltas {
			sum += deltas[random.IntN(len(deltas))]
		}
		means[i] = sum / float64(len(deltas))
	}
	slices.Sort(means)
	const tail = resamples / 40
	return means[tail-1], means[resamples-tail]
}

// Rises reports whether the interval is above zero.
func (d Difference) Rises() bool { return d.Low > 0 }

// Falls reports whether the interval is below zero.
func (d Difference) Falls() bool { return d.High < 0 }
