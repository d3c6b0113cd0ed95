package age

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"time"
)

// History is the git history of a folder.
type History struct {
	program, dir string
	shallow      bool
}

// gitTimeout bounds one call of git.
const gitTimeout = 30 * time.Second

// Open finds the history of a folder. Its error names the reason in words
// for people: no git, or no repository that git trusts.
func Open(ctx context.Context, dir string) (*History, error) {
	program, err := exec.LookPath("git")
	if err != nil {
		return nil, errors.New("git is not installed")
	}
	h := &History{program: program, dir: dir}
	out, err := h.git(ctx, "rev-parse", "--is-inside-work-tree", "--is-shallow-repository")
	said := strings.Fields(out)
	if err == nil && (len(said) != 2 || said[0] != "true") {
		err = errors.New("the folder is not in a work tree")
	}
	if err != nil {
		return nil, fmt.Errorf("git finds no history: %w", err)
	}
	h.shallow = said[1] == "true"
	return h, nil
}

// settings put what a folder's own configuration could make git run out of force.
var settings = []string{
	"core.fsmonitor=false", "core.hooksPath=" + os.DevNull, "core.attributesFile=" + os.DevNull, "core.pager=cat",
	"core.askPass=", "diff.external=", "credential.helper=", "protocol.allow=never",
}

// git returns what a call of git in the folder prints. Its environment is its own: the
// caller's may name another repository, and holds keys.
func (h *History) git(ctx context.Context, args ...string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	defer cancel()
	all := []string{"--no-pager", "--literal-pathspecs", "-C", h.dir}
	for _, s := range settings {
		all = append(all, "-c", s)
	}
	cmd := exec.CommandContext(ctx, h.program, append(all, args...)...)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL=", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1",
	}
	cmd.WaitDelay = time.Second
	out, err := cmd.Output()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		line, _, _ := strings.Cut(strings.TrimSpace(string(exit.Stderr)), "\n")
		err = errors.New(strings.TrimPrefix(line, "fatal: "))
	}
	return string(out), err
}
