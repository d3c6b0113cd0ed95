package judge

import (
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/framework/internal/judge/tension"
	"github.com/sagasu-search/sagasu/sdk"
)

// Said is what judges said of the evidences, by their ids. A nil list leaves the matter to the rules here.
type Said struct {
	Answers  []sdk.Answer
	Tensions []sdk.Tension
}

// Probabilities from which on what a judge says is asserted.
const (
	leastAnswer   = 0.5
	leastConflict = 0.8
)

// answered puts what judges found to answer in the place of what was found here. What they are sure of stands.
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

// contradicted returns what judges found to contradict each other in the place of what was found here.
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

// place finds the evidence that holds a quote, and the line where that begins.
func (b *builder) place(q sdk.Quote) (evidence, line int, ok bool) {
	for i, e := range b.in.Evidences {
		if at := strings.Index(e.Text, q.Text); e.ID == q.Section && at >= 0 {
			return i, max(e.TextLine, e.StartLine) + strings.Count(e.Text[:at], "\n"), true
		}
	}
	return 0, 0, false
}
