package remote

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/url"
	"strings"
	"time"
)

// mostWait bounds the wait before a retry.
const mostWait = time.Minute

// retry makes a call again as long as it fails for a passing reason and ctx leaves time
// for the wait. The waits double and are drawn at random below their bound, so that several
// clients do not come back together; the service may ask for longer ones.
func (c *Client) retry(ctx context.Context, call func() ([]byte, error)) ([]byte, error) {
	for attempt := 0; ; attempt++ {
		answer, err := call()
		if err == nil || attempt == c.options.Retries || !passing(err) {
			return answer, hidden(err)
		}
		wait := rand.N(min(c.options.Wait<<min(attempt, 16), mostWait)) + 1
		if status, ok := errors.AsType[*StatusError](err); ok {
			wait = min(max(wait, status.after), mostWait)
		}
		if end, limited := ctx.Deadline(); limited && time.Until(end) < wait {
			return nil, hidden(err)
		}
		timer := time.NewTimer(wait)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return nil, errors.Join(ctx.Err(), hidden(err))
		}
	}
}

// passing tells whether a failed call may succeed later: one that was not answered,
// or answered with a passing status. A wrong answer is not asked for again.
func passing(err error) bool {
	if status, ok := errors.AsType[*StatusError](err); ok {
		return status.passing()
	}
	return !errors.Is(err, ErrTooLong)
}

// hidden takes the URL, which may hold what nobody should read, out of a message.
func hidden(err error) error {
	if u, ok := errors.AsType[*url.Error](err); ok {
		return fmt.Errorf("%s: %w", strings.ToLower(u.Op), u.Err)
	}
	return err
}
