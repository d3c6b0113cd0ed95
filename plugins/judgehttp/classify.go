package judgehttp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/remote"
)

// Limits of one call to a classifier: few services accept more.
const (
	sentencesEach = 2 // of a passage
	mostPairs     = 32
)

// leastSure is the minimum probability of a contradiction that is reported.
const leastSure = 0.5

// sentence is a sentence that the query is about.
type sentence struct {
	sdk.Quote
	share float64 // of the query's terms that it contains
}

// classify asks a classifier of sentence pairs for contradictions. It does not find answers.
func (s *Strategy) classify(ctx context.Context, q sdk.Query, passages []sdk.Passage, out *sdk.Result) error {
	pairs := pairsOf(q, passages)
	if len(pairs) == 0 {
		out.Tensions = []sdk.Tension{}
		return nil
	}
	inputs := make([][2]string, len(pairs))
	for i, p := range pairs {
		inputs[i] = [2]string{p[0].Text, p[1].Text}
	}
	data, err := s.service.Post(ctx, struct {
		Inputs   [][2]string `json:"inputs"`
		Truncate bool        `json:"truncate"`
	}{inputs, true}, 1<<20)
	if err != nil {
		return err
	}
	probabilities, err := contradictions(data, len(pairs))
	if err != nil {
		return err
	}
	out.Tensions = []sdk.Tension{}
	for i, p := range pairs {
		if probabilities[i] >= leastSure {
			out.Tensions = append(out.Tensions, sdk.Tension{
				A: p[0].Quote, B: p[1].Quote, Kind: kindOf(p[0].Text, p[1].Text), Probability: probabilities[i],
			})
		}
	}
	slices.SortStableFunc(out.Tensions, func(a, b sdk.Tension) int { return cmp.Compare(b.Probability, a.Probability) })
	out.Tensions = out.Tensions[:min(mostVerdicts, len(out.Tensions))]
	return nil
}

// contradictions reads the probability that each of n pairs is a contradiction, from the label of that name. It is 0 if
// the service omitted the label.
func contradictions(data []byte, n int) ([]float64, error) {
	var rows [][]struct {
		Label string  `json:"label"`
		Score float64 `json:"score"`
	}
	if json.Unmarshal(data, &rows) != nil || len(rows) != n {
		return nil, fmt.Errorf("%w: not a list of labels for each pair", remote.ErrAnswer)
	}
	out, known := make([]float64, n), false
	for i, row := range rows {
		for _, r := range row {
			if strings.HasPrefix(strings.ToLower(r.Label), "contradict") {
				if !isShare(r.Score) {
					return nil, fmt.Errorf("%w: a score that is no probability", remote.ErrAnswer)
				}
				out[i], known = r.Score, true
			}
		}
	}
	if !known {
		return nil, fmt.Errorf("%w: no label is a contradiction", remote.ErrAnswer)
	}
	return out, nil
}

// pairsOf returns the pairs of sentences from different passages that contain most of the query, best first.
func pairsOf(q sdk.Query, passages []sdk.Passage) (out [][2]sentence) {
	var all []sentence
	for _, p := range passages {
		all = append(all, about(q, p)...)
	}
	for i, a := range all {
		for _, b := range all[i+1:] {
			if a.Section != b.Section {
				out = append(out, [2]sentence{a, b})
			}
		}
	}
	slices.SortStableFunc(out, func(x, y [2]sentence) int {
		return cmp.Compare(y[0].share+y[1].share, x[0].share+x[1].share)
	})
	return out[:min(mostPairs, len(out))]
}

// about returns the sentences of a passage that cover most of the query. It skips those that cover none of it.
func about(q sdk.Query, p sdk.Passage) (out []sentence) {
	for _, s := range sentences(p.Text) {
		norm, held, all := text.Fold(s), 0.0, 0.0
		for _, t := range q.Terms {
			if t.Kind == sdk.TermNegative {
				continue
			}
			all += t.Weight
			if strings.Contains(norm, t.Text) {
				held += t.Weight
			}
		}
		if held > 0 {
			out = append(out, sentence{sdk.Quote{Section: p.Section, Text: s}, held / all})
		}
	}
	slices.SortStableFunc(out, func(a, b sentence) int { return cmp.Compare(b.share, a.share) })
	return out[:min(sentencesEach, len(out))]
}

// sentences splits a text into lines and these at full stops.
func sentences(s string) (out []string) {
	for line := range strings.Lines(s) {
		for line != "" {
			end := sentenceEnd(line)
			if one := strings.TrimSpace(line[:end]); one != "" {
				out = append(out, one)
			}
			line = line[end:]
		}
	}
	return out
}

// sentenceEnd returns where the first sentence of a line ends.
func sentenceEnd(line string) int {
	before := rune(0)
	for i, r := range line {
		if strings.ContainsRune("。！？", before) || strings.ContainsRune(".!?", before) && unicode.IsSpace(r) {
			return i
		}
		before = r
	}
	return len(line)
}

// kindOf returns how two contradicting sentences differ: in their numbers, or else in polarity.
func kindOf(a, b string) sdk.TensionKind {
	if digits(a) != digits(b) {
		return sdk.TensionNumber
	}
	return sdk.TensionPolarity
}

// digits returns the numbers in a text, separated by spaces.
func digits(s string) string {
	return strings.Join(strings.FieldsFunc(text.Fold(s), func(r rune) bool { return !unicode.IsDigit(r) }), " ")
}
