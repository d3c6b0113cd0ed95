package laterank

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Strategy implements [sdk.Strategy].
type Strategy struct {
	config   Config
	models   modelCache
	matchers chan *matcher // at rest; their memory serves the next search
}

var (
	_ sdk.Strategy   = (*Strategy)(nil)
	_ sdk.Configurer = (*Strategy)(nil)
	_ sdk.Opener     = (*Strategy)(nil)
)

// New returns the strategy with its default parameters. Close ends it.
func New() *Strategy {
	return &Strategy{config: defaults, matchers: make(chan *matcher, mostMatchers)}
}

// mostMatchers is how many are kept for the next search; each may grow to a
// few megabytes.
const mostMatchers = 2

func (s *Strategy) matcher() *matcher {
	select {
	case m := <-s.matchers:
		return m
	default:
		return newMatcher()
	}
}

func (s *Strategy) keep(m *matcher) {
	m.rest()
	select {
	case s.matchers <- m:
	default:
	}
}

// Describe implements [sdk.Strategy].
func (s *Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:         "laterank",
		Version:      "2",
		Stage:        sdk.StageRerank,
		Signals:      []string{sdk.SignalLateRerank},
		Weight:       0.4,
		Corpora:      []snapshot.Kind{snapshot.KindManual, snapshot.KindVault},
		ConfigSchema: json.RawMessage(schema),
	}
}

// Configure implements [sdk.Configurer].
func (s *Strategy) Configure(_ context.Context, config json.RawMessage) (err error) {
	s.config, err = parseConfig(config)
	return err
}

// Open implements [sdk.Opener]: it starts to learn from the corpus, if that is
// switched on, and does not wait. Searches before the end go without.
func (s *Strategy) Open(ctx context.Context, corpus *snapshot.Snapshot) error {
	if s.config.Learned > 0 {
		s.models.start(corpus.Dir(), corpus.Name(), sdk.Logger(ctx))
	}
	return nil
}

// Close stops learning.
func (s *Strategy) Close() error {
	s.models.close()
	return nil
}

// Search implements [sdk.Strategy]: it scores the pool.
func (s *Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	m := s.matcher()
	defer s.keep(m)
	m.begin(s.config, s.models.model(req.Corpus.Name()), lexical.ContentTerms(req.Corpus, req.Query.Terms), sample(req))
	if !text.HasCJK(req.Query.Text) {
		m.heading = s.config.Heading
	}
	out := &sdk.Result{Finished: true}
	for _, c := range req.Pool {
		if ctx.Err() != nil {
			out.Finished = false
			break
		}
		heading := req.Corpus.Normalized(c.Section, snapshot.FieldHeading)
		body := req.Corpus.Normalized(c.Section, snapshot.FieldBody)
		out.Candidates = append(out.Candidates, sdk.Candidate{
			Section: c.Section, Score: m.score(heading, body), Signals: []string{sdk.SignalLateRerank},
		})
	}
	out.Candidates = sdk.Best(out.Candidates, req.Limit)
	return out, nil
}

// sampleBytes is how much of a section tells which bytes are usual.
const sampleBytes = 4 << 10

// sample is a part of the pool's text.
func sample(req *sdk.Request) string {
	if len(req.Pool) == 0 {
		return ""
	}
	body := req.Corpus.Normalized(req.Pool[0].Section, snapshot.FieldBody)
	return body[:min(len(body), sampleBytes)]
}

// Config are the strategy's parameters. Likenesses are in [0, 1]; equal words
// have 1.
type Config struct {
	// Window is the length of a passage in bytes of normalised text.
	Window int `json:"window"`
	// Stem is the likeness of words with the same stem.
	Stem float64 `json:"stem"`
	// Pairs is the likeness of a passage that has all character pairs of a Japanese word,
	// wherever they stand. A share of the pairs counts in proportion.
	Pairs float64 `json:"pairs"`
	// Heading is the weight of the heading by itself against that of the passage, when the
	// query has no CJK character.
	Heading float64 `json:"heading"`
	// Dice scales the Dice coefficient of two words, which counts from DiceLeast on.
	Dice      float64 `json:"dice"`
	DiceLeast float64 `json:"dice_least"`
	// Learned scales the learned likeness of two words, which counts from
	// LearnedLeast on. 0 learns nothing.
	Learned      float64 `json:"learned"`
	LearnedLeast float64 `json:"learned_least"`
}

// defaults are the parameters without configuration.
var defaults = Config{Window: 192, Stem: 1, Pairs: 0.6, Heading: 0.25, Dice: 0.8, DiceLeast: 0.5, LearnedLeast: 0.5}

const schema = `{"type":"object","additionalProperties":false,"properties":{
"window":{"type":"integer","minimum":16,"maximum":65536},
"stem":{"type":"number","minimum":0,"maximum":1},"pairs":{"type":"number","minimum":0,"maximum":1},
"heading":{"type":"number","minimum":0,"maximum":1},
"dice":{"type":"number","minimum":0,"maximum":1},"dice_least":{"type":"number","minimum":0,"maximum":1},
"learned":{"type":"number","minimum":0,"maximum":1},"learned_least":{"type":"number","minimum":0,"maximum":1}}}`

func parseConfig(data json.RawMessage) (Config, error) {
	c := defaults
	if err := sdk.DecodeConfig(data, &c); err != nil {
		return defaults, fmt.Errorf("configuration of laterank: %w", err)
	}
	if c.Window < 16 || c.Window > 1<<16 {
		return defaults, fmt.Errorf("configuration of laterank: window %d is not between 16 and 65536", c.Window)
	}
	for _, x := range []float64{c.Stem, c.Pairs, c.Heading, c.Dice, c.DiceLeast, c.Learned, c.LearnedLeast} {
		if !(x >= 0 && x <= 1) {
			return defaults, fmt.Errorf("configuration of laterank: %v is not between 0 and 1", x)
		}
	}
	return c, nil
}

// Entry is the strategy as a program compiles it in.
func Entry() sdk.Entry {
	return sdk.Entry{Name: "laterank", New: func() sdk.Strategy { return New() }}
}
