package host

import (
	"bufio"
	"crypto/sha256"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hashicorp/go-hclog"
	abi "github.com/landlock-lsm/go-landlock/landlock/syscall"
	"golang.org/x/sys/unix"

	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

func TestLandlock(t *testing.T) {
	if version, err := abi.LandlockGetABIVersion(); err != nil || version < 1 {
		t.Skip("the kernel has no Landlock")
	}
	for kind, entry := range map[string]Entry{"bundled": {Name: "actor"}, "installed": installed(t)} {
		t.Run(kind, func(t *testing.T) { tryFiles(t, entry) })
	}
}

// What the author of a script without its first line is told.
func TestFileThatCannotBeExecuted(t *testing.T) {
	const script = "import sagasu\n"
	path := filepath.Join(t.TempDir(), "strategy.py")
	must(t, os.WriteFile(path, []byte(script), 0o700))
	o := options(t)
	o.Entries = []Entry{{Name: "script", Path: path, SHA256: fmt.Sprintf("%x", sha256.Sum256([]byte(script)))}}
	h, _ := start(t, o)
	if _, err := h.StartTrial(t.Context(), "script"); err == nil || !strings.Contains(err.Error(), "nor a script with #!") {
		t.Errorf("error %v", err)
	}
}

func tryFiles(t *testing.T, entry Entry) {
	o := options(t)
	secret := filepath.Join(t.TempDir(), "secret")
	must(t, os.WriteFile(secret, []byte("x"), 0o600))
	pinned := filepath.Join(t.TempDir(), "pinned")
	must(t, os.WriteFile(pinned, []byte("x"), 0o600))
	entry.Reads = []string{pinned, "/does/not/exist"}
	o.Entries = []Entry{entry}
	self := "denied"
	if entry.Path != "" {
		self = "ok" // it was executed under the rules
	}
	h, snap := start(t, o)
	for query, want := range map[string]string{
		"read /etc/passwd":                        "denied",
		"read " + secret:                          "denied",
		"read-old " + secret:                      "denied",
		"write " + secret:                         "denied",
		"write " + o.IndexDir + "/new":            "denied",
		"write " + pinned:                         "denied",
		"read " + pinned:                          "ok",
		"read-old " + pinned:                      "ok",
		"read /proc/self/exe":                     self,
		"state":                                   "ok",
		"write " + ask(t, h, snap, "temp") + "/x": "ok",
	} {
		if got := ask(t, h, snap, query); got != want {
			t.Errorf("%q: %s, want %s", query, got, want)
		}
	}
	if _, err := os.Stat(filepath.Join(o.StateDir, "actor", "kept")); err != nil {
		t.Error(err)
	}
	checkPrivileges(t, ask(t, h, snap, "pid"))
}

// checkPrivileges looks at every thread of a process.
func checkPrivileges(t *testing.T, pid string) {
	t.Helper()
	tasks, err := filepath.Glob("/proc/" + pid + "/task/*/status")
	must(t, err)
	if len(tasks) < 2 {
		t.Errorf("%d threads", len(tasks))
	}
	for _, task := range tasks {
		status, err := os.ReadFile(task)
		if err == nil && !strings.Contains(string(status), "NoNewPrivs:\t1\n") { // one that has ended is none
			t.Errorf("%s may gain privileges", task)
		}
	}
}

func TestLandlockNetwork(t *testing.T) {
	if version, err := abi.LandlockGetABIVersion(); err != nil || version < 4 {
		t.Skip("the kernel's Landlock does not control the network")
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	must(t, err)
	defer listener.Close()
	port := strconv.Itoa(listener.Addr().(*net.TCPAddr).Port)
	for _, granted := range []bool{false, true} {
		o := options(t, "actor")
		want := "denied"
		if granted {
			o.Entries[0].Network, want = []string{"tcp:" + port}, "ok"
		}
		h, snap := start(t, o)
		if got := ask(t, h, snap, "dial "+listener.Addr().String()); got != want {
			t.Errorf("granted %v: %s", granted, got)
		}
		for attack, want := range map[string]string{
			"listen": "denied", // by MPTCP, which Landlock does not see, and then by TCP
			fmt.Sprintf("call %d %d %d %d", unix.SYS_SOCKET, unix.AF_INET, unix.SOCK_STREAM, unix.IPPROTO_MPTCP): "denied",
			fmt.Sprintf("call %d %d %d %d", unix.SYS_SOCKET, unix.AF_PACKET, unix.SOCK_RAW, 0):                   "denied",
			"unixgram " + listener.Addr().String():                                                               "denied",
		} {
			if got := ask(t, h, snap, "attack "+attack); got != want {
				t.Errorf("granted %v, %s: %s", granted, attack, got)
			}
		}
		must(t, h.Close())
	}
}

// A process has a thread for each of its strategies, and more for one that asks, but no more than there are cores.
func TestThreads(t *testing.T) {
	cores := runtime.NumCPU()
	for _, c := range []struct {
		entry Entry
		want  int
	}{
		{Entry{Name: "a"}, 1},
		{Entry{Name: "a", Threads: 2}, min(2, cores)},
		{Entry{Name: "a", Threads: cores + 1}, cores},
		{Entry{members: []string{"a", "b"}}, min(2, cores)},
	} {
		o := options(t, "actor")
		o.Logger = hclog.NewNullLogger()
		if want := fmt.Sprintf("GOMAXPROCS=%d", c.want); !slices.Contains(o.environment(&c.entry, nil, "", ""), want) {
			t.Errorf("%+v: %s is missing", c.entry, want)
		}
	}
}

func TestEnvironment(t *testing.T) {
	t.Setenv("SAGASU_TEST_SECRET", "s")
	t.Setenv("SAGASU_TEST_PASSED", "p")
	t.Setenv("TZ", "Asia/Tokyo")
	o := options(t, "actor")
	o.Entries[0].Env = []string{"SAGASU_TEST_PASSED", "SAGASU_TEST_UNSET"}
	h, snap := start(t, o)
	env := strings.Split(ask(t, h, snap, "environ"), "\n")
	for _, want := range []string{"SAGASU_TEST_PASSED=p", "TZ=Asia/Tokyo", "GOMAXPROCS=1", wire.StartGC, "HOME=" + filepath.Join(o.StateDir, "actor")} {
		if !slices.Contains(env, want) {
			t.Errorf("%s is missing", want)
		}
	}
	for _, v := range env {
		name, _, _ := strings.Cut(v, "=")
		if name == "SAGASU_TEST_SECRET" || name == "PATH" || name == envPolicy {
			t.Errorf("%s was passed on", name)
		}
	}
}

func TestMemoryLimit(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector reserves more than any limit")
	}
	o := options(t, "actor")
	o.MemoryLimit = MinMemoryLimit
	h, snap := start(t, o)
	if env := ask(t, h, snap, "environ"); !strings.Contains(env, "GOMEMLIMIT="+strconv.Itoa(MinMemoryLimit/4*3)) {
		t.Error("no GOMEMLIMIT")
	}
	limits, err := os.ReadFile("/proc/" + ask(t, h, snap, "pid") + "/limits")
	must(t, err)
	for _, want := range []string{"Max data size             268435456", "Max core file size        0 "} {
		if !strings.Contains(string(limits), want) {
			t.Errorf("%q is not among the limits\n%s", want, limits)
		}
	}
}

func TestSandboxByHand(t *testing.T) {
	if set, err := unix.PrctlRetInt(unix.PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0); err == nil && set == 0 && Confine() == nil {
		t.Error("without a policy it is confined")
	}
	if err := RunSandbox([]string{"true"}, os.Environ()); err == nil {
		t.Error("without a policy it ran")
	}
}

// TestStoppedProcess sends SIGSTOP, after which a process hears nothing.
func TestStoppedProcess(t *testing.T) {
	o := options(t, "actor")
	o.CallTimeout = time.Second
	h, snap := start(t, o)
	settle(t, h)
	before := ask(t, h, snap, "pid")
	pid, err := strconv.Atoi(before)
	must(t, err)
	freeze(t, pid)
	if _, err := h.Search(t.Context(), "actor", request(snap, "find")); err == nil {
		t.Error("a stopped process answered")
	}
	settle(t, h)
	if after := ask(t, h, snap, "pid"); after == before {
		t.Error("the stopped process was kept")
	}
}

// freeze stops a process and waits until every thread of it has.
func freeze(t testing.TB, pid int) {
	t.Helper()
	must(t, syscall.Kill(pid, syscall.SIGSTOP))
	tasks, err := filepath.Glob("/proc/" + strconv.Itoa(pid) + "/task/*/stat")
	must(t, err)
	for _, path := range tasks {
		for s := stateOf(path); s != 'T' && s != 'Z'; s = stateOf(path) {
			time.Sleep(time.Millisecond)
		}
	}
}

// stateOf reads the state of a process or a thread from its stat file; a
// zombie's when it has ended.
func stateOf(path string) byte {
	stat, err := os.ReadFile(path)
	_, rest, found := strings.Cut(string(stat), ") ")
	if err != nil || !found {
		return 'Z'
	}
	return rest[0]
}

func TestNoOrphans(t *testing.T) {
	temp := t.TempDir()
	t.Setenv("TMPDIR", temp)
	cmd := exec.Command("/proc/self/exe", partHost, t.TempDir())
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	var pids []int
	lines := bufio.NewScanner(out)
	for lines.Scan() && lines.Text() != "" {
		pid, err := strconv.Atoi(lines.Text())
		must(t, err)
		pids = append(pids, pid)
	}
	if len(pids) != 2 {
		t.Fatalf("processes %v", pids)
	}
	must(t, cmd.Process.Kill())
	_ = cmd.Wait() // it was killed
	deadline := time.Now().Add(10 * time.Second)
	for _, pid := range pids {
		for running(pid) {
			if time.Now().After(deadline) {
				t.Fatalf("process %d outlives its host", pid)
			}
			time.Sleep(10 * time.Millisecond)
		}
	}
	if left := names(t, temp); len(left) != 1 {
		t.Fatalf("the killed host left %v", left)
	}
	if sweep(0); len(names(t, temp)) != 0 {
		t.Errorf("left after the sweep: %v", names(t, temp))
	}
}

// running reports whether a process lives; a zombie does not.
func running(pid int) bool {
	return stateOf("/proc/"+strconv.Itoa(pid)+"/stat") != 'Z'
}

func TestUnixSocketsAreGranted(t *testing.T) {
	needLandlock(t)
	s := newScene(t)
	for _, granted := range []bool{false, true} {
		o := options(t, "actor")
		want := "denied"
		if granted {
			o.Entries[0].Network, want = []string{"unix"}, "ok"
		}
		if Confinement().ABI >= 9 {
			want = "denied" // Landlock knows the folders
		}
		h, snap := start(t, o)
		if got := ask(t, h, snap, "attack unix "+s.socket); got != want {
			t.Errorf("granted %v: %s", granted, got)
		}
		if got := ask(t, h, snap, "attack unixgram "+s.datagram); got != "denied" {
			t.Errorf("granted %v, a datagram: %s", granted, got)
		}
		if open := slices.Contains(confinement(h.options.policy(h.supervisors[0].entry(), "", "")).Open, openSockets); open != (want == "ok") {
			t.Errorf("granted %v, told to be open: %v", granted, open)
		}
		must(t, h.Close())
	}
}

func TestConfinementIsToldWithItsGaps(t *testing.T) {
	needLandlock(t)
	if s := Confinement(); len(s.Open) > 0 {
		t.Errorf("without grants, %s", s)
	}
	version := Confinement().ABI
	s := confinement(policy{TCP: []uint16{443}})
	if slices.Contains(s.Open, openUDP) != (version < 10) || slices.Contains(s.Open, openSockets) != (version < 9) {
		t.Errorf("with the network, %s", s)
	}
}
