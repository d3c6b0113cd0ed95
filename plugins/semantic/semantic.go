package semantic

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
	"github.com/sagasu-search/sagasu/sdk/x/space"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// SignalSemantic marks a section of similar meaning.
const SignalSemantic = "semantic"

// Strategy implements [sdk.Strategy].
type Strategy struct {
	config Config
	spaces spaces
}

var (
	_ sdk.Configurer = (*Strategy)(nil)
	_ sdk.Opener     = (*Strategy)(nil)
)

// New returns the strategy with its default parameters. Close ends it.
func New() *Strategy {
	s := &Strategy{config: defaults(), spaces: spaces{turn: make(chan []*prepared, 1)}}
	s.spaces.maker = learner{s.config}
	s.spaces.turn <- nil
	return s
}

// Describe implements [sdk.Strategy]. The strategy is a lane of publication searches and is not used for manuals.
func (s *Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:         "semantic",
		Version:      "1",
		Stage:        sdk.StageRetrieve,
		Signals:      []string{SignalSemantic},
		Weight:       1,
		Corpora:      []snapshot.Kind{snapshot.KindPublication},
		ConfigSchema: json.RawMessage(schema),
	}
}

// Configure implements [sdk.Configurer].
func (s *Strategy) Configure(_ context.Context, config json.RawMessage) error {
	c := defaults()
	if err := sdk.DecodeConfig(config, &c); err != nil {
		return fmt.Errorf("configuration of semantic: %w", err)
	}
	m, err := c.maker()
	if err != nil {
		return fmt.Errorf("configuration of semantic: %w", err)
	}
	s.config, s.spaces.maker = c, m
	return nil
}

// Open implements [sdk.Opener]. It computes the vector of every section. If none are stored from earlier, this takes as
// long as ctx allows.
func (s *Strategy) Open(ctx context.Context, corpus *snapshot.Snapshot) error {
	_, err := s.spaces.get(ctx, corpus, patentquery.Wide)
	return err
}

// Close ends the work that Open and Search started.
func (s *Strategy) Close() error { return s.spaces.close() }

// Search implements [sdk.Strategy]. Of [patentquery.Params] it uses the scope. A section matches if its similarity, the
// cosine of its vector and the query's, is above the configured minimum and not in the tail. Every section is slightly
// similar to any query, which means nothing and would raise all sections in a fusion.
func (s *Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	params, err := patentquery.ParseParams(req.Params)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(scopes, params.FeatureScope) {
		return nil, fmt.Errorf("there are no vectors for feature_scope %s: it must be one of %v",
			params.FeatureScope, scopes)
	}
	sp, err := s.spaces.get(ctx, req.Corpus, params.FeatureScope)
	if err != nil {
		return nil, err
	}
	scope := req.Sections()
	v, warning, err := sp.query(ctx, cmp.Or(req.Query.Text, req.Query.Raw))
	if err != nil {
		return nil, err
	}
	if v == nil {
		return &sdk.Result{
			Matched: roaring.New(), Examined: int(scope.GetCardinality()), Finished: true, Warnings: []string{warning},
		}, nil
	}
	found, err := s.nearest(ctx, space.Parts(sp.segments), vector.NewQuery(v), scope, req.Limit)
	if err != nil {
		return nil, err
	}
	out := &sdk.Result{Matched: found.Matched, Examined: found.Examined, Finished: found.Finished}
	signals := []string{SignalSemantic}
	for _, h := range found.Hits {
		out.Candidates = append(out.Candidates, sdk.Candidate{Section: h.Section, Score: h.Score, Signals: signals})
	}
	return out, nil
}

// few is the number of best sections, after the first, whose mean estimates the highest likely similarity. The first
// may be the query's own text, and the mean of fewer would depend on whether one or two near copies exist.
const few = 20

// nearest compares a query with the sections in scope.
func (s *Strategy) nearest(
	ctx context.Context, parts []vector.Part, q vector.Query, scope *roaring.Bitmap, limit int,
) (lexical.Result, error) {
	found, err := vector.Search(ctx, parts, q, scope, s.config.Least, max(limit, few+1))
	if err != nil || len(found.Hits) < 2 {
		return found, err
	}
	best, sum := found.Hits[1:min(len(found.Hits), few+1)], 0.0
	for _, h := range best {
		sum += h.Score
	}
	least := s.config.Tail * sum / float64(len(best))
	tail := slices.IndexFunc(found.Hits, func(h lexical.Hit) bool { return h.Score <= least })
	switch {
	case tail >= 0:
		found.Hits, found.Matched = found.Hits[:tail], roaring.New()
		for _, h := range found.Hits {
			found.Matched.Add(h.Section)
		}
	case int(found.Matched.GetCardinality()) > len(found.Hits) && least > s.config.Least:
		return vector.Search(ctx, parts, q, scope, least, limit) // which of the others match
	}
	found.Hits = found.Hits[:min(len(found.Hits), limit)]
	return found, nil
}

// Entry returns the strategy's entry, for programs that compile it in. If the user's configuration names an embedding
// model, the strategy may read its folder, or connect to the service's port and see the variable of its key.
func Entry() sdk.Entry {
	return sdk.Entry{
		Name: "semantic", New: func() sdk.Strategy { return New() },
		UserOnly: []string{"embedding"}, Launch: launch,
	}
}

func launch(c sdk.Configuration) (out sdk.Launch, err error) {
	model, named := c.Table["embedding"].(map[string]any)
	if !named {
		return out, nil
	}
	if dir, _ := model["dir"].(string); dir != "" {
		return sdk.Launch{Reads: []sdk.Grant{{Value: dir, From: "embedding.dir"}}}, nil
	}
	target, _ := model["url"].(string)
	port, err := remote.Port(target)
	if err != nil {
		return out, &sdk.SettingError{From: "embedding.url", Err: err}
	}
	out.Network = []sdk.Grant{{Value: "tcp:" + port, From: "embedding.url"}}
	if key, _ := model["key_env"].(string); key != "" {
		out.Env = []sdk.Grant{{Value: key, From: "embedding.key_env"}}
	}
	return out, nil
}
