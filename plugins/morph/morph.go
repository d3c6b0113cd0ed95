package main

import (
	"context"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/ikawaha/kagome-dict/ipa"
	"github.com/ikawaha/kagome/v2/tokenizer"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/serve"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/state"
)

// Strategy implements [sdk.Strategy]. The dictionary is loaded when the first snapshot is opened; until then the
// process is small.
type Strategy struct {
	dictionary func() (*analyser, error)

	mu      sync.Mutex
	indexes map[snapshot.Kind]*index // of the last opened snapshots
}

var (
	_ sdk.Strategy = (*Strategy)(nil)
	_ sdk.Opener   = (*Strategy)(nil)
)

// version changes whenever the morphemes of a text may change.
const version = "1 kagome-2.10.3 ipa-1.2.6"

// signal marks a section that contains a morpheme of the query.
const signal = "morph"

// New returns the strategy.
func New() *Strategy {
	return &Strategy{dictionary: sync.OnceValues(newAnalyser), indexes: map[snapshot.Kind]*index{}}
}

// Describe implements [sdk.Strategy]. It adds no candidates: a section that shares a morpheme with the query also
// shares its characters and is found by them.
func (s *Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:    "morph",
		Version: version,
		Stage:   sdk.StageRetrieve,
		Signals: []string{signal},
		Weight:  0.3,
		Corpora: []snapshot.Kind{snapshot.KindManual, snapshot.KindVault},
	}
}

// Open implements [sdk.Opener].
func (s *Strategy) Open(ctx context.Context, snap *snapshot.Snapshot) error {
	_, err := s.index(ctx, snap)
	return err
}

// index returns the morphemes of a snapshot.
func (s *Strategy) index(ctx context.Context, snap *snapshot.Snapshot) (*index, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.indexes[snap.Kind()]
	if old != nil && old.of == identity(snap) {
		return old, nil
	}
	a, err := s.dictionary()
	if err != nil {
		return nil, err
	}
	files, err := state.Open(sdk.StateDir(ctx), snap.Kind(), sdk.Logger(ctx))
	if err != nil {
		return nil, err
	}
	defer files.Close()
	x, err := a.build(ctx, files, snap, old)
	if err == nil {
		s.indexes[snap.Kind()] = x
	}
	return x, err
}

// Search implements [sdk.Strategy].
func (s *Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	scope := req.Scope
	if scope == nil {
		scope = req.Corpus.Live()
	}
	out := &sdk.Result{Examined: int(scope.GetCardinality()), Finished: true}
	if !text.HasCJK(req.Query.Text) || ctx.Err() != nil {
		return out, ctx.Err()
	}
	x, err := s.index(ctx, req.Corpus)
	if err != nil {
		return nil, err
	}
	a, err := s.dictionary()
	if err != nil {
		return nil, err
	}
	terms := a.morphemes(req.Query.Text)
	slices.Sort(terms)
	terms = slices.Compact(terms)
	for _, h := range x.search(scope, terms, req.Limit) {
		out.Candidates = append(out.Candidates, sdk.Candidate{
			Section: h.section, Score: h.score, Signals: []string{signal}, Terms: x.held(h.section, terms),
		})
	}
	return out, nil
}

// analyser splits normalised text into morphemes. It is safe for concurrent use.
type analyser struct {
	tokenizer *tokenizer.Tokenizer
}

func newAnalyser() (*analyser, error) {
	t, err := tokenizer.New(ipa.Dict(), tokenizer.OmitBosEos())
	return &analyser{t}, err
}

// grammar are the parts of speech that say nothing about a text's subject.
var grammar = map[string]bool{"助詞": true, "助動詞": true, "記号": true, "フィラー": true, "接続詞": true}

// morphemes returns the dictionary forms of a text's content words. Compounds are split, so that a part finds the
// whole.
func (a *analyser) morphemes(text string) []string {
	var out []string
	for _, token := range a.tokenizer.Analyze(text, tokenizer.Search) {
		if speech := token.POS(); grammar[speech[0]] || speech[0] == "動詞" && speech[1] != "自立" {
			continue
		}
		form := token.Surface
		if base, ok := token.BaseForm(); ok && base != "" && base != "*" {
			form = base
		}
		if strings.ContainsFunc(form, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			out = append(out, form)
		}
	}
	return out
}

func main() { serve.Strategy(New()) }
