package cli

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// onFullDisk runs a command line with a small full file system, $DISK, of its own. It skips the
// test where none can be mounted.
func onFullDisk(t *testing.T, env []string, line string) (out string, err error) {
	t.Helper()
	disk := t.TempDir()
	cmd := exec.Command("sh", "-c", `mount -t tmpfs -o size=256k none "$DISK" || { echo skip; exit 0; }
		cat /dev/zero > "$DISK/filling" 2> /dev/null
		`+line)
	cmd.Env = append(env, "DISK="+disk, "SAGASU="+binary)
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
	}
	all, err := cmd.CombinedOutput()
	if errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOSPC) || strings.Contains(string(all), "skip\n") {
		t.Skipf("no file system can be mounted here: %v %s", err, all)
	}
	return strings.ReplaceAll(string(all), disk, "$DISK"), err
}

// A full disk of states costs a warning, one of indexes is named; an older index answers.
func TestFullDisks(t *testing.T) {
	manual := filepath.Join(t.TempDir(), "guide")
	if err := os.Mkdir(manual, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(manual, "a.md"), []byte("# A\nplainword\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	env := append(environment(t), "MANUAL="+manual)
	const (
		find      = `"$SAGASU" find plainword --manuals "$MANUAL" 2>&1 `
		elsewhere = `export SAGASU_CACHE_DIR="$HOME/cache"; `
		change    = `printf "# B\nlateword\n" > "$MANUAL/b.md"; `
	)
	for _, c := range []struct {
		name, line string
		fails      bool
		holds      []string
		lacks      string
	}{
		{"state", elsewhere + `export XDG_STATE_HOME="$DISK/state"; ` + find, false, []string{
			"1. guide/a.md:1", "warning: the trace could not be kept in $DISK/state/", ": no space left on device; only this process",
		}, "internal"},
		{"a first index", `export SAGASU_CACHE_DIR="$DISK/cache"; ` + find, true, []string{
			"the index in $DISK/cache/", "cannot be written: no space left on device; free space there, or set SAGASU_CACHE_DIR",
		}, "unexpected"},
		{"an older index", `rm "$DISK/filling"; export SAGASU_CACHE_DIR="$DISK/cache"; ` + find + `> /dev/null
			cat /dev/zero > "$DISK/filling" 2> /dev/null; ` + change + find, false, []string{
			"1. guide/a.md:1", "warning: the index in $DISK/cache/", "no space left on device", "files are searched as they were before",
			"files that are not indexed yet: 1",
		}, "warning: indexing"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := onFullDisk(t, env, c.line)
			if (err != nil) != c.fails {
				t.Errorf("%v\n%s", err, out)
			}
			for _, text := range c.holds {
				if !strings.Contains(out, text) {
					t.Errorf("it does not say %q:\n%s", text, out)
				}
			}
			if strings.Contains(out, c.lacks) {
				t.Errorf("it says %q:\n%s", c.lacks, out)
			}
		})
	}
}
