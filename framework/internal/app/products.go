package app

import (
	"context"

	"github.com/spf13/pflag"

	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/logic"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/patents"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/store/redis"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// products returns the products of a program, in the order in which they are opened; each may use what earlier ones
// added to the environment.
func products() []module.Definition {
	return []module.Definition{
		manuals.Definition(),
		vault.Definition(),
		patents.Definition(),
		logic.Definition(),
	}
}

// schema lists the settings of the engine and of the products.
func schema(products []module.Definition) workspace.Schema {
	all := workspace.Schema{search.DefaultSettings(), search.Rerankers{}, search.Embeddings{}, search.Judges{},
		adapt.Options{}, host.Settings{}, redis.Settings{}}
	for _, p := range products {
		if p.Settings != nil {
			all = append(all, p.Settings)
		}
	}
	return all
}

// Load reads the configuration of a workspace for the compiled-in products and strategies, see
// [workspace.Load]. It fails with a [module.ConfigError].
func Load(o workspace.LoadOptions, compiled Strategies) (*workspace.Workspace, error) {
	return load(o, products(), compiled)
}

func load(
	o workspace.LoadOptions, products []module.Definition, compiled Strategies,
) (*workspace.Workspace, error) {
	o.Schema, o.Documents = schema(products), compiled.documents
	w, err := workspace.Load(o)
	if err != nil {
		return nil, &module.ConfigError{Err: err}
	}
	for _, p := range products {
		asked := p.Root != "" && w.Origin(p.Root) != "default" || w.Wants(p.Groups...) || w.Wants(p.Extra...)
		if p.Problem == nil || !asked {
			continue
		}
		if err := p.Problem(w); err != nil {
			return nil, &module.ConfigError{Err: err}
		}
	}
	return w, nil
}

// RegisterFlags adds a flag per setting, see [workspace.RegisterFlags].
func RegisterFlags(fs *pflag.FlagSet) *workspace.Flags {
	return workspace.RegisterFlags(fs, schema(products()))
}

// Examine examines a workspace for doctor. Mistakes in dictionaries do not prevent it.
func Examine(ctx context.Context, options Options) (*doctor.Report, error) {
	w, err := load(options.Sources, options.definitions(), options.Strategies)
	if err != nil {
		return nil, err
	}
	own, mistakes := ReadDictionaries(w.Root)
	if own == nil {
		own = &dict.Folder{}
	}
	a, err := openStrategies(w, own, options)
	if err != nil {
		return nil, err
	}
	defer a.Close()
	a.Host.Warm()
	env, o := a.Env(), doctor.Options{Workspace: w, Host: a.Host, Dictionary: own, Mistakes: mistakes}
	for _, p := range options.definitions() {
		if p.Check != nil {
			o.Checks = append(o.Checks, func(ctx context.Context, r *doctor.Report) error {
				return p.Check(ctx, env, r)
			})
		}
		o.Suffices = o.Suffices || p.Suffices && (p.Active == nil || p.Active(w))
	}
	o.Checks = append(o.Checks, func(ctx context.Context, r *doctor.Report) error { return checkShared(ctx, w, r) },
		a.checkInstalled)
	return doctor.Examine(ctx, o)
}

// Module returns an open product by its type, or nil if the workspace does not use it.
func Module[M module.Module](a *App) M {
	for _, m := range a.Modules {
		if found, ok := m.(M); ok {
			return found
		}
	}
	var none M
	return none
}
