package logic

import (
	"context"
	"fmt"
	"os"

	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// Settings are the settings of questions on business logic.
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

// problem returns why LOGIC_ROOT cannot be a repository: it is not a folder, or a link leads out of the workspace
// although the user has not set LOGIC_ROOT.
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

// exists reports whether there is code or a specification to ask about.
func exists(w *workspace.Workspace) bool {
	s := workspace.Of[Settings](w)
	return problem(w) == nil && repo.Holds(context.Background(), s.Root, s.Globs)
}

// check reports what the repository lacks if the user has enabled the tools.
func check(ctx context.Context, env *module.Env, r *doctor.Report) error {
	if w := env.Workspace; w.Wants("logic") && !exists(w) {
		s := workspace.Of[Settings](w)
		r.Fail(s.Lacking(ctx, s.Root, repo.Code, repo.ChangeSpec, repo.MainSpec), "")
	}
	return nil
}
