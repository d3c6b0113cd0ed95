package host

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"

	"github.com/sagasu-search/sagasu/sdk"
)

// attack does harm inside a strategy's process and tells how it went: "ok" when it
// worked, "denied", or an error. Limits in the tests keep those that take resources small.
func attack(ctx context.Context, what string) string {
	verb, arg, _ := strings.Cut(what, " ")
	switch verb {
	case "list":
		_, err := os.ReadDir(arg)
		return outcome(err)
	case "stat":
		_, err := os.Stat(arg)
		return outcome(err)
	case "truncate":
		return outcome(os.Truncate(arg, 0))
	case "remove":
		return outcome(os.Remove(arg))
	case "chmod":
		return outcome(os.Chmod(arg, 0o777))
	case "touch":
		return outcome(os.Chtimes(arg, time.Unix(1, 0), time.Unix(1, 0)))
	case "mark":
		return outcome(unix.Setxattr(arg, "user.x", []byte("x"), 0))
	case "lease":
		f, err := os.Open(arg)
		if err != nil {
			return outcome(err)
		}
		defer f.Close()
		_, err = unix.FcntlInt(f.Fd(), unix.F_SETLEASE, unix.F_RDLCK)
		return outcome(err)
	case "attribute":
		_, err := unix.Listxattr(arg, nil)
		if errors.Is(err, unix.ENOTSUP) {
			return "denied"
		}
		return outcome(err)
	case "replace":
		forged := filepath.Join(sdk.StateDir(ctx), "forged")
		err := os.WriteFile(forged, []byte("#!/bin/sh\n"), 0o700)
		if err == nil {
			err = os.Rename(forged, arg)
		}
		if errors.Is(err, syscall.EXDEV) { // where Landlock lets nothing pass
			return "denied"
		}
		return outcome(err)
	case "run-own":
		made := filepath.Join(sdk.StateDir(ctx), "made")
		if err := os.WriteFile(made, []byte("\x7fELF"), 0o700); err != nil {
			return err.Error()
		}
		return outcome(syscall.Exec(made, []string{made}, nil))
	case "plant":
		return outcome(os.Symlink(arg, filepath.Join(os.TempDir(), "socket")))
	case "lock-away":
		dir := filepath.Join(os.TempDir(), "locked")
		err := os.Mkdir(dir, 0o300)
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "kept"), nil, 0o600)
		}
		return outcome(err)
	case "symlink", "state-link": // and read through it
		link := filepath.Join(os.TempDir(), "link")
		if verb == "state-link" {
			link = filepath.Join(sdk.StateDir(ctx), "link")
		}
		_ = os.Remove(link)
		err := os.Symlink(arg, link)
		if err == nil {
			_, err = os.ReadFile(link)
		}
		return outcome(err)
	case "link":
		err := os.Link(arg, filepath.Join(os.TempDir(), "hard"))
		if errors.Is(err, syscall.EXDEV) { // where Landlock lets nothing pass
			return "denied"
		}
		return outcome(err)
	case "lock":
		f, err := os.Open(arg)
		if err != nil {
			return outcome(err)
		}
		defer f.Close()
		return outcome(unix.Flock(int(f.Fd()), unix.LOCK_SH|unix.LOCK_NB))
	case "stdin":
		return readStdin()
	}
	return attackSystem(ctx, verb, arg)
}

// readStdin reads the standard input that the process was started with.
func readStdin() string {
	got := make(chan string, 1)
	go func() {
		n, err := syscall.Read(0, make([]byte, 1))
		got <- outcome(err) + strconv.Itoa(n)
	}()
	select {
	case what := <-got:
		return what
	case <-time.After(50 * time.Millisecond):
		return "nothing"
	}
}

func attackSystem(ctx context.Context, verb, arg string) string {
	switch verb {
	case "exec":
		return outcome(syscall.Exec(arg, []string{arg}, nil))
	case "spawn":
		return outcome(exec.Command("/proc/self/exe").Run())
	case "send": // a datagram
		conn, err := net.Dial("udp4", arg)
		if err == nil {
			_, err = conn.Write([]byte("x"))
			conn.Close()
		}
		return outcome(err)
	case "unix", "unixgram":
		conn, err := net.Dial(verb, arg)
		if err == nil {
			conn.Close()
		}
		return outcome(err)
	case "listen":
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err == nil {
			l.Close()
		}
		return outcome(err)
	case "files":
		return openMany()
	case "disk":
		signal.Ignore(syscall.SIGXFSZ)
		size, _ := strconv.Atoi(arg)
		err := os.WriteFile(filepath.Join(os.TempDir(), "large"), make([]byte, size), 0o600)
		if errors.Is(err, syscall.EFBIG) {
			return "too large"
		}
		return outcome(err)
	case "reserve":
		size, _ := strconv.Atoi(arg)
		_, err := unix.Mmap(-1, 0, size, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_PRIVATE)
		return outcome(err)
	case "share":
		_, err := unix.Mmap(-1, 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_ANON|unix.MAP_SHARED)
		return outcome(err)
	case "threads":
		for range 5000 {
			go func() { runtime.LockOSThread(); time.Sleep(2 * time.Second) }()
		}
		time.Sleep(time.Second)
		return "ok"
	case "noise":
		size, _ := strconv.Atoi(arg)
		line := strings.Repeat("n", 1023) + "\n"
		for range size / len(line) {
			os.Stderr.WriteString(line)
			os.Stdout.WriteString(line)
		}
		return "ok"
	case "line":
		size, _ := strconv.Atoi(arg)
		piece := []byte(strings.Repeat("n", 1<<20))
		for range size / len(piece) {
			_, _ = syscall.Write(2, piece) // os.Stderr is the library's by now
		}
		return "ok"
	case "trailer":
		size, _ := strconv.Atoi(arg)
		return outcome(grpc.SetTrailer(ctx, metadata.Pairs("x", strings.Repeat("x", size))))
	case "call":
		return call(strings.Fields(arg))
	}
	return "an unknown attack"
}

// openMany opens files until it may not.
func openMany() string {
	for n := range 2000 {
		f, err := os.Open(os.DevNull)
		if errors.Is(err, syscall.EMFILE) {
			return "too many"
		}
		if err != nil {
			return strconv.Itoa(n) + ": " + outcome(err)
		}
		defer f.Close()
	}
	return "ok"
}

// call makes a system call with numbers as arguments; "ptr" is some memory.
func call(words []string) string {
	scratch := make([]byte, 256)
	binary.NativeEndian.PutUint64(scratch, 0)
	var args [7]uintptr
	for i, w := range words {
		n, _ := strconv.ParseInt(w, 0, 64)
		args[i] = uintptr(n)
		if w == "ptr" {
			args[i] = uintptr(unsafe.Pointer(&scratch[0]))
		}
	}
	_, _, errno := syscall.RawSyscall6(args[0], args[1], args[2], args[3], args[4], args[5], args[6])
	runtime.KeepAlive(scratch)
	switch errno {
	case 0:
		return "ok"
	case unix.ENOSYS:
		return "missing"
	}
	return outcome(errno)
}
