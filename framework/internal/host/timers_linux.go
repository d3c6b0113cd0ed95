package host

import (
	"fmt"
	"time"

	abi "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// slack is how much later than asked for a thread may be woken by a timer. A Go
// process that has work looks after its scheduler from a thread of its own, first
// every 20 µs: in six processes on two cores these wake-ups took a seventh of all CPU
// of a search. Nothing here waits for less than some milliseconds.
const slack = time.Millisecond

// LoosenTimers lets the kernel wake this process, and those that it starts, a little
// late, so that it wakes them less often.
func LoosenTimers() error {
	now, err := unix.PrctlRetInt(unix.PR_GET_TIMERSLACK, 0, 0, 0, 0)
	if err == nil && now < int(slack) {
		err = abi.AllThreadsPrctl(unix.PR_SET_TIMERSLACK, uintptr(slack), 0, 0, 0)
	}
	if err != nil {
		return fmt.Errorf("loosen the timers: %w", err)
	}
	return nil
}
