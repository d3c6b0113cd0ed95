package bench

import (
	"runtime"
	"time"
)

const (
	cpuBar   = 0.5 // × the version before
	cpuBlock = 10  // queries for one server before it is the turn of the next
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
		if servers[i], _, err = r.serve(binary, h); err != nil {
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

func cpuTime(pid int) (time.Duration, error) { return ofTree(pid, cpuTimeOf) }
