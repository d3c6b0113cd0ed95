package search

import (
	"context"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/sdk"
)

// Only are some strategies of others, by their names.
func Only(all Strategies, names ...string) Strategies { return only{all, names} }

type only struct {
	all   Strategies
	names []string
}

// Search implements [Strategies].
func (o only) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	return o.all.Search(ctx, name, req)
}

// Strategies implements [Strategies].
func (o only) Strategies(ctx context.Context) ([]sdk.Description, []host.Failure) {
	described, failed := o.all.Strategies(ctx)
	described = slices.DeleteFunc(slices.Clone(described), func(d sdk.Description) bool { return !slices.Contains(o.names, d.Name) })
	return described, slices.DeleteFunc(slices.Clone(failed), func(f host.Failure) bool { return !slices.Contains(o.names, f.Name) })
}
