package host

import (
	"slices"
	"time"
)

// latencyWindow is the number of calls that a median looks back on.
const latencyWindow = 64

// latency keeps the durations of the last calls.
type latency struct {
	last [latencyWindow]time.Duration
	n    int
}

func (l *latency) add(d time.Duration) {
	l.last[l.n%latencyWindow] = d
	l.n++
}

// median of the last calls; 0 before the first.
func (l *latency) median() time.Duration {
	held := slices.Clone(l.last[:min(l.n, latencyWindow)])
	if len(held) == 0 {
		return 0
	}
	slices.Sort(held)
	return held[len(held)/2]
}
