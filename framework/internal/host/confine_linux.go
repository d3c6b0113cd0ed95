package host

import (
	"errors"
	"fmt"
	"os"

	abi "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
)

// Confine restricts this process as its host demands. What serves a bundled
// strategy calls it before anything of the strategy runs: it is the running binary
// already, so that to execute it once more would cost a start and gain nothing.
// Where the wrapper has confined the process there is nothing left to do. A process
// that no host started gets an error.
func Confine() error {
	p, _, err := takePolicy(os.Environ())
	if err != nil {
		return wrapped()
	}
	if err := os.Unsetenv(envPolicy); err != nil {
		return fmt.Errorf("forget the policy: %w", err)
	}
	if os.Getppid() != p.Host {
		return errors.New("the host is gone")
	}
	return restrict(p)
}

// wrapped is nil in a process that the wrapper has confined.
func wrapped() error {
	set, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0)
	if err != nil || set == 0 {
		return errors.New("a strategy is started by the host, not by hand")
	}
	return nil
}

const (
	// rulesetErrata makes the system call that makes rulesets tell which mistakes of
	// the kernel's Landlock are mended.
	rulesetErrata = 1 << 1
	// threadSignals is the mended mistake that the threads of a process, each with a
	// domain of its own, could not signal each other.
	threadSignals = 1 << 1
)

// threadsAgree tells that the threads of a process may be confined one by one and
// still reach each other. Between the kernels that restrict signals and those that
// confine all threads at once, some are mistaken about that.
func threadsAgree() bool {
	version, err := abi.LandlockGetABIVersion()
	if err != nil || version < 6 || version >= 8 {
		return true
	}
	mended, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, rulesetErrata)
	return errno == 0 && mended&threadSignals != 0
}
