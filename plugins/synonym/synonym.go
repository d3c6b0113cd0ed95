package synonym

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// Config contains the strategy's parameters and dictionaries.
type Config struct {
	// Bundled says whether the bundled list is used, after Entries.
	Bundled bool `json:"bundled"`
	// Entries are additional dictionaries, such as the workspace's. Their terms are normalised.
	Entries []dict.Entry `json:"entries"`
	// Alternative is the weight of an alternative relative to the term itself.
	Alternative float64 `json:"alternative"`
}

var defaults = Config{Bundled: true, Alternative: 0.6}

const schema = `{"type":"object","additionalProperties":false,"properties":{
"bundled":{"type":"boolean"},"alternative":{"type":"number","minimum":0},
"entries":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["to"],"properties":{
"from":{"type":"array","items":{"type":"string"}},"to":{"type":"array","items":{"type":"string"}}}}}}}`

// Strategy implements [sdk.Strategy].
type Strategy struct {
	config    Config
	thesaurus func() *thesaurus // created at the first use
	cache     lexical.Cache
}

var _ sdk.Configurer = (*Strategy)(nil)

// New returns the strategy with the bundled list.
func New() *Strategy {
	s := &Strategy{}
	s.use(defaults)
	return s
}

// Describe implements [sdk.Strategy].
func (s *Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:         "synonym",
		Version:      "2",
		Stage:        sdk.StageRetrieve,
		Signals:      []string{sdk.SignalHeading, sdk.SignalNormalized, sdk.SignalSynonym},
		Weight:       0.1,
		Corpora:      []snapshot.Kind{snapshot.KindManual, snapshot.KindVault},
		ConfigSchema: json.RawMessage(schema),
		Expands:      true,
	}
}

// Configure implements [sdk.Configurer].
func (s *Strategy) Configure(_ context.Context, config json.RawMessage) error {
	c := defaults
	if err := sdk.DecodeConfig(config, &c); err != nil {
		return fmt.Errorf("configuration of synonym: %w", err)
	}
	s.use(c)
	return nil
}

func (s *Strategy) use(c Config) {
	entries := c.Entries
	c.Entries = nil // the thesaurus has them
	s.config, s.thesaurus = c, sync.OnceValue(func() *thesaurus {
		if c.Bundled {
			entries = append(entries[:len(entries):len(entries)], dict.Synonyms()...)
		}
		return newThesaurus(entries)
	})
}

// Search implements [sdk.Strategy]. It returns only sections that contain an alternative. Without an entry for the
// query it returns at once, with nothing examined.
func (s *Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	nothing := &sdk.Result{Matched: roaring.New(), Finished: true}
	matches := s.thesaurus().find(open(&req.Query))
	if len(matches) == 0 {
		return nothing, nil
	}
	if req.Expand {
		return &sdk.Result{Expansion: s.terms(matches), Finished: true}, nil
	}
	bag := lexical.NewBag(req.Corpus, &req.Query, weights)
	expansions := s.expand(ctx, req.Corpus, bag, matches, s.config.Alternative)
	if ctx.Err() != nil {
		return &sdk.Result{}, nil
	}
	if len(expansions) == 0 {
		return nothing, nil
	}
	cover := newCover(req.Corpus, bag, expansions)
	scope, whole := within(lexical.ExcludeNegative(ctx, req.Corpus, req.Scope, req.Query.Terms), expansions), true
	if !cover.sure() {
		scope, whole = lexical.MatchSlots(ctx, req.Corpus, scope, bag.Terms, cover.matches)
	}
	query := lexical.Query{Terms: bag.Terms, Share: bag.Share} // the matches are known already
	params := lexical.DefaultParams(text.HasCJK(req.Query.Text))
	found := lexical.Search(ctx, req.Corpus, scope, query, params, req.Limit)

	out := &sdk.Result{Matched: found.Matched, Finished: whole && found.Finished}
	if out.Finished {
		out.Examined = int(req.Sections().GetCardinality())
	}
	out.Candidates = make([]sdk.Candidate, len(found.Hits))
	for i, h := range found.Hits {
		out.Candidates[i] = cover.candidate(req.Corpus, h)
	}
	return out, nil
}

// terms returns the terms of alternatives, for gathering sections of a collection.
func (s *Strategy) terms(matches []match) (out []sdk.GatherTerm) {
	for _, m := range matches {
		for _, alternative := range m.alternatives {
			for _, t := range lexical.GatherTerms(&sdk.Query{Text: alternative}) {
				t.Weight *= s.config.Alternative
				if len(out) < sdk.MaxExpansion && t.Weight > 0 {
					out = append(out, t)
				}
			}
		}
	}
	return out
}

// open returns the query's text without terms that must match literally.
func open(q *sdk.Query) string {
	rest := q.Text
	for _, t := range q.Terms {
		if t.Kind == sdk.TermMust {
			rest = strings.ReplaceAll(rest, t.Text, " ")
		}
	}
	return rest
}

// within returns the part of scope that contains an alternative; a nil scope means all sections.
func within(scope *roaring.Bitmap, expansions []expansion) *roaring.Bitmap {
	held := roaring.New()
	for _, e := range expansions {
		held.Or(e.holders)
	}
	if scope != nil {
		held.And(scope)
	}
	return held
}

// Entry returns the strategy's entry, for programs that compile it in.
func Entry() sdk.Entry {
	return sdk.Entry{
		Name: "synonym", New: func() sdk.Strategy { return New() },
		Dictionaries: map[string]string{"synonyms": "entries"},
	}
}
