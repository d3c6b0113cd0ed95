package host

import (
	"slices"
	"time"
)

const (
	// breakerWindow is how far back failures count.
	breakerWindow = time.Minute
	// breakerFailures is the number of failures in the window that open the breaker,
	breakerFailures = 5
	// unless more than breakerAnswers calls were answered per failure: of many calls, some are
	// late because the machine is busy or their callers have little time.
	breakerAnswers = 9
	// breakerMaxPause is the maximum pause. Pauses double.
	breakerMaxPause = 5 * time.Minute
)

// BreakerState says whether a strategy is called.
type BreakerState string

const (
	BreakerClosed   BreakerState = "closed"    // it is called
	BreakerOpen     BreakerState = "open"      // it failed too often and is suspended
	BreakerHalfOpen BreakerState = "half-open" // the next call tries whether it works again
)

// breaker is a circuit breaker. It suspends a strategy that fails again and again, even if it
// answers in between, which resets the back-off.
type breaker struct {
	first time.Duration // the first pause

	answers int    // calls answered so far
	recent  []miss // failures in the window, oldest first
	open    bool
	probing bool          // a call is trying whether it works again
	pause   time.Duration // the last pause
	until   time.Time     // when the next call may try
}

// miss is a failure, with the number of calls answered before it.
type miss struct {
	at      time.Time
	answers int
}

// admit returns 0 if a call may go ahead, or how long calls are rejected. The first call after a
// pause is the probe. If its outcome is not reported, the next probe follows after hold.
func (b *breaker) admit(now time.Time, hold time.Duration) (wait time.Duration) {
	if !b.open {
		return 0
	}
	if wait = b.until.Sub(now); wait > 0 {
		return wait
	}
	b.probing, b.until = true, now.Add(hold)
	return 0
}

// failed records a failure. While the breaker is open, only a failure of the probe counts.
func (b *breaker) failed(now time.Time) {
	b.recent = append(b.since(now), miss{now, b.answers})
	answers := b.answers - b.recent[0].answers // since the oldest of them
	switch {
	case b.open && b.probing:
		b.pause = min(2*b.pause, breakerMaxPause)
	case !b.open && len(b.recent) >= breakerFailures && answers <= breakerAnswers*len(b.recent):
		b.pause = b.first
	default:
		return
	}
	b.open, b.probing, b.until = true, false, now.Add(b.pause)
}

// worked records an answered call.
func (b *breaker) worked() {
	b.answers++
	if b.probing {
		*b = breaker{first: b.first}
	}
}

// since drops the failures before the window that ends now and returns the others.
func (b *breaker) since(now time.Time) []miss {
	b.recent = slices.DeleteFunc(b.recent, func(m miss) bool { return now.Sub(m.at) > breakerWindow })
	return b.recent
}

func (b *breaker) state(now time.Time) BreakerState {
	switch {
	case !b.open:
		return BreakerClosed
	case b.probing || !b.until.After(now):
		return BreakerHalfOpen
	default:
		return BreakerOpen
	}
}

// latencyWindow is the number of latest calls for the median.
const latencyWindow = 64

// latency keeps the durations of the last calls.
type latency struct {
	sum  time.Duration // of all calls
	last [latencyWindow]time.Duration
	n    int
}

func (l *latency) add(d time.Duration) {
	l.sum += d
	l.last[l.n%latencyWindow] = d
	l.n++
}

// median returns the median of the latest calls, or 0 before the first.
func (l *latency) median() time.Duration {
	held := slices.Clone(l.last[:min(l.n, latencyWindow)])
	if len(held) == 0 {
		return 0
	}
	slices.Sort(held)
	return held[len(held)/2]
}
