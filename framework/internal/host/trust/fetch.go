package trust

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

var moduleAtVersion = lazyregexp.New(`^[A-Za-z0-9][\w.~/-]*@[\w.+-]+$`)

// sourceOf returns how the lock names what a user gave: the absolute path of an executable file
// or of a folder with a Go program, MODULE@VERSION, an https URL, or oci:// and the absolute path of a layout. It
// fails for anything else.
func sourceOf(given string) (string, error) {
	if strings.HasPrefix(given, httpsSource) {
		u, err := url.Parse(given)
		if err != nil || u.Host == "" || u.User != nil {
			return "", errors.New("the URL of an executable must be https://HOST/FILE, without a user or a password")
		}
		return given, nil
	}
	if strings.HasPrefix(given, ociSource) {
		dir, digest := layoutOf(given)
		abs, err := filepath.Abs(dir)
		if digest != "" {
			abs += "@" + digest
		}
		return ociSource + abs, err
	}
	info, err := os.Stat(given)
	switch {
	case err != nil && moduleAtVersion().MatchString(given):
		return given, nil
	case err != nil:
		return "", fmt.Errorf("there is no file or folder %s, and it is neither MODULE@VERSION, nor https://FILE, nor "+
			"oci://LAYOUT", given)
	}
	path, err := filepath.Abs(given)
	if err == nil && !info.IsDir() && !Executable(info) {
		err = fmt.Errorf("%s is not an executable file", path)
	}
	return path, err
}

// deliver puts the executable of a source into a folder: a copy, or what the go command builds
// with the flags.
func deliver(ctx context.Context, source, into string, flags ...string) error {
	switch {
	case strings.HasPrefix(source, httpsSource):
		return download(ctx, http.DefaultClient, source, into)
	case strings.HasPrefix(source, ociSource):
		return unpack(source, into)
	}
	info, err := os.Stat(source)
	switch {
	case err != nil && moduleAtVersion().MatchString(source):
		_, err = runGo(ctx, into, "install", source)
		return err
	case err != nil:
		return err
	case info.IsDir():
		return Build(ctx, source, into, flags...)
	case !Executable(info):
		return fmt.Errorf("%s is not an executable file", source)
	}
	src, err := os.Open(source)
	if err != nil {
		return err
	}
	defer src.Close()
	return writeExecutable(filepath.Join(into, filepath.Base(source)), func(to io.Writer) error {
		_, err := io.Copy(to, src)
		return err
	})
}

// Build compiles the Go program in a folder with the local toolchain and the flags. The executable is the only new file
// of the folder into, which must be absolute.
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

// outputKept is how many bytes of the toolchain's output an error quotes.
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

// Fetch makes a copy of an executable, or builds a folder with a Go program with flags,
// in the folder into, which must be absolute, empty and its own. It returns the executable's
// path and hash, and pins nothing: it is for the one who is writing the strategy.
func Fetch(ctx context.Context, source, into string, flags ...string) (path, sha256 string, err error) {
	if err := deliver(ctx, source, into, flags...); err != nil {
		return "", "", err
	}
	if path, err = only(into); err != nil {
		return "", "", err
	}
	sha256, err = Hash(path)
	return path, sha256, err
}

// only returns the one file of a folder.
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
	if info, err := os.Lstat(source); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		source, _ = filepath.EvalSymlinks(source) // "" is like a source that is gone
	}
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
