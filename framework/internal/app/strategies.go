package app

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"

	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// chooseStrategies determines the strategies for searches: the bundled ones, those that the user has installed and, as
// refused entries, those that are configured or in PLUGIN_PATH but not installed.
func (a *App) chooseStrategies() (err error) {
	if err := a.knownStrategies(); err != nil {
		return &module.ConfigError{Err: err}
	}
	if a.lanes, err = a.laneEntries(); err != nil {
		return err
	}
	if a.entries, err = a.bundledEntries(a.Strategies.Of(snapshot.KindManual)); err != nil {
		return err
	}
	for i := range a.Installed {
		p := &a.Installed[i]
		if len(p.Formats) > 0 || !enabled(a.Workspace, p.Name) ||
			p.Stage == sdk.StageGather && a.collection(p.Name) == "" {
			continue
		}
		config, err := a.InstalledConfig(p)
		if err != nil {
			return err
		}
		e := p.Entry(config)
		if d := a.options.Development; d != nil {
			e = d.Attach(e)
		}
		a.entries = append(a.entries, e)
	}
	for _, e := range a.entries {
		if e.Stage == sdk.StageGather {
			a.gatherer = e.Name
		}
	}
	a.entries = append(a.entries, a.refused()...)
	if url := a.Workspace.Value(collectionURL); url != "" && a.gatherer == "" {
		scheme, _, _ := strings.Cut(url, "://")
		return &module.ConfigError{Err: fmt.Errorf("%s (%s): no strategy gathers from %s://; it must start "+
			"with one of %s",
			collectionURL, a.Workspace.Origin(collectionURL), scheme, strings.Join(a.schemes(), ", "))}
	}
	return nil
}

// schemes lists the URL prefixes of collections that a strategy gathers from.
func (a *App) schemes() (out []string) {
	for _, e := range a.Strategies {
		for _, scheme := range e.Schemes {
			out = append(out, scheme+"://")
		}
	}
	for _, p := range a.Installed {
		if p.Stage == sdk.StageGather {
			out = append(out, p.Name+"://")
		}
	}
	return out
}

// bundledEntries returns the entries of the active strategies in this binary.
func (a *App) bundledEntries(among Strategies) (out []host.Entry, err error) {
	for _, b := range among {
		if !enabled(a.Workspace, b.Name) {
			continue
		}
		launch, err := a.launch(b)
		if err != nil {
			return nil, err
		}
		if launch.Off {
			continue
		}
		d := b.New().Describe()
		e := host.Entry{Name: b.Name, Config: launch.Config, Stage: d.Stage, Grants: host.Grants{
			Network: values(launch.Network), Env: values(launch.Env), Reads: values(launch.Reads)}}
		if b.Dictionaries["translations"] != "" {
			e.Reads = append(e.Reads, a.Dictionary.Bilingual...)
		}
		if b.OnDemand {
			e.Known = &d
		}
		e.Shared = b.Launch == nil && len(e.Reads) == 0
		out = append(out, e)
	}
	return out, nil
}

// laneEntries returns the entries of the lanes that search publications. A search may read all texts of a collection,
// on all cores.
func (a *App) laneEntries() ([]host.Entry, error) {
	out, err := a.bundledEntries(a.Strategies.Of(snapshot.KindPublication))
	for i := range out {
		out[i].Threads = runtime.NumCPU()
	}
	return out, err
}

func values(grants []sdk.Grant) (out []string) {
	for _, g := range grants {
		out = append(out, g.Value)
	}
	return out
}

// enabled reports whether a strategy takes part.
func enabled(w *workspace.Workspace, name string) bool {
	on := w.Strategies[name].Enabled
	return on == nil || *on
}

// Weights returns the weights that differ from the strategies' defaults.
func (a *App) Weights() map[string]float64 {
	out := map[string]float64{}
	for i := range a.Installed {
		if p := &a.Installed[i]; len(p.Formats) == 0 {
			out[p.Name] = p.StartWeight()
		}
	}
	for name, s := range a.Workspace.Strategies {
		if s.Weight != nil {
			out[name] = *s.Weight
		}
	}
	return out
}

// strategyNames returns the names of all strategies, whether they take part or not.
func (a *App) strategyNames() []string {
	names := a.Strategies.Names()
	for i := range a.Installed {
		names = append(names, a.Installed[i].Name)
	}
	return names
}

// knownStrategies fails if settings name a strategy whose name seems misspelt.
func (a *App) knownStrategies() error {
	names := a.strategyNames()
	for _, name := range slices.Sorted(maps.Keys(a.Workspace.Strategies)) {
		if near := toolset.DidYouMean(name, names, 1); !slices.Contains(names, name) && len(near) > 0 {
			return fmt.Errorf("%s: there is no strategy %q to set; did you mean %q?",
				a.Workspace.Origin("strategies."+name), name, near[0])
		}
	}
	return nil
}

// Wanted returns the strategies whose configured source is not installed. For those installed from another source, it
// includes their grants.
func Wanted(w *workspace.Workspace, installed []trust.Plugin) (out []trust.Request) {
	for _, name := range slices.Sorted(maps.Keys(w.Plugins)) {
		p := w.Plugins[name]
		r := trust.Request{Source: p.Source, Name: name, SHA256: p.SHA256, Version: p.Version}
		if at := slices.IndexFunc(installed, func(p trust.Plugin) bool { return p.Name == name }); at >= 0 {
			if r.Met(&installed[at]) {
				continue
			}
			r.Args, r.Grants = installed[at].Args, installed[at].Grants
		}
		out = append(out, r)
	}
	return out
}

// checkInstalled reports strategies that are installed from a source other than the configured one, and folders that
// cannot be read. Missing strategies fail anyway.
func (a *App) checkInstalled(_ context.Context, r *doctor.Report) error {
	_, err := trust.FindUninstalled(workspace.Of[host.Settings](a.Workspace).PluginPath, nil)
	if err != nil {
		r.Fail("PLUGIN_PATH cannot be read: "+err.Error(), "create the folder, or correct PLUGIN_PATH ("+
			a.Workspace.Origin("PLUGIN_PATH")+")")
	}
	for _, wanted := range Wanted(a.Workspace, a.Installed) {
		p := a.Workspace.Plugins[wanted.Name]
		for _, is := range a.Installed {
			if is.Name == wanted.Name {
				r.Note(fmt.Sprintf("%s names another %s than the installed %s from %s: %s",
					p.Origin, is.Name, is.Version, is.Source, p), "sagasu plugin sync installs what is named")
			}
		}
	}
	return nil
}

// refused returns the strategies that are configured but not installed, and those in PLUGIN_PATH
// that are not pinned. Every answer reports them, and they never run.
func (a *App) refused() []host.Entry {
	var out []host.Entry
	taken := a.strategyNames()
	refuse := func(name string, err error) {
		taken = append(taken, name)
		out = append(out, host.Entry{Name: name, Refused: err})
	}
	named := slices.AppendSeq(slices.Collect(maps.Keys(a.Workspace.Strategies)), maps.Keys(a.Workspace.Plugins))
	for _, name := range slices.Sorted(slices.Values(named)) {
		chosen := a.Workspace.Plugins[name].Source != "" || a.Workspace.Origin("strategies."+name) != "" // by a file
		if chosen && !slices.Contains(taken, name) && enabled(a.Workspace, name) {
			refuse(name, host.ErrNotInstalled)
		}
	}
	strays, err := trust.FindUninstalled(workspace.Of[host.Settings](a.Workspace).PluginPath, a.Installed)
	if err != nil {
		a.Logger.Error("PLUGIN_PATH cannot be read", "error", err)
	}
	for _, stray := range strays {
		if name := free(stray.Name, taken); enabled(a.Workspace, stray.Name) {
			refuse(name, fmt.Errorf("%w: %s", host.ErrNotInstalled, stray.Path))
		}
	}
	return out
}

// free returns a name that is not taken, as similar to name as possible.
func free(name string, taken []string) string {
	out := name
	for n := 2; slices.Contains(taken, out) || out == ""; n++ {
		out = fmt.Sprintf("%s-%d", name[:min(len(name), 36)], n)
	}
	return out
}
