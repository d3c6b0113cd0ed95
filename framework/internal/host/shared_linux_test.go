package host

import (
	"strconv"
	"syscall"
	"testing"
	"time"
)

func TestSharedStandsStill(t *testing.T) {
	o := together(t, "one", "two")
	o.CallTimeout = 20 * time.Second
	h, snap := start(t, o)
	pid, err := strconv.Atoi(say(t, h, snap, "one", "pid"))
	must(t, err)
	must(t, syscall.Kill(pid, syscall.SIGSTOP))
	if of, processes := pids(t, h, snap, "one", "two"); processes != 1 {
		t.Errorf("processes %v", of)
	}
}
