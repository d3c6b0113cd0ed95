package host

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"unsafe"

	"github.com/landlock-lsm/go-landlock/landlock"
	abi "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"
	"kernel.org/pub/linux/libs/security/libcap/psx"
)

// image is the descriptor of the executable that replaces the wrapper.
const image = "/proc/self/fd/3"

// RunSandbox is the main function of the wrapper. It restricts the process as the host demands in env, the process's
// environment, and then replaces it by the strategy's executable with the command line args, which begins with the
// program's name. It returns only with an error. Only the host can call it usefully.
func RunSandbox(args, env []string) error {
	p, env, err := takePolicy(env)
	if err != nil || len(args) == 0 {
		return errors.New("the sandbox is started by the host, not by hand")
	}
	// The death signal, the restrictions and the execve must happen on one thread.
	runtime.LockOSThread()
	if err := tie(p.Host); err != nil {
		return err
	}
	// By descriptor, so that it is the verified file even if the path now leads to another.
	if err := restrict(p, landlock.ROFiles(image)); err != nil {
		return err
	}
	err = syscall.Exec(image, args, env)
	if errors.Is(err, syscall.ENOEXEC) {
		return errors.New("it is neither a program for this machine nor a script with #! in its first line")
	}
	return fmt.Errorf("execute the strategy: %w", err)
}

// takePolicy separates the policy from the strategy's own environment.
func takePolicy(env []string) (p policy, rest []string, err error) {
	err = errors.New("no policy")
	for _, v := range env {
		if encoded, ok := strings.CutPrefix(v, envPolicy+"="); ok {
			err = json.Unmarshal([]byte(encoded), &p)
			continue
		}
		rest = append(rest, v)
	}
	return p, rest, err
}

// tie makes this process end with its host. The thread that forked it has requested the signal, but another thread may
// call execve.
func tie(host int) error {
	if err := unix.Prctl(unix.PR_SET_PDEATHSIG, uintptr(unix.SIGKILL), 0, 0, 0); err != nil {
		return fmt.Errorf("set the death signal: %w", err)
	}
	if os.Getppid() != host {
		return errors.New("the host is gone")
	}
	return nil
}

// restrict confines all threads of this process, and whatever they start.
func restrict(p policy, more ...landlock.Rule) error {
	running := systemThreads() // must be read before the restrictions
	err := abi.AllThreadsPrctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
	if err == nil {
		err = landlock.V11.BestEffort().Restrict(append(more, rules(p)...)...)
	}
	if err == nil {
		err = bound(p, running)
	}
	if err == nil {
		err = dropCapabilities()
	}
	if err == nil {
		err = filterCalls(p)
	}
	if err != nil {
		return fmt.Errorf("restrict the process: %w", err)
	}
	return nil
}

// systemThreads returns roughly how many threads the system runs, or 0 if that is unknown. The limit on a user's
// threads counts all threads of that user, so it is set relative to this number.
func systemThreads() (n uint64) {
	load, err := os.ReadFile("/proc/loadavg")
	if err == nil {
		_, _ = fmt.Sscanf(string(load), "%*f %*f %*f %*d/%d", &n) // n stays 0 if the format differs
	}
	return n
}

// bound lowers the limits of this process. running is the number of threads in the system.
func bound(p policy, running uint64) error {
	values := map[int]uint64{
		unix.RLIMIT_CORE: 0, unix.RLIMIT_NOFILE: p.Files, unix.RLIMIT_FSIZE: p.FileSize,
		unix.RLIMIT_MSGQUEUE: 0,
	}
	if running > 0 {
		values[unix.RLIMIT_NPROC] = p.Threads + running
	}
	if p.Data > 0 {
		values[unix.RLIMIT_DATA] = p.Data
	}
	for resource, value := range values {
		if err := limit(resource, value); err != nil {
			return err
		}
	}
	return nil
}

// limit lowers a resource limit unless it is already lower.
func limit(resource int, value uint64) error {
	var now unix.Rlimit
	if err := unix.Getrlimit(resource, &now); err != nil {
		return err
	}
	value = min(value, now.Max)
	return unix.Setrlimit(resource, &unix.Rlimit{Cur: value, Max: value})
}

// rules returns what the restricted process may still reach.
func rules(p policy) []landlock.Rule {
	var out []landlock.Rule
	for _, path := range p.Read {
		rule := landlock.ROFiles
		if isDir(path) {
			rule = landlock.RODirs
		}
		out = append(out, rule(path).IgnoreIfMissing())
	}
	for _, path := range p.Write {
		rule := landlock.RWFiles(path)
		if isDir(path) {
			rule = landlock.PathAccess(written, path)
		}
		out = append(out, rule.IgnoreIfMissing())
	}
	for _, port := range p.TCP {
		out = append(out, landlock.ConnectTCP(port))
	}
	if len(p.TCP) > 0 { // for name resolution
		out = append(out, landlock.ConnectTCP(53), landlock.ConnectSendUDP(53), landlock.BindUDP(0))
	}
	return out
}

// written are the rights in the folders of a strategy. It can make no links there, since the host could follow them to
// another program's socket, and can execute nothing that was not verified.
const written = abi.AccessFSReadFile | abi.AccessFSReadDir | abi.AccessFSWriteFile | abi.AccessFSTruncate |
	abi.AccessFSRemoveDir | abi.AccessFSRemoveFile | abi.AccessFSMakeDir | abi.AccessFSMakeReg |
	abi.AccessFSMakeSock | abi.AccessFSMakeFifo

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

// Confinement asks the kernel how it can confine a strategy without grants. The kernel's documentation says which
// version of Landlock's interface closes what.
func Confinement() Sandbox { return confinement(policy{}) }

// confinement returns how a strategy with grants is confined.
func confinement(p policy) Sandbox {
	s := Sandbox{Filter: auditArch != 0 && seccomp(), Open: []string{}}
	if version, err := abi.LandlockGetABIVersion(); err == nil && version > 0 {
		s.Mechanism, s.ABI = "Landlock", version
	}
	offline := s.Filter && len(p.TCP) == 0
	for _, gap := range []struct {
		closed  int  // the version that closes it
		refused bool // the filter refuses it
		what    string
	}{{1, false, openFiles}, {4, offline, openTCP}, {10, offline, openUDP}, {9, offline && !p.Sockets, openSockets}} {
		if s.ABI < gap.closed && !gap.refused {
			s.Open = append(s.Open, gap.what)
		}
	}
	return s
}

// seccomp reports whether the kernel filters system calls.
func seccomp() bool {
	_, err := unix.PrctlRetInt(unix.PR_GET_SECCOMP, 0, 0, 0, 0)
	return err == nil
}

// Confine restricts this process as its host demands. A process that serves a bundled strategy calls it before any code
// of the strategy runs: it is the running binary already, and executing it again would only make the start slower. If
// the wrapper has already confined the process, Confine does nothing. In a process that no host started, it fails.
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
	// rulesetErrata makes the system call that creates rulesets report which bugs of the kernel's Landlock are fixed.
	rulesetErrata = 1 << 1
	// threadSignals is the fix of a bug: the threads of a process, each with a domain of its own, could not signal each
	// other.
	threadSignals = 1 << 1
)

// threadsAgree reports whether the threads of a process can be confined one by one and still reach each other. Some
// kernels that restrict signals, but cannot confine all threads at once, have a bug there.
func threadsAgree() bool {
	version, err := abi.LandlockGetABIVersion()
	if err != nil || version < 6 || version >= 8 {
		return true
	}
	mended, _, errno := unix.Syscall(unix.SYS_LANDLOCK_CREATE_RULESET, 0, 0, rulesetErrata)
	return errno == 0 && mended&threadSignals != 0
}

// keptCapabilities let a strategy of a host that runs as root read granted folders of another user. Landlock limits
// them.
const keptCapabilities = 1<<unix.CAP_DAC_OVERRIDE | 1<<unix.CAP_DAC_READ_SEARCH

// dropCapabilities takes from all threads what root may do and a strategy must not. After no_new_privs, no executable
// can restore it.
func dropCapabilities() error {
	header := unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}
	var have [2]unix.CapUserData // low and high half
	if err := unix.Capget(&header, &have[0]); err != nil {
		return fmt.Errorf("ask for the capabilities: %w", err)
	}
	if have == [2]unix.CapUserData{} {
		return nil
	}
	kept := have[0].Permitted & keptCapabilities
	left := [2]unix.CapUserData{{Effective: kept, Permitted: kept}}
	_, _, errno := psx.Syscall3(unix.SYS_CAPSET, uintptr(unsafe.Pointer(&header)), uintptr(unsafe.Pointer(&left[0])), 0)
	if errno != 0 {
		return fmt.Errorf("drop the capabilities: %w", errno)
	}
	return nil
}

// self is the running image, even if an upgrade has replaced the file.
const self = "/proc/self/exe"

func selfPath() (string, error) { return self, nil }

// command starts the strategy so that it is confined before any of its code runs. A bundled strategy is this binary
// again, which calls [Confine] first. Otherwise the wrapper, which is this binary too, executes binary as its
// descriptor 3. The death signal ends the strategy with the host. A process group of its own keeps a terminal's Ctrl-C
// from it.
func (o *Options) command(e *Entry, binary *os.File, args []string, p policy, env []string) *exec.Cmd {
	encoded, _ := json.Marshal(p) // numbers and texts
	cmd := &exec.Cmd{
		Path: self, Args: args, Env: append(env, envPolicy+"="+string(encoded)),
		SysProcAttr: &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true},
	}
	if e.Path != "" || !threadsAgree() {
		cmd.Args = slices.Concat([]string{program}, o.Wrapper, args)
		cmd.ExtraFiles = []*os.File{binary}
	}
	return cmd
}
