package logic

import (
	"context"
	"errors"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/logic/answer"
	"github.com/sagasu-search/sagasu/framework/internal/logic/chat"
	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// Definition returns the product that answers questions on business logic. Opening it returns a [*Module].
func Definition() module.Definition {
	return module.Definition{
		Groups: []string{"logic"}, Active: exists, IndexDir: IndexDir, Suffices: true,
		Root: rootSetting, Problem: problem, Settings: Settings{Globs: repo.DefaultGlobs()}, Check: check,
		Open: open,
	}
}

// Module finds evidence in the repository of a workspace and answers from it.
type Module struct {
	workspace *workspace.Workspace
	settings  *Settings
	chat      *chat.Client // nil if answers are extracts
	searcher  *evidence.Searcher
	shown     func() // ends a report of progress
}

var _ module.Module = (*Module)(nil)

// open opens the repository of a workspace. It fails when the settings of the chat service are wrong.
func open(_ context.Context, env *module.Env) (module.Module, error) {
	w := env.Workspace
	s := workspace.Of[Settings](w)
	m := &Module{workspace: w, settings: s}
	if s.Answerer == "chat" {
		var err error
		m.chat, err = chat.New(chat.Options{URL: s.ChatURL, Model: s.ChatModel, Key: s.ChatKey})
		if err != nil {
			return nil, &module.ConfigError{Err: err}
		}
	}
	opts := evidence.Options{Dir: IndexDir(w), Root: s.Root, Globs: s.Globs, Live: env.Live,
		Logger: env.Logger}
	opts.Progress, m.shown = env.Progress("indexing the repository")
	m.searcher = evidence.New(opts)
	return m, nil
}

// Toolset implements [module.Module]. If LOGIC_QA=off, the tools refuse every call.
func (m *Module) Toolset() toolset.Toolset {
	return toolsetOf(m, mode{off: m.off(), remote: m.chat != nil})
}

func (m *Module) off() bool { return m.settings.QA == "off" }

// IndexDir returns the directory of the index of a workspace's repository.
func IndexDir(w *workspace.Workspace) string {
	s := workspace.Of[Settings](w)
	return evidence.IndexDir(w.CacheHome, s.Root, s.Globs)
}

// Find returns the evidence for a question. It fails with not_available if there is no repository or if LOGIC_QA is
// off.
func (m *Module) Find(ctx context.Context, args FindArgs) (evidence.Found, error) {
	if err := m.available(); err != nil {
		return evidence.Found{}, err
	}
	found, err := m.searcher.Find(ctx, args.Question, args.MaxEvidence)
	m.shown()
	return found, err
}

// Ask answers from the given evidence only; it opens no index.
func (m *Module) Ask(ctx context.Context, args AskArgs) (answer.Answer, error) {
	tree, err := m.tree()
	if err != nil {
		return answer.Answer{}, err
	}
	defer tree.Close()
	asker := answer.Asker{Files: tree, Globs: m.settings.Globs}
	if m.chat != nil {
		asker.Answerer = m.chat
	}
	return asker.Ask(ctx, args.Question, args.Evidence)
}

// available fails when questions are switched off or there is no repository.
func (m *Module) available() error {
	if m.off() {
		return errSwitchedOff()
	}
	if err := problem(m.workspace); err != nil {
		return toolset.Errorf(toolset.NotAvailable, "%w", err)
	}
	return nil
}

// tree opens the repository for reading.
func (m *Module) tree() (*repo.Tree, error) {
	if err := m.available(); err != nil {
		return nil, err
	}
	tree, err := repo.OpenTree(m.settings.Root, m.settings.Globs, code.MaxSize+1)
	if err != nil {
		return nil, toolset.Errorf(toolset.NotAvailable, "%w", err)
	}
	return tree, nil
}

// Build implements [module.Module].
func (m *Module) Build(ctx context.Context) (*index.Report, error) {
	if !exists(m.workspace) {
		return nil, nil
	}
	report, err := m.searcher.Build(ctx)
	m.shown()
	return report, err
}

// Close implements [module.Module].
func (m *Module) Close() error {
	err := m.searcher.Close()
	if m.chat != nil {
		err = errors.Join(m.chat.Close(), err)
	}
	return err
}
