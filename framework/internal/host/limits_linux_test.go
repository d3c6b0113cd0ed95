package host

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"strconv"
	"syscall"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

func TestHangsInOpen(t *testing.T) {
	o := options(t, "open-hanger", "steady")
	o.CallTimeout = time.Second
	h, snap := start(t, o)
	h.Start(t.Context())
	if _, err := h.Search(t.Context(), "open-hanger", request(snap, "find")); !errors.Is(err, wire.ErrOpening) {
		t.Errorf("it gave %v", err)
	}
	steadily(t, h, snap)
}

// The test ends only when [start]'s cleanup has closed the host and found nothing left.
func TestHangsInClose(t *testing.T) {
	h, snap := start(t, options(t, "close-hanger"))
	steady, err := h.Search(t.Context(), "close-hanger", request(snap, "pid"))
	must(t, err)
	pid, err := strconv.Atoi(steady.Candidates[0].Terms[0])
	must(t, err)
	must(t, h.Close())
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Errorf("it outlives its host: %v", err)
	}
}

func TestMemoryAndThreads(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector reserves more than any limit")
	}
	needLandlock(t)
	o := options(t, "actor", "steady")
	o.MemoryLimit, o.Suspension, o.CallTimeout = MinMemoryLimit, 1, 20*time.Second
	o.limits = limits{Files: 64, FileSize: 1 << 20, Threads: 20}
	h, snap := start(t, o)
	if got := ask(t, h, snap, "attack reserve 400000000"); got == "ok" {
		t.Error("it took more memory than its limit")
	}
	steadily(t, h, snap)
	if os.Getuid() == 0 {
		t.Log("root is not bound by a limit of threads")
		return
	}
	if _, err := h.Search(t.Context(), "actor", request(snap, "attack threads")); !errors.Is(err, wire.ErrGone) {
		t.Errorf("5000 threads gave %v", err)
	}
	steadily(t, h, snap)
}

// TestOutliving ends a process that has left its group, as an unconfined one could.
func TestOutliving(t *testing.T) {
	cmd := exec.Command("sleep", "60") // in the group of this process, not in its own
	must(t, cmd.Start())
	killTree(cmd)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case <-ended:
	case <-ctx.Done():
		t.Error("it lives on")
		_ = cmd.Process.Kill()
		<-ended
	}
}

func TestAConverterWithoutMemoryIsNoCrash(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector reserves more than any limit")
	}
	h := converting(t, func(o *Options) { o.MemoryLimit = MinMemoryLimit })
	_, err := convert(t, h, "eat")
	f, _ := errors.AsType[Failure](err)
	if got := f.Brief(); got != "it used more than 256 MB of memory" || !f.Blames() {
		t.Errorf("%s: %v", got, err)
	}
}
