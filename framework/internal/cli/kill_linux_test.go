package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/search"
)

// children returns the processes below pid, by what they were started for.
func children(t testing.TB, pid int) map[string]int {
	t.Helper()
	out := map[string]int{}
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range stats {
		stat, err := os.ReadFile(path)
		if err != nil {
			continue // ended meanwhile
		}
		rest := string(stat[strings.LastIndexByte(string(stat), ')')+2:])
		if parent := strings.Fields(rest)[1]; parent != strconv.Itoa(pid) {
			continue
		}
		child, _ := strconv.Atoi(filepath.Base(filepath.Dir(path)))
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", child))
		arguments := strings.Split(strings.TrimRight(string(line), "\x00"), "\x00")
		out[arguments[len(arguments)-1]] = child
	}
	return out
}

// stop stops a process, and waits until all its threads stand: on a busy machine some run on for a while.
func stop(t testing.TB, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	runs := func(task string) bool { state := taskState(task); return state != 'T' && state != 0 }
	for {
		tasks, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*", pid))
		if err != nil || len(tasks) == 0 {
			t.Fatalf("process %d has no threads: %v", pid, err)
		}
		if !slices.ContainsFunc(tasks, runs) {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

// apart kills the process that the bundled strategies share, twice, and returns that of loose, which then has its own.
func apart(t *testing.T, c *client) (loose int) {
	t.Helper()
	warm(c)
	for range 2 {
		for _, pid := range children(t, c.cmd.Process.Pid) {
			syscall.Kill(pid, syscall.SIGKILL)
		}
		warm(c)
	}
	if loose = children(t, c.cmd.Process.Pid)["loose"]; loose == 0 {
		t.Fatalf("no process serves loose: %v", children(t, c.cmd.Process.Pid))
	}
	return loose
}

func TestWhatHangsInTheSharedProcessCostsNoAnswer(t *testing.T) {
	c := connect(t, environment(t), "--workspace", sample(t), "--strategy-time-ms", "8000")
	warm(c)
	started := children(t, c.cmd.Process.Pid)
	if len(started) != 1 {
		t.Fatalf("the strategies do not share a process: %v", started)
	}
	for _, pid := range started {
		stop(t, pid)
	}
	answer := must[search.Answer](c, "manual_find", map[string]any{"query": "RAIDの構築", "use_cache": false})
	if answer.Summary.Candidates == 0 || len(answer.Warnings) > 0 {
		t.Errorf("%d candidates, warnings %q", answer.Summary.Candidates, answer.Warnings)
	}
}

func TestKilledStrategyIsNamedAndComesBack(t *testing.T) {
	c := connect(t, environment(t), "--workspace", sample(t))
	loose := apart(t, c)
	var answer search.Answer
	// On a busy machine the kill may come before the search; then it is tried again.
	for tries := 0; tries < 10 && len(answer.Warnings) == 0; tries++ {
		warm(c)
		loose = children(t, c.cmd.Process.Pid)["loose"]
		// Stopped first, so that the search waits for it when it dies.
		stop(t, loose)
		pid := loose
		time.AfterFunc(time.Second, func() { syscall.Kill(pid, syscall.SIGKILL) })
		answer = must[search.Answer](c, "manual_find", map[string]any{"query": "RAIDの構築", "use_cache": false})
	}
	if answer.Summary.Candidates == 0 || len(answer.Warnings) != 1 || !strings.Contains(answer.Warnings[0], "loose") {
		t.Errorf("%d candidates, warnings %q", answer.Summary.Candidates, answer.Warnings)
	}
	answer = must[search.Answer](c, "manual_find", map[string]any{"query": "RAIDの交換"})
	for len(answer.Warnings) > 0 { // until its back-off is over; the test's own time limit ends it
		time.Sleep(50 * time.Millisecond)
		answer = must[search.Answer](c, "manual_find", map[string]any{"query": "RAIDの交換"})
	}
	if back := children(t, c.cmd.Process.Pid)["loose"]; back == 0 || back == loose {
		t.Errorf("loose was not started again: pid %d", back)
	}
}

func TestHungStrategyCostsItsTimeOnly(t *testing.T) {
	c := connect(t, environment(t), "--workspace", sample(t), "--strategy-time-ms", "2000")
	stop(t, apart(t, c))
	answer := must[search.Answer](c, "manual_find", map[string]any{"query": "RAIDの構築"})
	if answer.Summary.Candidates == 0 || len(answer.Warnings) != 1 || !strings.Contains(answer.Warnings[0], "loose") {
		t.Errorf("%d candidates, warnings %q", answer.Summary.Candidates, answer.Warnings)
	}
}

func TestNoProcessOutlivesAKilledHost(t *testing.T) {
	c := connect(t, environment(t), "--workspace", sample(t))
	must[search.Answer](c, "manual_find", map[string]any{"query": "RAID"})
	started := children(t, c.cmd.Process.Pid)
	if len(started) == 0 {
		t.Fatal("no strategy runs")
	}
	if err := c.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	c.cmd.Wait()
	deadline := time.Now().Add(10 * time.Second)
	for name, pid := range started {
		for alive(pid) {
			if time.Now().After(deadline) {
				t.Fatalf("%s (pid %d) lives on", name, pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
}

// alive reports whether a process runs; one that waits to be collected does not.
func alive(pid int) bool {
	state := taskState(fmt.Sprintf("/proc/%d", pid))
	return state != 0 && state != 'Z' && state != 'X'
}

// taskState returns the state of a process or a thread by its folder in /proc, 0 when it is gone.
func taskState(folder string) byte {
	stat, err := os.ReadFile(filepath.Join(folder, "stat"))
	if err != nil {
		return 0
	}
	return stat[strings.LastIndexByte(string(stat), ')')+2]
}
