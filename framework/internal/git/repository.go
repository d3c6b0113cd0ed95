package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Repository is the git repository of a folder. Close it after use.
type Repository struct {
	*layout
	program string
	own     string // the empty repository that git runs in
}

// timeout is the maximum duration of one call of git.
const timeout = 10 * time.Second

// Open finds the repository of a folder. Its error is readable for users: git is missing, or no repository can be read.
func Open(dir string) (*Repository, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, errors.New("git is not installed")
	}
	r, err := findRepository(dir)
	if err != nil {
		return nil, fmt.Errorf("git finds no history: %w", err)
	}
	h := &Repository{layout: r, program: program}
	if h.own, err = os.MkdirTemp("", "sagasu-history-"); err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	if err := h.fill(); err != nil {
		return nil, errors.Join(fmt.Errorf("read the history: %w", err), h.Close())
	}
	return h, nil
}

// Close removes the files that Open has made.
func (h *Repository) Close() error { return os.RemoveAll(h.own) }

// fill makes our own repository, which borrows the objects of the folder's.
func (h *Repository) fill() error {
	config := "[core]\n\tbare = true\n\trepositoryformatversion = 0\n"
	if len(h.head) == sha256Digits {
		config = "[core]\n\tbare = true\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n"
	}
	files := map[string]string{
		"HEAD": h.head + "\n", "config": config, "objects/info/alternates": h.objects + "\n",
	}
	if len(h.shallow) > 0 {
		files["shallow"] = string(h.shallow)
	}
	for _, dir := range []string{"refs", "objects/info"} {
		if err := os.MkdirAll(filepath.Join(h.own, filepath.FromSlash(dir)), 0o700); err != nil {
			return err
		}
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(h.own, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			return err
		}
	}
	return nil
}

// Tracked lists the tracked files below the folder, by their paths relative to it.
func (h *Repository) Tracked(ctx context.Context) ([]string, error) {
	if info, err := os.Lstat(h.index); err != nil || !info.Mode().IsRegular() {
		return nil, errors.New("it has no list of tracked files")
	}
	out, err := h.run(ctx, []string{"GIT_INDEX_FILE=" + h.index}, "ls-files", "-z", "--cached")
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	var files []string
	for name := range strings.SplitSeq(out, "\x00") {
		if below, ok := strings.CutPrefix(name, h.prefix); ok && below != "" {
			files = append(files, below)
		}
	}
	return files, nil
}

// run returns the output of git. It does not pass on the environment, which may name another repository and contain
// secrets, but only a few variables and env.
func (h *Repository) run(ctx context.Context, env []string, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, h.program, append([]string{"--no-pager", "--literal-pathspecs"}, args...)...)
	cmd.Dir = h.own
	cmd.Env = append(env,
		"PATH="+os.Getenv("PATH"), "SYSTEMROOT="+os.Getenv("SYSTEMROOT"), "LC_ALL=C", "GIT_DIR="+h.own,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_ATTR_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL=", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1",
	)
	cmd.WaitDelay = time.Second
	var out, said bounded
	cmd.Stdout, cmd.Stderr = &out, &said
	err := cmd.Run()
	if _, ok := errors.AsType[*exec.ExitError](err); ok && ctx.Err() == nil {
		line, _, _ := strings.Cut(strings.TrimSpace(said.String()), "\n")
		err = errors.New(strings.TrimPrefix(line, "fatal: "))
	}
	return out.String(), err
}

// maxPrinted is the maximum number of bytes that git may print.
const maxPrinted = 64 << 20

// bounded keeps up to maxPrinted bytes, and fails beyond.
type bounded struct{ strings.Builder }

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxPrinted {
		return 0, errors.New("git printed too much")
	}
	return b.Builder.Write(p)
}
