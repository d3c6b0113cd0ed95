package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/sagasu-search/sagasu/sdk/snapshot"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/sdk"
)

// searcher is what calls strategies.
type searcher = search.Strategies

// configured calls some strategies, in this process, with a configuration of
// their own.
type configured struct {
	searcher
	own map[string]*host.Local
}

func (c configured) Search(ctx context.Context, name string, req *sdk.Request) (*sdk.Result, error) {
	if own := c.own[name]; own != nil {
		return own.Search(ctx, name, req)
	}
	return c.searcher.Search(ctx, name, req)
}

// configured returns the strategies with the parameters of a variant.
func (b *bench) configured(v variant) (search.Strategies, error) {
	out := configured{b.strategies, map[string]*host.Local{}}
	for _, name := range v.strategies {
		parameters := v.parameters(name)
		if len(parameters) == 0 {
			continue
		}
		var err error
		if out.own[name], err = b.configure(name, parameters); err != nil {
			return nil, err
		}
	}
	if len(out.own) == 0 {
		return b.strategies, nil
	}
	return out, nil
}

// configure makes a bundled strategy with parameters besides what the
// workspace's dictionaries tell it.
func (b *bench) configure(name string, parameters map[string]any) (*host.Local, error) {
	entry, _ := b.entries.Named(name)
	joined := app.DictionaryConfig(entry, b.dict)
	maps.Copy(joined, parameters)
	config, err := json.Marshal(joined)
	if err != nil {
		return nil, err
	}
	key := name + string(config)
	if l := b.local[key]; l != nil {
		return l, nil
	}
	strategy, err := configuredStrategy(b.entries, name, config)
	if err != nil {
		return nil, err
	}
	b.local[key] = host.InProcess(strategy)
	return b.local[key], nil
}

func configuredStrategy(among app.Strategies, name string, config json.RawMessage) (sdk.Strategy, error) {
	if e, ok := among.Ordinary().Of(snapshot.KindManual).Named(name); ok {
		strategy := e.New()
		if c, ok := strategy.(sdk.Configurer); ok {
			return strategy, c.Configure(context.Background(), config)
		}
	}
	return nil, fmt.Errorf("the settings of %s are not tried here, since it runs in a process: set them in its "+
		"configuration, and compare with --baseline", name)
}
