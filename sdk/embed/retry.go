package embed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"regexp"
	"strconv"
	"time"
)

// StatusError is an answer other than 200.
type StatusError struct {
	Status int
	// Reason is the service's own code for the error, "" where it gave none that can
	// be shown: messages may repeat a text.
	Reason string

	after time.Duration // what the service asks to wait
}

// Error implements error.
func (e *StatusError) Error() string {
	if e.Reason == "" {
		return fmt.Sprintf("the embedding service answered %d", e.Status)
	}
	return fmt.Sprintf("the embedding service answered %d (%s)", e.Status, e.Reason)
}

// passing tells whether the same call may succeed later.
func (e *StatusError) passing() bool {
	return e.Status == http.StatusRequestTimeout || e.Status == http.StatusTooManyRequests || e.Status >= 500
}

var reason = regexp.MustCompile(`^[a-z0-9_]{1,60}$`)

func statusError(res *http.Response) *StatusError {
	e := &StatusError{Status: res.StatusCode}
	if seconds, err := strconv.Atoi(res.Header.Get("Retry-After")); err == nil && seconds > 0 {
		e.after = time.Duration(min(seconds, 3600)) * time.Second
	}
	var body struct {
		Error struct {
			Code any    `json:"code"`
			Type string `json:"type"`
		} `json:"error"`
	}
	data, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10)) // a cut message still has its status
	if json.Unmarshal(data, &body) != nil {
		return e
	}
	for _, s := range []string{body.Error.Type, fmt.Sprint(body.Error.Code)} {
		if reason.MatchString(s) {
			e.Reason = s
		}
	}
	return e
}

// mostWait bounds the wait before a retry.
const mostWait = time.Minute

// retry makes a call again as long as it fails for a passing reason. The waits double
// and are drawn at random below their bound, so that several clients do not come
// back together; the service may ask for longer ones.
func (c *Client) retry(ctx context.Context, call func() ([][]float32, error)) ([][]float32, error) {
	for attempt := 0; ; attempt++ {
		vectors, err := call()
		if err == nil || attempt == c.options.Retries || !passing(err) {
			return vectors, hidden(err)
		}
		wait := rand.N(min(c.options.Wait<<min(attempt, 16), mostWait)) + 1
		if status, ok := errors.AsType[*StatusError](err); ok {
			wait = min(max(wait, status.after), mostWait)
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
	return !errors.Is(err, ErrAnswer)
}
