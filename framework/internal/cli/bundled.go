package cli

import (
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// program is what every subcommand gets: the settings that the command line gives and
// the strategies that are compiled in.
type program struct {
	*workspace.Flags
	strategies bundled
}

// load reads the workspace that the command line names; what is wrong with it is a usage error.
func (p *program) load() (*workspace.Workspace, error) {
	w, err := workspace.Load(workspace.LoadOptions{Flags: *p.Flags})
	if err != nil {
		return nil, usageError{err}
	}
	return w, nil
}

// bundled are the strategies inside this binary, in the order of their use.
type bundled []sdk.Entry

// of returns the strategies of one kind of corpus.
func (b bundled) of(kind snapshot.Kind) (out bundled) {
	for _, e := range b {
		if slices.Contains(e.New().Describe().Corpora, kind) {
			out = append(out, e)
		}
	}
	return out
}

// named returns the strategy of that name.
func (b bundled) named(name string) (sdk.Entry, bool) {
	i := slices.IndexFunc(b, func(e sdk.Entry) bool { return e.Name == name })
	if i < 0 {
		return sdk.Entry{}, false
	}
	return b[i], true
}

// ordinary returns the strategies that start without being configured, as those of a service do not.
func (b bundled) ordinary() (out bundled) {
	for _, e := range b {
		if e.Launch == nil {
			out = append(out, e)
		}
	}
	return out
}

func (b bundled) names() (names []string) {
	for _, e := range b {
		names = append(names, e.Name)
	}
	return names
}

// serveBundled returns the arguments that make this binary serve a bundled strategy.
func serveBundled(name string) []string { return []string{"plugin", "serve", name} }
