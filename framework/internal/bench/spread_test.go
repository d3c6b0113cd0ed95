package bench

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func times(ms ...int) Times {
	var out Times
	for _, x := range ms {
		out = append(out, time.Duration(x)*time.Millisecond)
	}
	return out
}

func TestSpread(t *testing.T) {
	hundred := Times{}
	for i := 100; i >= 1; i-- {
		hundred = append(hundred, time.Duration(i)*time.Millisecond)
	}
	for _, tc := range []struct {
		name                 string
		times                Times
		median, p95, longest time.Duration
	}{
		{"none", nil, 0, 0, 0},
		{"one", times(7), 7 * time.Millisecond, 7 * time.Millisecond, 7 * time.Millisecond},
		{"an even number, unsorted", times(9, 1, 5, 3), 4 * time.Millisecond, 9 * time.Millisecond, 9 * time.Millisecond},
		{"an odd number", times(9, 1, 5), 5 * time.Millisecond, 9 * time.Millisecond, 9 * time.Millisecond},
		{"one outlier of twenty is beyond p95", append(slices.Repeat(times(2), 19), time.Hour), 2 * time.Millisecond, 2 * time.Millisecond, time.Hour},
		{"hundred", hundred, 50500 * time.Microsecond, 95 * time.Millisecond, 100 * time.Millisecond},
	} {
		before := slices.Clone(tc.times)
		got := []time.Duration{tc.times.Median(), tc.times.P95(), tc.times.Quantile(1)}
		if diff := cmp.Diff([]time.Duration{tc.median, tc.p95, tc.longest}, got); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
		if !slices.Equal(before, tc.times) {
			t.Errorf("%s: the times were put in another order", tc.name)
		}
	}
}

func TestQuantileHoldsItsShare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := Times(rapid.SliceOfN(rapid.Map(rapid.IntRange(0, 50), func(n int) time.Duration { return time.Duration(n) }), 1, 60).Draw(t, "times"))
		q := rapid.Float64Range(0.01, 1).Draw(t, "share")
		limit, within, below := all.Quantile(q), 0, 0
		for _, x := range all {
			if x <= limit {
				within++
			}
			if x < limit {
				below++
			}
		}
		if float64(within) < q*float64(len(all)) || float64(below) >= q*float64(len(all)) {
			t.Fatalf("quantile %v of %v is %v: %d within, %d below", q, all, limit, within, below)
		}
	})
}

func TestLess(t *testing.T) {
	if diff := cmp.Diff(times(2, -1), times(5, 1).Less(times(3, 2))); diff != "" {
		t.Error(diff)
	}
}

func TestRatio(t *testing.T) {
	for _, tc := range []struct{ a, b, want float64 }{{6, 3, 2}, {1, 4, 0.25}, {1, 0, 0}, {0, 5, 0}} {
		if got := ratio(tc.a, tc.b); got != tc.want {
			t.Errorf("ratio(%v, %v) = %v, want %v", tc.a, tc.b, got, tc.want)
		}
	}
}

func TestBars(t *testing.T) {
	r := &Report{}
	p := r.part("speed")
	p.add("fast enough", 12, Times1).atLeast(10)
	p.add("exactly enough", 10, Times1).atLeast(10)
	p.add("too slow", 9, Times1).atLeast(10)
	p.ms("quick", 4*time.Millisecond).atMost(5)
	p.seconds("late", 2*time.Second).atMost(0.4)
	p.add("only told", 99, Megabytes)
	median, p95 := p.spread("all", times(2, 4, 90))
	median.atMost(5)
	p95.atMost(60).note("noisy")
	var missed []string
	for _, l := range r.Missed() {
		missed = append(missed, l.Name)
	}
	if diff := cmp.Diff([]string{"too slow", "late", "all, p95"}, missed); diff != "" {
		t.Error(diff)
	}
	if l := r.Lines[len(r.Lines)-1]; l.Value != 90 || l.Unit != Milliseconds || l.Note != "noisy" || l.Part != "speed" {
		t.Errorf("p95 is %+v", l)
	}
}
