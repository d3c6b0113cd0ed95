package host

import (
	"os"
	"os/exec"
	"testing"
)

// The socket of a bundled strategy lets in the host, and no other process of the same user.
func TestNobodyElseReachesABundledStrategy(t *testing.T) {
	h, snap := start(t, options(t, "steady"))
	pid := ask(t, h, snap, "pid")
	socket := h.supervisors[0].current.client.ReattachConfig().Addr.String()
	out, err := exec.Command(os.Args[0], partCall, socket).CombinedOutput()
	if err != nil || string(out) != "true" {
		t.Errorf("another process was not refused: %s, %v", out, err)
	}
	if again := ask(t, h, snap, "pid"); again != pid {
		t.Errorf("process %s answers instead of %s", again, pid)
	}
}
