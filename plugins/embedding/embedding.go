package embedding

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/embed"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/space"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// SignalEmbedding marks a section whose vector is similar to the query's.
const SignalEmbedding = "embedding"

// Strategy implements [sdk.Strategy].
type Strategy struct {
	config space.Config
	model  space.Model // nil before it is configured
	exact  int         // maximum number of sections that are compared without a sieve

	mu        sync.Mutex
	buildings []*building // newest last
	closed    bool
	running   guard.Group
}

var (
	_ sdk.Configurer = (*Strategy)(nil)
	_ sdk.Opener     = (*Strategy)(nil)
)

// New returns the strategy. Until it is configured it finds nothing. Close ends it.
func New() *Strategy { return &Strategy{config: defaults(), exact: 100_000} }

// Describe implements [sdk.Strategy]. The weight is low because the model is the user's.
func (s *Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:         "embedding",
		Version:      "1",
		Stage:        sdk.StageRetrieve,
		Signals:      []string{SignalEmbedding},
		Weight:       0.1,
		Corpora:      []snapshot.Kind{snapshot.KindManual, snapshot.KindVault},
		ConfigSchema: json.RawMessage(schema),
	}
}

// Configure implements [sdk.Configurer].
func (s *Strategy) Configure(_ context.Context, data json.RawMessage) error {
	config := defaults()
	err := sdk.DecodeConfig(data, &config)
	if err == nil {
		s.config = config
		s.model, err = config.Open()
	}
	if err != nil {
		return fmt.Errorf("configuration of embedding: %w", err)
	}
	return nil
}

// openWait is how long Open waits for the vectors, so that those of a small corpus and cached ones are complete before
// the first search.
const openWait = time.Second

// Open implements [sdk.Opener]. Vectors that are not ready after openWait are computed in the background.
func (s *Strategy) Open(ctx context.Context, corpus *snapshot.Snapshot) error {
	if s.model == nil || corpus.Manifest().Gathered != nil {
		return nil
	}
	enough := time.NewTimer(openWait)
	defer enough.Stop()
	select {
	case <-s.building(ctx, corpus).done:
	case <-enough.C:
	case <-ctx.Done():
		return ctx.Err()
	}
	return nil
}

// Close ends the work that Open and Search started.
func (s *Strategy) Close() error {
	s.mu.Lock()
	s.closed = true
	for _, b := range s.buildings {
		b.cancel()
	}
	s.mu.Unlock()
	_ = s.running.Wait() // searches returned the errors
	if s.model == nil {
		return nil
	}
	return s.model.Close()
}

// least is the similarity above which a section is a candidate. It is above the rounding errors of vectors.
const least = 0.01

// sieved is the inverse of the share of very many sections that are compared with the query in full.
const sieved = 16

// Search implements [sdk.Strategy]. It searches the sections that have vectors, and warns if others lack one. Without a
// query it reports how many have a vector, and an error if the building failed.
func (s *Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	scope := req.Sections()
	if s.model == nil {
		return &sdk.Result{Examined: int(scope.GetCardinality()), Finished: true}, nil
	}
	parts, sieve, failed := s.view(ctx, req.Corpus)
	lacking := scope.Clone()
	lacking.RemoveRange(0, uint64(bound(parts)))
	sections, have := scope.GetCardinality(), scope.GetCardinality()-lacking.GetCardinality()
	query := text.CutRunes(req.Query.Raw, s.config.MaxChars)
	if query == "" {
		if failed != nil {
			failed = errors.New(s.reason(failed))
		}
		return &sdk.Result{Examined: int(have), Finished: have == sections}, failed
	}
	out := &sdk.Result{Examined: int(sections), Finished: true}
	if have < sections {
		state := "so far"
		if failed != nil {
			state = "only; " + s.reason(failed)
		}
		out.Warnings = append(out.Warnings, fmt.Sprintf("%d of %d sections have vectors %s", have, sections, state))
	}
	if have == 0 {
		return out, nil
	}
	v, err := s.embed(ctx, query, parts)
	if errors.Is(ctx.Err(), context.Canceled) {
		return nil, ctx.Err()
	}
	if err != nil {
		out.Warnings = []string{"the order is as without embeddings: " + s.model.Reason(err)}
	}
	if v == nil {
		return out, nil
	}
	if sieve != nil && int(have) > s.exact {
		if scope, err = sieve.Narrow(ctx, v, scope, int(have)/sieved); err != nil {
			return nil, err
		}
	}
	found, err := vector.Search(ctx, parts, vector.NewQuery(v), scope, least, req.Limit)
	if err != nil {
		return nil, err
	}
	out.Finished = found.Finished
	zero := 0.0 // for many models all cosines are near 1, so the last hit's score is subtracted
	if n := len(found.Hits); n > 1 {
		zero = found.Hits[n-1].Score
	}
	for _, h := range found.Hits {
		out.Candidates = append(out.Candidates, sdk.Candidate{
			Section: h.Section, Score: h.Score - zero, Signals: []string{SignalEmbedding},
		})
	}
	return out, nil
}

// view returns the available vectors of a snapshot, and why there are no more.
func (s *Strategy) view(ctx context.Context, snap *snapshot.Snapshot) ([]vector.Part, *vector.Sieve, error) {
	if snap.Manifest().Gathered == nil {
		return s.building(ctx, snap).view()
	}
	parts, err := s.gathered(snap)
	return parts, nil, err
}

// reason returns why vectors are missing, in words for the caller.
func (s *Strategy) reason(err error) string {
	if errors.Is(err, errNotStored) || errors.Is(err, vector.ErrDamaged) {
		return err.Error()
	}
	return s.model.Reason(err)
}

// embed returns the vector of a query, for comparison with parts, or nil if the query has no known word.
func (s *Strategy) embed(ctx context.Context, query string, parts []vector.Part) ([]float32, error) {
	p, err := s.model.Queries()
	if err != nil {
		return nil, err
	}
	vectors, err := p.Embed(ctx, []string{s.config.Query + query})
	if err != nil || !vector.Normalise(vectors[0]) {
		return nil, err
	}
	for _, p := range parts {
		if dim := p.Set.Dim(); dim > 0 && dim != len(vectors[0]) {
			return nil, fmt.Errorf("%w: the query's vector has %d numbers, those of sections %d",
				embed.ErrAnswer, len(vectors[0]), dim)
		}
	}
	return vectors[0], nil
}
