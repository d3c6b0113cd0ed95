package eval

import (
	"math/rand/v2"
	"slices"
)

// resamples is how often the bootstrap draws.
const resamples = 10_000

// Difference compares a figure of the same queries in two runs.
type Difference struct {
	Mean float64 `json:"mean"` // now less before
	// Low and High bound the 95 % interval of the paired percentile bootstrap
	// (Efron 1979; Sakai, SIGIR 2006): 10,000 resamples of the queries, with a
	// fixed seed.
	Low    float64 `json:"low"`
	High   float64 `json:"high"`
	Better int     `json:"better"` // queries whose figure is higher now
	Worse  int     `json:"worse"`
}

// Paired compares now with before, which belong to the same queries in the same
// order; both hold at least one.
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

// Rises reports whether the interval lies above zero.
func (d Difference) Rises() bool { return d.Low > 0 }

// Falls reports whether the interval lies below zero.
func (d Difference) Falls() bool { return d.High < 0 }
