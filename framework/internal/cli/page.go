package cli

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"path/filepath"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/page"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// judgedName is the file of judged queries in the state directory of a workspace.
const judgedName = "judged.jsonl"

// openPage returns the page of an open workspace. It lives as long as that.
func openPage(prog *program, a *app.App) (http.Handler, error) {
	options := page.Options{
		Manuals: app.Module[*manuals.Module](a), Logger: a.Logger,
		Examine: func(ctx context.Context) (*doctor.Report, error) {
			options := openOptions(ctx, prog.strategies, io.Discard)
			options.Sources = workspace.LoadOptions{Flags: *prog.Flags}
			return app.Examine(ctx, options)
		},
		Measure: func(ctx context.Context, queries []eval.Query, weights map[string]float64) (*eval.Report, error) {
			return measure(ctx, a, queries, weights)
		},
	}
	if !a.Workspace.ReadOnly {
		options.Judged = filepath.Join(a.Workspace.StateDir(), judgedName)
		options.Command = fmt.Sprintf("sagasu eval --queries %s --workspace %s", shellWord(options.Judged),
			shellWord(a.Workspace.Root)) // of any folder: the page does not know where its reader is
		for _, dir := range prog.Manuals {
			dir, err := filepath.Abs(dir)
			if err != nil {
				return nil, err
			}
			options.Command += " --manuals " + shellWord(dir)
		}
	}
	return page.New(options)
}

// measure evaluates queries, each in the manual that it names, with other weights of strategies, or of the bonus
// for coverage.
func measure(ctx context.Context, a *app.App, queries []eval.Query, weights map[string]float64) (
	report *eval.Report, err error,
) {
	b, err := openBench(ctx, a)
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, b.Close()) }()
	var set []string
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		figure := name + weightSuffix
		if name == "coverage" {
			figure = coverageWeight
		}
		set = append(set, fmt.Sprintf("%s=%v", figure, weights[name]))
	}
	v, err := b.variant(nil, "", set)
	if err != nil {
		return nil, err
	}
	search, err := b.search(v)
	if err != nil {
		return nil, err
	}
	return eval.Run(ctx, queries, search, eval.Options{Scope: true})
}
