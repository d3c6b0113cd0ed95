// Titles is a strategy of somebody else: it proposes sections by their titles alone.
package main

import (
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/serve"
	"github.com/sagasu-search/sagasu/sdk/text"
)

func main() { serve.Strategy(&titles{}) }

type titles struct {
	Least int `json:"least_length"` // runes of the terms that count
}

func (*titles) Describe() sdk.Description {
	return sdk.Description{
		Name: "titles", Version: "0.1", Stage: sdk.StageRetrieve, Weight: 1, Signals: []string{"title"},
		Admitting: []string{"title"}, Summary: "Proposes sections by their titles alone.", License: "Apache-2.0",
		ConfigSchema: json.RawMessage(`{"type": "object", "properties": {"least_length": {"type": "integer", "minimum": 1, "maximum": 21}}}`),
	}
}

func (t *titles) Configure(_ context.Context, config json.RawMessage) error {
	return json.Unmarshal(config, t)
}

func (t *titles) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	res := &sdk.Result{Finished: true}
	scope := req.Scope
	if scope == nil {
		scope = req.Corpus.Live()
	}
	for sections := scope.Iterator(); sections.HasNext() && ctx.Err() == nil; {
		id := sections.Next()
		section, _ := req.Corpus.Section(id)
		title := text.Fold(section.Title)
		c := sdk.Candidate{Section: id, Signals: []string{"title"}}
		for _, term := range req.Query.Terms {
			if len([]rune(term.Text)) >= t.Least && strings.Contains(title, term.Text) {
				c.Terms = append(c.Terms, term.Text)
				c.Score++
			}
		}
		if c.Score > 0 {
			res.Candidates = append(res.Candidates, c)
		}
	}
	slices.SortFunc(res.Candidates, func(a, b sdk.Candidate) int { return cmp.Compare(b.Score, a.Score) })
	res.Candidates = res.Candidates[:min(len(res.Candidates), req.Limit)]
	return res, nil
}
