package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/dict"

	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// chooseStrategies determines the strategies for searches: the bundled ones, those that the user
// has installed and, as refused entries, those that are configured or in PLUGIN_PATH but not
// installed.
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

// schemes lists the beginnings of the URLs of collections that a strategy gathers from.
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

// collectionURL is the setting whose scheme names the strategy that gathers.
const collectionURL = "COLLECTION_URL"

// collection returns the URL of the collection that an installed strategy gathers from, "" for none.
func (a *App) collection(name string) string {
	url := a.Workspace.Value(collectionURL)
	if scheme, _, _ := strings.Cut(url, "://"); scheme != name {
		return ""
	}
	return url
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
		e := host.Entry{Name: b.Name, Config: launch.Config, Stage: d.Stage, Network: values(launch.Network),
			Env: values(launch.Env), Reads: values(launch.Reads)}
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

// Complete lets the strategies that the user added, by a setting or by installing them, finish preparing for a
// snapshot of manuals, and reports their progress. It returns the errors of those that failed.
func (a *App) Complete(ctx context.Context, corpus *snapshot.Snapshot) (failures []error) {
	ordinary := a.Strategies.Ordinary().Names()
	for _, e := range a.entries {
		finds := e.Stage == sdk.StageRetrieve || e.Stage == ""
		if slices.Contains(ordinary, e.Name) || !finds || e.Refused != nil {
			continue
		}
		report, done := a.Env().Progress(e.Name)
		err := a.Host.Complete(ctx, e.Name, corpus, func(n, total int) {
			report(index.Progress{Phase: "sections", Done: n, Total: total})
		})
		if done(); err != nil {
			failures = append(failures, err)
		}
	}
	return failures
}

// Stored makes what strategies want an upload of a corpus to keep with its sections, and reports their progress.
func (a *App) Stored(ctx context.Context, corpus *snapshot.Snapshot) (out []sdk.StoredField, err error) {
	for _, b := range a.Strategies.Of(corpus.Kind()) {
		at := slices.IndexFunc(a.entries, func(e host.Entry) bool { return e.Name == b.Name })
		if b.Stored == nil || at < 0 {
			continue
		}
		dir := filepath.Join(a.strategiesDir(), b.Name)
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return nil, fmt.Errorf("state of strategy %s: %w", b.Name, err)
		}
		report, done := a.Env().Progress(b.Name)
		ctx := sdk.WithSurroundings(ctx, a.Logger, dir)
		field, err := b.Stored(ctx, a.entries[at].Config, corpus, func(n, total int) {
			report(index.Progress{Phase: "sections", Done: n, Total: total})
		})
		if done(); err != nil {
			return nil, err
		}
		out = append(out, field)
	}
	return out, nil
}

// stores reports whether a strategy takes part that has collections keep something for it.
func (a *App) stores() bool {
	return slices.ContainsFunc(a.entries, func(e host.Entry) bool {
		return slices.ContainsFunc(a.Strategies, func(b sdk.Entry) bool { return b.Name == e.Name && b.Stored != nil })
	})
}

func values(grants []sdk.Grant) (out []string) {
	for _, g := range grants {
		out = append(out, g.Value)
	}
	return out
}

// launch returns what a bundled strategy is started with, checked.
func (a *App) launch(b sdk.Entry) (sdk.Launch, error) {
	table := a.Workspace.Strategies[b.Name].Config
	for _, key := range b.UserOnly {
		if origin, guest := a.Workspace.ConfigOrigin(b.Name, key); guest && table[key] != nil {
			return sdk.Launch{}, &module.ConfigError{Err: fmt.Errorf("%s: a workspace's own file may not set %s; "+
				"do so in the user's configuration file", origin, key)}
		}
	}
	var out sdk.Launch
	if b.Launch != nil {
		var err error
		out, err = b.Launch(sdk.Configuration{Table: table, Setting: a.Workspace.Value})
		if wrong, ok := errors.AsType[*sdk.SettingError](err); ok {
			return out, &module.ConfigError{Err: a.wrongSetting(b.Name, wrong.From, wrong.Err)}
		}
		if err != nil {
			return out, &module.ConfigError{Err: err}
		}
	}
	for _, granted := range []struct {
		grants []sdk.Grant
		check  func(value string) error
	}{
		{out.Network, func(address string) error { return host.CheckGrants([]string{address}, nil) }},
		{out.Reads, checkRead},
		{out.Env, func(name string) error { return host.CheckGrants(nil, []string{name}) }},
	} {
		for _, g := range granted.grants {
			if err := granted.check(g.Value); err != nil {
				return out, &module.ConfigError{Err: a.wrongSetting(b.Name, g.From, err)}
			}
		}
	}
	if out.Config != nil || out.Off {
		return out, nil
	}
	var err error
	out.Config, err = a.bundledConfig(b)
	return out, err
}

// checkRead refuses a path that a strategy may not be let to read.
func checkRead(path string) error {
	if !filepath.IsAbs(path) {
		return fmt.Errorf("the path %q is not absolute", path)
	}
	return nil
}

// wrongSetting names where a setting, or a key of a strategy's configuration, came from.
func (a *App) wrongSetting(strategy, from string, err error) error {
	if origin := a.Workspace.Origin(from); origin != "" {
		return fmt.Errorf("%s (from %s): %w", from, origin, err)
	}
	key, _, _ := strings.Cut(from, ".")
	origin, _ := a.Workspace.ConfigOrigin(strategy, key)
	return fmt.Errorf("%s: strategies.%s.config.%s: %w", origin, strategy, from, err)
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

// strategyNames are all that there are, whether they take part or not.
func (a *App) strategyNames() []string {
	names := a.Strategies.Names()
	for i := range a.Installed {
		names = append(names, a.Installed[i].Name)
	}
	return names
}

// knownStrategies refuses settings of a strategy that is only misspelt.
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

// Wanted returns the strategies whose configured source is not installed. For those that are installed from another
// source, it includes their grants.
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

// checkInstalled reports strategies that are installed from a source other than the configured one. Missing ones
// fail anyway.
func (a *App) checkInstalled(_ context.Context, r *doctor.Report) error {
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
	for _, stray := range trust.FindUninstalled(workspace.Of[host.Settings](a.Workspace).PluginPath, a.Installed) {
		if name := free(stray.Name, taken); enabled(a.Workspace, stray.Name) {
			refuse(name, fmt.Errorf("%w: %s", host.ErrNotInstalled, stray.Path))
		}
	}
	return out
}

// free returns a name that is not taken, as near to the wanted one as can be.
func free(name string, taken []string) string {
	out := name
	for n := 2; slices.Contains(taken, out) || out == ""; n++ {
		out = fmt.Sprintf("%s-%d", name[:min(len(name), 36)], n)
	}
	return out
}

// bundledConfig joins what the workspace's dictionaries tell a bundled strategy with
// what its configuration says.
func (a *App) bundledConfig(b sdk.Entry) (json.RawMessage, error) {
	own, err := a.strategyConfig(b.Name, func() json.RawMessage { return b.New().Describe().ConfigSchema })
	words := dictionaryConfig(b, a.Dictionary)
	if err != nil || len(words) == 0 {
		return own, err
	}
	maps.Copy(words, a.Workspace.Strategies[b.Name].Config)
	return json.Marshal(words)
}

// InstalledConfig returns the configuration of an installed strategy. An untrusted workspace must
// not be able to tell a strategy with network access or a key where to send data.
func (a *App) InstalledConfig(p *trust.Plugin) (json.RawMessage, error) {
	for _, key := range slices.Sorted(maps.Keys(a.Workspace.Strategies[p.Name].Config)) {
		if origin, guest := a.Workspace.ConfigOrigin(p.Name, key); guest && len(p.Network)+len(p.Env) > 0 {
			return nil, &module.ConfigError{Err: fmt.Errorf("%s: %s may reach the network or sees variables of "+
				"yours: a workspace's own file may not configure it; do so in the user's configuration file",
				origin, p.Name)}
		}
	}
	return a.strategyConfig(p.Name, func() json.RawMessage { return json.RawMessage(p.Schema) })
}

// strategyConfig returns what the configuration says of a strategy, checked against its schema;
// nil for nothing.
func (a *App) strategyConfig(name string, schema func() json.RawMessage) (json.RawMessage, error) {
	table, url := a.Workspace.Strategies[name].Config, a.collection(name)
	if url != "" {
		table = maps.Clone(table)
		if table == nil {
			table = map[string]any{}
		}
		table["url"] = url
	}
	if len(table) == 0 {
		return nil, nil
	}
	config, err := json.Marshal(table)
	if err != nil {
		return nil, &module.ConfigError{Err: fmt.Errorf("strategies.%s.config: %w", name, err)}
	}
	err = host.CheckConfig(schema(), config)
	if wrong, ok := errors.AsType[*host.ConfigError](err); ok {
		if url != "" && slices.Equal(wrong.Key, []string{"url"}) {
			return nil, &module.ConfigError{Err: a.wrongSetting(name, collectionURL, errors.New(wrong.Problem))}
		}
		return nil, &module.ConfigError{Err: a.misconfigured(name, wrong)}
	}
	if err != nil {
		return nil, fmt.Errorf("strategy %s: %w", name, err)
	}
	return config, nil
}

// misconfigured names the file and the line of a wrong value.
func (a *App) misconfigured(name string, wrong *host.ConfigError) error {
	place := strings.Join(append([]string{"strategies", name, "config"}, wrong.Key...), ".")
	keys := wrong.Key // empty when all of the table is wrong
	if len(keys) == 0 {
		keys = slices.Sorted(maps.Keys(a.Workspace.Strategies[name].Config))
	}
	origin, _ := a.Workspace.ConfigOrigin(name, keys[0])
	return errors.New(origin + ": " + place + ": " + wrong.Problem)
}

// DictionaryFolder is the folder of a workspace that holds its dictionaries.
const DictionaryFolder = "dict"

// ReadDictionaries reads the dictionaries of a workspace. The names of its files of translations are whole paths.
func ReadDictionaries(workspace string) (*dict.Folder, error) {
	root, err := os.OpenRoot(workspace)
	if err != nil {
		return nil, fmt.Errorf("open the workspace: %w", err)
	}
	defer root.Close()
	own, err := dict.Load(root.FS(), DictionaryFolder)
	if own != nil {
		for i, name := range own.Bilingual {
			own.Bilingual[i] = filepath.Join(workspace, filepath.FromSlash(name))
		}
	}
	return own, err
}

// dictionaryConfig returns the configuration from the workspace's dictionaries for a bundled
// strategy, which cannot read the workspace. It is never nil.
func dictionaryConfig(e sdk.Entry, own *dict.Folder) map[string]any {
	config := map[string]any{}
	add := func(kind string, words any, n int) {
		if key := e.Dictionaries[kind]; key != "" && n > 0 {
			config[key] = words
		}
	}
	add("synonyms", own.Synonyms, len(own.Synonyms))
	add("exceptions", own.Exceptions, len(own.Exceptions))
	add("translations", own.Bilingual, len(own.Bilingual))
	return config
}
