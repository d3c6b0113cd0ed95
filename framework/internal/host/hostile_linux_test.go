package host

import (
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	abi "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// attempt is a row of the table in docs/sandbox.md.
type attempt struct {
	title, query string
	want         string // what the strategy sees; "gone" when its process ends
	by           string // what stops it
}

// scene is what there is to attack.
type scene struct {
	secret, home, vault, manual string // files and a folder of the user
	index, segment              string
	state, temp                 string // of another strategy
	tcp, udp, socket, datagram  string
	host, other                 int // processes
	own                         string
}

func newScene(t *testing.T) *scene {
	t.Helper()
	dir := t.TempDir()
	s := &scene{home: filepath.Join(dir, "home"), host: os.Getpid()}
	for file, field := range map[string]*string{"home/secret": &s.secret, "vault/note.md": &s.vault, "manuals/m/a.md": &s.manual} {
		*field = filepath.Join(dir, file)
		must(t, os.MkdirAll(filepath.Dir(*field), 0o700))
		must(t, os.WriteFile(*field, []byte("secret"), 0o600))
	}
	short, err := os.MkdirTemp("", "s") // the path of a socket is limited
	must(t, err)
	t.Cleanup(func() { os.RemoveAll(short) })
	listen := func(l io.Closer, err error) {
		must(t, err)
		t.Cleanup(func() { l.Close() })
	}
	tcp, err := net.Listen("tcp4", "127.0.0.1:0")
	listen(tcp, err)
	udp, err := net.ListenPacket("udp4", "127.0.0.1:0")
	listen(udp, err)
	s.tcp, s.udp = tcp.Addr().String(), udp.LocalAddr().String()
	s.socket, s.datagram = filepath.Join(short, "s"), filepath.Join(short, "d")
	socket, err := net.Listen("unix", s.socket)
	listen(socket, err)
	datagram, err := net.ListenPacket("unixgram", s.datagram)
	listen(datagram, err)
	abstract, err := net.Listen("unix", s.abstract())
	listen(abstract, err)
	return s
}

func (s *scene) abstract() string { return fmt.Sprintf("@sagasu-test-%d", s.host) }

const (
	byLandlock = "Landlock"
	bySeccomp  = "seccomp"
	byBoth     = "Landlock, seccomp"
	byLimit    = "rlimit"
	byProtocol = "protocol check"
	byRunner   = "runner"
	byTimeout  = "time limit"
	byMeter    = "log meter"
	open       = "not stopped"
)

// attempts are those that a running strategy makes.
func (s *scene) attempts() []attempt {
	call := func(number int, args ...any) string {
		return strings.TrimSpace(fmt.Sprintln(append([]any{"attack call", number}, args...)...))
	}
	proc := func(file string) string { return fmt.Sprintf("/proc/%d/%s", s.host, file) }
	return []attempt{
		{"read the vault", "read " + s.vault, "denied", byLandlock},
		{"read the manuals", "read " + s.manual, "denied", byLandlock},
		{"read a file in the home folder", "read " + s.secret, "denied", byLandlock},
		{"list the home folder", "attack list " + s.home, "denied", byLandlock},
		{"read the host's environment", "read " + proc("environ"), "denied", byLandlock},
		{"read the host's memory through /proc", "read " + proc("mem"), "denied", byLandlock},
		{"open the host's standard input", "read " + proc("fd/0"), "denied", byLandlock},
		{"read its own standard input", "attack stdin", "nothing", byRunner},
		{"write beside the snapshot", "write " + s.index + "/new", "denied", byLandlock},
		{"truncate a segment of the index", "attack truncate " + s.segment, "denied", byLandlock},
		{"remove a segment of the index", "attack remove " + s.segment, "denied", byLandlock},
		{"remove its own executable", "attack remove " + s.own, "denied", byLandlock},
		{"read another strategy's state", "attack list " + s.state, "denied", byLandlock},
		{"write into another strategy's temporary folder", "write " + s.temp + "/x", "denied", byLandlock},
		{"read through a link in its temporary folder", "attack symlink " + s.secret, "denied", byLandlock},
		{"read through a link in its state folder", "attack state-link " + s.secret, "denied", byLandlock},
		{"replace its own executable", "attack replace " + s.own, "denied", byLandlock},
		{"execute a file of its own making", "attack run-own", "denied", byLandlock},
		{"lead the host to somebody else's socket by a link", "attack plant " + s.socket, "denied", byLandlock},
		{"leave a folder that nobody can list", "attack lock-away", "ok", byRunner},
		{"link a foreign file into its temporary folder", "attack link " + s.secret, "denied", byLandlock},
		{"open a file to everybody (chmod)", "attack chmod " + s.secret, "denied", bySeccomp},
		{"change a file's times", "attack touch " + s.secret, "denied", bySeccomp},
		{"change a file's attributes", "attack mark " + s.secret, "denied", bySeccomp},
		{"watch folders (inotify)", call(unix.SYS_INOTIFY_INIT1, 0), "denied", bySeccomp},
		{"lock a file of the index, if only to read", "attack lock " + s.segment, "denied", bySeccomp},
		{"take a lease on a file of the index", "attack lease " + s.segment, "denied", bySeccomp},
		{"read a file's attributes", "attack attribute " + s.secret, "denied", bySeccomp},
		{"make files for everybody (umask)", call(unix.SYS_UMASK, 0), "denied", bySeccomp},
		{"list what is mounted", call(unix.SYS_LISTMOUNT, "ptr", "ptr", 1, 0), "denied", bySeccomp},
		{"learn that a file exists, its size and times", "attack stat " + s.secret, "ok", open},
		{"execute a program of the system", "attack exec /bin/sh", "denied", byLandlock},

		{"connect by TCP", "dial " + s.tcp, "denied", byBoth},
		{"send a datagram by UDP", "attack send " + s.udp, "denied", bySeccomp},
		{"listen on TCP", "attack listen", "denied", bySeccomp},
		{"connect to a unix socket by path", "attack unix " + s.socket, "denied", bySeccomp},
		{"send a datagram to a unix socket by path", "attack unixgram " + s.datagram, "denied", bySeccomp},
		{"connect to an abstract unix socket", "attack unix " + s.abstract(), "denied", byBoth},
		{"talk to the kernel by netlink", call(unix.SYS_SOCKET, unix.AF_NETLINK, unix.SOCK_RAW, 0), "denied", bySeccomp},
		{"talk to a hypervisor by vsock", call(unix.SYS_SOCKET, unix.AF_VSOCK, unix.SOCK_STREAM, 0), "denied", bySeccomp},

		{"fork: a bomb, a daemon", "attack spawn", "denied", bySeccomp},
		{"fork in a way that filters cannot read (clone3)", call(unix.SYS_CLONE3, "ptr", 88), "missing", bySeccomp},
		{"begin a session of its own", call(unix.SYS_SETSID), "denied", bySeccomp},
		{"leave its process group", call(unix.SYS_SETPGID, 0, s.host), "denied", bySeccomp},
		{"refuse to die with its host", call(unix.SYS_PRCTL, unix.PR_SET_PDEATHSIG, 0), "denied", bySeccomp},
		{"signal the host", call(unix.SYS_KILL, s.host, int(syscall.SIGCONT)), "denied", byBoth},
		{"signal another strategy", call(unix.SYS_KILL, s.other, int(syscall.SIGCONT)), "denied", byBoth},
		{"signal everybody", call(unix.SYS_KILL, -1, int(syscall.SIGCONT)), "denied", bySeccomp},
		{"signal the host's thread", call(unix.SYS_TGKILL, s.host, s.host, int(syscall.SIGCONT)), "denied", byBoth},
		{"trace the host (ptrace)", call(unix.SYS_PTRACE, unix.PTRACE_SEIZE, s.host, 0, 0), "denied", byBoth},
		{"read the host's memory", call(unix.SYS_PROCESS_VM_READV, s.host, "ptr", 1, "ptr", 1, 0), "denied", bySeccomp},
		{"hold the host by a descriptor", call(unix.SYS_PIDFD_OPEN, s.host, 0), "denied", bySeccomp},
		{"lower the host's limits", call(unix.SYS_PRLIMIT64, s.host, unix.RLIMIT_NOFILE, 0, "ptr"), "denied", bySeccomp},
		{"slow the host down", call(unix.SYS_SETPRIORITY, unix.PRIO_PROCESS, s.host, 0), "denied", bySeccomp},

		{"load a program into the kernel (bpf)", call(unix.SYS_BPF, 0, "ptr", 64), "denied", bySeccomp},
		{"mount", call(unix.SYS_MOUNT, "ptr", "ptr", "ptr", 0, 0), "denied", bySeccomp},
		{"make a user namespace", call(unix.SYS_UNSHARE, unix.CLONE_NEWUSER), "denied", bySeccomp},
		{"read the user's keys", call(unix.SYS_KEYCTL, 0, -3, 0), "denied", bySeccomp},
		{"make calls that filters do not see (io_uring)", call(unix.SYS_IO_URING_SETUP, 1, "ptr"), "denied", bySeccomp},
		{"count events of other processes (perf)", call(unix.SYS_PERF_EVENT_OPEN, "ptr", -1, 0, -1, 0), "denied", bySeccomp},
		{"read the kernel's log", call(unix.SYS_SYSLOG, 3, "ptr", 16), "denied", bySeccomp},
		{"make a call of the future", call(newest+1, 0), "missing", bySeccomp},

		{"open files without end", "attack files", "too many", byLimit},
		{"write a file without end", "attack disk 3000000", "too large", byLimit},
		{"take memory that is shared and so not counted", "attack share", "denied", bySeccomp},
		{"take memory as a file", call(unix.SYS_MEMFD_CREATE, "ptr", 0), "denied", bySeccomp},
		{"take memory as a segment of System V", call(unix.SYS_SHMGET, 0, 4096, 0o600), "denied", bySeccomp},
		{"flood its log and its standard output", "attack noise 2000000", "ok", byMeter},

		{"flood its log by a line without end", "attack line 50000000", "ok", byMeter},

		{"forge the id of a section", "breach dead", "", byProtocol},
		{"answer with sections outside the scope", "breach outside", "", byProtocol},
		{"answer with one section twice", "breach twice", "", byProtocol},
		{"score NaN", "breach nan", "", byProtocol},
		{"score infinity", "breach inf", "", byProtocol},
		{"score below zero", "breach negative", "", byProtocol},
		{"flood rows", "breach flood", "", byProtocol},
		{"flood terms", "breach words", "", byProtocol},
		{"raise signals that it did not declare", "breach signal", "", byProtocol},
		{"write control characters into warnings", "breach paint", "", byProtocol},
		{"write what nobody sees into warnings", "breach unseen", "", byProtocol},
		{"answer with neither result nor error", "nil", "", byProtocol},
		{"send an oversized message", "large 68000000", "", byProtocol},
		{"send oversized metadata", "attack trailer 20000000", "", byProtocol},
		{"panic", "panic", "", byProtocol},
		{"exit", "exit", "", byRunner},
		{"never answer", "sleep", "", byTimeout},
	}
}

// stage returns a host with the hostile strategy and a steady one.
func stage(t *testing.T, hostile Entry, log io.Writer) (*Host, *snapshot.Snapshot) {
	t.Helper()
	o := options(t)
	o.Entries = []Entry{hostile, {Name: "steady"}}
	o.Suspension, o.CallTimeout = 1, 2*time.Second // it must be tried again and again
	o.limits = limits{Files: 64, FileSize: 1 << 20, Threads: 20}
	o.Logger = hclog.New(&hclog.LoggerOptions{Output: log, Level: hclog.Debug})
	h, snap := start(t, o)
	must(t, h.OpenOne(t.Context(), hostile.Name, snap))
	must(t, h.OpenOne(t.Context(), "steady", snap))
	return h, snap
}

// steadily searches with the strategy that was let alone.
func steadily(t *testing.T, h *Host, snap *snapshot.Snapshot) {
	t.Helper()
	res, err := h.Search(t.Context(), "steady", request(snap, "find"))
	if err != nil || len(res.Candidates) != 10 {
		t.Errorf("the others no longer answer: %v", err)
	}
}

func needLandlock(t *testing.T) {
	t.Helper()
	if version, err := abi.LandlockGetABIVersion(); err != nil || version < 6 {
		t.Skip("the kernel's Landlock restricts less than what is tried")
	}
	if !seccomp() || auditArch == 0 {
		t.Skip("system calls are not filtered here")
	}
}

func TestHostile(t *testing.T) {
	needLandlock(t)
	for kind, entry := range map[string]Entry{"bundled": {Name: "actor"}, "installed": installed(t)} {
		t.Run(kind, func(t *testing.T) { beHostile(t, entry) })
	}
}

func beHostile(t *testing.T, entry Entry) {
	s := newScene(t)
	var log counter
	began := time.Now()
	h, snap := stage(t, entry, &log)
	s.index, s.own = h.options.IndexDir, entry.Path
	if s.own == "" {
		var err error
		s.own, err = os.Executable()
		must(t, err)
	}
	segments, err := filepath.Glob(filepath.Join(s.index, "*.seg*"))
	if must(t, err); len(segments) == 0 {
		t.Fatal("no segment to attack")
	}
	s.segment = segments[0]
	other := h.byName["steady"].current
	s.other, s.temp, s.state = other.runner.process(), other.temp, filepath.Join(h.options.StateDir, "steady")
	for _, a := range s.attempts() {
		t.Run(a.title, func(t *testing.T) {
			res, err := try(t, h, snap, a.query)
			switch {
			case a.want == "" && err == nil:
				t.Error("nobody noticed")
			case a.want != "" && err != nil:
				t.Errorf("%v, want %q", err, a.want)
			case a.want != "" && res.Candidates[0].Terms[0] != a.want:
				t.Errorf("%s, want %s", res.Candidates[0].Terms[0], a.want)
			}
			steadily(t, h, snap)
		})
	}
	// The slower the machine, the more windows a flood takes. Tens of megabytes were written.
	if got, most := log.bytes.Load(), meterBytes*(4+int64(time.Since(began)/meterWindow)); got > most {
		t.Errorf("%d bytes of log, want at most %d", got, most)
	}
}

// counter counts what is logged, also while it is read: a replaced process may still be heard.
type counter struct{ bytes atomic.Int64 }

func (c *counter) Write(p []byte) (int, error) {
	c.bytes.Add(int64(len(p)))
	return len(p), nil
}

// impostors are executables that never become strategies.
var impostors = []attempt{
	{"send the host to somebody else's socket", "redirector", "did not start", byProtocol},
	{"speak another protocol", "stranger", "did not start", byProtocol},
	{"speak a protocol of the future", "newcomer", "a newer protocol than this sagasu speaks: update sagasu", byProtocol},
	{"speak a protocol of the past", "veteran", "an older protocol than this sagasu speaks: build it", byProtocol},
	{"speak in the clear", "bare", "", byProtocol},
	{"flood a handshake that never ends", "flooder", "did not start", byTimeout},
	{"shake hands a byte at a time (slow loris)", "dribbler", "did not start", byTimeout},
	{"never shake hands", "mute", "did not start", byTimeout},
	{"hang in Describe", "describe-hanger", "did not start", byTimeout},
	{"panic in Describe", "describe-panicker", "in Describe", byProtocol},
	{"hang in Configure", "configure-hanger", "did not start", byTimeout},
	{"panic in Configure", "configure-panicker", "in Configure", byProtocol},
	{"exit in Configure", "configure-quitter", "exit status 7", byRunner},
	{"describe itself in 8 MB", "braggart", border.RuleDescription, byProtocol},
	{"call itself by another's name", "misnamed", border.RuleDescription, byProtocol},
	{"end at once", "quitter", "exit status 3", byRunner},
}

func TestImpostors(t *testing.T) {
	for _, a := range impostors {
		t.Run(a.title, func(t *testing.T) {
			t.Parallel()
			wait := time.Minute // machines that test are busy
			if a.want == "did not start" {
				wait = 3 * time.Second
			}
			o := Options{
				Bundled: func(names ...string) []string {
					return []string{partServe, strings.Replace(names[0], "misnamed", "other", 1)}
				},
				Wrapper: []string{partWrap}, IndexDir: t.TempDir(), StateDir: t.TempDir(), MemoryLimit: -1,
				StartTimeout: wait, CallTimeout: time.Minute, Entries: []Entry{{Name: a.query, Config: json.RawMessage("{}")}, {Name: "steady"}},
			}
			h, err := New(o)
			must(t, err)
			defer h.Close()
			described, failures := h.Start(t.Context())
			if len(described) != 1 || len(failures) != 1 || !strings.Contains(failures[0].Error(), a.want) {
				t.Errorf("described %d, failures %v, want %q", len(described), failures, a.want)
			}
			steadily(t, h, publish(t, o.IndexDir, 10))
		})
	}
}

// TestHostileAsUser repeats what the right of root could hide.
func TestHostileAsUser(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the hostile tests once more")
	}
	if os.Getuid() != 0 {
		t.Skip("the other tests run as a user already")
	}
	const nobody = 65534
	dir, err := os.MkdirTemp("", "user")
	must(t, err)
	defer os.RemoveAll(dir)
	self, err := os.ReadFile("/proc/self/exe")
	must(t, err)
	binary := filepath.Join(dir, "host.test")
	must(t, os.WriteFile(binary, self, 0o755))
	must(t, os.Chown(dir, nobody, nobody))
	cmd := exec.CommandContext(t.Context(), binary, "-test.run=^(TestHostile|TestMemoryAndThreads|TestOutliving)$")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "TMPDIR="+dir, "HOME="+dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestCapabilities(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root has capabilities to drop")
	}
	for kind, entry := range map[string]Entry{"bundled": {Name: "actor"}, "installed": installed(t)} {
		o := options(t)
		o.Entries = []Entry{entry}
		h, snap := start(t, o)
		status, err := os.ReadFile("/proc/" + ask(t, h, snap, "pid") + "/status")
		must(t, err)
		if !strings.Contains(string(status), "CapEff:\t0000000000000006\n") || !strings.Contains(string(status), "Seccomp:\t2\n") {
			t.Errorf("%s: %s", kind, status)
		}
	}
}

// TestTableOfAttempts holds the table of the documents to what is tried.
func TestTableOfAttempts(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "sandbox.md"))
	must(t, err)
	all := append((&scene{}).attempts(), impostors...)
	if len(all) < 30 {
		t.Errorf("only %d attempts", len(all))
	}
	for _, a := range all {
		if row := fmt.Sprintf("| %s | %s", a.title, a.by); !strings.Contains(string(text), row) {
			t.Errorf("docs/sandbox.md has no row %q", row)
		}
	}
}
