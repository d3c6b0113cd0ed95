package bench

import (
	"math"
	"slices"
	"time"
)

// Times are the durations of one thing, in the order they were taken.
type Times []time.Duration

// Median is the middle of the sorted times, the mean of the two middle ones where
// their number is even; 0 for none.
func (t Times) Median() time.Duration {
	s := slices.Sorted(slices.Values(t))
	n := len(s)
	if n == 0 {
		return 0
	}
	return (s[(n-1)/2] + s[n/2]) / 2
}

// Quantile is the least time that a share q of all do not exceed (nearest rank);
// 0 for none. q is in (0, 1].
func (t Times) Quantile(q float64) time.Duration {
	s := slices.Sorted(slices.Values(t))
	if len(s) == 0 {
		return 0
	}
	return s[max(int(math.Ceil(q*float64(len(s)))), 1)-1]
}

// P95 is what 19 of 20 do not exceed.
func (t Times) P95() time.Duration { return t.Quantile(0.95) }

// Less gives the differences to other times of the same things.
func (t Times) Less(other Times) Times {
	out := make(Times, len(t))
	for i := range t {
		out[i] = t[i] - other[i]
	}
	return out
}

// ratio is a/b, 0 where b is not positive.
func ratio[T ~int64 | ~float64](a, b T) float64 {
	if b <= 0 {
		return 0
	}
	return float64(a) / float64(b)
}
