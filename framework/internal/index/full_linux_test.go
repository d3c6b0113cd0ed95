package index

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func init() { roles["full"], roles["limited"] = onFullDisk, underLimit }

// onFullDisk indexes on a small file system of its own, which it mounts and fills.
func onFullDisk(dir string) {
	disk := filepath.Join(dir, "disk")
	if err := os.Mkdir(disk, 0o700); err != nil {
		fmt.Println(err)
		return
	}
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, "size=1m"); err != nil {
		fmt.Println("skip", err)
		return
	}
	filling := filepath.Join(disk, "filling")
	withoutRoom(filepath.Join(dir, "manuals"), filepath.Join(disk, "index"), "no space left", func(full bool) error {
		if !full {
			return os.Remove(filling)
		}
		f, err := os.Create(filling)
		if err != nil {
			return err
		}
		for err == nil {
			_, err = f.Write(make([]byte, 1<<10))
		}
		return f.Close()
	})
}

// underLimit may write files of 4 KiB at most while the disk counts as full.
func underLimit(dir string) {
	withoutRoom(filepath.Join(dir, "manuals"), filepath.Join(dir, "index"), "file too large", func(full bool) error {
		limit := &syscall.Rlimit{Cur: 1 << 30, Max: unix.RLIM_INFINITY}
		if full {
			limit.Cur = 4 << 10
		}
		return syscall.Setrlimit(syscall.RLIMIT_FSIZE, limit)
	})
}

// withoutRoom indexes, changes a file when there is no room, and says what is wrong: with the first
// index, with what is searched then, and with what is left behind.
func withoutRoom(root, dir, reason string, fill func(full bool) error) {
	ctx := context.Background()
	write := func(path string, size int) {
		path = filepath.Join(root, path)
		text := []byte("# " + strings.Repeat("x", 10) + "\n")
		for i := 0; len(text) < size; i++ {
			text = fmt.Appendf(text, "word%d ", i)
		}
		must(errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, text, 0o600)))
	}
	open := func() *Index {
		x, err := Open(Options{Dir: dir, Source: corpus.ManualSource{}, Manuals: func(context.Context) ([]corpus.Manual, error) {
			return corpus.Manuals(root, nil)
		}})
		must(err)
		return x
	}
	told := func(when string, bad *toolset.Error) {
		if bad == nil || bad.Code != toolset.NotAvailable || !strings.Contains(bad.Message, reason) ||
			!strings.Contains(bad.Message, dir) || !strings.Contains(bad.Message, "free space") {
			fmt.Printf("%s: %v\n", when, bad)
		}
	}
	segments := func() []string {
		found, err := filepath.Glob(filepath.Join(dir, "*.*"))
		must(err)
		return slices.DeleteFunc(found, func(name string) bool {
			return strings.HasSuffix(name, ".lock") || filepath.Base(name) == verifiedFile(snapshot.KindManual)
		})
	}

	write("m/a.md", 20<<10)
	must(os.MkdirAll(dir, 0o700))
	must(fill(true))
	x := open()
	_, err := x.View(ctx, time.Hour)
	told("a first index", toolset.AsError(err))
	if left := segments(); len(left) > 0 {
		fmt.Println("a first index left", left)
	}
	must(fill(false))
	v, err := x.View(ctx, time.Hour)
	must(err)
	if v.Unwritten != nil || v.Snapshot.Bound() != 1 {
		fmt.Println("with room:", v.Unwritten, v.Snapshot.Bound(), "sections")
	}
	v.Release()

	before := segments()
	write("m/b.md", 50<<10)
	must(os.WriteFile(filepath.Join(root, "m", "nul.md"), []byte("\x00"), 0o600))
	must(os.Symlink("a.md", filepath.Join(root, "m", "link.md")))
	must(fill(true))
	must(x.Close())
	for range 2 { // also of a process that starts now
		x = open()
		x.addPending(pendingChanges{all: true})
		v, err = x.View(ctx, time.Hour)
		must(err)
		told("a second file", v.Unwritten)
		if n := v.Snapshot.Bound(); n != 1 || len(v.Lacking) == 0 {
			fmt.Println("the older snapshot has", n, "sections and lacks", v.Lacking)
		}
		if !slices.ContainsFunc(v.Skipped, func(s toolset.Skip) bool { return s.Path == "link.md" }) {
			fmt.Println("skipped", v.Skipped)
		}
		v.Release()
		must(x.Close())
		if after := segments(); !slices.Equal(before, after) {
			fmt.Println("the index became", after)
		}
	}

	must(fill(false))
	x = open()
	v, err = x.View(ctx, time.Hour)
	must(err)
	if v.Unwritten != nil || len(v.Lacking) > 0 || v.Snapshot.Bound() != 2 || len(v.Skipped) != 2 {
		fmt.Println("with room again:", v.Unwritten, v.Lacking, v.Snapshot.Bound(), "sections", v.Skipped)
	}
	v.Release()
	must(x.Close())
	fmt.Println("done")
}

// must ends the process, which is a child of a test.
func must(err error) {
	if err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
}

// TestAFullDisk has an index without room say so, publish nothing and let the older snapshot answer.
func TestAFullDisk(t *testing.T) {
	user := []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
	group := []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	for role, attr := range map[string]*syscall.SysProcAttr{
		"limited": nil,
		"full":    {Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS, UidMappings: user, GidMappings: group},
	} {
		t.Run(role, func(t *testing.T) {
			self, err := os.Executable()
			if err != nil {
				t.Fatal(err)
			}
			cmd := exec.Command(self)
			cmd.Env = append(os.Environ(), roleName+"="+role, hostDir+"="+t.TempDir())
			cmd.SysProcAttr = attr
			out, err := cmd.CombinedOutput()
			if errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOSPC) || bytes.HasPrefix(out, []byte("skip")) {
				t.Skipf("no file system can be mounted here: %v %s", err, out)
			}
			if err != nil || string(out) != "done\n" {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
