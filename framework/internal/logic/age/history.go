package age

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

// History is the git history of a folder. Git reads the repository's objects through an empty
// repository of our own, so that nothing the folder configures is in force. Close it after use.
type History struct {
	program string
	own     string // our repository
	commit  string // the last one
	prefix  string // of the folder's paths in the commit
	shallow bool
}

// gitTimeout bounds one call of git.
const gitTimeout = 10 * time.Second

// Open finds the history of a folder. Its error names the reason in words
// for people: no git, or no repository that can be read.
func Open(dir string) (*History, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, errors.New("git is not installed")
	}
	r, err := findRepository(dir)
	if err != nil {
		return nil, fmt.Errorf("git finds no history: %w", err)
	}
	h := &History{program: program, commit: r.head, prefix: r.prefix, shallow: len(r.shallow) > 0}
	if h.own, err = os.MkdirTemp("", "sagasu-history-"); err != nil {
		return nil, fmt.Errorf("read the history: %w", err)
	}
	if err := h.fill(r); err != nil {
		return nil, errors.Join(fmt.Errorf("read the history: %w", err), h.Close())
	}
	return h, nil
}

// Close removes what Open made.
func (h *History) Close() error { return os.RemoveAll(h.own) }

// fill makes our repository one that has the objects of r.
func (h *History) fill(r *repository) error {
	config := "[core]\n\tbare = true\n\trepositoryformatversion = 0\n"
	if len(r.head) == sha256Digits {
		config = "[core]\n\tbare = true\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = sha256\n"
	}
	files := map[string]string{
		"HEAD": r.head + "\n", "config": config, "objects/info/alternates": r.objects + "\n",
	}
	if h.shallow {
		files["shallow"] = string(r.shallow)
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

// git returns what a call of git prints. Its environment is its own: the caller's may name another
// repository, and holds keys.
func (h *History) git(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, h.program, append([]string{"--no-pager", "--literal-pathspecs"}, args...)...)
	cmd.Dir = h.own
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "LC_ALL=C", "GIT_DIR=" + h.own,
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL=", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1",
	}
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

// maxPrinted bounds what git may print.
const maxPrinted = 64 << 20

// bounded keeps what is written up to maxPrinted bytes and fails beyond.
type bounded struct{ strings.Builder }

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.Len()+len(p) > maxPrinted {
		return 0, errors.New("git printed too much")
	}
	return b.Builder.Write(p)
}
