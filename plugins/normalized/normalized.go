package normalized

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Config are the strategy's parameters.
type Config struct {
	K1            float64 `json:"k1"`
	BHeading      float64 `json:"b_heading"`
	BBody         float64 `json:"b_body"`
	HeadingWeight float64 `json:"heading_weight"`
	Unigram       float64 `json:"unigram"`
	Exact         float64 `json:"exact"`
	Whole         float64 `json:"whole"`
	CommonKana    float64 `json:"common_kana"`
	Proximity     float64 `json:"proximity"`
	Phrase        float64 `json:"phrase"`
}

// defaults are the parameters without configuration.
var defaults = Config{
	K1: 0.6, BHeading: 0.5, BBody: 0.5, HeadingWeight: 1, Unigram: 0.5, Exact: 0.2, Whole: 0.5,
	CommonKana: 0.05, Proximity: 0.15, Phrase: 0.15,
}

const schema = `{"type":"object","additionalProperties":false,"properties":{
"k1":{"type":"number","exclusiveMinimum":0},"b_heading":{"type":"number","minimum":0,"maximum":1},
"b_body":{"type":"number","minimum":0,"maximum":1},"heading_weight":{"type":"number","minimum":0},
"unigram":{"type":"number","minimum":0},"exact":{"type":"number","minimum":0},"whole":{"type":"number","minimum":0},
"common_kana":{"type":"number","minimum":0,"maximum":1},"proximity":{"type":"number","minimum":0},
"phrase":{"type":"number","minimum":0}}}`

// refined is how many of the best sections are looked at for phrases and
// proximity: they move the top of the list, not its tail.
const refined = 64

// reach is the gap in bytes at which a pair of terms counts half.
const reach = 48

// Strategy implements [sdk.Strategy].
type Strategy struct{ config Config }

var (
	_ sdk.Strategy   = (*Strategy)(nil)
	_ sdk.Configurer = (*Strategy)(nil)
)

// New returns the strategy with its default parameters.
func New() *Strategy { return &Strategy{config: defaults} }

// Describe implements [sdk.Strategy].
func (s *Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:         "normalized",
		Version:      "1",
		Stage:        sdk.StageRetrieve,
		Signals:      []string{sdk.SignalHeading, sdk.SignalNormalized},
		Weight:       1,
		Corpora:      []snapshot.Kind{snapshot.KindManual, snapshot.KindVault},
		ConfigSchema: json.RawMessage(schema),
	}
}

// Configure implements [sdk.Configurer].
func (s *Strategy) Configure(_ context.Context, config json.RawMessage) error {
	c := defaults
	dec := json.NewDecoder(bytes.NewReader(config))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return fmt.Errorf("configuration of normalized: %w", err)
	}
	s.config = c
	return nil
}

// Search implements [sdk.Strategy].
func (s *Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	bag := lexical.NewBag(req.Corpus, &req.Query, lexical.Weights{
		Word: 1, Exact: s.config.Exact, Whole: s.config.Whole, Unigram: s.config.Unigram, Bigram: 1,
		CommonKana: s.config.CommonKana,
	})
	scope := lexical.Without(ctx, req.Corpus, req.Scope, req.Query.Terms)
	found := lexical.Search(ctx, req.Corpus, scope, bag.Query, s.params(), req.Limit)
	content := lexical.Content(req.Corpus, req.Query.Terms)
	s.refine(req.Corpus, found.Hits[:min(refined, len(found.Hits))], content)

	out := &sdk.Result{Matched: found.Matched, Examined: found.Examined, Finished: found.Finished}
	for _, h := range found.Hits {
		out.Candidates = append(out.Candidates, sdk.Candidate{
			Section: h.Section, Score: h.Score, Coverage: h.Coverage,
			Signals: signals(req.Corpus, h.Section, content.Texts), Terms: bag.Held(h.Slots),
		})
	}
	return out, nil
}

func (s *Strategy) params() lexical.Params {
	return lexical.Params{
		K1:     s.config.K1,
		B:      []float64{s.config.BHeading, s.config.BBody},
		Weight: []float64{s.config.HeadingWeight, 1},
	}
}

// refine raises the sections in which the query's terms stand whole and close
// together, and orders them anew.
func (s *Strategy) refine(snap *snapshot.Snapshot, hits []lexical.Hit, content lexical.Terms) {
	for i := range hits {
		body := snap.Normalized(hits[i].Section, snapshot.FieldBody)
		near := lexical.Proximity(body, content.Texts, content.Weights, reach)
		whole := content.Share(func(term string) bool { return strings.Contains(body, term) })
		hits[i].Score *= 1 + s.config.Proximity*near + s.config.Phrase*whole
	}
	slices.SortFunc(hits, func(a, b lexical.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Section, b.Section))
	})
}

// signals says in what way a section matched.
func signals(snap *snapshot.Snapshot, section uint32, terms []string) []string {
	heading := snap.Normalized(section, snapshot.FieldHeading)
	if slices.ContainsFunc(terms, func(t string) bool { return strings.Contains(heading, t) }) {
		return []string{sdk.SignalHeading, sdk.SignalNormalized}
	}
	return []string{sdk.SignalNormalized}
}
