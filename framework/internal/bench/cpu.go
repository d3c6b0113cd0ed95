package bench

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

const (
	cpuBar   = 0.5 // × the version before
	cpuBlock = 10  // queries for one server before it is the turn of the next
	// tick is the unit of the times in /proc.
	tick = 10 * time.Millisecond
	// settleTime is how long to wait for the work that a search leaves behind, besides calling manual_hits.
	settleTime = 20 * time.Millisecond
)

// cpu asks the server and that of the version before the same queries in turn, and sums the CPU time of their
// processes. Other work on the machine hardly matters.
func (r *run) cpu() error {
	if runtime.GOOS != "linux" {
		r.report.Notes = append(r.report.Notes, "not measured: CPU of a search; known on Linux only")
		return nil
	}
	binaries := []string{r.Binary}
	if r.Before != "" {
		binaries = append(binaries, r.Before)
	}
	servers, took := make([]*server, len(binaries)), make([]time.Duration, len(binaries))
	for i, binary := range binaries {
		h, err := newHome(r.dir, r.Manuals)
		if err != nil {
			return err
		}
		if servers[i], _, err = serve(r.ctx, binary, h, r.Queries[0].Query); err != nil {
			return err
		}
		defer servers[i].close() // its answers have been read
		for _, q := range r.Queries[:min(warmup, len(r.Queries))] {
			if _, err := servers[i].uncached(q.Query); err != nil {
				return err
			}
		}
	}
	for from := 0; from < len(r.Queries); from += cpuBlock {
		r.Progress.Show("CPU", from, len(r.Queries))
		for i := range servers {
			at := (i + from/cpuBlock) % len(servers)
			before, err := cpuTime(servers[at].cmd.Process.Pid)
			if err != nil {
				return err
			}
			for _, q := range r.Queries[from:min(from+cpuBlock, len(r.Queries))] {
				if _, err := servers[at].uncached(q.Query); err != nil {
					return err
				}
			}
			time.Sleep(settleTime)
			after, err := cpuTime(servers[at].cmd.Process.Pid)
			if err != nil {
				return err
			}
			took[at] += after - before
		}
	}
	p := r.report.part("CPU of all processes a search, manual_find and manual_hits, no cache")
	each := func(i int) float64 { return milliseconds(took[i]) / float64(len(r.Queries)) }
	p.add("mean", each(0), "ms")
	if len(servers) > 1 {
		p.add("mean, the version before", each(1), "ms")
		p.add("of the version before", each(0)/max(each(1), 1e-9), "×").atMost(cpuBar)
	}
	return nil
}

// cpuTime returns the CPU time of a process and its descendants.
func cpuTime(pid int) (time.Duration, error) { return ofTree(pid, cpuTimeOf) }

func cpuTimeOf(pid int) (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(stat), ") ") // after the name, which may contain anything but this
	var user, system time.Duration
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, fmt.Errorf("process %d: its times cannot be read", pid)
	}
	if _, err := fmt.Sscan(strings.Join(fields[11:13], " "), &user, &system); err != nil {
		return 0, fmt.Errorf("process %d: read its times: %w", pid, err)
	}
	return (user + system) * tick, nil
}

// findBarCLI is the bar in seconds for sagasu find with an existing index.
const findBarCLI = 0.06

// command times sagasu find, which starts what it needs and ends.
func (r *run) command() error {
	waits, err := r.starts("sagasu find", func(query string) (time.Duration, error) {
		cmd := exec.CommandContext(r.ctx, r.Binary, "find", query)
		cmd.Env, cmd.Dir = r.home.environ(), filepath.Join(r.home.Dir, "workspace")
		began := time.Now()
		out, err := cmd.Output()
		took := time.Since(began)
		if err != nil && len(out) == 0 { // a search may find nothing
			return 0, fmt.Errorf("sagasu find: %w", err)
		}
		return took, nil
	})
	if err != nil {
		return err
	}
	p := r.report.part("sagasu find on the command line, indexed")
	p.seconds("median", waits.median()).atMost(findBarCLI)
	return nil
}
