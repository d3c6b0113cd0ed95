package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/logic"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
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
	host       *host.Host
	serving    bool
	recorder   *adapt.Recorder // nil but in a server
	env        *module.Env     // what the products are opened with
	manuals    *manuals.Module
	vault      *vaultRoom // nil where there can be no vault

	publications *publicationRoom
	logic        *logic.Module
	tools        *server.Server
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
	a := &app{workspace: w, strategies: strategies, dict: own, installed: installed, serving: watch == nil}
	a.develop(ctx)
	if err := a.chooseStrategies(); err != nil {
		return nil, err
	}
	logger := newLogger(w, watch != nil)
	a.openVault(logger)
	if err := a.openPublications(logger, watch); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if err := a.openHost(logger); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if a.learns() {
		a.recorder = openRecorder(w, logger)
	}
	if err := a.openTools(ctx, logger, watch); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

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

func (a *app) openHost(logger hclog.Logger) error {
	var err error
	a.host, err = host.New(host.Options{
		Entries:  a.entries,
		Bundled:  serveBundled,
		IndexDir: manuals.IndexDir(a.workspace), MoreIndexDirs: a.vault.indexDirs(),
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

// settings are the figures of searches.
func (a *app) settings() search.Settings {
	w, settings := a.workspace, search.DefaultSettings()
	settings.CoverageWeight = w.SparseQueryCoverageWeight
	settings.RerankTop = w.LateRerankTopN
	settings.CandidateLow, settings.FileBias = w.AdaptiveCandidateLowBase, w.AdaptiveFileBiasBase
	settings.Corrective = search.Corrective{
		Enabled: w.CorrectiveEnabled, CoverageMin: w.CorrectiveCoverageMin, MarginMin: w.CorrectiveMarginMin,
		MinCandidates: w.CorrectiveMinCandidates, OnConflict: w.CorrectiveOnConflict,
	}
	settings.Weights = a.weights()
	return settings
}

// progress returns what an index reports to: watch, or in a server the calls that wait for it.
func (a *app) progress(watch io.Writer) func(work string) (report func(index.Progress), done func()) {
	return func(work string) (func(index.Progress), func()) {
		if watch != nil {
			return progressOf(watch, work)
		}
		return func(p index.Progress) { a.tools.Announce(p.Done, p.Total, work+": "+string(p.Phase)) }, func() {}
	}
}

func (a *app) openTools(ctx context.Context, logger hclog.Logger, watch io.Writer) error {
	w := a.workspace
	a.env = &module.Env{
		Workspace: w, Dictionary: a.dict, Strategies: a.host, Settings: a.settings(), Recorder: a.recorder,
		Logger: logger, Live: a.serving, Progress: a.progress(watch),
	}
	var err error
	if a.manuals, err = manuals.Open(ctx, a.env); err != nil {
		return err
	}
	served := server.Options{
		Sets:     []toolset.Toolset{a.manuals.Toolset()},
		Toolsets: a.toolsets(), ReadOnly: w.ReadOnly, ResultForm: server.ResultForm(w.ResultForm),
		Version: version(), Logger: logger,
	}
	served.Lanes = a.publications.engine
	served.Logic, served.LogicMode = a.logic, a.logic.mode()
	if err := a.furnishVault(&served, a.env.Settings, logger); err != nil {
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

// Close ends every process and lets go of the index.
func (a *app) Close() error {
	var errs []error
	a.developed.unwatch()
	if a.host != nil { // before the indexes, which what it runs may read
		errs = append(errs, a.host.Close())
	}
	if a.manuals != nil {
		errs = append(errs, a.manuals.Close())
	}
	errs = append(errs, a.vault.close(), a.publications.close(), a.logic.close())
	if a.recorder != nil {
		errs = append(errs, a.recorder.Close())
	}
	return errors.Join(errs...)
}
