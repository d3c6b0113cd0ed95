package judgehttp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

// Strategy implements [sdk.Strategy].
type Strategy struct {
	config  Config
	service *remote.Client // nil before it is configured
}

var _ sdk.Configurer = (*Strategy)(nil)

// New returns the strategy. Until it is configured it judges nothing.
func New() *Strategy { return &Strategy{} }

// Describe implements [sdk.Strategy].
func (s *Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name: "judgehttp", Version: "1", Stage: sdk.StageJudge, Weight: 1,
		Corpora: []snapshot.Kind{snapshot.KindManual}, ConfigSchema: json.RawMessage(schema),
	}
}

// Configure implements [sdk.Configurer].
func (s *Strategy) Configure(_ context.Context, data json.RawMessage) error {
	config := defaults()
	err := sdk.DecodeConfig(data, &config)
	if err == nil {
		err = checkModel(config.API, config.Model)
	}
	if err == nil {
		s.config = config
		s.service, err = config.client()
	}
	if err != nil {
		return fmt.Errorf("configuration of judgehttp: %w", err)
	}
	return nil
}

// Close implements io.Closer.
func (s *Strategy) Close() error {
	if s.service == nil {
		return nil
	}
	return s.service.Close()
}

// mostVerdicts is the maximum number of answers, and of tensions, of a search.
const mostVerdicts = 5

// Search implements [sdk.Strategy].
func (s *Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	out := &sdk.Result{Finished: true}
	if s.service == nil || len(req.Passages) == 0 {
		return out, nil
	}
	passages := make([]sdk.Passage, len(req.Passages))
	for i, p := range req.Passages {
		p.Text = text.CutRunes(p.Text, s.config.MaxChars)
		passages[i] = p
	}
	judge := s.chat
	if s.config.API == TEI {
		judge = s.classify
	}
	err := judge(ctx, req.Query, passages, out)
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, ctx.Err()
	}
	if err != nil {
		warning := "the service did not help, what answers and contradicts is judged as without it: "
		return &sdk.Result{Finished: true, Warnings: []string{warning + remote.Reason(err)}}, nil
	}
	return out, nil
}
