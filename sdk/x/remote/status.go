package remote

import (
	"encoding/json"
	"fmt"
	"io"
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
		return fmt.Sprintf("the service answered %d", e.Status)
	}
	return fmt.Sprintf("the service answered %d (%s)", e.Status, e.Reason)
}

// passing tells whether the same call may succeed later.
func (e *StatusError) passing() bool {
	return e.Status == http.StatusRequestTimeout || e.Status == http.StatusTooManyRequests || e.Status >= 500
}

var reason = regexp.MustCompile(`^[a-z0-9_]{1,60}$`)

func statusError(res *http.Response) *StatusError {
	e := &StatusError{Status: res.StatusCode, after: retryAfter(res.Header.Get("Retry-After"), time.Now())}
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

// retryAfter reads the header of that name (RFC 9110, section 10.2.3): seconds or a date.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(value); err == nil {
		return time.Duration(max(min(seconds, 3600), 0)) * time.Second
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
