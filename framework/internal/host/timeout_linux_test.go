package host

import (
	"context"
	"errors"
	"strconv"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestStoppedProcessAndShortCalls has callers whose own time is shorter than a
// call may take, so that none of them sees the hang.
func TestStoppedProcessAndShortCalls(t *testing.T) {
	o := options(t, "actor")
	o.CallTimeout = 2 * time.Second
	h, snap := start(t, o)
	settle(t, h)
	before := ask(t, h, snap, "pid")
	pid, err := strconv.Atoi(before)
	must(t, err)
	freeze(t, pid)
	short := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
		defer cancel()
		_, err := h.Search(ctx, "actor", request(snap, "pid"))
		return err
	}
	if err := short(); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a stopped process gave %v", err)
	}
	for running(pid) { // the test's own time limit ends it
		time.Sleep(10 * time.Millisecond)
	}
	settle(t, h)
	if after := ask(t, h, snap, "pid"); after == before {
		t.Error("the stopped process was kept")
	}
}

func TestDoubtLeavesTimeToAnswer(t *testing.T) {
	for full, want := range map[time.Duration]time.Duration{20 * time.Millisecond: 20 * time.Millisecond, 100 * time.Millisecond: minCallTimeout, time.Second: time.Second / reducedShare} {
		s := &supervisor{host: &Host{options: Options{CallTimeout: full}}, unresponsive: true}
		if got := s.callTimeout(); got != want {
			t.Errorf("of %v a strategy in doubt gets %v, want %v", full, got, want)
		}
	}
}

func TestHangShortensTheNextCalls(t *testing.T) {
	o := options(t, "actor")
	o.CallTimeout = time.Second
	h, snap := start(t, o)
	settle(t, h)
	s := h.supervisors[0]
	if _, err := h.Search(t.Context(), "actor", request(snap, "sleep")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a hang gave %v", err)
	}
	s.latency = latency{} // a busy machine's calls may have taken long
	if got := s.callTimeout(); got != time.Second/reducedShare {
		t.Errorf("after a hang a call may take %v", got)
	}
	s.latency.add(200 * time.Millisecond)
	if got := s.callTimeout(); got != reducedMedians*200*time.Millisecond {
		t.Errorf("a strategy that usually takes 200 ms gets %v", got)
	}
	s.latency.add(900 * time.Millisecond)
	if got := s.callTimeout(); got != time.Second {
		t.Errorf("a strategy that usually takes 900 ms gets %v", got)
	}
	settle(t, h)
	ask(t, h, snap, "pid")
	s.latency = latency{}
	if got := s.callTimeout(); got != time.Second {
		t.Errorf("after an answer a call may take %v", got)
	}
}

// TestDeadlinePassed has a strategy that lives but lets deadlines pass.
func TestDeadlinePassed(t *testing.T) {
	o := options(t, "actor")
	o.CallTimeout = time.Minute
	h, snap := start(t, o)
	settle(t, h)
	p := h.supervisors[0].current
	h.supervisors[0].abandoned(context.Canceled, p, time.Hour)
	h.supervisors[0].abandoned(context.DeadlineExceeded, p, time.Millisecond)
	if st := h.Status()[0]; st.Failures != 0 {
		t.Errorf("callers in a hurry count: %+v", st)
	}
	h.supervisors[0].abandoned(context.DeadlineExceeded, p, time.Minute/reducedShare)
	ask(t, h, snap, "pid")
	if st := h.Status()[0]; st.Failures != 1 || st.Restarts != 0 {
		t.Errorf("status %+v", st)
	}
}

// One strategy that is late says nothing of the process that it shares; a stopped process is replaced.
func TestSharedLate(t *testing.T) {
	o := together(t, "one", "two")
	o.CallTimeout = 2 * time.Second
	h, snap := start(t, o)
	before, _ := pids(t, h, snap, "one", "two")
	if _, err := h.Search(t.Context(), "one", request(snap, "sleep")); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a late call gave %v", err)
	}
	if after, _ := pids(t, h, snap, "one", "two"); !cmp.Equal(before, after) {
		t.Errorf("processes %v, before %v", after, before)
	}
	if st := h.Status()[0]; st.Failures != 1 || st.Restarts != 0 {
		t.Errorf("status %+v", st)
	}
	pid, err := strconv.Atoi(before["one"])
	must(t, err)
	freeze(t, pid)
	_, err = h.Search(t.Context(), "two", request(snap, "pid"))
	must(t, err)
	if after, processes := pids(t, h, snap, "one", "two"); processes != 1 || after["one"] == before["one"] {
		t.Errorf("after a stop, processes %v", after)
	}
}
