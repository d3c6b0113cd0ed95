package host

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// together are options of a host on actors that share a process.
func together(t *testing.T, names ...string) Options {
	o := options(t, names...)
	for i := range o.Entries {
		o.Entries[i].Shared = true
	}
	return o
}

// say returns the only term of a search.
func say(t *testing.T, h *Host, snap *snapshot.Snapshot, name, query string) string {
	t.Helper()
	res, err := h.Search(t.Context(), name, request(snap, query))
	must(t, err)
	if len(res.Candidates) != 1 || len(res.Candidates[0].Terms) != 1 {
		t.Fatalf("%s said %+v", name, res)
	}
	return res.Candidates[0].Terms[0]
}

// pids returns what serves each of the strategies, and how many processes these are.
func pids(t *testing.T, h *Host, snap *snapshot.Snapshot, names ...string) (all map[string]string, processes int) {
	t.Helper()
	all, seen := map[string]string{}, map[string]bool{}
	for _, name := range names {
		all[name] = say(t, h, snap, name, "pid")
		seen[all[name]] = true
	}
	return all, len(seen)
}

func TestShared(t *testing.T) {
	o := together(t, "one", "two", "alone")
	o.Entries[1].Config = json.RawMessage(`{"a":1}`)
	o.Entries[2].Shared = false
	h, snap := start(t, o)
	of, processes := pids(t, h, snap, "one", "two", "alone")
	if processes != 2 || of["one"] != of["two"] {
		t.Errorf("processes %v", of)
	}
	for name, config := range map[string]string{"one": "", "two": `{"a":1}`} {
		if got := say(t, h, snap, name, "config"); got != config {
			t.Errorf("%s is configured with %q", name, got)
		}
		if got := say(t, h, snap, name, "state"); got != "ok" {
			t.Errorf("%s wrote its state: %s", name, got)
		}
		if _, err := os.Stat(filepath.Join(o.StateDir, name, "kept")); err != nil {
			t.Errorf("what %s keeps is elsewhere: %v", name, err)
		}
	}
	if got := say(t, h, snap, "one", "write "+filepath.Join(o.IndexDir, "x")); Confinement().Mechanism != "" && got != "denied" {
		t.Errorf("a shared process writes to the index: %s", got)
	}
}

func TestSharedWrongConfig(t *testing.T) {
	o := together(t, "one", "two")
	o.Entries[1].Config = json.RawMessage(`"bad"`)
	h, snap := start(t, o)
	before := say(t, h, snap, "one", "pid")
	if _, err := h.Search(t.Context(), "two", request(snap, "find")); err == nil {
		t.Error("a wrong configuration is taken")
	}
	if after := say(t, h, snap, "one", "pid"); after != before {
		t.Error("the shared process was replaced")
	}
}

func TestSharedEnds(t *testing.T) {
	o := together(t, "one", "two", "three")
	o.CallTimeout = 5 * time.Second
	h, snap := start(t, o)
	if of, processes := pids(t, h, snap, "one", "two", "three"); processes != 1 {
		t.Fatalf("processes %v", of)
	}
	cut := make(chan string)
	go func() { cut <- said(h.Search(t.Context(), "two", request(snap, "wait"))) }()
	for h.supervisors[1].inUse() == 0 {
		time.Sleep(time.Millisecond)
	}
	if _, err := h.Search(t.Context(), "one", request(snap, "exit")); err == nil {
		t.Error("a process that ended answered")
	}
	if got := <-cut; got != "cut short" {
		t.Errorf("a search that was under way gave %s", got)
	}
	if of, processes := pids(t, h, snap, "one", "two", "three"); processes != 3 {
		t.Errorf("what ended two shared processes still shares one: %v", of)
	}
}

func TestSharedKilled(t *testing.T) {
	h, snap := start(t, together(t, "one", "two"))
	for _, want := range []int{1, 1, 2} { // before, and after the first and the second end
		of, processes := pids(t, h, snap, "one", "two")
		if processes != want {
			t.Errorf("processes %v, want %d", of, want)
		}
		p := h.supervisors[0].current
		p.runner.kill()
		<-p.runner.done
	}
	if st := h.Status()[1]; st.Failures != 0 {
		t.Errorf("a strategy is blamed for the end of a shared process: %+v", st)
	}
}

// A busy process answers some calls and no ping.
func TestAnswersSayThatASharedProcessLives(t *testing.T) {
	s, now := new(shared), time.Now()
	if s.answeredSince(now) {
		t.Error("it has answered before its first answer")
	}
	s.answer.Store(now.UnixNano())
	if !s.answeredSince(now) || s.answeredSince(now.Add(1)) {
		t.Error("the time of its answer is another")
	}
}

// said returns the only warning of a search, or else its error.
func said(res *sdk.Result, err error) string {
	if err != nil || len(res.Warnings) != 1 {
		return fmt.Sprint(res, err)
	}
	return res.Warnings[0]
}

func (s *supervisor) inUse() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current == nil {
		return 0
	}
	return s.current.users
}

func TestSharedRests(t *testing.T) {
	h, snap := start(t, together(t, "one", "two"))
	say(t, h, snap, "one", "pid")
	between := time.Now()
	say(t, h, snap, "two", "pid")
	for _, s := range h.supervisors {
		s.idle(between)
	}
	if diff := cmp.Diff([]State{StateRunning, StateRunning}, states(h)); diff != "" {
		t.Error(diff)
	}
	for _, s := range h.supervisors {
		s.idle(time.Now().Add(time.Second))
	}
	if diff := cmp.Diff([]State{StateStopped, StateStopped}, states(h)); diff != "" {
		t.Error(diff)
	}
	if of, processes := pids(t, h, snap, "one", "two"); processes != 1 {
		t.Errorf("after a rest, processes %v", of)
	}
}

func states(h *Host) (out []State) {
	for _, st := range h.Status() {
		out = append(out, st.State)
	}
	return out
}

func TestSharedMoves(t *testing.T) {
	h, snap := start(t, together(t, "one", "two"))
	before := say(t, h, snap, "one", "pid")
	must(t, os.RemoveAll(say(t, h, snap, "two", "temp")))
	if of, processes := pids(t, h, snap, "one", "two"); processes != 1 || of["one"] == before {
		t.Errorf("processes %v, before %s", of, before)
	}
}
