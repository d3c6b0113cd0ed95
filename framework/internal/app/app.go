package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/framework/internal/store/redis"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// App is a workspace with its strategies and products, open for one run.
type App struct {
	Workspace  *workspace.Workspace
	Strategies Strategies
	Dictionary *dict.Folder   // the workspace's own
	Installed  []trust.Plugin // strategies and converters that the user installed
	Host       *host.Host
	Modules    []module.Module
	Tools      *server.Server
	Logger     hclog.Logger

	options  Options
	entries  []host.Entry    // for searches of manuals
	lanes    []host.Entry    // for searches of publications
	gatherer string          // the entry that gathers from the collection, "" without one
	recorder *adapt.Recorder // nil except in a server
	shared   *redis.Server   // nil if nothing is shared with other machines
}

// Options configure how a program is opened.
type Options struct {
	Sources    workspace.LoadOptions
	Strategies Strategies
	// Logger returns the log of a workspace; nil logs nothing.
	Logger func(*workspace.Workspace) hclog.Logger
	// Progress returns a function to which work on an index reports, and a function that ends the report. If it is nil,
	// the program is a server: waiting clients are told the progress, files are watched and use is recorded.
	Progress func(work string) (report func(index.Progress), done func())
	// Warm is set if the program is about to search: the strategies start before the products are opened.
	Warm bool
	// Shared is set if other servers may get the next request. An answer then waits until its trace is stored.
	Shared bool
	// Development is a strategy under development, or nil.
	Development Development
	Version     string // of sagasu, as clients see it

	products []module.Definition // nil means those of [products]
}

// Development is a strategy that replaces the installed one with the same name.
type Development interface {
	Plugin() trust.Plugin
	// Attach returns the entry of the strategy, attached to its running process if there is one.
	Attach(host.Entry) host.Entry
	// Opened is called with the open program, Closed before it is closed.
	Opened(*App)
	Closed()
}

// Open opens a workspace. It indexes nothing and, unless Warm is set, starts no process before that is needed. It fails
// with a [module.ConfigError] or [dict.Errors] if the user's files are wrong.
func Open(ctx context.Context, o Options) (*App, error) {
	w, err := load(o.Sources, o.definitions(), o.Strategies)
	if err != nil {
		return nil, err
	}
	if err := checkGroups(w, o.definitions()); err != nil {
		return nil, err
	}
	own, err := ReadDictionaries(w.Root)
	if err != nil {
		return nil, err
	}
	a, err := openStrategies(w, own, o)
	if err != nil {
		return nil, err
	}
	if o.Warm {
		a.Host.Warm()
	}
	if err := a.openShared(ctx); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	if a.serving() && !w.ReadOnly {
		a.recorder = openRecorder(w, a.Logger)
	}
	if err := a.openProducts(ctx); err != nil {
		return nil, errors.Join(err, a.Close())
	}
	return a, nil
}

// openStrategies opens the part of a workspace that runs strategies.
func openStrategies(w *workspace.Workspace, own *dict.Folder, o Options) (*App, error) {
	installed, err := trust.Read(w.ConfigHome)
	if err != nil {
		return nil, err
	}
	if err := o.Strategies.check(); err != nil {
		return nil, err
	}
	a := &App{Workspace: w, Strategies: o.Strategies, Dictionary: own, Installed: installed, options: o}
	a.Logger = hclog.NewNullLogger()
	if o.Logger != nil {
		a.Logger = o.Logger(w)
	}
	if d := o.Development; d != nil {
		a.Installed = slices.DeleteFunc(a.Installed, func(p trust.Plugin) bool { return p.Name == d.Plugin().Name })
		a.Installed = append(a.Installed, d.Plugin())
	}
	if err := a.chooseStrategies(); err != nil {
		return nil, err
	}
	if a.Host, err = a.newHost(slices.Concat(a.entries, converters(w, o.Strategies, installed))); err != nil {
		return nil, err
	}
	if d := w.Documents; d != nil {
		d.Convert, d.Logger, d.Limit = a.Host.Convert, a.Logger, documentLimit
		if a.serving() {
			d.Limit, d.Patience = 0, documentPatience
		}
	}
	if o.Development != nil {
		o.Development.Opened(a)
	}
	return a, nil
}

const (
	// documentLimit is the time limit of a conversion that a command waits for.
	documentLimit = 10 * time.Second
	// documentPatience is how long a server waits for a conversion, which continues in the background.
	documentPatience = 3 * time.Second
)

// Unhurried removes the time limits on conversions of documents.
func (a *App) Unhurried() {
	if d := a.Workspace.Documents; d != nil {
		d.Limit, d.Patience = 0, 0
	}
}

// developmentPatience is how long searches wait for strategies to start or prepare while one is under development.
const developmentPatience = 30 * time.Second

// newHost returns a host of strategies for the searches of the products that share them.
func (a *App) newHost(entries []host.Entry) (*host.Host, error) {
	dirs, settings := a.IndexDirs(true), workspace.Of[host.Settings](a.Workspace)
	patience := time.Duration(0)
	if a.options.Development != nil {
		patience = developmentPatience
	}
	return host.New(host.Options{
		Entries: entries, Bundled: ServeArguments, IndexDir: dirs[0], MoreIndexDirs: dirs[1:],
		StateDir: a.strategiesDir(), Logger: a.Logger,
		Patience: patience, CallTimeout: settings.Time(), JudgeTimeout: settings.JudgeTime(),
	})
}

// strategiesDir returns the directory with the state of each strategy.
func (a *App) strategiesDir() string { return filepath.Join(a.Workspace.StateDir(), "strategies") }

// Reconfigured returns a host of one strategy with some keys of its configuration changed. The caller closes it.
func (a *App) Reconfigured(name string, keys map[string]any) (*host.Host, error) {
	i := slices.IndexFunc(a.entries, func(e host.Entry) bool { return e.Name == name })
	if i < 0 {
		return nil, fmt.Errorf("there is no strategy %s", name)
	}
	e, config := a.entries[i], map[string]any{}
	if len(e.Config) > 0 {
		if err := json.Unmarshal(e.Config, &config); err != nil {
			return nil, fmt.Errorf("the configuration of %s: %w", name, err)
		}
	}
	maps.Copy(config, keys)
	var err error
	if e.Config, err = json.Marshal(config); err != nil {
		return nil, err
	}
	return a.newHost([]host.Entry{e})
}

func (a *App) serving() bool { return a.options.Progress == nil }

// IndexDirs returns the directories of the products' indexes. If shared is set, it returns only
// those that the shared strategies read.
func (a *App) IndexDirs(shared bool) (dirs []string) {
	for _, p := range a.options.definitions() {
		if shared && !p.Shared {
			continue
		}
		if dir := p.IndexDir(a.Workspace); dir != "" {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// openProducts opens every product and the server of their tools.
func (a *App) openProducts(ctx context.Context) error {
	w, env := a.Workspace, a.Env()
	var sets []toolset.Toolset
	for _, p := range a.options.definitions() {
		m, err := p.Open(ctx, env)
		if err != nil {
			return err
		}
		if m != nil {
			a.Modules = append(a.Modules, m)
			sets = append(sets, m.Toolset())
		}
	}
	groups := w.Toolsets
	if a.serving() { // a command may call any tool that is not switched off
		groups = a.Groups()
	}
	a.Tools = server.New(server.Options{
		Sets: sets, Toolsets: groups, ReadOnly: w.ReadOnly, ResultForm: server.ResultForm(w.ResultForm),
		Version: a.options.Version, Logger: a.Logger,
	})
	return nil
}

func (o *Options) definitions() []module.Definition {
	if o.products != nil {
		return o.products
	}
	return products()
}

// checkGroups fails if TOOLSETS has a name that no product knows.
func checkGroups(w *workspace.Workspace, products []module.Definition) error {
	var known []string
	for _, p := range products {
		known = slices.Concat(known, p.Groups, p.Extra)
	}
	for _, name := range w.Toolsets {
		if !slices.Contains(known, name) {
			return &module.ConfigError{Err: fmt.Errorf("TOOLSETS is %q (%s): it must be a list of %s",
				strings.Join(w.Toolsets, ","), w.Origin("TOOLSETS"), strings.Join(known, ", "))}
		}
	}
	return nil
}

// Groups returns the groups of tools that are on for a client: those in TOOLSETS, or else those for
// which the workspace has data.
func (a *App) Groups() (on []string) {
	if len(a.Workspace.Toolsets) > 0 {
		return slices.Clone(a.Workspace.Toolsets)
	}
	for _, p := range a.options.definitions() {
		if p.Active == nil || p.Active(a.Workspace) {
			on = append(on, p.Groups...)
		}
	}
	return on
}

// Env returns the environment in which products are opened.
func (a *App) Env() *module.Env {
	progress := a.options.Progress
	if progress == nil {
		progress = func(work string) (func(index.Progress), func()) {
			return func(p index.Progress) { a.Tools.Announce(p.Done, p.Total, work+": "+string(p.Phase)) }, func() {}
		}
	}
	return &module.Env{
		Workspace: a.Workspace, Dictionary: a.Dictionary, Store: a.store, Strategies: a.Host, Entries: a.entriesOf,
		Gatherer: a.gatherer, Stored: a.stores(), Bundled: ServeArguments, Settings: a.Settings(),
		Recorder: a.recorder, Logger: a.Logger, Live: a.serving(),
		Shared: a.options.Shared || a.shared != nil, Fleet: a.shared != nil, Version: a.options.Version,
		Progress: progress,
	}
}

func (a *App) entriesOf(kind snapshot.Kind) []host.Entry {
	if kind == snapshot.KindPublication {
		return a.lanes
	}
	return a.entries
}

// Settings returns the settings of searches.
func (a *App) Settings() search.Settings {
	settings := *workspace.Of[search.Settings](a.Workspace)
	settings.Weights = a.Weights()
	return settings
}

// Close ends all processes and closes all products.
func (a *App) Close() error {
	if a.options.Development != nil {
		a.options.Development.Closed()
	}
	if d := a.Workspace.Documents; d != nil {
		d.Close()
	}
	errs := []error{a.Host.Close()} // before the indexes, which strategies may be reading
	for _, m := range a.Modules {
		errs = append(errs, m.Close())
	}
	if a.recorder != nil {
		errs = append(errs, a.recorder.Close())
	}
	if a.shared != nil {
		errs = append(errs, a.shared.Close())
	}
	return errors.Join(errs...)
}
