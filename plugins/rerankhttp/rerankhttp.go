package rerankhttp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"golang.org/x/sync/errgroup"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

// Strategy implements [sdk.Strategy].
type Strategy struct {
	config  Config
	service *remote.Client // nil before it is configured
}

var _ sdk.Configurer = (*Strategy)(nil)

// New returns the strategy. Until it is configured it changes no order.
func New() *Strategy { return &Strategy{} }

// Describe implements [sdk.Strategy]. The weight is low because the model is the user's.
func (s *Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:         "rerankhttp",
		Version:      "1",
		Stage:        sdk.StageRerank,
		Signals:      []string{sdk.SignalLateRerank},
		Weight:       0.3,
		Corpora:      []snapshot.Kind{snapshot.KindManual, snapshot.KindVault},
		ConfigSchema: json.RawMessage(schema),
	}
}

// Configure implements [sdk.Configurer].
func (s *Strategy) Configure(_ context.Context, data json.RawMessage) error {
	config := defaults()
	err := sdk.DecodeConfig(data, &config)
	switch {
	case err != nil:
	case config.Model == "" && config.API != TEI:
		err = fmt.Errorf("%s needs the name of a model", config.API)
	default:
		s.config = config
		s.service, err = config.client()
	}
	if err != nil {
		return fmt.Errorf("configuration of rerankhttp: %w", err)
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

// Search implements [sdk.Strategy]. It scores the whole pool, or nothing with a warning that says why.
func (s *Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	out := &sdk.Result{Finished: true}
	if s.service == nil || len(req.Pool) == 0 {
		return out, nil
	}
	scores, err := s.score(ctx, req)
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, ctx.Err()
	}
	if err != nil {
		out.Warnings = []string{"the rerank service did not help, the order is as without it: " + remote.Reason(err)}
		return out, nil
	}
	out.Examined = len(scores)
	for i, score := range scores {
		out.Candidates = append(out.Candidates, sdk.Candidate{
			Section: req.Pool[i].Section, Score: score, Signals: []string{sdk.SignalLateRerank},
		})
	}
	out.Candidates = sdk.Best(out.Candidates, req.Limit)
	return out, nil
}

const (
	// mostCalls is the maximum number of concurrent requests.
	mostCalls = 4
	// mostAnswer is the maximum number of bytes of an answer, in addition to the texts, which some services repeat.
	mostAnswer = 1 << 20
)

// score requests the scores of the pool, batch by batch.
func (s *Strategy) score(ctx context.Context, req *sdk.Request) ([]float64, error) {
	texts, scores := s.texts(req), make([]float64, len(req.Pool))
	calls, ctx := errgroup.WithContext(ctx)
	calls.SetLimit(mostCalls)
	for from := 0; from < len(texts); from += s.config.Batch {
		batch := texts[from:min(from+s.config.Batch, len(texts))]
		calls.Go(func() error {
			return guard.Call(func() error { return s.scoreBatch(ctx, req.Query.Raw, batch, scores[from:]) })
		})
	}
	err := calls.Wait()
	positive(scores)
	return scores, err
}

// scoreBatch requests the scores of texts and puts them into scores.
func (s *Strategy) scoreBatch(ctx context.Context, query string, batch []string, scores []float64) error {
	limit := int64(mostAnswer)
	for _, t := range batch {
		limit += 6 * int64(len(t)) // if every byte is escaped
	}
	data, err := s.service.Post(ctx, s.config.API.request(s.config.Model, query, batch), limit)
	if err != nil {
		return err
	}
	got, err := s.config.API.decode(data, len(batch))
	copy(scores, got)
	return err
}

// texts returns the text of each section for the service: names of the file, heading path and own text.
func (s *Strategy) texts(req *sdk.Request) []string {
	out := make([]string, len(req.Pool))
	for i, c := range req.Pool {
		heading := req.Corpus.Source(c.Section, snapshot.FieldHeading)
		if path := req.Corpus.Source(c.Section, snapshot.FieldPath); path != "" {
			heading = path + " > " + heading
		}
		body := req.Corpus.Source(c.Section, snapshot.FieldBody)
		out[i] = text.CutRunes(heading+"\n"+body[:min(len(body), 4*s.config.MaxChars)], s.config.MaxChars)
	}
	return out
}
