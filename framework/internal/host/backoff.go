package host

import "time"

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

// wait is how long to wait before the next start; 0 for not at all.
func (b *backoff) wait(now time.Time) time.Duration { return max(b.until.Sub(now), 0) }

func (b *backoff) delay() time.Duration {
	if b.failures < 2 {
		return 0
	}
	return min(backoffBase<<min(b.failures-2, 20), backoffMax)
}
