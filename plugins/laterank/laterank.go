package laterank

import (
	"context"
	"encoding/json"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Strategy implements [sdk.Strategy].
type Strategy struct {
	config   Config
	students students
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
		s.students.start(corpus.Dir(), corpus.Name(), sdk.Logger(ctx))
	}
	return nil
}

// Close stops learning.
func (s *Strategy) Close() error {
	s.students.close()
	return nil
}

// Search implements [sdk.Strategy]: it scores the pool.
func (s *Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	m := s.matcher()
	defer s.keep(m)
	m.begin(s.config, s.students.model(req.Corpus.Name()), lexical.ContentTerms(req.Corpus, req.Query.Terms), sample(req))
	if !text.HasCJK(req.Query.Text) {
		m.heading = s.config.Heading
	}
	out := &sdk.Result{Finished: true}
	for _, c := range req.Pool {
		if ctx.Err() != nil {
			out.Finished = false
			break
		}
		heading, body := req.Corpus.Normalized(c.Section, snapshot.FieldHeading), req.Corpus.Normalized(c.Section, snapshot.FieldBody)
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
