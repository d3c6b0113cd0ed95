package cli

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// app is a workspace with its strategies and products, open for one run.
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
	logger     hclog.Logger
	recorder   *adapt.Recorder // nil but in a server
	modules    []module.Module
	tools      *server.Server
}

// open opens a workspace. Nothing is indexed and no process started before it is needed.
// Progress goes to watch, nil for a server, which logs as its configuration says; a command
// logs only what goes wrong.
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
	a, err := openStrategies(ctx, w, own, strategies, watch)
	if err != nil {
		return nil, err
	}
	if a.serving && !w.ReadOnly {
		a.recorder = openRecorder(w, a.logger)
	}
	if err := a.openProducts(ctx, watch); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// openStrategies opens the part of a workspace that runs strategies.
func openStrategies(ctx context.Context, w *workspace.Workspace, own *dict.Folder, strategies bundled, watch io.Writer) (*app, error) {
	installed, err := trust.Read(w.ConfigHome)
	if err != nil {
		return nil, err
	}
	a := &app{workspace: w, strategies: strategies, dict: own, installed: installed, serving: watch == nil, logger: newLogger(w, watch != nil)}
	a.develop(ctx)
	if err := a.chooseStrategies(); err != nil {
		return nil, err
	}
	dirs := a.indexDirs(true)
	a.host, err = host.New(host.Options{
		Entries: a.entries, Bundled: serveBundled, IndexDir: dirs[0], MoreIndexDirs: dirs[1:],
		StateDir: filepath.Join(w.StateDir(), "strategies"), Logger: a.logger, CallTimeout: w.StrategyTime(),
	})
	if err != nil {
		return nil, err
	}
	a.developed.watch(a)
	return a, nil
}

// indexDirs returns the directories of the products' indexes, or of those that share strategies.
func (a *app) indexDirs(shared bool) (dirs []string) {
	for _, p := range products() {
		if dir := p.IndexDir(a.workspace); dir != "" && (p.Shared || !shared) {
			dirs = append(dirs, dir)
		}
	}
	return dirs
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

// openProducts opens every product and the server of their tools.
func (a *app) openProducts(ctx context.Context, watch io.Writer) error {
	w, env := a.workspace, a.env(watch)
	var sets []toolset.Toolset
	for _, p := range products() {
		m, err := p.Open(ctx, env)
		if wrong, ok := errors.AsType[*module.SettingsError](err); ok {
			return usageError{wrong.Err}
		}
		if err != nil {
			return err
		}
		if m != nil {
			a.modules = append(a.modules, m)
			sets = append(sets, m.Toolset())
		}
	}
	groups := w.Toolsets
	if a.serving { // a command may call any tool that is not switched off
		groups = w.EffectiveToolsets()
	}
	a.tools = server.New(server.Options{
		Sets: sets, Toolsets: groups, ReadOnly: w.ReadOnly, ResultForm: server.ResultForm(w.ResultForm),
		Version: version(), Logger: a.logger,
	})
	return nil
}

// env is what products are opened with.
func (a *app) env(watch io.Writer) *module.Env {
	return &module.Env{
		Workspace: a.workspace, Dictionary: a.dict, Strategies: a.host, Entries: a.entriesOf, Bundled: serveBundled,
		Settings: a.settings(), Recorder: a.recorder, Logger: a.logger, Live: a.serving,
		Progress: func(work string) (report func(index.Progress), done func()) {
			if watch != nil {
				return progressOf(watch, work)
			}
			return func(p index.Progress) { a.tools.Announce(p.Done, p.Total, work+": "+string(p.Phase)) }, func() {}
		},
	}
}

func (a *app) entriesOf(kind snapshot.Kind) []host.Entry {
	if kind == snapshot.KindPublication {
		return a.lanes
	}
	return a.entries
}

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

// Close ends every process and closes every product.
func (a *app) Close() error {
	a.developed.unwatch()
	errs := []error{a.host.Close()} // before the indexes, which what it runs may read
	for _, m := range a.modules {
		errs = append(errs, m.Close())
	}
	if a.recorder != nil {
		errs = append(errs, a.recorder.Close())
	}
	return errors.Join(errs...)
}
