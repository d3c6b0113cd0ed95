package remote

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const secret = "sk-not-for-logs"

// serve starts a service with the handler and returns a client of it.
func serve(t *testing.T, h http.HandlerFunc) (*Client, *atomic.Int64) {
	t.Helper()
	calls := new(atomic.Int64)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		calls.Add(1)
		h(w, r)
	}))
	t.Cleanup(s.Close)
	c, err := New(Options{URL: s.URL + "/private?token=hush", Key: secret, Retries: 2, Wait: time.Millisecond, Timeout: time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	return c, calls
}

func TestPost(t *testing.T) {
	var body, key string
	c, calls := serve(t, func(w http.ResponseWriter, r *http.Request) {
		data, _ := io.ReadAll(r.Body)
		body, key = string(data), r.Header.Get("Authorization")
		io.WriteString(w, "[1]")
	})
	got, err := c.Post(t.Context(), map[string]int{"a": 1}, 3)
	if err != nil || string(got) != "[1]" || body != `{"a":1}` || key != "Bearer "+secret || calls.Load() != 1 {
		t.Errorf("%q, %v; %q came with %q in %d calls", got, err, body, key, calls.Load())
	}
	if _, err := c.Post(t.Context(), 1, 2); !errors.Is(err, ErrTooLong) || calls.Load() != 2 {
		t.Errorf("three bytes of two: %v after %d calls", err, calls.Load())
	}
}

func TestNoErrorTellsTheKeyOrTheURL(t *testing.T) {
	for name, h := range map[string]http.HandlerFunc{
		"refused": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, `{"error":{"type":"hush `+secret+`"}}`, 400)
		},
		"cut":   func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
		"moved": func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/hush", http.StatusFound) },
	} {
		c, _ := serve(t, h)
		_, err := c.Post(t.Context(), 1, 9)
		if err == nil || strings.Contains(err.Error(), secret) || strings.Contains(err.Error(), "hush") || strings.Contains(err.Error(), "127.0.0.1:") && strings.Contains(err.Error(), "private") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAWaitThatEndsTooLateIsNotBegun(t *testing.T) {
	c, calls := serve(t, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "3600")
		w.WriteHeader(http.StatusTooManyRequests)
	})
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second) // less than the longest wait
	defer cancel()
	_, err := c.Post(ctx, 1, 9)
	if status, ok := errors.AsType[*StatusError](err); !ok || status.Status != 429 || calls.Load() != 1 || ctx.Err() != nil {
		t.Errorf("%v after %d calls", err, calls.Load())
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	for value, want := range map[string]time.Duration{
		"": 0, "soon": 0, "-5": 0, "7": 7 * time.Second, "99999999": time.Hour,
		"Sat, 21 Nov 2026 12:00:09 GMT": 9 * time.Second, "Sat, 21 Nov 2026 11:00:00 GMT": 0,
	} {
		if got := retryAfter(value, now); got != want {
			t.Errorf("%q: %v, want %v", value, got, want)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for _, o := range []Options{{}, {URL: "host/path"}, {URL: "file:///etc"}, {URL: "http://me:pw@host"}, {URL: "http://host", Retries: -1}} {
		if _, err := New(o); err == nil || strings.Contains(err.Error(), "pw") {
			t.Errorf("%+v: %v", o, err)
		}
	}
}
