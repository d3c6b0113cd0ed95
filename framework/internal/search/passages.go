package search

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/passage"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Passage is text of a section in an answer, whole lines or sentences as written.
type Passage struct {
	ManualID   string `json:"manual_id"`
	Path       string `json:"path"`
	Lines      string `json:"lines" doc:"First and last line, such as 12-18."`
	Breadcrumb string `json:"breadcrumb" doc:"Title and headings above the text."`
	Text       string `json:"text"`

	whole bool // its section has no other text
}

// passageLengths are the most characters of a passage: the first, or where the reply would cost too
// much the next.
var passageLengths = [...]int{600, 450, 300, 200, 120}

// source is a section that a passage is chosen from.
type source struct {
	Passage
	line int // of the text's first line
	text *passage.Text
}

// passageBytes is how much of a section passages are chosen from, around its best line.
const passageBytes = 32 << 10

// passages chooses text of the best sections within so many estimated tokens.
func passages(ctx context.Context, p plan, snap *snapshot.Snapshot, best []Candidate, tokens int) []Passage {
	words := wordsOf(p, snap)
	var sources []source
	for _, c := range best {
		if len(sources) == p.request.Passages || ctx.Err() != nil {
			break
		}
		id, ok := locate(snap, c.ManualID, c.Path, c.Line)
		if !ok {
			continue
		}
		section, _ := snap.Section(id)
		heading := snap.Source(id, snapshot.FieldHeading)
		read := passage.Read(around(snap, id, c.Line, passageBytes), words)
		sources = append(sources, source{Passage{ManualID: c.ManualID, Path: c.Path, Breadcrumb: heading}, section.Body, read})
	}
	for n := len(sources); n > 0; n-- {
		for _, length := range passageLengths {
			out := []Passage{}
			for _, s := range sources[:n] {
				if chosen, ok := s.text.Choose(length); ok {
					out = append(out, s.show(chosen))
				}
			}
			if tokensOf(out) <= tokens {
				return out
			}
		}
	}
	return []Passage{}
}

func (s source) show(chosen passage.Passage) Passage {
	p := s.Passage
	p.Breadcrumb, p.Text, p.whole = strings.Clone(p.Breadcrumb), chosen.Text, chosen.Whole
	p.Lines = fmt.Sprintf("%d-%d", s.line+chosen.First, s.line+chosen.Last)
	return p
}

// tokensOf estimates what a part of a reply costs.
func tokensOf(part any) int {
	data, err := json.Marshal(part)
	if err != nil {
		return 0
	}
	return toolset.EstimateTokens(string(data))
}

// wordsOf weighs the tokens of the query by idf.
func wordsOf(p plan, snap *snapshot.Snapshot) passage.Words {
	weights := lexical.Weights{Word: 1, Exact: 0.2, Whole: 0.5, Unigram: 0.1, Bigram: 1, CommonKana: 0.05}
	words, n := passage.Words{}, int(snap.Live().GetCardinality())
	for _, t := range lexical.NewBag(snap, &p.query, weights).Terms {
		words[t.Text] = t.Weight * lexical.IDF(n, snap.DocFreq(t.Text))
	}
	return words
}
