package vault_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

func init() {
	roles["full"], roles["limited"], roles["closed"] = fullWriter, limitedWriter, closedWriter
}

// fullWriter writes into a small file system of its own, which it mounts.
func fullWriter(dir string) {
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		fmt.Println("skip", err)
		return
	}
	writeUntilFull(filepath.Join(dir, "vault"))
}

// limitedWriter may write files of 100 KiB at most.
func limitedWriter(dir string) {
	limit := &syscall.Rlimit{Cur: 100 << 10, Max: 100 << 10}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, limit); err != nil {
		fmt.Println("skip", err)
		return
	}
	writeUntilFull(filepath.Join(dir, "vault"))
}

// writeUntilFull makes every kind of write fail for want of room and says what is
// wrong with what is left.
func writeUntilFull(dir string) {
	v, ctx := vault.New(options(dir)), context.Background()
	keep := noise(50 << 10)
	for _, name := range []string{"notes/a.md", "notes/b.md", crashDay} {
		if _, err := v.Create(ctx, vault.CreateArgs{Path: rootfs.Path(name), Content: keep}); err != nil {
			fmt.Println("a small file:", err)
		}
	}
	big := noise(700 << 10)
	_, err := v.Create(ctx, vault.CreateArgs{Path: "notes/new.md", Content: big + big})
	told("create", err)
	_, err = v.Write(ctx, vault.WriteArgs{Path: "notes/a.md", Content: big + big, Mode: "overwrite"})
	told("overwrite", err)
	_, err = v.Write(ctx, vault.WriteArgs{Path: crashDay, Content: big + big, Mode: "append"})
	told("append", err)
	_, err = v.Replace(ctx, vault.ReplaceArgs{Path: "notes/b.md", Find: keep[:1], Replace: big[:1000], MaxReplacements: 2000})
	told("replace", err)
	for _, name := range []string{"notes/a.md", "notes/b.md", crashDay} {
		if text, err := os.ReadFile(filepath.Join(dir, name)); err != nil || !bytes.Equal(text, []byte(keep)) {
			fmt.Println(name, "has", len(text), "bytes now", err)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "notes", "new.md")); err == nil {
		fmt.Println("half a file was made")
	}
	if left, _ := filepath.Glob(filepath.Join(dir, "*", ".sagasu-tmp-*")); len(left) > 0 {
		fmt.Println("left behind", left)
	}
	if versions, err := v.Log("notes/a.md"); err == nil {
		fmt.Println("a failed write left", len(versions), "versions")
	}
	if _, err := v.Write(ctx, vault.WriteArgs{Path: "notes/a.md", Content: "small", Mode: "overwrite"}); err != nil {
		fmt.Println("there is room again, but", err)
	}
	fmt.Println("done")
}

// closedWriter writes into a file system of its own while that is read-only, and after.
func closedWriter(dir string) {
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		fmt.Println("skip", err)
		return
	}
	v, ctx := vault.New(options(filepath.Join(dir, "vault"))), context.Background()
	write := func(content string) error {
		_, err := v.Write(ctx, vault.WriteArgs{Path: "notes/a.md", Content: content, Mode: "overwrite"})
		return err
	}
	_, err := v.Create(ctx, vault.CreateArgs{Path: "notes/a.md", Content: "one"})
	if err = errors.Join(err, write("two")); err != nil {
		fmt.Println("before:", err)
	}
	remount := func(flags uintptr) {
		if err := unix.Mount("", dir, "", unix.MS_REMOUNT|flags, "size=1m"); err != nil {
			fmt.Println("skip", err)
		}
	}
	remount(unix.MS_RDONLY)
	_, created := v.Create(ctx, vault.CreateArgs{Path: "new/b.md", Content: "x"})
	for what, err := range map[string]error{"create": created, "overwrite": write("three")} {
		bad, ok := errors.AsType[*toolset.Error](err)
		if !ok || bad.Code != toolset.NotAvailable || !strings.Contains(bad.Message, "read-only") || strings.Contains(bad.Message, dir) {
			fmt.Printf("%s: %v\n", what, err)
		}
	}
	if r, err := v.Read(ctx, vault.ReadArgs{Path: "notes/a.md", Full: true}); err != nil || r.Text != "two" {
		fmt.Println("read:", r, err)
	}
	if versions, err := v.Log("notes/a.md"); err != nil || len(versions) != 1 {
		fmt.Println("log:", versions, err)
	}
	remount(0)
	if err := write("three"); err != nil {
		fmt.Println("after:", err)
	}
	fmt.Println("done")
}

// told wants an error that says what to do.
func told(what string, err error) {
	bad, ok := errors.AsType[*toolset.Error](err)
	if !ok || bad.Code != toolset.NotAvailable || !strings.Contains(bad.Message, "disk is full") {
		fmt.Printf("%s: %v\n", what, err)
	}
}

func TestAFullDisk(t *testing.T) {
	run := func(t *testing.T, role string, attr *syscall.SysProcAttr) {
		self, err := os.Executable()
		must(t, err)
		cmd := exec.Command(self)
		cmd.Env = append(os.Environ(), envRole+"="+role, envVault+"="+t.TempDir())
		cmd.SysProcAttr = attr
		out, err := cmd.CombinedOutput()
		if errors.Is(err, os.ErrPermission) || errors.Is(err, syscall.EPERM) || errors.Is(err, syscall.EINVAL) || strings.HasPrefix(string(out), "skip") {
			t.Skipf("not here: %v %s", err, out)
		}
		if err != nil || string(out) != "done\n" {
			t.Errorf("%v\n%s", err, out)
		}
	}
	ids := func(id int) []syscall.SysProcIDMap {
		return []syscall.SysProcIDMap{{ContainerID: 0, HostID: id, Size: 1}}
	}
	mounts := func() *syscall.SysProcAttr {
		return &syscall.SysProcAttr{
			Cloneflags: syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS, UidMappings: ids(os.Getuid()), GidMappings: ids(os.Getgid()),
		}
	}
	t.Run("limit", func(t *testing.T) { run(t, "limited", nil) })
	t.Run("tmpfs", func(t *testing.T) { run(t, "full", mounts()) })
	t.Run("read-only", func(t *testing.T) { run(t, "closed", mounts()) })
}
