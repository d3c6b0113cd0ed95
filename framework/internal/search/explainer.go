// Explain: at which stage of a search a section dropped out. All figures come from the search and
// from its strategies, which are called again for one section or for a longer list.

package search

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// explainer explains the fate of sections in a finished search.
type explainer struct {
	*run
	judged
	request WhyRequest
	answer  *Answer
	shown   int
	sources []source // of the passages
	deep    *fused   // with the contributions of all sections, computed on demand
	lists   []fusion.List
	long    []result // the longest lists of the strategies, computed on demand
}

// wide returns the run without a limit on candidates.
func (q *explainer) wide() *run {
	r := *q.run
	r.plan.request.MaxCandidates = maxCandidates
	return &r
}

// standing returns the standing of the section asked for. If there are several, it takes the one that got
// furthest or covers most.
func (q *explainer) standing(ctx context.Context, asked string) (Standing, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Duration(q.request.TimeMS)*time.Millisecond)
	defer cancel()
	p, err := q.placeOf(ctx, asked)
	if err != nil {
		return Standing{}, err
	}
	if p.stage != "" || len(p.sections) == 0 {
		return q.unindexed(asked, p), nil
	}
	probes := q.probe(ctx, p.sections)
	id := slices.MinFunc(p.sections, func(a, b uint32) int {
		return cmp.Or(cmp.Compare(q.distance(a), q.distance(b)), cmp.Compare(probes[b].admitted, probes[a].admitted))
	})
	s := q.describe(asked, id)
	if len(p.sections) > 1 {
		s.Sections = len(p.sections)
	}
	q.explain(ctx, id, probes[id], &s)
	return s, ctx.Err()
}

// distance orders sections by how far they got: by rank, then by stage.
func (q *explainer) distance(id uint32) int {
	switch rank := rankOf(q.ranked, id); {
	case rank > 0:
		return rank
	case q.matched.Contains(id):
		return len(q.ranked) + 1
	case q.scoped(id):
		return len(q.ranked) + 2
	}
	return len(q.ranked) + 3
}

// rankOf returns the rank of a section in an order, from 1, or 0 if it is not in it.
func rankOf(ranked []scored, id uint32) int {
	return 1 + slices.IndexFunc(ranked, func(s scored) bool { return s.Section == id })
}

// scoped reports whether a section is in the scope.
func (q *explainer) scoped(id uint32) bool {
	return q.scope.Sections == nil || q.scope.Sections.Contains(id)
}

// unindexed returns the standing of a file without sections.
func (q *explainer) unindexed(asked string, p place) Standing {
	s := Standing{
		Asked: asked, Stage: cmp.Or(p.stage, StageNotIndexed), Reason: cmp.Or(p.reason, "it holds no section"),
		Ref: HitRef{Ref: p.file}, Terms: []TermUse{}, Threshold: q.query.MatchThreshold,
	}
	what := "is not in the index"
	switch s.Stage {
	case StageSkipped:
		what = "cannot be searched"
	case StageNotGathered:
		what = "was not gathered from the collection"
	}
	s.Sentence = fmt.Sprintf("%s/%s %s: %s.", p.file.ManualID, p.file.Path, what, s.Reason)
	return s
}

// describe returns a standing with the name and place of a section.
func (q *explainer) describe(asked string, id uint32) Standing {
	sec, _ := q.snap.Section(id)
	line := sec.Start
	for _, c := range q.candidates {
		if c.Section.ID == id {
			line = c.Line
		}
	}
	ref := toolset.Ref{ManualID: strings.Clone(sec.Group), Path: strings.Clone(sec.Path), StartLine: line}
	return Standing{
		Asked: asked, Ref: HitRef{Ref: ref, Title: strings.Clone(sec.Title)},
		Lines:      fmt.Sprintf("%d-%d", sec.Start, sec.OwnEnd),
		Breadcrumb: strings.Clone(q.snap.Source(id, snapshot.FieldHeading)),
	}
}

// explain finds the stage of a section and its figures.
func (q *explainer) explain(ctx context.Context, id uint32, probe probed, s *Standing) {
	s.Rank, s.FusedRank, s.Threshold = rankOf(q.ranked, id), rankOf(q.before, id), q.query.MatchThreshold
	s.Coverage, s.Found = probe.admitted, detach(q.snap, probe.terms)
	if s.FusedRank > 0 { // prefer what the search itself measured
		found := q.before[s.FusedRank-1].evidence
		s.Coverage, s.Found = found.coverage, detach(q.snap, found.terms)
	}
	s.Terms, s.Lists = q.terms(ctx, id, s.Found), q.listed(id)
	if s.Rank > 0 {
		q.explainRanked(id, s)
		return
	}
	sec, _ := q.snap.Section(id)
	switch excluded := q.excluded(ctx, id); {
	case !q.scoped(id):
		s.Stage = StageOutOfScope
		if s.Sentence = "The search looked only at what another search had left unscanned."; q.scope.Manual != "" {
			s.Sentence = fmt.Sprintf("It lies in the manual %s; only %s was searched.", sec.Group, q.scope.Manual)
		}
	case excluded != "":
		s.Stage, s.Sentence = StageExcluded, fmt.Sprintf("It holds %q, which the query excludes.", excluded)
	case q.matched.Contains(id):
		s.Stage, s.Lists = StageUnlisted, q.longer(ctx, id)
		s.Sentence = unlistedSentence(s.Lists)
	case q.unexamined != nil && q.unexamined.Contains(id):
		s.Stage, s.Sentence = StageUnexamined, "No strategy had looked at it when the time of the search ended."
	case s.Coverage >= s.Threshold && q.withoutText(ctx).Contains(id):
		s.Stage, s.Sentence = StageNoText, "It has no text of its own, and its title holds no word of the query."
	default:
		s.Stage, s.Sentence = StageUnmatched, unmatchedSentence(s)
	}
}

// probed is what the strategies say about one section when nothing is required of it.
type probed struct {
	admitted float64 // greatest coverage by a strategy that makes sections candidates
	terms    []string
}

// probe calls the retrieving strategies on sections, without a threshold and without negative terms.
func (q *explainer) probe(ctx context.Context, sections []uint32) map[uint32]probed {
	out := make(map[uint32]probed, len(sections))
	for _, wording := range q.wordings {
		wording.MatchThreshold = 0
		wording.Terms = slices.DeleteFunc(slices.Clone(wording.Terms),
			func(t sdk.Term) bool { return t.Kind == sdk.TermNegative })
		req := sdk.Request{Query: wording, Scope: roaring.BitmapOf(sections...)}
		results, _ := call(ctx, q.run, sdk.StageRetrieve, req)
		for _, res := range results {
			for _, c := range res.Candidates {
				p := out[c.Section]
				if p.terms = union(p.terms, c.Terms); res.description.Admits() {
					p.admitted = max(p.admitted, c.Coverage)
				}
				out[c.Section] = p
			}
		}
	}
	return out
}

// excluded returns the term that keeps a section out of every wording, "" for none.
func (q *explainer) excluded(ctx context.Context, id uint32) (term string) {
	for _, wording := range q.wordings {
		term = ""
		for _, t := range wording.Terms {
			if q.excludes(ctx, id, t) {
				term = t.Text
			}
		}
		if term == "" {
			return ""
		}
	}
	return term
}

// excludes reports whether a term keeps a section out of a search.
func (q *explainer) excludes(ctx context.Context, id uint32, t sdk.Term) bool {
	return lexical.ExcludeNegative(ctx, q.snap, roaring.BitmapOf(id), []sdk.Term{t}).IsEmpty()
}

// terms returns, for each term of the query, whether strategies found it in a section.
func (q *explainer) terms(ctx context.Context, id uint32, found []string) []TermUse {
	held, out := map[string]bool{}, []TermUse{}
	for _, t := range found {
		held[t] = true
	}
	for _, t := range q.query.Terms {
		use := TermUse{
			Text: t.Text, Kind: string(t.Kind), Sections: q.sectionsWith(ctx, t.Text), Meant: q.corrections[t.Text],
		}
		if t.Kind == sdk.TermNegative {
			use.Held = q.excludes(ctx, id, t)
		} else {
			use.Held = holds(held, text.Skeleton(t.Text))
		}
		out = append(out, use)
	}
	return out
}

// sectionsWith counts the sections that have a word in any form, or a text in any spelling.
func (q *explainer) sectionsWith(ctx context.Context, term string) int {
	if !isLatin(term) {
		return int(lexical.ContainingLoose(ctx, q.snap, term).GetCardinality())
	}
	most := 0
	for _, t := range lexical.NewBag(q.snap, &sdk.Query{Text: term}, lexical.Weights{Word: 1}).Terms {
		most = max(most, q.snap.DocFreq(t.Text))
	}
	return most
}

// listed returns the ranks of a section in the lists that were fused.
func (q *explainer) listed(id uint32) (out []Listed) {
	for i, res := range q.results {
		l := Listed{
			Strategy: res.description.Name, Stage: string(res.description.Stage), Of: len(q.lists[i].Entries),
			Limit: q.depth(res.description), Matched: res.matched().Contains(id),
		}
		l.place(id, q.lists[i].Entries)
		out = append(out, l)
	}
	return out
}

// place fills in the scores of a list and the rank of a section in it.
func (l *Listed) place(id uint32, entries []fusion.Entry) {
	if len(entries) > 0 {
		l.Best, l.Last = entries[0].Score, entries[len(entries)-1].Score
	}
	if i := slices.IndexFunc(entries, func(e fusion.Entry) bool { return e.Section == id }); i >= 0 {
		l.Rank, l.Raw = i+1, entries[i].Score
	}
}

// longer returns the ranks that a section would have in the longest lists that strategies can return.
func (q *explainer) longer(ctx context.Context, id uint32) []Listed {
	out, wide := q.listed(id), q.wide()
	if q.long == nil {
		for _, wording := range q.wordings {
			results, _ := call(ctx, wide, sdk.StageRetrieve, sdk.Request{Query: wording, Scope: q.scope.Sections})
			q.long = append(q.long, results...)
		}
	}
	for i, list := range (retrieved{results: q.long, matched: q.matched}).lists(&q.settings) {
		at := slices.IndexFunc(out, func(l Listed) bool {
			return l.Strategy == q.long[i].description.Name && l.Rank == 0
		})
		if at < 0 {
			continue
		}
		var in Listed
		if in.place(id, list.Entries); in.Rank > 0 {
			out[at].Rank, out[at].Raw = in.Rank, in.Raw
		}
	}
	return out
}

// explainRanked finds the stage of a section that fusion ranked.
func (q *explainer) explainRanked(id uint32, s *Standing) {
	at := q.ranked[s.Rank-1]
	s.Score, s.Contributions = at.Score, at.Contributions
	s.FusedScore = q.before[s.FusedRank-1].Score
	if at.Contributions == nil {
		s.Contributions = q.contributions(id)
	}
	switch {
	case s.Rank <= q.shown:
		q.explainShown(s)
		return
	case s.FusedRank <= q.shown:
		s.Stage = StageReranked
	case s.Rank > len(q.candidates):
		s.Stage = StageCut
	default:
		s.Stage = StageBelow
	}
	last := q.ranked[q.shown-1]
	s.Lacks = last.Score - s.Score
	s.LastShown = &Rival{
		Ref: q.describe("", last.Section).Ref, Rank: q.shown, Score: last.Score,
		Contributions: detachContributions(q.snap, last.Contributions),
		Differences:   Differences(s.Contributions, last.Contributions),
	}
	s.Contributions = detachContributions(q.snap, s.Contributions)
	s.Sentence = q.belowSentence(s)
}

// contributions computes the contributions of a section that is too far down for the order to keep them.
func (q *explainer) contributions(id uint32) []fusion.Contribution {
	if q.deep == nil {
		order := fuse(q.wide(), q.retrieved)
		q.deep = &order
	}
	return q.deep.ranked[rankOf(q.deep.ranked, id)-1].Contributions
}

// detachContributions copies the strings of contributions that point into the snapshot.
func detachContributions(snap *snapshot.Snapshot, all []fusion.Contribution) []fusion.Contribution {
	all = slices.Clone(all)
	for i := range all {
		all[i].Terms = detach(snap, all[i].Terms)
	}
	return all
}

// explainShown explains what happened to the passage of a hit.
func (q *explainer) explainShown(s *Standing) {
	s.Stage, s.Contributions = StageShown, detachContributions(q.snap, s.Contributions)
	at := fmt.Sprintf("It is shown at rank %d of %d", s.Rank, len(q.ranked))
	s.Sentence = at + "."
	isIt := func(p Passage) bool {
		return p.ManualID == s.Ref.ManualID && p.Path == s.Ref.Path && p.section == s.Ref.StartLine
	}
	i := slices.IndexFunc(q.sources, func(x source) bool { return isIt(x.Passage) })
	if i < 0 {
		return // no passage is chosen from it
	}
	whole := utf8.RuneCountInString(q.sources[i].chosen[lengthOf(i, 0)].Text)
	shown := 0
	if i := slices.IndexFunc(q.answer.Passages, isIt); i >= 0 {
		shown = utf8.RuneCountInString(q.answer.Passages[i].Text)
	}
	if shown >= whole {
		return
	}
	s.Stage, s.Passage = StagePassageCut, &Shortened{shown, whole}
	s.Sentence = fmt.Sprintf("%s, but max_tokens %d shortened its passage from %d to %d characters.",
		at, q.request.MaxTokens, whole, shown)
	if shown == 0 {
		s.Sentence = fmt.Sprintf("%s, but max_tokens %d left its passage of %d characters out.",
			at, q.request.MaxTokens, whole)
	}
}
