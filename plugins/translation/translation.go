package translation

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// Config contains the strategy's dictionaries.
type Config struct {
	// Files are names of translation files, see [dict.OpenBilingual].
	Files []string `json:"files"`
	// Entries are synonyms, such as the workspace's. Entries with both languages are translations.
	Entries []dict.Entry `json:"entries"`
	// Bundled says whether the bundled synonyms are used too.
	Bundled bool `json:"bundled"`
}

const schema = `{"type":"object","additionalProperties":false,"properties":{
"files":{"type":"array","items":{"type":"string"}},"bundled":{"type":"boolean"},
"entries":{"type":"array","items":{"type":"object","additionalProperties":false,"required":["to"],"properties":{
"from":{"type":"array","items":{"type":"string"}},"to":{"type":"array","items":{"type":"string"}}}}}}}`

// Strategy implements [sdk.Strategy].
type Strategy struct {
	opened  []*os.File
	files   []*dict.Bilingual
	pairs   func() dict.Translations // created at the first use
	corpora corpora
}

var (
	_ sdk.Configurer = (*Strategy)(nil)
	_ io.Closer      = (*Strategy)(nil)
)

// New returns the strategy with the bundled synonyms.
func New() *Strategy { return &Strategy{pairs: pairsOf(Config{Bundled: true})} }

func pairsOf(c Config) func() dict.Translations {
	return sync.OnceValue(func() dict.Translations {
		entries := c.Entries
		if c.Bundled {
			entries = append(entries[:len(entries):len(entries)], dict.Synonyms()...)
		}
		return dict.Pairs(entries)
	})
}

// Describe implements [sdk.Strategy].
func (*Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:         "translation",
		Version:      "1",
		Stage:        sdk.StageRetrieve,
		Signals:      []string{sdk.SignalNormalized, sdk.SignalSynonym},
		Weight:       4, // words that both languages share say little in comparison
		Corpora:      []snapshot.Kind{snapshot.KindManual, snapshot.KindVault},
		ConfigSchema: json.RawMessage(schema),
		Expands:      true,
	}
}

// Configure implements [sdk.Configurer].
func (s *Strategy) Configure(_ context.Context, config json.RawMessage) error {
	c := Config{Bundled: true}
	if err := sdk.DecodeConfig(config, &c); err != nil {
		return fmt.Errorf("configuration of translation: %w", err)
	}
	s.pairs = pairsOf(c)
	for _, name := range c.Files {
		if err := s.open(name); err != nil {
			return fmt.Errorf("configuration of translation: %w", errors.Join(err, s.Close()))
		}
	}
	return nil
}

// open opens a translation file.
func (s *Strategy) open(name string) error {
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	s.opened = append(s.opened, f)
	info, err := f.Stat()
	if err != nil {
		return err
	}
	b, err := dict.OpenBilingual(f, info.Size())
	if err != nil {
		return err
	}
	s.files = append(s.files, b)
	return nil
}

// Close implements [io.Closer]. It closes the files.
func (s *Strategy) Close() error {
	var errs []error
	for _, f := range s.opened {
		errs = append(errs, f.Close())
	}
	s.opened, s.files = nil, nil
	return errors.Join(errs...)
}

// Search implements [sdk.Strategy]. It searches the sections in the language other than the query's. If there are none,
// it returns at once.
func (s *Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	if req.Expand {
		return &sdk.Result{Expansion: s.expansion(ctx, req), Finished: true}, nil
	}
	nothing := &sdk.Result{Matched: roaring.New(), Examined: int(req.Sections().GetCardinality()), Finished: true}
	japanese := text.HasCJK(req.Query.Text)
	known := s.corpora.of(req.Corpus)
	own, other := known.english, known.other(req.Query.Text)
	if japanese {
		own = known.japanese
	}
	scope := lexical.ExcludeNegative(ctx, req.Corpus, req.Scope, req.Query.Terms)
	within := other
	if scope != nil {
		within = roaring.And(other, scope)
	}
	if within.IsEmpty() {
		return nothing, nil
	}
	var covered float64
	if req.Sections().Intersects(own) {
		covered = ownCoverage(ctx, req, own)
	}
	if confidence(covered, 1) == 0 {
		return nothing, nil
	}
	t := translator{Strategy: s, snap: req.Corpus, corpus: known}
	concepts := t.read(ctx, req.Query.Text)
	r := ranker{snap: req.Corpus, sections: other}
	found := r.rank(ctx, concepts, within, req.Limit)
	if ctx.Err() != nil {
		return &sdk.Result{}, nil
	}
	if !slices.ContainsFunc(found.hits, func(h lexical.Hit) bool { return saysWord(concepts, h.Slots) }) {
		return nothing, nil
	}
	share := confidence(covered, found.coverage)
	if share == 0 {
		return nothing, nil
	}
	out := &sdk.Result{Matched: found.matched, Examined: nothing.Examined, Finished: true, Confidence: share}
	for _, h := range found.hits {
		out.Candidates = append(out.Candidates, sdk.Candidate{
			Section: h.Section, Score: h.Score, Coverage: h.Coverage,
			Signals: []string{sdk.SignalNormalized, sdk.SignalSynonym}, Terms: names(concepts, h.Slots),
		})
	}
	return out, nil
}

// saysWord reports whether a set of concepts includes a word. Numbers do not count, since they are the same in both
// languages.
func saysWord(concepts []concept, slots uint64) bool {
	return slices.ContainsFunc(names(concepts, slots), func(name string) bool {
		return strings.Trim(name, "0123456789.,") != ""
	})
}

// names returns the words of the query for a set of concepts.
func names(concepts []concept, slots uint64) (out []string) {
	for i, c := range concepts {
		if slots&(1<<i) != 0 {
			out = append(out, c.name)
		}
	}
	return out
}

// Coverage of a query by sections in its own language: below foreign it is at home in the other language, from home on
// in its own.
const foreign, home = 0.4, 0.55

// confidence returns how much translations count if a section in the query's own language covers own of it and a
// translated one best: 1, and less the more the query is at home in its own language.
func confidence(own, best float64) float64 {
	return max(0, min(1, (home-own/best)/(home-foreign)))
}

// ownCoverage returns the best coverage of the query, including unknown words, by sections in its own language. It
// returns home if the coverage reaches home.
func ownCoverage(ctx context.Context, req *sdk.Request, sections *roaring.Bitmap) float64 {
	const first = 10 // hits; the best of them covers about as much as any
	query := sdk.Query{Text: req.Query.Text}
	bag := lexical.NewBag(req.Corpus, &query, lexical.Weights{Word: 1, Bigram: 1, CommonKana: 0.05})
	params := lexical.DefaultParams(text.HasCJK(query.Text))
	if elsewhere(ctx, req, sections, params) {
		return 0
	}
	share := knownShare(req.Corpus, query.Text)
	if bag.Threshold = home / share; bag.Threshold <= 1 { // true for most queries; few sections can match
		if lexical.Any(ctx, req.Corpus, sections, bag.Query, params) {
			return home
		}
	}
	bag.Threshold = 0
	best := 0.0
	for _, h := range lexical.Search(ctx, req.Corpus, sections, bag.Query, params, first).Hits {
		best = max(best, h.Coverage)
	}
	return best * share
}

// elsewhere reports whether a Latin word of a Japanese query is in other sections but in none in Japanese. What it
// names is at home there, whatever sections in Japanese say about the rest.
func elsewhere(ctx context.Context, req *sdk.Request, own *roaring.Bitmap, params lexical.Params) bool {
	if !text.HasCJK(req.Query.Text) {
		return false
	}
	return slices.ContainsFunc(lexical.TokenNames(req.Query.Text), func(name string) bool {
		if text.HasCJK(name) || req.Corpus.DocFreq(text.Stem(name)) == 0 {
			return false
		}
		word := lexical.NewBag(req.Corpus, &sdk.Query{Text: name}, lexical.Weights{Word: 1})
		return !lexical.Any(ctx, req.Corpus, own, word.Query, params)
	})
}

// knownShare returns the share of a query's tokens, weighted by idf, that occur in the corpus.
func knownShare(snap *snapshot.Snapshot, query string) float64 {
	var known, all float64
	for _, name := range lexical.TokenNames(query) {
		if text.IsHiragana(name) {
			continue
		}
		df := snap.DocFreq(text.Stem(name))
		if text.HasCJK(name) {
			df = snap.DocFreq(name)
		}
		idf := lexical.IDF(snap.Population(), df)
		all += idf
		if df > 0 {
			known += idf
		}
	}
	if all == 0 {
		return 1
	}
	return known / all
}

// Entry returns the strategy's entry, for programs that compile it in.
func Entry() sdk.Entry {
	return sdk.Entry{
		Name: "translation", New: func() sdk.Strategy { return New() },
		Dictionaries: map[string]string{"synonyms": "entries", "translations": "files"},
	}
}
