// Judge: finds what the best candidates claim, where they contradict each other and what they lack.

package search

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/judge/answer"
	"github.com/sagasu-search/sagasu/framework/internal/judge/section"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// judged is a finished search.
type judged struct {
	reranked
	graph      *judge.Graph // of the first candidates
	escalation []string     // why the search expanded
}

// Warnings of a graph without claims.
const (
	unjudged    = "judgement_failed: claims, conflicts and gaps are not known; the log says why"
	judgedShort = "judgement_failed: it did not finish in time; claims, conflicts and gaps are not known"
)

// judgeAnswers builds the claim graph of the best candidates. The graph is advisory: if judging fails or
// does not finish, the candidates keep their order and a warning is added. Judges are strategies and must finish
// before ctx ends, the rest before judging does.
func judgeAnswers(ctx, judging context.Context, r *run, in reranked) judged {
	out := judged{reranked: in}
	var ended error
	err := guard.Call(func() error {
		return r.snap.Guard(func() error {
			input := judgeInput(r, in)
			var said notes
			input.Said, said = consult(ctx, r, in, input.Evidences)
			out.notes = out.notes.and(said)
			out.graph, ended = judgeWordings(judging, r, input)
			return nil
		})
	})
	if ended != nil {
		out.notes = out.notes.and(notes{warnings: []string{judgedShort}})
	}
	if err == nil {
		return out
	}
	out.graph = judge.Unjudged()
	if broken, ok := errors.AsType[*guard.PanicError](err); ok { // a damaged snapshot makes the whole search fail
		out.notes = out.notes.and(notes{warnings: []string{unjudged}})
		r.logger.Error("judgement failed", "error", broken)
		guard.LogStack(r.logger, broken)
	}
	return out
}

// judgeWordings judges the candidates for each wording. It returns the judgement that answers the question,
// since an answer to one wording answers the question, or else the one with the fewest gaps.
func judgeWordings(ctx context.Context, r *run, input judge.Input) (least *judge.Graph, err error) {
	for _, query := range r.wordings {
		input.Query = query
		input.Words = answer.Weigh(&query, r.snap.Population(), r.snap.DocFreq)
		graph, err := r.build(ctx, input)
		if err != nil {
			return graph, err
		}
		if least == nil || graph.Answered() && !least.Answered() ||
			graph.Answered() == least.Answered() && len(graph.Gaps) < len(least.Gaps) {
			least = graph
		}
	}
	return least, nil
}

// consult lets the judges read the first evidences. If several judges return answers, or tensions,
// those of the first one count.
func consult(ctx context.Context, r *run, in reranked, evidences []section.Section) (said judge.Said, n notes) {
	isJudge := func(d sdk.Description) bool { return d.Stage == sdk.StageJudge }
	if len(evidences) == 0 || !slices.ContainsFunc(r.described, isJudge) {
		return said, n
	}
	evidences = evidences[:min(sdk.MaxPassages, len(evidences))]
	pool := poolOf(in.ranked[:min(len(evidences), len(in.ranked))]) // a JSON file may be several evidences
	req := sdk.Request{Query: r.query, Scope: in.scope.Sections, Pool: pool}
	for _, e := range evidences {
		req.Passages = append(req.Passages, sdk.Passage{Section: e.ID, Path: e.Path, Heading: e.Heading, Text: e.Text})
	}
	results, n := call(ctx, r, sdk.StageJudge, req)
	for _, res := range results {
		if said.Answers == nil {
			said.Answers = res.Answers
		}
		if said.Tensions == nil {
			said.Tensions = res.Tensions
		}
	}
	return said, n
}

// judgeInput returns the input of the judgement without the query.
func judgeInput(r *run, found reranked) judge.Input {
	var in judge.Input
	in.Matched, in.Memory = int(found.matched.GetCardinality()), &r.read
	in.Nearest = func(word string) (string, bool) { meant, ok := r.corrections[word]; return meant, ok }
	held := make(map[string]bool)
	for c, part := range found.parts.inPlaces(found.candidates) {
		if len(in.Evidences) == judge.MostEvidences {
			break
		}
		e := evidenceOf(r.snap, c, part)
		e.Signals, e.Score = c.Signals, c.Score
		in.Evidences = append(in.Evidences, e)
		for _, t := range c.Terms {
			held[t] = true
		}
	}
	in.Held = slices.Collect(maps.Keys(held))
	for _, res := range found.results {
		for _, c := range res.Candidates {
			for _, t := range c.Terms {
				if !held[t] && found.matched.Contains(c.Section) {
					held[t] = true
				}
			}
		}
	}
	in.Found = slices.Collect(maps.Keys(held))
	in.Resolve = func(from int, p refer.Pointer) (toolset.Ref, bool) {
		id, ok := refer.Resolve(r.snap, in.Evidences[from].ID, p)
		if !ok {
			return toolset.Ref{}, false
		}
		sec, ok := r.snap.Section(id)
		return toolset.Ref{Target: "manual", ManualID: sec.Group, Path: sec.Path, StartLine: sec.Start}, ok
	}
	return in
}

// judgedBytes is the maximum number of bytes of a section's own text that the judgement reads. Few
// sections are longer, and one of many megabytes must not delay the answer.
const judgedBytes = sdk.MaxPassage

// evidenceOf reads a candidate's own text, from its start after front matter, or the part of a JSON file.
func evidenceOf(snap *snapshot.Snapshot, c Candidate, part *piece) section.Section {
	out := section.Section{
		ID: c.Section.ID, ManualID: c.ManualID, Path: c.Path, StartLine: c.Line,
		Heading: snap.Source(c.Section.ID, snapshot.FieldHeading),
	}
	if part != nil {
		out.Text, out.TextLine = part.text(snap)
		out.Heading = strings.ReplaceAll(strings.TrimRight(out.Heading+"\n"+part.above, "\n"), "\n", " > ")
		return out
	}
	body, line := bodyOf(snap, c.Section)
	if c.Section.Node == snapshot.NodeJSON {
		skip := bytesBefore(body, c.Line-line)
		body, line = body[skip:], line+strings.Count(body[:skip], "\n")
	}
	out.Text, out.TextLine = body[:lineEnd(body, judgedBytes)], line
	return out
}

// bytesBefore returns the length of the first n lines of s.
func bytesBefore(s string, n int) int {
	at := 0
	for ; n > 0; n-- {
		i := strings.IndexByte(s[at:], '\n')
		if i < 0 {
			break
		}
		at += i + 1
	}
	return at
}
