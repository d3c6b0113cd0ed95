// Rerank: the rerankers reorder the best sections, and the first ones become the candidates.

package search

import (
	"cmp"
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// reranked is the final order of the retrieved sections, cut to the candidates.
type reranked struct {
	fused
	before     []scored // the fused order
	moves      []result // results of rerankers, then of feedback, that changed the order
	candidates []Candidate
	parts      pieces // of the JSON files among the first of them
}

// Candidate is a ranked section as a trace keeps it.
type Candidate struct {
	Section       snapshot.Section `json:"-"`
	ManualID      string
	Path          string
	Digest        digest // of the file
	Line          int
	EndLine       int // of the own text
	Title         string
	Score         float64
	Likelihood    float64 // probability that it is about the query, in [0, 1]
	Signals       []string
	Terms         []string
	Wordings      []int // numbers of the queries that found it, from 0, if there are several
	Contributions []fusion.Contribution
}

// rerank lets the rerankers reorder the best RerankTop sections. The sections below keep their
// order, after them. Then it keeps the best MaxCandidates, regardless of their files. judging,
// which ends later than ctx, limits the search for their lines.
func rerank(ctx, judging context.Context, r *run, in fused) reranked {
	n := min(r.settings.RerankTop, len(in.ranked))
	if n < 1 {
		return newReranked(judging, r, in, in.ranked, nil)
	}
	before := in.ranked
	in.ranked = slices.Clone(in.ranked)
	top, floor := in.ranked[:n], 0.0
	for i := range top { // copy what is shared with the fused order before appending
		e := &top[i].evidence
		e.signals, e.terms = slices.Clip(e.signals), slices.Clip(e.terms)
	}
	if n < len(in.ranked) {
		floor = in.ranked[n].Score
	}
	req := sdk.Request{Query: r.query, Scope: in.scope.Sections, Pool: poolOf(top)}
	var results, fed []result
	var said, below notes
	panics := r.each(2, func(i int) {
		if i == 0 {
			results, said = call(ctx, r, sdk.StageRerank, req)
		} else {
			fed, below = feedback(ctx, r, req.Pool, in.ranked)
		}
	})
	for i, stage := range []sdk.Stage{sdk.StageRerank, sdk.StageFeedback} {
		if panics[i] != nil {
			below = below.failure(ctx, r.logger, string(stage), panics[i])
		}
	}
	moves, spare := moveTop(r, top, floor, results)
	first, least := readForAnswers(top, floor)
	weight := max(0, min(r.settings.AnswerWeight, spare))
	if res, ok := answerOrder(judging, r, in, first, weight); ok &&
		move(first, least, mover{bonusAnswer, weight, 0}, res.Candidates, byReranker(compareSections(r.snap))) {
		moves = append(moves, res)
	}
	in.notes = in.notes.and(said).and(below)
	return newReranked(judging, r, in, before, append(moves, fed...))
}

// moveTop lets the rerankers move the best sections. It returns the results that moved any, and the part of the weight
// that they leave to answers: a reranker of weight 1 has the last word.
func moveTop(r *run, top []scored, floor float64, results []result) (moves []result, spare float64) {
	spare = 1
	for _, res := range results {
		if !res.Finished {
			continue // an unfinished reranking would demote the sections that it did not reach
		}
		by := r.settings.mover(res)
		if !move(top, floor, by, res.Candidates, byReranker(compareSections(r.snap))) {
			continue
		}
		moves, spare = append(moves, res), min(spare, 1-by.weight)
		for _, c := range res.Candidates {
			if i := slices.IndexFunc(top, func(s scored) bool { return s.Section == c.Section }); i >= 0 {
				c.Coverage, c.Measured = 0, false // only retrieving strategies measure coverage
				top[i].add(c)
			}
		}
	}
	return moves, spare
}

// move blends a strategy's scores into the scores of sections and sorts them again; tie breaks ties. It reports
// whether the strategy scored any of them; if not, nothing changes.
func move(part []scored, floor float64, by mover, said []sdk.Candidate, tie func(a, b scored) int) bool {
	if !blend(part, floor, by, said) {
		return false
	}
	slices.SortFunc(part, byScore(tie))
	return true
}

// mover is a strategy that reorders, with its weight and its confidence (0 means 1).
type mover struct {
	source             string
	weight, confidence float64
}

// byScore compares sections by score, best first; tie breaks ties.
func byScore(tie func(a, b scored) int) func(a, b scored) int {
	return func(a, b scored) int {
		if c := cmp.Compare(b.Score, a.Score); c != 0 {
			return c // tie is slow, and cmp.Or would call it each time
		}
		return tie(a, b)
	}
}

// byReranker breaks ties by the score of the last reranker, and then by order.
func byReranker(order func(a, b uint32) int) func(a, b scored) int {
	return func(a, b scored) int {
		return cmp.Or(cmp.Compare(lastRaw(b), lastRaw(a)), order(a.Section, b.Section))
	}
}

// bySection breaks ties by order.
func bySection(order func(a, b uint32) int) func(a, b scored) int {
	return func(a, b scored) int { return order(a.Section, b.Section) }
}

// linesNotSought is the warning for long files whose best line was not searched for to the end.
const linesNotSought = "the lines of long JSON files may not be their best: they were not read to the end"

// newReranked cuts an order to the candidates; before is the fused order, moves the results that
// changed it.
func newReranked(ctx context.Context, r *run, in fused, before []scored, moves []result) reranked {
	out, placed := candidates(ctx, r, in.ranked)
	if !placed {
		in.notes = in.notes.and(notes{warnings: []string{linesNotSought}})
	}
	var first []uint32
	for _, c := range out[:min(mostCut, len(out))] {
		if c.Section.Node == snapshot.NodeJSON {
			first = append(first, c.Section.ID)
		}
	}
	return reranked{in, before, moves, out, r.cuts.rankPieces(ctx, r.plan, r.snap, first)}
}

// lastRaw returns the score of a section by the last reranker; it breaks ties.
func lastRaw(s scored) float64 { return s.Contributions[len(s.Contributions)-1].Raw }

// poolOf returns sections as the pool for a reranker.
func poolOf(ranked []scored) []sdk.Candidate {
	out := make([]sdk.Candidate, len(ranked))
	for i, s := range ranked {
		out[i] = sdk.Candidate{
			Section: s.Section, Score: s.Score, Coverage: s.coverage, Measured: s.measured, Signals: s.signals,
			Terms: s.terms,
		}
	}
	return out
}

// blend moves each score s of top, which lies in [floor, best], to (1 − w)·s + w·(floor + r/r_max·(best − floor)),
// where r is the reranker's score of the section, 0 if it has none, and w its weight times its confidence, at most 1.
// The result lies in [floor, best] again, so no section falls below those that were not reranked. The change is a
// contribution of its own, so that the sum of all is still the score. blend returns false, and changes nothing, if the
// reranker scored no section.
func blend(top []scored, floor float64, by mover, reranked []sdk.Candidate) bool {
	confidence := cmp.Or(by.confidence, 1)
	w, best, most := min(by.weight*confidence, 1), floor, 0.0
	rank := make(map[uint32]int, len(reranked))
	for i, c := range reranked {
		rank[c.Section], most = i+1, max(most, c.Score)
	}
	if most == 0 {
		return false
	}
	for _, r := range top {
		best = max(best, r.Score)
	}
	for i := range top {
		x := fusion.Contribution{Source: by.source, Weight: w / confidence, Confidence: by.confidence}
		if x.Rank = rank[top[i].Section]; x.Rank > 0 {
			x.Raw, x.Terms = reranked[x.Rank-1].Score, reranked[x.Rank-1].Terms
		}
		x.Scaled = x.Raw / most
		x.Blend = &fusion.Blend{From: top[i].Score, To: floor + x.Scaled*(best-floor)}
		x.Amount = w * (x.Blend.To - x.Blend.From)
		top[i].Contributions = append(top[i].Contributions, x) // the fused order keeps its own, which have no room
		top[i].Score += x.Amount
	}
	return true
}

// candidates returns the first sections of the order as candidates. placed reports whether all their
// lines are certain.
func candidates(ctx context.Context, r *run, ranked []scored) (out []Candidate, placed bool) {
	out, placed = make([]Candidate, 0, min(len(ranked), r.limit())), true
	for _, s := range ranked[:cap(out)] {
		c, sure := candidateAt(ctx, r.snap, s.Section, s.terms)
		placed = placed && sure
		c.Score, c.Signals, c.Contributions, c.Wordings = s.Score, s.signals, s.Contributions, s.wordings
		out = append(out, c.detach(r.snap))
	}
	focus(out)
	return out, placed
}

// candidateAt returns a section with the terms that found it. Its texts point into the snapshot. sure
// reports whether its line is certain.
func candidateAt(ctx context.Context, snap *snapshot.Snapshot, id uint32, terms []string) (c Candidate, sure bool) {
	sec, _ := snap.Section(id)
	c = Candidate{
		Section: sec, ManualID: sec.Group, Path: sec.Path, Digest: digestOf(snap, id), Title: sec.Title,
		Line: sec.Start, EndLine: sec.OwnEnd, Terms: terms,
	}
	if sec.Node != snapshot.NodeJSON {
		return c, true
	}
	c.Line, sure = bestLine(ctx, snap.Source(sec.ID, snapshot.FieldBody), terms)
	return c, sure
}

// detach copies the strings of a candidate that point into the snapshot, so that they remain valid after it is closed.
func (c Candidate) detach(snap *snapshot.Snapshot) Candidate {
	names := snap.Outlive(c.ManualID + c.Path + c.Title) // one copy for all three
	manual, path := len(c.ManualID), len(c.ManualID)+len(c.Path)
	c.ManualID, c.Path, c.Title = names[:manual], names[manual:path], names[path:]
	c.Section.Group, c.Section.Path, c.Section.Title = c.ManualID, c.Path, c.Title
	c.Signals, c.Terms = detach(snap, c.Signals), detach(snap, c.Terms)
	c.Contributions = detachContributions(snap, c.Contributions)
	return c
}

// detach returns the texts with those that point into the snapshot copied. It does not change the
// given slice, since a strategy may keep it.
func detach(snap *snapshot.Snapshot, texts []string) []string {
	if !slices.ContainsFunc(texts, snap.Views) {
		return texts
	}
	out := make([]string, len(texts))
	for i, text := range texts {
		out[i] = snap.Outlive(text)
	}
	return out
}

// focus marks the best candidate of every heading group of two or more: the
// sections below one parent.
func focus(candidates []Candidate) {
	type group struct{ first, size int }
	groups := make(map[uint32]group)
	for i, c := range candidates {
		if c.Section.Parent == snapshot.None {
			continue
		}
		g, ok := groups[c.Section.Parent]
		if !ok {
			g.first = i
		}
		g.size++
		groups[c.Section.Parent] = g
	}
	for _, g := range groups {
		if g.size > 1 {
			c := &candidates[g.first]
			c.Signals = append(slices.Clip(c.Signals), sdk.SignalHeadingFocus)
		}
	}
}

// mostReordered is the number of sections of the fused order that carry contributions and may be reordered.
const mostReordered = 500

// feedback lets strategies reorder the sections below the best ones. It changes ranked in place and
// returns the results that changed it, and notes to report.
func feedback(ctx context.Context, r *run, pool []sdk.Candidate, ranked []scored) (moves []result, said notes) {
	if r.limit() <= len(pool) {
		return nil, notes{} // sections below the limit are not shown
	}
	below := belowTop(ranked, len(pool), r.limit())
	if len(below) == 0 {
		return nil, notes{}
	}
	scope := roaring.New()
	for _, s := range below {
		scope.Add(s.Section)
	}
	results, said := call(ctx, r, sdk.StageFeedback, sdk.Request{Query: r.query, Scope: scope, Pool: pool})
	order := bySection(compareSections(r.snap))
	for _, res := range results {
		if res.Finished && move(below, 0, r.settings.mover(res), res.Candidates, order) {
			moves = append(moves, res)
		}
	}
	return moves, said
}

// belowTop returns the part of an order that feedback may reorder.
func belowTop(ranked []scored, top, limit int) []scored {
	end := min(max(mostReordered, limit), len(ranked))
	return ranked[min(top, end):end]
}
