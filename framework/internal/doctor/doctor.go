package doctor

import (
	"context"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// Options are what is examined.
type Options struct {
	Workspace *workspace.Workspace
	Host      *host.Host
	// Dictionary holds the words of the workspace, and Mistakes is the error of reading them.
	Dictionary *dict.Folder
	Mistakes   error
	// Checks are what products examine, in order. Each adds what it finds to the report.
	Checks []func(ctx context.Context, r *Report) error
	// Suffices says that the workspace holds files of a product that needs no manuals.
	Suffices bool
}

// Examine looks at everything and starts every strategy. Whatever is wrong is in the report; the
// error is that of ctx, or of a check that could not run.
func Examine(ctx context.Context, o Options) (*Report, error) {
	r := &Report{
		Hints: []Hint{}, Roots: o.Workspace.Roots(), Skipped: []toolset.Skip{}, Dictionaries: []dict.File{},
		Sandbox: host.Confinement(), suffices: o.Suffices,
	}
	r.settings(o.Workspace)
	for _, check := range o.Checks {
		if err := check(ctx, r); err != nil {
			return nil, err
		}
	}
	r.dictionaries(o)
	r.strategies(ctx, o.Host)
	r.confinement()
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
