package cli

import (
	"context"
	"errors"
	"io"
	"sync"
	"sync/atomic"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/logic"
	"github.com/sagasu-search/sagasu/framework/internal/logic/chat"
	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// logicRoom is the repository of a run with what finds evidence in it and what
// words answers.
type logicRoom struct {
	workspace *workspace.Workspace
	dir       string       // of the index
	chat      *chat.Client // nil where answers are extracts
	progress  func()

	open   func() (*evidence.Searcher, error) // once, when evidence is sought first
	opened atomic.Pointer[evidence.Searcher]  // by open
}

// openLogic puts the repository together. Nothing is indexed before evidence is sought.
func (a *app) openLogic(talker *chat.Client, logger hclog.Logger, watch io.Writer) {
	w := a.workspace
	room := &logicRoom{workspace: w, dir: evidence.IndexDir(w.CacheHome, w.LogicRoot, w.LogicGlobs), chat: talker, progress: func() {}}
	opts := evidence.Options{Dir: room.dir, Root: w.LogicRoot, Globs: w.LogicGlobs, Live: a.serving, Logger: logger}
	if watch != nil {
		opts.Progress, room.progress = indexProgress(watch)
	} else {
		opts.Progress = func(p index.Progress) { a.tools.Announce(p.Done, p.Total, "indexing the repository: "+string(p.Phase)) }
	}
	room.open = sync.OnceValues(func() (*evidence.Searcher, error) {
		s, err := evidence.Open(opts)
		room.opened.Store(s)
		return s, err
	})
	a.logic = room
}

// openChat is what words answers by LOGIC_ANSWERER; nil makes them extracts.
func openChat(w *workspace.Workspace) (*chat.Client, error) {
	if w.LogicAnswerer != workspace.AnswererChat {
		return nil, nil
	}
	return chat.New(chat.Options{URL: w.LogicChatURL, Model: w.LogicChatModel, Key: w.LogicChatKey})
}

// mode says how questions are answered.
func (r *logicRoom) mode() server.LogicMode {
	return server.LogicMode{Off: r.workspace.LogicQA == "off", Remote: r.chat != nil}
}

// Find implements [logic.Searcher].
func (r *logicRoom) Find(ctx context.Context, req logic.FindRequest) (logic.Found, error) {
	if err := r.workspace.LogicProblem(); err != nil {
		return logic.Found{}, toolset.Errorf(toolset.NotAvailable, "%s", err)
	}
	s, err := r.open()
	if err != nil {
		return logic.Found{}, err
	}
	found, err := s.Find(ctx, req)
	r.progress()
	return found, err
}

// build indexes the repository anew; nil where no file is code or a specification.
func (r *logicRoom) build(ctx context.Context) (*index.Report, error) {
	if !r.workspace.HasLogic() {
		return nil, nil
	}
	s, err := r.open()
	if err != nil {
		return nil, err
	}
	report, err := s.Build(ctx, nil)
	r.progress()
	return &report, err
}

// Ask answers from evidence alone; it opens no index.
func (r *logicRoom) Ask(ctx context.Context, req logic.AskRequest) (logic.Answer, error) {
	tree, err := r.tree()
	if err != nil {
		return logic.Answer{}, err
	}
	defer tree.Close()
	asker := logic.Asker{Files: tree, Globs: r.workspace.LogicGlobs}
	if r.chat != nil {
		asker.Answerer = r.chat
	}
	return asker.Ask(ctx, req)
}

// tree opens the repository for reading.
func (r *logicRoom) tree() (*repo.Tree, error) {
	err := r.workspace.LogicProblem()
	if err == nil {
		var tree *repo.Tree
		if tree, err = repo.OpenTree(r.workspace.LogicRoot, r.workspace.LogicGlobs, code.MaxSize+1); err == nil {
			return tree, nil
		}
	}
	return nil, toolset.Errorf(toolset.NotAvailable, "%w", err)
}

func (r *logicRoom) close() error {
	if r == nil {
		return nil
	}
	var errs []error
	if r.chat != nil {
		errs = append(errs, r.chat.Close())
	}
	if s := r.opened.Load(); s != nil {
		errs = append(errs, s.Close())
	}
	return errors.Join(errs...)
}
