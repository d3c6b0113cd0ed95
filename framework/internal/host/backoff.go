package host

import "time"

const (
	backoffBase = 100 * time.Millisecond
	backoffMax  = 30 * time.Second
)

// backoff delays the restarts of a strategy that keeps failing. The first restart is immediate, so
// that one crash costs only one query.
type backoff struct {
	failures int
	until    time.Time
}

// failed records an ended process or a failed start.
func (b *backoff) failed(now time.Time) {
	b.failures++
	b.until = now.Add(b.delay())
}

// worked records an answered call.
func (b *backoff) worked() { *b = backoff{} }

// wait returns how long to wait before the next start, or 0.
func (b *backoff) wait(now time.Time) time.Duration { return max(b.until.Sub(now), 0) }

func (b *backoff) delay() time.Duration {
	if b.failures < 2 {
		return 0
	}
	return min(backoffBase<<min(b.failures-2, 20), backoffMax)
}
