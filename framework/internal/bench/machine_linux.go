package bench

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// load reads the load averages.
func load() (out [3]float64) {
	src, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return out
	}
	for i, f := range strings.Fields(string(src)) {
		if i == len(out) {
			break
		}
		out[i], _ = strconv.ParseFloat(f, 64) // a figure for the reader, no more
	}
	return out
}

func cpuModel() string {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if name, model, ok := strings.Cut(s.Text(), ":"); ok && strings.TrimSpace(name) == "model name" {
			return strings.TrimSpace(model)
		}
	}
	return ""
}

// PrivateDirty adds up what a process and all that it started have written to in
// memory of their own, in bytes.
func PrivateDirty(pid int) (int64, error) {
	total, err := privateDirtyOf(pid)
	if err != nil {
		return 0, err
	}
	children, err := childrenOf(pid)
	for _, child := range children {
		more, failed := PrivateDirty(child)
		if failed != nil {
			return 0, failed
		}
		total += more
	}
	return total, err
}

func privateDirtyOf(pid int) (int64, error) {
	src, err := os.ReadFile(fmt.Sprintf("/proc/%d/smaps_rollup", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(src)) {
		if rest, ok := strings.CutPrefix(line, "Private_Dirty:"); ok {
			kb, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return kb << 10, err
		}
	}
	return 0, fmt.Errorf("process %d: no Private_Dirty", pid)
}

// childrenOf lists the processes that a process's threads started.
func childrenOf(pid int) ([]int, error) {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil, err
	}
	var out []int
	for _, list := range lists {
		src, err := os.ReadFile(list)
		if err != nil {
			continue // the thread has ended
		}
		for _, f := range strings.Fields(string(src)) {
			child, err := strconv.Atoi(f)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", list, err)
			}
			out = append(out, child)
		}
	}
	return out, nil
}
