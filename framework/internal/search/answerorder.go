// Answer order: of the first sections, those with sentences that are likely to answer move up.

package search

import (
	"cmp"
	"context"
	"math"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// bonusAnswer names what answering sentences contribute to a score.
const bonusAnswer = "answer"

// stageBonus is the stage of contributions that the host itself makes.
const stageBonus sdk.Stage = "bonus"

// Chosen together with [Settings.AnswerWeight], see docs/measurements/2026-11-28-answers.md.
const (
	answerTop   = 10  // sections that are read
	answerRange = 4.0 // a section e^-4 times as likely as the likeliest one scores 0
)

// readForAnswers returns the reranked sections to read, and the score below which none of them may fall. floor is that
// score for all reranked sections.
func readForAnswers(top []scored, floor float64) (first []scored, least float64) {
	if len(top) > answerTop {
		return top[:answerTop], top[answerTop].Score
	}
	return top, floor
}

// answerOrder scores the first sections by how likely their sentences are to answer. It is advisory: if it runs out of
// time or fails, which is logged, ok is false and the order stays.
func answerOrder(ctx context.Context, r *run, in fused, first []scored, weight float64) (res result, ok bool) {
	if weight == 0 || len(first) < 2 {
		return res, false
	}
	res = result{
		description: sdk.Description{Name: bonusAnswer, Stage: stageBonus, Weight: weight},
		Result:      &sdk.Result{Finished: true},
	}
	err := guard.Call(func() error {
		return r.snap.Guard(func() error {
			input := answer.Input{Query: r.query, Matched: int(in.matched.GetCardinality()), Memory: &r.read}
			input.Words = answer.Weigh(&r.query, r.snap.Population(), r.snap.DocFreq)
			for _, s := range first {
				c, _ := candidateAt(ctx, r.snap, s.Section, s.terms)
				e := evidenceOf(r.snap, c, nil)
				e.Score, input.Held = s.Score, union(input.Held, s.terms)
				input.Evidences = append(input.Evidences, e)
			}
			likely, err := answer.Likely(ctx, &input)
			for i, p := range likely {
				res.Candidates = append(res.Candidates, sdk.Candidate{
					Section: first[i].Section, Score: max(0, 1+math.Log(p)/answerRange),
				})
			}
			return err
		})
	})
	if err != nil && ctx.Err() == nil {
		r.logger.Error("the order stays as it was reranked", "error", err)
	}
	slices.SortStableFunc(res.Candidates, func(a, b sdk.Candidate) int { return cmp.Compare(b.Score, a.Score) })
	return res, err == nil
}
