package host

import (
	"strconv"
	"testing"
	"time"
)

func TestSharedStandsStill(t *testing.T) {
	o := together(t, "one", "two")
	o.CallTimeout = 8 * time.Second
	h, snap := start(t, o)
	before, _ := pids(t, h, snap, "one", "two") // both have started
	pid, err := strconv.Atoi(before["one"])
	must(t, err)
	freeze(t, pid)
	if of, processes := pids(t, h, snap, "one", "two"); processes != 1 {
		t.Errorf("processes %v", of)
	}
}
