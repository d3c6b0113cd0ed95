package app

import (
	"path/filepath"

	"github.com/sagasu-search/sagasu/framework/internal/convert"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

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
func (a *App) converters() []host.Entry { return converters(a.Workspace, a.Strategies, a.Installed) }

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
