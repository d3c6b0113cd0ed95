package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// PrivateDirty sums the private memory, in bytes, that a process and its descendants have written to. It fails with
// [fs.ErrNotExist] on systems other than Linux.
func PrivateDirty(pid int) (int64, error) { return ofTree(pid, privateDirtyOf) }

// ofTree sums a figure of a process and its descendants.
func ofTree[N ~int64](pid int, figure func(pid int) (N, error)) (N, error) {
	total, err := figure(pid)
	if err != nil {
		return 0, err
	}
	children, err := childrenOf(pid)
	for _, child := range children {
		more, failed := ofTree(child, figure)
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
	_, rest, _ := strings.Cut(string(src), "\nPrivate_Dirty:")
	var kib int64
	if _, err := fmt.Sscan(rest, &kib); err != nil {
		return 0, fmt.Errorf("process %d: read Private_Dirty: %w", pid, err)
	}
	return kib << 10, nil
}

// childrenOf lists the processes that a process's threads started.
func childrenOf(pid int) ([]int, error) {
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil {
		return nil, err
	}
	var out []int
	for _, list := range lists {
		src, _ := os.ReadFile(list) // an error means that the thread has ended
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

// tick is the unit of the times in /proc.
const tick = 10 * time.Millisecond

// cpuTime returns the CPU time of a process and its descendants.

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
