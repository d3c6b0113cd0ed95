package normalized

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"

	"github.com/sagasu-search/sagasu/sdk/lexical"
)

// Config are the strategy's parameters. Those of ranking are there twice: for
// queries with a CJK character, and for queries of words only.
type Config struct {
	K1            float64 `json:"k1"`
	BHeading      float64 `json:"b_heading"`
	BBody         float64 `json:"b_body"`
	HeadingWeight float64 `json:"heading_weight"`
	Proximity     float64 `json:"proximity"`
	Phrase        float64 `json:"phrase"`

	WordK1            float64 `json:"word_k1"`
	WordBHeading      float64 `json:"word_b_heading"`
	WordBBody         float64 `json:"word_b_body"`
	WordHeadingWeight float64 `json:"word_heading_weight"`
	WordProximity     float64 `json:"word_proximity"`
	WordPhrase        float64 `json:"word_phrase"`

	Unigram    float64 `json:"unigram"`
	Exact      float64 `json:"exact"`
	Whole      float64 `json:"whole"`
	CommonKana float64 `json:"common_kana"`
}

// defaults are the parameters without configuration.
func defaults() Config {
	cjk, words := lexical.DefaultParams(true), lexical.DefaultParams(false)
	return Config{
		K1: cjk.K1, BHeading: cjk.B[0], BBody: cjk.B[1], HeadingWeight: cjk.Weight[0], Proximity: 0.15, Phrase: 0.15,
		WordK1: words.K1, WordBHeading: words.B[0], WordBBody: words.B[1], WordHeadingWeight: words.Weight[0],
		Unigram: 0.5, Exact: 0.2, Whole: 0.5, CommonKana: 0.05,
	}
}

const schema = `{"type":"object","additionalProperties":false,"properties":{
"k1":{"type":"number","exclusiveMinimum":0},"b_heading":{"type":"number","minimum":0,"maximum":1},
"b_body":{"type":"number","minimum":0,"maximum":1},"heading_weight":{"type":"number","minimum":0},
"proximity":{"type":"number","minimum":0},"phrase":{"type":"number","minimum":0},
"word_k1":{"type":"number","exclusiveMinimum":0},"word_b_heading":{"type":"number","minimum":0,"maximum":1},
"word_b_body":{"type":"number","minimum":0,"maximum":1},"word_heading_weight":{"type":"number","minimum":0},
"word_proximity":{"type":"number","minimum":0},"word_phrase":{"type":"number","minimum":0},
"unigram":{"type":"number","minimum":0},"exact":{"type":"number","minimum":0},"whole":{"type":"number","minimum":0},
"common_kana":{"type":"number","minimum":0,"maximum":1}}}`

// Configure implements [sdk.Configurer].
func (s *Strategy) Configure(_ context.Context, config json.RawMessage) error {
	c := defaults()
	dec := json.NewDecoder(bytes.NewReader(config))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&c); err != nil {
		return fmt.Errorf("configuration of normalized: %w", err)
	}
	s.config = c
	return nil
}

// tuning is what one query is ranked with.
type tuning struct {
	lexical.Params
	proximity, phrase float64
}

func (c Config) tuning(cjk bool) tuning {
	if cjk {
		return tuning{params(c.K1, c.BHeading, c.BBody, c.HeadingWeight), c.Proximity, c.Phrase}
	}
	return tuning{params(c.WordK1, c.WordBHeading, c.WordBBody, c.WordHeadingWeight), c.WordProximity, c.WordPhrase}
}

func params(k1, heading, body, weight float64) lexical.Params {
	return lexical.Params{K1: k1, B: []float64{heading, body}, Weight: []float64{weight, 1}}
}
