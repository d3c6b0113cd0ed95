package normalized

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

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
func New() *Strategy { return &Strategy{config: defaults()} }

// Describe implements [sdk.Strategy].
func (s *Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:         "normalized",
		Version:      "2",
		Stage:        sdk.StageRetrieve,
		Signals:      []string{sdk.SignalHeading, sdk.SignalNormalized},
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
	for _, h := range found.Hits {
		out.Candidates = append(out.Candidates, sdk.Candidate{
			Section: h.Section, Score: h.Score, Coverage: h.Coverage,
			Signals: signals(req.Corpus, h.Section, content.Texts), Terms: bag.SlotNames(h.Slots),
		})
	}
	return out, nil
}

// refine raises the sections in which the query's terms stand whole and close
// together, and orders them anew.
func (t tuning) refine(snap *snapshot.Snapshot, hits []lexical.Hit, content lexical.Terms) {
	if t.proximity == 0 && t.phrase == 0 {
		return
	}
	for i := range hits {
		body := snap.Normalized(hits[i].Section, snapshot.FieldBody)
		near := lexical.Proximity(body, content.Texts, content.Weights, reach)
		whole := content.Share(func(term string) bool { return strings.Contains(body, term) })
		hits[i].Score *= 1 + t.proximity*near + t.phrase*whole
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
