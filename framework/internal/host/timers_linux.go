package host

import (
	"fmt"
	"time"

	abi "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// slack is how much later than requested a timer may wake a thread. The scheduler of a busy Go
// process has a monitor thread that wakes every 20 µs at first: with six processes on two cores,
// these wake-ups took a seventh of the CPU time of a search. No wait here is shorter than some
// milliseconds.
const slack = time.Millisecond

// LoosenTimers lets the kernel delay the timers of this process a little, so that it wakes it less often. It stops all
// threads, so it pays only for a process that lives longer than a command.
func LoosenTimers() error {
	if err := abi.AllThreadsPrctl(unix.PR_SET_TIMERSLACK, uintptr(slack), 0, 0, 0); err != nil {
		return fmt.Errorf("loosen the timers: %w", err)
	}
	return nil
}

// loosenThread is LoosenTimers for the calling thread and the processes that it starts.
func loosenThread() error { return unix.Prctl(unix.PR_SET_TIMERSLACK, uintptr(slack), 0, 0, 0) }
