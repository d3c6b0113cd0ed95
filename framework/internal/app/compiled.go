package app

import (
	"slices"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Strategies are the compiled-in strategies of a program, in the order of their use, and its converters.
type Strategies []sdk.Entry

// Of returns the strategies of one kind of corpus.
func (b Strategies) Of(kind snapshot.Kind) (out Strategies) {
	for _, e := range b {
		if e.New == nil {
			continue
		}
		d := e.New().Describe()
		if slices.Contains(d.Corpora, kind) || d.Stage == sdk.StageGather && kind == snapshot.KindManual {
			out = append(out, e)
		}
	}
	return out
}

// Named returns the strategy of that name.
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

func (b Strategies) Names() (names []string) {
	for _, e := range b {
		names = append(names, e.Name)
	}
	return names
}

// ServeArguments returns the arguments that make this program serve compiled-in strategies in one process.
func ServeArguments(names ...string) []string { return append([]string{"plugin", "serve"}, names...) }
