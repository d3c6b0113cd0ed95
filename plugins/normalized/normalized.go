package normalized

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// refined is the number of best sections that are checked for phrases and proximity. These affect the top of the list,
// not its tail.
const refined = 64

// reach is the gap in bytes at which the proximity of two terms counts half.
const reach = 48

// Strategy implements [sdk.Strategy].
type Strategy struct{ config Config }

var _ sdk.Configurer = (*Strategy)(nil)

// New returns the strategy with its default parameters.
func New() *Strategy { return &Strategy{config: defaults()} }

// Describe implements [sdk.Strategy].
func (s *Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:         "normalized",
		Version:      "3",
		Stage:        sdk.StageRetrieve,
		Signals:      []string{sdk.SignalHeading, sdk.SignalPath, sdk.SignalNormalized},
		Weight:       1,
		Corpora:      []snapshot.Kind{snapshot.KindManual, snapshot.KindVault},
		ConfigSchema: json.RawMessage(schema),
	}
}

// Search implements [sdk.Strategy].
func (s *Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	bag := lexical.NewBag(req.Corpus, &req.Query, lexical.Weights{
		Word: 1, Exact: s.config.Exact, Whole: s.config.Whole, Unigram: s.config.Unigram, Bigram: 1,
		CommonKana: s.config.CommonKana,
	})
	tuned := s.config.tuning(text.HasCJK(req.Query.Text))
	scope := lexical.ExcludeNegative(ctx, req.Corpus, req.Scope, req.Query.Terms)
	found := lexical.Search(ctx, req.Corpus, scope, bag.Query, tuned.Params, req.Limit)
	content := lexical.ContentTerms(req.Corpus, req.Query.Terms)
	tuned.refine(req.Corpus, found.Hits[:min(refined, len(found.Hits))], content)

	out := &sdk.Result{Matched: found.Matched, Examined: found.Examined, Finished: found.Finished}
	out.Candidates = make([]sdk.Candidate, len(found.Hits))
	for i, h := range found.Hits {
		out.Candidates[i] = sdk.Candidate{
			Section: h.Section, Score: h.Score, Coverage: h.Coverage,
			Signals: signals(req.Corpus, h.Section, content.Texts), Terms: bag.SlotNames(h.Slots),
		}
	}
	return out, nil
}

// refine raises the scores of sections in which the query's terms occur whole and close together, and sorts them again.
func (t tuning) refine(snap *snapshot.Snapshot, hits []lexical.Hit, content lexical.Terms) {
	if t.proximity == 0 && t.phrase == 0 {
		return
	}
	for i := range hits {
		body := text.Skeleton(snap.Normalized(hits[i].Section, snapshot.FieldBody))
		near, whole := content.In(body, reach)
		hits[i].Score *= 1 + t.proximity*near + t.phrase*whole
	}
	slices.SortFunc(hits, func(a, b lexical.Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Section, b.Section))
	})
}

// signals returns how a section matched.
func signals(snap *snapshot.Snapshot, section uint32, terms []string) []string {
	out := make([]string, 0, 3)
	in := func(field int) bool {
		norm := text.Skeleton(snap.Normalized(section, field))
		return slices.ContainsFunc(terms, func(t string) bool { return strings.Contains(norm, t) })
	}
	if in(snapshot.FieldHeading) {
		out = append(out, sdk.SignalHeading)
	}
	if in(snapshot.FieldPath) {
		out = append(out, sdk.SignalPath)
	}
	return append(out, sdk.SignalNormalized)
}

// Entry returns the strategy's entry, for programs that compile it in.
func Entry() sdk.Entry {
	return sdk.Entry{Name: "normalized", New: func() sdk.Strategy { return New() }}
}

// Config contains the strategy's parameters. Those of ranking exist twice: for queries with a CJK character, and for
// queries of words only.
type Config struct {
	K1            float64 `json:"k1"`
	BHeading      float64 `json:"b_heading"`
	BBody         float64 `json:"b_body"`
	BPath         float64 `json:"b_path"`
	HeadingWeight float64 `json:"heading_weight"`
	PathWeight    float64 `json:"path_weight"`
	Proximity     float64 `json:"proximity"`
	Phrase        float64 `json:"phrase"`

	WordK1            float64 `json:"word_k1"`
	WordBHeading      float64 `json:"word_b_heading"`
	WordBBody         float64 `json:"word_b_body"`
	WordBPath         float64 `json:"word_b_path"`
	WordHeadingWeight float64 `json:"word_heading_weight"`
	WordPathWeight    float64 `json:"word_path_weight"`
	WordProximity     float64 `json:"word_proximity"`
	WordPhrase        float64 `json:"word_phrase"`

	Unigram    float64 `json:"unigram"`
	Exact      float64 `json:"exact"`
	Whole      float64 `json:"whole"`
	CommonKana float64 `json:"common_kana"`
}

// defaults returns the parameters without a configuration.
func defaults() Config {
	cjk, words, tokens := lexical.DefaultParams(true), lexical.DefaultParams(false), lexical.DefaultWeights()
	return Config{
		K1: cjk.K1, BHeading: cjk.B[0], BBody: cjk.B[1], BPath: cjk.B[2],
		HeadingWeight: cjk.Weight[0], PathWeight: cjk.Weight[2], Proximity: 0.15, Phrase: 0.15,
		WordK1: words.K1, WordBHeading: words.B[0], WordBBody: words.B[1], WordBPath: words.B[2],
		WordHeadingWeight: words.Weight[0], WordPathWeight: words.Weight[2],
		Unigram: tokens.Unigram, Exact: tokens.Exact, Whole: tokens.Whole, CommonKana: tokens.CommonKana,
	}
}

const schema = `{"type":"object","additionalProperties":false,"properties":{
"k1":{"type":"number","exclusiveMinimum":0},"b_heading":{"type":"number","minimum":0,"maximum":1},
"b_body":{"type":"number","minimum":0,"maximum":1},"b_path":{"type":"number","minimum":0,"maximum":1},
"heading_weight":{"type":"number","minimum":0},"path_weight":{"type":"number","minimum":0},
"proximity":{"type":"number","minimum":0},"phrase":{"type":"number","minimum":0},
"word_k1":{"type":"number","exclusiveMinimum":0},"word_b_heading":{"type":"number","minimum":0,"maximum":1},
"word_b_body":{"type":"number","minimum":0,"maximum":1},"word_b_path":{"type":"number","minimum":0,"maximum":1},
"word_heading_weight":{"type":"number","minimum":0},"word_path_weight":{"type":"number","minimum":0},
"word_proximity":{"type":"number","minimum":0},"word_phrase":{"type":"number","minimum":0},
"unigram":{"type":"number","minimum":0},"exact":{"type":"number","minimum":0},"whole":{"type":"number","minimum":0},
"common_kana":{"type":"number","minimum":0,"maximum":1}}}`

// Configure implements [sdk.Configurer].
func (s *Strategy) Configure(_ context.Context, config json.RawMessage) error {
	c := defaults()
	if err := sdk.DecodeConfig(config, &c); err != nil {
		return fmt.Errorf("configuration of normalized: %w", err)
	}
	s.config = c
	return nil
}

// tuning contains the parameters for ranking one query.
type tuning struct {
	lexical.Params
	proximity, phrase float64
}

func (c Config) tuning(cjk bool) tuning {
	if cjk {
		return tuning{lexical.Params{
			K1: c.K1, B: []float64{c.BHeading, c.BBody, c.BPath}, Weight: []float64{c.HeadingWeight, 1, c.PathWeight},
		}, c.Proximity, c.Phrase}
	}
	return tuning{lexical.Params{
		K1: c.WordK1, B: []float64{c.WordBHeading, c.WordBBody, c.WordBPath},
		Weight: []float64{c.WordHeadingWeight, 1, c.WordPathWeight},
	}, c.WordProximity, c.WordPhrase}
}
