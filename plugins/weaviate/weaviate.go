package weaviate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

// Strategy implements [sdk.Strategy] and [sdk.Gatherer].
type Strategy struct {
	collection *collection // nil before it is configured
}

var (
	_ sdk.Configurer = (*Strategy)(nil)
	_ sdk.Gatherer   = (*Strategy)(nil)
)

// New returns the strategy. Until it is configured, there is nothing to gather from.
func New() *Strategy { return &Strategy{} }

// Describe implements [sdk.Strategy].
func (*Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name: "weaviate", Version: layout, Stage: sdk.StageGather,
		Corpora: []snapshot.Kind{snapshot.KindManual, snapshot.KindPublication},
		ConfigSchema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["url"],` +
			`"properties":{"url":{"type":"string"}}}`),
	}
}

// Configure implements [sdk.Configurer].
func (s *Strategy) Configure(_ context.Context, data json.RawMessage) error {
	var config struct {
		URL string `json:"url"`
	}
	if err := sdk.DecodeConfig(data, &config); err != nil {
		return fmt.Errorf("configuration of weaviate: %w", err)
	}
	a, err := parse(config.URL)
	if err == nil {
		s.collection, err = newCollection(a, os.Getenv(keyEnv))
	}
	if err != nil {
		return fmt.Errorf("configuration of weaviate: url: %w", err)
	}
	return nil
}

// Close implements io.Closer.
func (s *Strategy) Close() error {
	if s.collection != nil {
		s.collection.nodes.close()
		s.collection.local.close()
	}
	return nil
}

// Search implements [sdk.Strategy]. A gatherer finds no sections by itself.
func (*Strategy) Search(context.Context, *sdk.Request) (*sdk.Result, error) {
	return &sdk.Result{Finished: true}, nil
}

// answerShare is the inverse of the share of a call's time that is left for its answer. A process that exceeds the time
// is replaced, and all its other calls fail.
const answerShare = 10

// Gather implements [sdk.Gatherer].
func (s *Strategy) Gather(ctx context.Context, req *sdk.GatherRequest) (*sdk.Gathered, error) {
	if s.collection == nil {
		return nil, errors.New("weaviate has no collection to gather from: it is configured by " + setting)
	}
	if end, limited := ctx.Deadline(); limited { // leaves time to report what did not answer
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Until(end)*(answerShare-1)/answerShare)
		defer cancel()
	}
	out, err := s.collection.gather(ctx, req)
	return out, s.collection.explain(ctx, err)
}

// setting names the collection.
const setting = "COLLECTION_URL"

// Entry returns the strategy's entry, for programs that compile it in. It is active if COLLECTION_URL names one of its
// collections, which grants a connection to its ports and the variable of the key.
func Entry() sdk.Entry {
	return sdk.Entry{
		Name: "weaviate", New: func() sdk.Strategy { return New() }, Launch: launch,
		Schemes: []string{scheme, schemeTLS}, Upload: Upload,
	}
}

func launch(c sdk.Configuration) (sdk.Launch, error) {
	at := c.Setting(setting)
	if kind, _, _ := strings.Cut(at, "://"); kind != scheme && kind != schemeTLS {
		return sdk.Launch{Off: true}, nil
	}
	a, err := parse(at)
	if err != nil {
		return sdk.Launch{}, &sdk.SettingError{From: setting, Err: err}
	}
	out := sdk.Launch{Env: []sdk.Grant{{Value: keyEnv, From: setting}}}
	if out.Config, err = json.Marshal(map[string]string{"url": at}); err != nil {
		return sdk.Launch{}, err
	}
	for _, host := range a.hosts {
		port, err := remote.Port(host)
		if err != nil {
			return sdk.Launch{}, &sdk.SettingError{From: setting, Err: errAddress}
		}
		out.Network = append(out.Network, sdk.Grant{Value: "tcp:" + port, From: setting})
	}
	return out, nil
}
