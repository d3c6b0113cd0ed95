package host

import (
	"time"

	"github.com/sagasu-search/sagasu/sdk"
)

// State is what a strategy's process is doing.
type State string

const (
	StateStopped  State = "stopped"  // not needed so far, or idle for long
	StateStarting State = "starting" // the process has not described itself yet
	StateRunning  State = "running"
	StateFailed   State = "failed"  // the last start or the process failed
	StateRefused  State = "refused" // it is not trusted: nothing starts it
)

// Status is the status of one strategy or converter.
type Status struct {
	Name      string        `json:"name"`
	Version   string        `json:"version"` // "" until it has described itself, like Stage and Weight
	Stage     sdk.Stage     `json:"stage"`   // its stage
	Weight    float64       `json:"weight"`  // its default weight
	Summary   string        `json:"summary"` // its one-line description
	License   string        `json:"license"`
	SDK       string        `json:"sdk"`  // that it was built with
	Path      string        `json:"path"` // of the executable; "" when bundled
	PID       int           `json:"pid"`  // 0 when it does not run
	State     State         `json:"state"`
	Starting  time.Duration `json:"start_ns"`   // duration of the last start, including the first call; 0 before the first
	Restarts  int           `json:"restarts"`   // starts after the first
	Breaker   BreakerState  `json:"breaker"`    // whether it is called
	Failures  int           `json:"failures"`   // in the last minute
	RetryIn   time.Duration `json:"retry_ns"`   // until it may be tried again; 0 for at once
	LastError string        `json:"last_error"` // the last failure, "" for none
	P50       time.Duration `json:"p50_ns"`     // median of its last searches, the border included; 0 before the first
	Calls     int           `json:"calls"`      // searches that it has answered well
	Took      time.Duration `json:"took_ns"`    // total duration of these searches
	Sandbox   string        `json:"sandbox"`    // its sandbox
	SHA256    string        `json:"sha256"`     // what pins the executable; "" when bundled
	Grants                  // whose lists are never nil
}

// StageConvert is the stage of converters in a [Status].
const StageConvert sdk.Stage = "convert"

// Status returns the status of all strategies and then of all converters, each in the order of their entries. It
// starts nothing.
func (h *Host) Status() []Status {
	out := make([]Status, len(h.supervisors))
	for i, s := range h.supervisors {
		out[i] = s.status()
	}
	for i := range h.options.Entries {
		if c := h.converters[h.options.Entries[i].Name]; c != nil {
			out = append(out, c.status())
		}
	}
	return out
}

// describeEntry returns a status with the data of an entry.
func (h *Host) describeEntry(e *Entry) Status {
	st := Status{
		Name: e.Name, Path: e.Path, SHA256: e.SHA256, Sandbox: Sandbox{}.String(),
		Grants: Grants{granted(e.Network), granted(e.Reads), granted(e.Env), e.Admit},
	}
	if e.Attach == nil {
		st.Sandbox = confinement(h.options.policy(e, "", "")).String()
	}
	if e.Refused != nil {
		st.LastError = e.Refused.Error()
	}
	return st
}

func (s *supervisor) status() Status {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	st := s.host.describeEntry(s.entry())
	st.State, st.Starting, st.Restarts = s.state(), s.startTook, max(s.starts-1, 0)
	st.P50, st.Calls, st.Took = s.latency.median(), s.latency.n, s.latency.sum
	st.Breaker, st.Failures, st.RetryIn = s.breaker.state(now), len(s.breaker.since(now)), s.retryIn(now)
	if s.lastErr != nil {
		st.LastError = s.lastErr.Error()
	}
	if d := s.described; d != nil {
		st.Version, st.Stage, st.Weight = d.Version, d.Stage, d.Weight
		st.Summary, st.License, st.SDK = d.Summary, d.License, d.SDK
	}
	if st.State == StateRunning {
		st.PID = s.current.runner.process()
	}
	return st
}

// retryIn returns the time until the strategy may be tried again.
func (s *supervisor) retryIn(now time.Time) time.Duration {
	wait := time.Duration(0)
	if s.breaker.open {
		wait = s.breaker.until.Sub(now)
	}
	if s.current == nil {
		wait = max(wait, s.retry.wait(now))
	}
	return max(wait, 0)
}

func (s *supervisor) state() State {
	switch {
	case s.entry().Refused != nil:
		return StateRefused
	case s.current != nil && !s.current.runner.ended():
		return StateRunning
	case s.starting != nil:
		return StateStarting
	case s.current != nil || s.retry.failures > 0:
		return StateFailed
	default:
		return StateStopped
	}
}

// granted returns a list that is never nil.
func granted(list []string) []string { return append([]string{}, list...) }
