package trust

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// origin is where an executable comes from.
type origin struct {
	// source names it in the lock.
	source string
	fetch  func(ctx context.Context, into string) error
}

var moduleAtVersion = regexp.MustCompile(`^[A-Za-z0-9][\w.~/-]*@[\w.+-]+$`)

// originOf reads what a user gave: a file, a folder with a Go program, or MODULE@VERSION.
func originOf(source string) (origin, error) {
	info, err := os.Stat(source)
	if err != nil {
		if moduleAtVersion.MatchString(source) {
			return origin{source, func(ctx context.Context, into string) error { return goInstall(ctx, source, into) }},
				nil
		}
		return origin{}, fmt.Errorf("%s is neither an executable, nor a folder with a Go program, nor MODULE@VERSION",
			source)
	}
	path, err := filepath.Abs(source)
	if err != nil {
		return origin{}, err
	}
	if info.IsDir() {
		return origin{path, func(ctx context.Context, into string) error { return Build(ctx, path, into) }}, nil
	}
	if !executable(info) {
		return origin{}, fmt.Errorf("%s is not an executable file", path)
	}
	return origin{path, func(_ context.Context, into string) error { return copyFile(path, into) }}, nil
}

// Build compiles the Go program in a folder with the local toolchain and its flags. The
// executable is the only new file of the folder into, which must be absolute.
func Build(ctx context.Context, dir, into string, flags ...string) error {
	kind, err := runGo(ctx, dir, "list", "-f", "{{.Name}}", ".")
	if err != nil {
		return err
	}
	if kind = strings.TrimSpace(kind); kind != "main" {
		return fmt.Errorf("%s holds the package %s, which is no program", dir, kind)
	}
	flags = append(flags, "-buildvcs=false", "-o", into+string(filepath.Separator), ".")
	_, err = runGo(ctx, dir, append([]string{"build"}, flags...)...)
	return err
}

// goInstall builds a published program.
func goInstall(ctx context.Context, source, into string) error {
	_, err := runGo(ctx, into, "install", source)
	return err
}

// outputKept is how much of the toolchain's complaints an error tells, in bytes.
const outputKept = 2 << 10

// runGo runs the local Go toolchain: it fetches no other one that a module may ask for,
// and builds for this machine. What it installs goes to dir.
func runGo(ctx context.Context, dir string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOTOOLCHAIN=local", "GOBIN="+dir, "GOOS=", "GOARCH=")
	var out, complaints bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &complaints
	err := cmd.Run()
	if errors.Is(err, exec.ErrNotFound) {
		return "", errors.New("to build a strategy takes the Go toolchain, and there is no go in PATH; install it " +
			"from https://go.dev/dl or give an executable")
	}
	if err != nil {
		text := strings.TrimSpace(complaints.String())
		return "", fmt.Errorf("go %s: %w\n%s", args[0], err, text[:min(len(text), outputKept)])
	}
	return out.String(), nil
}

// copyFile copies an executable into a folder.
func copyFile(path, into string) error {
	src, err := os.Open(path)
	if err != nil {
		return err
	}
	defer src.Close()
	dst, err := os.OpenFile(filepath.Join(into, filepath.Base(path)), os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o700)
	if err != nil {
		return err
	}
	_, err = io.Copy(dst, src)
	if err = errors.Join(err, dst.Close()); err != nil {
		return fmt.Errorf("copy %s: %w", path, err)
	}
	return nil
}

// Fetch makes a copy of an executable, or builds a folder with a Go program with flags,
// in the folder into, which must be absolute, empty and its own. It returns the executable's
// path and hash, and pins nothing: it is for the one who is writing the strategy.
func Fetch(ctx context.Context, source, into string, flags ...string) (path, sha256 string, err error) {
	info, err := os.Stat(source)
	switch {
	case err != nil:
		return "", "", err
	case info.IsDir():
		err = Build(ctx, source, into, flags...)
	case !executable(info):
		err = fmt.Errorf("%s is not an executable file", source)
	default:
		err = copyFile(source, into)
	}
	if err != nil {
		return "", "", err
	}
	if path, err = only(into); err != nil {
		return "", "", err
	}
	sha256, err = Hash(path)
	return path, sha256, err
}

// only is the one file of a folder.
func only(dir string) (string, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return "", err
	}
	if len(files) != 1 {
		return "", fmt.Errorf("there are %d executables, not one", len(files))
	}
	return filepath.Join(dir, files[0].Name()), nil
}

// maxStamped is how many files of a folder are looked at for changes.
const maxStamped = 10_000

// Stamp changes when an executable or, in a folder with a Go program, a file changes that
// does not begin with a dot.
func Stamp(source string) string {
	var out strings.Builder
	seen := 0
	// what cannot be read does not change
	_ = filepath.WalkDir(source, func(path string, d fs.DirEntry, err error) error {
		if path != source && strings.HasPrefix(filepath.Base(path), ".") {
			if err == nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if err != nil || d.IsDir() {
			return nil
		}
		if info, err := d.Info(); err == nil {
			fmt.Fprintln(&out, path, info.Size(), info.ModTime().UnixNano())
		}
		if seen++; seen == maxStamped {
			return fs.SkipAll
		}
		return nil
	})
	return out.String()
}
