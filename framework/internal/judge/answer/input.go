package answer

import (
	"maps"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Input is the input of a judgement.
type Input struct {
	Query sdk.Query
	// Words weigh the tokens of the query; see [Weigh].
	Words map[string]float64
	// Held are the terms that an admitting strategy found in any evidence, in any form, Found those in any section.
	Held, Found []string
	// Matched is how many sections matched.
	Matched int
	// Evidences are the best sections in their final order.
	Evidences []section.Section
	// Nearest, if not nil, returns the word of the corpus that was probably meant by a word that it lacks;
	// see [Closest].
	Nearest func(word string) (string, bool) `json:"-"`
	// Memory, if not nil, is shared with other inputs of one search.
	Memory *Memory `json:"-"`
}

// mostWords is the maximum number of tokens of a query that are weighed.
const mostWords = 64

// Few sections count as fewSections times as many, up to enoughSections.
const (
	fewSections    = 4
	enoughSections = 200
)

// Weigh returns the inverse document frequency of each token of a query in n sections. docFreq returns how many
// sections have a token; one that none has weighs most. Few sections count as more, so that tokens that all of them
// have still weigh something.
func Weigh(q *sdk.Query, n int, docFreq func(token string) int) map[string]float64 {
	n = max(n, min(fewSections*n, enoughSections))
	out := make(map[string]float64)
	norm := text.Text{Norm: text.Skeleton(q.Text)}
	for t := range text.Tokens(&norm) {
		if len(out) == mostWords {
			break
		}
		if t.Class == text.Word && !text.EnglishStop(norm.Norm[t.Start:t.End]) || t.Class == text.Bigram {
			out[t.Term] = lexical.IDF(n, docFreq(t.Term))
		}
	}
	return out
}

// WithoutIndex weighs the query by the evidences alone, and scores each by the share of the query that it
// covers. It is for texts without an index.
func (in *Input) WithoutIndex() {
	holds := make([]map[string]bool, len(in.Evidences))
	for i, e := range in.Evidences {
		holds[i] = make(map[string]bool)
		for t := range text.Tokens(&text.Text{Norm: text.Fold(e.Heading + "\n" + e.Text)}) {
			holds[i][t.Term] = true
		}
	}
	in.Words = Weigh(&in.Query, len(holds), func(token string) (n int) {
		for _, h := range holds {
			if h[token] {
				n++
			}
		}
		return n
	})
	in.Evidences = slices.Clone(in.Evidences)
	for i := range in.Evidences {
		e := &in.Evidences[i]
		e.Score = 0
		for _, token := range slices.Sorted(maps.Keys(in.Words)) { // sums of floats depend on the order
			if holds[i][token] {
				e.Score += in.Words[token]
			}
		}
	}
	in.Matched = len(in.Evidences)
}
