package app

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/convert"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// Strategies are the compiled-in strategies of a program, in their order of use, and its converters.
type Strategies []sdk.Entry

// Of returns the strategies for one kind of corpus.
func (b Strategies) Of(kind snapshot.Kind) (out Strategies) {
	for _, e := range b {
		if e.New == nil {
			continue
		}
		d := e.New().Describe()
		if len(d.Corpora) == 0 || slices.Contains(d.Corpora, kind) ||
			d.Stage == sdk.StageGather && kind == snapshot.KindManual {
			out = append(out, e)
		}
	}
	return out
}

// check fails if an entry has no constructor or two, or if its strategy describes itself by another name.
func (b Strategies) check() error {
	for _, e := range b {
		var name string
		switch {
		case (e.New == nil) == (e.NewConverter == nil):
			return fmt.Errorf("strategy %q: its entry must set one of New and NewConverter", e.Name)
		case e.New != nil:
			name = e.New().Describe().Name
		default:
			name = e.NewConverter().DescribeConverter().Name
		}
		if name != e.Name {
			return fmt.Errorf("strategy %q: its entry makes one that describes itself as %q", e.Name, name)
		}
	}
	return nil
}

// Named returns the strategy with a name.
func (b Strategies) Named(name string) (sdk.Entry, bool) {
	i := slices.IndexFunc(b, func(e sdk.Entry) bool { return e.Name == name })
	if i < 0 {
		return sdk.Entry{}, false
	}
	return b[i], true
}

// Ordinary returns the strategies that start without configuration, unlike those that call a service.
func (b Strategies) Ordinary() (out Strategies) {
	for _, e := range b {
		if e.New != nil && e.Launch == nil {
			out = append(out, e)
		}
	}
	return out
}

// Configured returns a strategy in this process, configured with the given keys and, for all others, the dictionaries.
func (b Strategies) Configured(
	ctx context.Context, name string, own *dict.Folder, keys map[string]any,
) (sdk.Strategy, error) {
	e, ok := b.Ordinary().Named(name)
	if !ok {
		return nil, fmt.Errorf("there is no strategy %s", name)
	}
	strategy, config := e.New(), dictionaryConfig(e, own)
	maps.Copy(config, keys)
	if len(config) == 0 {
		return strategy, nil
	}
	c, ok := strategy.(sdk.Configurer)
	if !ok {
		return nil, fmt.Errorf("strategy %s takes no configuration", name)
	}
	raw, err := json.Marshal(config)
	if err != nil {
		return nil, err
	}
	return strategy, c.Configure(ctx, raw)
}

// Configured returns a strategy in this process as the workspace configures it, with some keys changed.
func (a *App) Configured(ctx context.Context, name string, keys map[string]any) (sdk.Strategy, error) {
	config := map[string]any{}
	maps.Copy(config, a.Workspace.Strategies[name].Config)
	maps.Copy(config, keys)
	return a.Strategies.Configured(ctx, name, a.Dictionary, config)
}

// Names returns the names of the strategies and converters, in their order.
func (b Strategies) Names() (names []string) {
	for _, e := range b {
		names = append(names, e.Name)
	}
	return names
}

// ServeArguments returns the arguments that make this program serve compiled-in strategies in one process.
func ServeArguments(names ...string) []string { return append([]string{"plugin", "serve"}, names...) }

// documents returns the converters for the documents of a workspace's manuals, or nil if there are none. Installed
// converters, which the user chose, come before compiled-in ones. An unreadable lock file is reported when
// strategies are opened.
func (b Strategies) documents(w *workspace.Workspace) *convert.Set {
	installed, _ := trust.Read(w.ConfigHome)
	var all []convert.Converter
	for _, e := range converters(w, b, installed) {
		all = append(all, convert.Converter{ConverterDescription: *e.Converter, Build: e.SHA256})
	}
	if len(all) == 0 {
		return nil
	}
	return convert.New(filepath.Join(w.CacheHome, "documents"), host.ConvertAtOnce(), all)
}

// converters returns the entries of the active converters for the host.
func converters(w *workspace.Workspace, compiled Strategies, installed []trust.Plugin) (out []host.Entry) {
	for i := range installed {
		if e := installed[i].Entry(nil); e.Converter != nil && enabled(w, e.Name) {
			out = append(out, e)
		}
	}
	for _, b := range compiled {
		if b.NewConverter != nil && enabled(w, b.Name) {
			d := b.NewConverter().DescribeConverter()
			out = append(out, host.Entry{Name: b.Name, Converter: &d})
		}
	}
	return out
}
