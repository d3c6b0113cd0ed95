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
	git, dir string
	shallow  bool
}

// gitTimeout bounds one call of git.
const gitTimeout = 30 * time.Second

// Open finds the history of a folder. Its error names the reason in words
// for people: no git, or no repository that git trusts.
func Open(ctx context.Context, dir string) (*History, error) {
	git, err := exec.LookPath("git")
	if err != nil {
		return nil, errors.New("git is not installed")
	}
	h := &History{git: git, dir: dir}
	cmd, cancel := h.command(ctx, "rev-parse", "--is-inside-work-tree", "--is-shallow-repository")
	defer cancel()
	out, err := cmd.Output()
	said := strings.Fields(string(out))
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return nil, fmt.Errorf("git finds no history: %s", firstLine(string(exit.Stderr)))
	} else if err != nil {
		return nil, fmt.Errorf("git finds no history: %w", err)
	} else if len(said) != 2 || said[0] != "true" {
		return nil, errors.New("git finds no history: the folder is not in a work tree")
	}
	h.shallow = said[1] == "true"
	return h, nil
}

func firstLine(said string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(said), "\n")
	return strings.TrimPrefix(line, "fatal: ")
}

// settings put what a folder's own configuration could make git run out of force.
var settings = []string{
	"core.fsmonitor=false", "core.hooksPath=" + os.DevNull, "core.attributesFile=" + os.DevNull, "core.pager=cat",
	"core.askPass=", "diff.external=", "credential.helper=", "protocol.allow=never",
}

// command returns a call of git in the folder, with an environment of its own: the
// caller's may name another repository, and holds keys.
func (h *History) command(ctx context.Context, args ...string) (*exec.Cmd, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, gitTimeout)
	all := []string{"--no-pager", "--literal-pathspecs", "-C", h.dir}
	for _, s := range settings {
		all = append(all, "-c", s)
	}
	cmd := exec.CommandContext(ctx, h.git, append(all, args...)...)
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "LC_ALL=C",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1", "GIT_OPTIONAL_LOCKS=0",
		"GIT_TERMINAL_PROMPT=0", "GIT_ALLOW_PROTOCOL=", "GIT_NO_LAZY_FETCH=1", "GIT_NO_REPLACE_OBJECTS=1",
	}
	cmd.WaitDelay = time.Second
	return cmd, cancel
}
