package judge

import (
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/framework/internal/judge/tension"
	"github.com/sagasu-search/sagasu/sdk"
)

// Said holds the verdicts of judges on the evidences, by section id. A nil list leaves the decision to the
// rules here.
type Said struct {
	Answers  []sdk.Answer
	Tensions []sdk.Tension
}

// Minimum probabilities for the verdicts of judges to be asserted.
const (
	leastAnswer   = 0.5
	leastConflict = 0.8
)

// answered replaces the answer found here by the judges' answers.
func (b *builder) answered(j *answer.Judgement) {
	if b.in.Said.Answers == nil {
		return
	}
	j.Answer, j.Supports, j.Stands = nil, nil, 0
	for _, a := range b.in.Said.Answers {
		n, line, ok := b.place(a.Quote)
		switch {
		case !ok || a.Probability < leastAnswer:
		case j.Answer == nil:
			j.Answer = &answer.Answer{
				Evidence: n, Line: line, Text: answer.Cut(a.Text), Kind: answer.KindOf(b.in.Query.Raw, a.Text),
				Probability: a.Probability,
			}
			j.Best, j.Stands = j.Answer, a.Probability
		default:
			j.Supports = append(j.Supports, answer.Place{Evidence: n, Line: line})
		}
	}
}

// contradicted returns the judges' contradictions, or those found here if the judges have no opinion.
func (b *builder) contradicted(found []tension.Tension) (out []tension.Tension) {
	if b.in.Said.Tensions == nil {
		return found
	}
	for _, t := range b.in.Said.Tensions[:min(tension.MostTensions, len(b.in.Said.Tensions))] {
		first, firstLine, okA := b.place(t.A)
		second, secondLine, okB := b.place(t.B)
		if !okA || !okB {
			continue
		}
		a := tension.Side{Evidence: first, Line: firstLine, Text: t.A.Text}
		c := tension.Side{Evidence: second, Line: secondLine, Text: t.B.Text}
		if c.Evidence < a.Evidence {
			a, c = c, a
		}
		out = append(out, tension.Tension{
			A: a, B: c, Kind: tension.Kind(t.Kind), Probability: t.Probability,
			Conflict: t.Probability >= leastConflict,
		})
	}
	return out
}

// place finds the evidence that contains a quote, and the line on which the quote begins.
func (b *builder) place(q sdk.Quote) (evidence, line int, ok bool) {
	for i, e := range b.in.Evidences {
		if at := strings.Index(e.Text, q.Text); e.ID == q.Section && at >= 0 {
			return i, max(e.TextLine, e.StartLine) + strings.Count(e.Text[:at], "\n"), true
		}
	}
	return 0, 0, false
}
