package logic

import (
	"context"
	"fmt"
	"os"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// Settings are those of questions on business logic.
type Settings struct {
	Root string `setting:"LOGIC_ROOT" kind:"path" root:"" guest:"" default:"${WORKSPACE_ROOT}" arg:"DIR" doc:"DIR of the repository that questions on logic are about"`
	repo.Globs

	QA        string `setting:"LOGIC_QA" enum:"on,off" default:"on" doc:"whether questions on logic are answered"`
	Answerer  string `setting:"LOGIC_ANSWERER" enum:"extractive,chat" default:"extractive" doc:"what words the answers"`
	ChatURL   string `setting:"LOGIC_CHAT_URL" arg:"URL" doc:"URL of an OpenAI-style chat service, up to and with /v1; its key is LOGIC_CHAT_KEY in the environment"`
	ChatModel string `setting:"LOGIC_CHAT_MODEL" doc:"that service's name of the model"`
	ChatKey   string `secret:"LOGIC_CHAT_KEY"`
}

const rootSetting = "LOGIC_ROOT"

// problem returns why LOGIC_ROOT cannot be a repository: it is no folder, or a link leads it out of
// the workspace although the user has not named it.
func problem(w *workspace.Workspace) error {
	s := workspace.Of[Settings](w)
	info, err := os.Stat(s.Root)
	switch {
	case err != nil || !info.IsDir():
		return fmt.Errorf("%s is %q (%s): it must be a folder that exists", rootSetting, s.Root, w.Origin(rootSetting))
	case !w.Named(rootSetting) && !w.Holds(s.Root):
		return fmt.Errorf("%s is a link out of the workspace: if you trust it, name it with --logic-root", s.Root)
	}
	return nil
}

// exists reports whether there is code or a specification that questions may be about.
func exists(w *workspace.Workspace) bool {
	s := workspace.Of[Settings](w)
	return problem(w) == nil && repo.Holds(context.Background(), s.Root, s.Globs)
}

// mostNames is how many names a hint lists.
const mostNames = 12

// hint says in one sentence that no file is code or a specification, by which globs, and what
// there is instead.
func (s *Settings) hint(ctx context.Context) string {
	return fmt.Sprintf("no file below %s is code or a specification by LOGIC_CODE_GLOBS=%s, LOGIC_CHANGE_GLOBS=%s "+
		"and LOGIC_SPEC_GLOBS=%s; there are %s: set the globs, or LOGIC_ROOT",
		s.Root, strings.Join(s.Code, ","), strings.Join(s.Changes, ","), strings.Join(s.Specs, ","), s.found(ctx))
}

// found returns what the globs name that is left out, else what the root holds.
func (s *Settings) found(ctx context.Context) string {
	names := []string{}
	if _, skips, err := repo.Walk(ctx, s.Root, s.Globs); err == nil {
		for _, skip := range skips {
			names = append(names, fmt.Sprintf("%s (left out: %s)", skip.Path, skip.Reason))
		}
	}
	if len(names) == 0 {
		entries, _ := os.ReadDir(s.Root)
		for _, e := range entries {
			if e.IsDir() {
				names = append(names, e.Name()+"/")
			} else {
				names = append(names, e.Name())
			}
		}
	}
	switch {
	case len(names) == 0:
		return "no files at all"
	case len(names) > mostNames:
		return fmt.Sprintf("%s and %d more", strings.Join(names[:mostNames], ", "), len(names)-mostNames)
	}
	return strings.Join(names, ", ")
}

// check reports what a repository lacks whose tools were asked for.
func check(ctx context.Context, env *module.Env, r *doctor.Report) error {
	if w := env.Workspace; w.Wants("logic") && !exists(w) {
		r.Fail(workspace.Of[Settings](w).hint(ctx), "")
	}
	return nil
}
