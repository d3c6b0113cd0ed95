package host

import (
	"slices"
	"time"
)

const (
	backoffBase = 100 * time.Millisecond
	backoffMax  = 30 * time.Second
)

// backoff spaces the restarts of a strategy that keeps failing. The first
// restart is immediate: one crash must cost one query only.
type backoff struct {
	failures int
	until    time.Time
}

// failed notes an ended process or a failed start.
func (b *backoff) failed(now time.Time) {
	b.failures++
	b.until = now.Add(b.delay())
}

// worked notes an answered call.
func (b *backoff) worked() { *b = backoff{} }

// wait returns how long to wait before the next start; 0 for not at all.
func (b *backoff) wait(now time.Time) time.Duration { return max(b.until.Sub(now), 0) }

func (b *backoff) delay() time.Duration {
	if b.failures < 2 {
		return 0
	}
	return min(backoffBase<<min(b.failures-2, 20), backoffMax)
}

const (
	// breakerWindow is how far back failures count.
	breakerWindow = time.Minute
	// breakerFailures in the window open the breaker,
	breakerFailures = 5
	// unless more than breakerAnswers calls were answered for each of them: of many calls some are
	// late where the machine is busy or their callers have little time.
	breakerAnswers = 9
	// breakerMaxPause bounds the pauses, which double.
	breakerMaxPause = 5 * time.Minute
)

// BreakerState reports whether a strategy is called at all.
type BreakerState string

const (
	BreakerClosed   BreakerState = "closed"    // it is called
	BreakerOpen     BreakerState = "open"      // it failed too often and is left out for a while
	BreakerHalfOpen BreakerState = "half-open" // the next call tries whether it works again
)

// breaker leaves a strategy out that fails again and again, whatever it answers
// in between: back-off forgives everything at the first answer.
type breaker struct {
	first time.Duration // the first pause

	answers int    // calls answered so far
	recent  []miss // failures in the window, oldest first
	open    bool
	probing bool          // a call is trying whether it works again
	pause   time.Duration // the last pause
	until   time.Time     // when the next call may try
}

// miss is a failure and how many calls had been answered before it.
type miss struct {
	at      time.Time
	answers int
}

// admit lets a call through, or returns how long none will be. The call that it
// lets through when a pause is over is the probe; if nothing is heard of it, the
// next one follows after hold.
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

// failed notes a failure. Once open, only that of the probe counts.
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

// worked notes an answered call.
func (b *breaker) worked() {
	b.answers++
	if b.probing {
		*b = breaker{first: b.first}
	}
}

// since forgets the failures before the window that ends now and returns the others.
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

// latencyWindow is the number of calls that a median looks back on.
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

// median of the last calls; 0 before the first.
func (l *latency) median() time.Duration {
	held := slices.Clone(l.last[:min(l.n, latencyWindow)])
	if len(held) == 0 {
		return 0
	}
	slices.Sort(held)
	return held[len(held)/2]
}
