package host

import (
	"bufio"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"testing"

	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// standAlone starts a strategy without a host, as a debugger does.
func standAlone(t *testing.T) (*exec.Cmd, *wire.Reattach) {
	t.Helper()
	cmd := exec.Command(os.Args[0], partAlone, "actor")
	cmd.Env = append(os.Environ(), wire.EnvDebug+"=1")
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	line, err := bufio.NewReader(out).ReadBytes('\n')
	must(t, err)
	at := new(wire.Reattach)
	must(t, json.Unmarshal(line, at))
	return cmd, at
}

func TestAttach(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no interrupts to end the process with")
	}
	cmd, at := standAlone(t)
	o := options(t)
	o.Entries = []Entry{{Name: "actor", Attach: at, Config: json.RawMessage(`{"a":1}`)}}
	for range 2 { // one host after the other
		h, snap := start(t, o)
		if pid := ask(t, h, snap, "pid"); pid != strconv.Itoa(cmd.Process.Pid) || at.PID != cmd.Process.Pid {
			t.Errorf("%s answers, %d was started", pid, cmd.Process.Pid)
		}
		if got := ask(t, h, snap, "config"); got != `{"a":1}` {
			t.Errorf("configured with %s", got)
		}
		if st := h.Status()[0]; st.State != StateRunning || st.Sandbox != "not confined" {
			t.Errorf("status %+v", st)
		}
		must(t, h.Close())
	}
	must(t, cmd.Process.Signal(os.Interrupt))
	must(t, cmd.Wait())
	h, snap := start(t, o)
	if _, err := h.Search(t.Context(), "actor", request(snap, "find")); err == nil {
		t.Error("a process that has ended answers")
	}
}

func TestSwap(t *testing.T) {
	one, two := installed(t), installed(t)
	two.Path = filepath.Join(filepath.Dir(two.Path), "two")
	must(t, os.Link(filepath.Join(filepath.Dir(two.Path), "strategy.exe"), two.Path))
	o := options(t)
	o.Entries = []Entry{one}
	h, snap := start(t, o)
	before := ask(t, h, snap, "pid")
	must(t, h.Swap(two))
	if after := ask(t, h, snap, "pid"); after == before {
		t.Error("the old process answers")
	}
	if st := h.Status()[0]; st.Path != two.Path {
		t.Errorf("status %+v", st)
	}
	two.SHA256 = one.SHA256[1:] + "0"
	must(t, h.Swap(two))
	if _, err := h.Search(t.Context(), "actor", request(snap, "find")); !errors.Is(err, ErrUnpinned) {
		t.Errorf("another executable gave %v", err)
	}
	must(t, h.Swap(one)) // what failed before does not count
	ask(t, h, snap, "pid")
	two.SHA256 = ""
	if h.Swap(two) == nil || !errors.Is(h.Swap(Entry{Name: "nobody", Path: one.Path, SHA256: one.SHA256}), ErrUnknown) {
		t.Error("a bad entry was taken")
	}
}

func TestSwapDuringAStart(t *testing.T) {
	o := options(t)
	o.Entries = []Entry{installed(t)}
	h, snap := start(t, o)
	h.Warm()
	must(t, h.Swap(o.Entries[0]))
	try(t, h, snap, "find")
	if st := h.Status()[0]; st.State != StateRunning {
		t.Errorf("status %+v", st)
	}
}
