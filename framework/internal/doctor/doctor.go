package doctor

import (
	"context"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// Options are what is examined. The caller closes it.
type Options struct {
	Workspace *workspace.Workspace
	Index     *index.Index
	Vault     *index.Index // nil where there is no vault
	Host      *host.Host
	// Publications is the index of the collection and Lanes what searches it; nil where
	// there is none.
	Publications *index.Index
	Lanes        *host.Host
}

// Examine looks at everything and starts every strategy. Whatever is wrong is
// in the report; the error is that of ctx.
func Examine(ctx context.Context, o Options) (*Report, error) {
	r := &Report{
		Hints: []Hint{}, Manuals: []Manual{}, Skipped: []toolset.Skip{}, Dictionaries: []dict.File{},
		Sandbox: host.Confinement(),
	}
	r.roots(o.Workspace)
	r.settings(o.Workspace)
	r.manuals(ctx, o.Workspace)
	r.logic(ctx, o.Workspace)
	r.index(ctx, o.Index)
	r.vault(ctx, o.Vault)
	r.dictionaries(o.Workspace)
	r.strategies(ctx, o.Host)
	r.confinement()
	r.publications(ctx, o.Workspace, o.Publications, o.Lanes)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(r.Hints, func(a, b Hint) int {
		switch {
		case a.Broken == b.Broken:
			return 0
		case a.Broken:
			return -1
		}
		return 1
	})
	r.Broken = len(r.Hints) > 0 && r.Hints[0].Broken
	return r, nil
}
