package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// Options select what is examined.
type Options struct {
	Workspace *workspace.Workspace
	Host      *host.Host
	// Dictionary holds the words of the workspace, and Mistakes the error from reading them.
	Dictionary *dict.Folder
	Mistakes   error
	// Checks are the checks of products, in order. Each adds its findings to the report.
	Checks []func(ctx context.Context, r *Report) error
	// Suffices reports that the workspace holds files of a product that needs no manuals.
	Suffices bool
}

// Examine runs all checks and starts every strategy. The report contains everything that is wrong; the error is that of
// ctx, or of a check that could not run.
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
	order := map[bool]int{true: -1} // what is broken first
	slices.SortStableFunc(r.Hints, func(a, b Hint) int { return order[a.Broken] - order[b.Broken] })
	r.Broken = len(r.Hints) > 0 && r.Hints[0].Broken
	return r, nil
}

// settings lists the effective configuration.
func (r *Report) settings(w *workspace.Workspace) {
	r.Settings = w.Effective()
	own := len(r.Settings)
	add := func(name, value, origin string) {
		r.Settings = append(r.Settings, workspace.Effective{Name: name, Value: value, Origin: origin})
	}
	for strategy, s := range w.Strategies {
		name := "strategies." + strategy
		if s.Enabled != nil {
			add(name+".enabled", strconv.FormatBool(*s.Enabled), w.Origin(name+".enabled"))
		}
		if s.Weight != nil {
			add(name+".weight", strconv.FormatFloat(*s.Weight, 'g', -1, 64), w.Origin(name+".weight"))
		}
		for key, value := range s.Config {
			text, _ := json.Marshal(value) // the content of a TOML file can be encoded
			origin, _ := w.ConfigOrigin(strategy, key)
			add(name+".config."+key, string(text), origin)
		}
	}
	slices.SortFunc(r.Settings[own:], func(a, b workspace.Effective) int { return strings.Compare(a.Name, b.Name) })
}

// dictionaries adds the dictionaries of the workspace, and a hint for each mistake in them.
func (r *Report) dictionaries(o Options) {
	mistakes := []error{o.Mistakes}
	if o.Dictionary != nil {
		r.Dictionaries = append(r.Dictionaries, o.Dictionary.Files...)
		for _, name := range o.Dictionary.Bilingual {
			f, err := dict.CheckBilingualFile(o.Workspace.Root, name)
			if err == nil {
				r.Dictionaries = append(r.Dictionaries, f)
			}
			mistakes = append(mistakes, err)
		}
	}
	for _, err := range mistakes {
		found, ok := errors.AsType[dict.Errors](err)
		if err != nil && !ok {
			r.Fail("the dictionaries cannot be read: "+err.Error(), "")
		}
		for _, m := range found {
			r.Fail("a dictionary has a mistake: "+m.Error(),
				"correct it in "+filepath.Join(o.Workspace.Root, filepath.FromSlash(m.File)))
		}
	}
}
