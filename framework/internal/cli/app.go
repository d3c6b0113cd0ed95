package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// app is the framework put together for one run.
type app struct {
	workspace  *workspace.Workspace
	strategies bundled
	dict       *dict.Folder
	installed  []trust.Plugin
	developed  *developed   // nil but under plugin dev
	entries    []host.Entry // of manual searches
	lanes      []host.Entry // of publication searches
	index      *index.Index
	host       *host.Host
	serving    bool
	recorder   *adapt.Recorder // nil but in a server
	engine     *search.Engine
	vault      *vault.Module // nil where there can be no vault

	publications *publicationRoom
	logic        *logicRoom
	tools        *server.Server
	progress     func()
}

// open puts the framework together for a workspace. Nothing is indexed and no
// process started before it is needed. Progress goes to watch, nil for none;
// a server logs as its configuration says, a command only what goes wrong.
func open(ctx context.Context, prog *program, watch io.Writer) (*app, error) {
	return openFrom(ctx, workspace.LoadOptions{Flags: *prog.Flags}, prog.strategies, watch)
}

// openFrom is open with other sources of the configuration.
func openFrom(ctx context.Context, sources workspace.LoadOptions, strategies bundled, watch io.Writer) (*app, error) {
	w, err := workspace.Load(sources)
	if err != nil {
		return nil, usageError{err}
	}
	own, err := readDictionaries(w.Root)
	if err != nil {
		return nil, firstMistake(err)
	}
	installed, err := trust.Read(w.ConfigHome)
	if err != nil {
		return nil, err
	}
	talker, err := openChat(w)
	if err != nil {
		return nil, usageError{err}
	}
	a := &app{workspace: w, strategies: strategies, dict: own, installed: installed, serving: watch == nil, progress: func() {}}
	a.develop(ctx)
	if err := a.chooseStrategies(); err != nil {
		return nil, err
	}
	logger := newLogger(w, watch != nil)
	if err := a.openIndex(logger, watch); err != nil {
		return nil, err
	}
	if err := a.openPublications(logger, watch); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	a.openLogic(talker, logger, watch)
	if err := a.openHost(logger); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if a.learns() {
		a.recorder = openRecorder(w, logger)
	}
	if err := a.openTools(ctx, logger); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// indexDir is where the index of the workspace's manuals lives.
func (a *app) indexDir() string { return index.Dir(a.workspace.CacheHome, a.workspace.Sources()...) }

func newLogger(w *workspace.Workspace, quiet bool) hclog.Logger {
	level := hclog.LevelFromString(w.LogLevel)
	if quiet && w.Origin("LOG_LEVEL") == "default" {
		level = hclog.Error
	}
	return loggerAt(level)
}

func loggerAt(level hclog.Level) hclog.Logger {
	return hclog.New(&hclog.LoggerOptions{Name: "sagasu", Level: level, Output: logLines{os.Stderr}, JSONFormat: true})
}

func (a *app) openIndex(logger hclog.Logger, watch io.Writer) error {
	opts := index.Options{
		Dir: a.indexDir(), Kind: snapshot.KindManual, Manuals: a.workspace.Manuals, Logger: logger,
		Live: a.serving,
	}
	if watch != nil {
		opts.Progress, a.progress = indexProgress(watch)
	} else {
		opts.Progress = func(p index.Progress) { a.tools.Announce(p.Done, p.Total, "indexing: "+string(p.Phase)) }
	}
	var err error
	a.index, err = index.Open(opts)
	return err
}

func (a *app) openHost(logger hclog.Logger) error {
	var err error
	a.host, err = host.New(host.Options{
		Entries:  a.entries,
		Bundled:  serveBundled,
		IndexDir: a.indexDir(), MoreIndexDirs: vault.IndexDirs(a.workspace),
		StateDir:    filepath.Join(a.workspace.StateDir(), "strategies"),
		Logger:      logger,
		CallTimeout: a.workspace.StrategyTime(),
	})
	if err == nil {
		a.developed.watch(a)
	}
	return err
}

// learns tells whether searches are remembered and recorded.
func (a *app) learns() bool { return a.serving && !a.workspace.ReadOnly }

func (a *app) openTools(ctx context.Context, logger hclog.Logger) error {
	w := a.workspace
	traces, err := store.Open(filepath.Join(w.StateDir(), "traces"), w.TraceMaxKeep, w.TraceTTL())
	if err != nil {
		return err
	}
	settings := search.DefaultSettings()
	settings.CoverageWeight = w.SparseQueryCoverageWeight
	settings.RerankTop = w.LateRerankTopN
	settings.CandidateLow, settings.FileBias = w.AdaptiveCandidateLowBase, w.AdaptiveFileBiasBase
	settings.Corrective = search.Corrective{
		Enabled: w.CorrectiveEnabled, CoverageMin: w.CorrectiveCoverageMin, MarginMin: w.CorrectiveMarginMin,
		MinCandidates: w.CorrectiveMinCandidates, OnConflict: w.CorrectiveOnConflict,
	}
	settings.Weights = a.weights()
	options := search.Options{
		View: a.view, Strategies: a.host, Traces: traces, Recorder: a.recorder,
		Settings: settings, DefaultManual: w.DefaultManualID, Logger: logger,
	}
	if a.learns() {
		options.Cache = cacheOf(w)
	}
	a.engine = search.New(options)
	served := server.Options{
		Finder: a.engine,
		Library: manuals.New(manuals.Options{
			Manuals: w.Manuals, Default: w.DefaultManualID, AllowFileScope: w.AllowFileScope, Exceptions: exceptionWords(a.dict),
			Used: a.engine.Used,
		}),
		Toolsets: a.toolsets(), ReadOnly: w.ReadOnly, ResultForm: server.ResultForm(w.ResultForm),
		Version: version(), Logger: logger,
	}
	served.Lanes = a.publications.engine
	served.Logic, served.LogicMode = a.logic, a.logic.mode()
	if err := a.openVault(ctx, settings, logger); err != nil {
		return err
	}
	if a.vault != nil {
		served.VaultFinder, served.Sets = a.vault.Engine, append(served.Sets, a.vault.Toolset())
	}
	a.tools = server.New(served)
	return nil
}

func (a *app) openVault(ctx context.Context, settings search.Settings, logger hclog.Logger) (err error) {
	a.vault, err = vault.Open(ctx, &module.Env{
		Workspace: a.workspace, Strategies: a.host, Settings: settings, Recorder: a.recorder, Used: a.engine.Used,
		Logger: logger, Live: a.serving,
	})
	return err
}

// toolsets are the tool groups of a server; a command may call any tool that is not
// switched off.
func (a *app) toolsets() []string {
	if a.serving {
		return a.workspace.EffectiveToolsets()
	}
	return a.workspace.Toolsets
}

// firstIndexTime is how long a call waits until there is something to search, which
// is when its patience begins: parts of a first index come much sooner.
const firstIndexTime = 30 * time.Second

// view gives the newest snapshot; where there is nothing to search, the error
// says how to give the workspace manuals.
func (a *app) view(ctx context.Context, patience time.Duration) (index.View, error) {
	a.host.Warm() // the strategies start while the index is opened and the files are looked at
	caller := ctx
	if a.serving {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, firstIndexTime+patience)
		defer cancel()
	}
	v, err := a.index.View(ctx, patience)
	a.progress()
	if err != nil && ctx.Err() != nil && caller.Err() == nil {
		return index.View{}, toolset.Errorf(toolset.NotAvailable, "the index is still being built; ask again later, and run sagasu doctor if this goes on")
	}
	if err != nil || v.Snapshot.Bound() > 0 || len(v.Lacking) > 0 {
		return v, err
	}
	v.Release()
	hint := a.workspace.Hint
	if a.serving {
		hint = a.workspace.Advice
	}
	return index.View{}, toolset.Errorf(toolset.NotAvailable, "%s", hint())
}

// buildIndex rebuilds the index whatever its state.
func (a *app) buildIndex(ctx context.Context) (index.Report, error) {
	report, err := a.index.Build(ctx, nil)
	a.progress()
	return report, err
}

// Close ends every process and lets go of the index.
func (a *app) Close() error {
	var errs []error
	if a.engine != nil {
		a.engine.Close()
	}
	a.developed.unwatch()
	if a.host != nil { // before the indexes, which what it runs may read
		errs = append(errs, a.host.Close())
	}
	if a.vault != nil {
		errs = append(errs, a.vault.Close())
	}
	errs = append(errs, a.publications.close(), a.logic.close())
	if a.recorder != nil {
		errs = append(errs, a.recorder.Close())
	}
	if a.index != nil {
		errs = append(errs, a.index.Close())
	}
	return errors.Join(errs...)
}
