// Judge: what the best candidates claim, where they contradict each other and what they lack.

package search

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
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
	unjudged    = "the answer was not judged: it tells no claims, conflicts and gaps, and the log says why"
	judgedShort = "the judgement did not finish in time: claims, conflicts and gaps are not known"
)

// judgeAnswers builds the claim graph of the best candidates. It is advice: where it fails or
// does not finish, the candidates keep their order, and a warning is added.
func judgeAnswers(ctx context.Context, r *run, in reranked, read *readings) judged {
	best := in.candidates[:min(judge.MostEvidences, len(in.candidates))]
	out := judged{reranked: in}
	var ended error
	err := guard.Call(func() error {
		return r.snap.Guard(func() error { out.graph, ended = judgeWordings(ctx, r, best, read); return nil })
	})
	if ended != nil {
		out.notes = out.notes.and(notes{warnings: []string{judgedShort}})
	}
	if err == nil {
		return out
	}
	out.graph = judge.Unjudged(len(best))
	if broken, ok := errors.AsType[*guard.PanicError](err); ok { // damage of the snapshot ends the search
		out.notes = out.notes.and(notes{warnings: []string{unjudged}})
		r.logger.Error("judgement failed", "error", broken)
		guard.LogStack(r.logger, broken)
	}
	return out
}

// judgeWordings judges the candidates for each wording, and returns the judgement with the fewest gaps:
// what answers one wording answers the question.
func judgeWordings(ctx context.Context, r *run, best []Candidate, read *readings) (least *judge.Graph, err error) {
	if len(r.wordings) == 1 {
		return r.build(ctx, judgeInput(r, best, read))
	}
	for _, query := range r.wordings {
		in := judgeInput(r, best, read)
		in.Query, in.Reading = query, nil
		graph, err := r.build(ctx, in)
		if least == nil || err == nil && len(graph.Gaps) < len(least.Gaps) {
			least = graph
		}
		if err != nil {
			return least, err
		}
	}
	return least, nil
}

// judgeInput is what is judged.
func judgeInput(r *run, best []Candidate, read *readings) judge.Input {
	in := judge.Input{Query: r.query, Lexicons: r.lexicons, Reading: read.query}
	for _, c := range best {
		e, ok := read.evidences[c.Section.ID]
		if !ok {
			e = evidenceOf(r.snap, c)
		}
		e.Signals, e.Score = c.Signals, c.Score
		in.Evidences = append(in.Evidences, e)
	}
	in.Normalized = func(n int) string { return r.snap.Normalized(best[n].Section.ID, snapshot.FieldBody) }
	in.Resolve = func(from int, p refer.Pointer) (toolset.Ref, bool) {
		id, ok := refer.Resolve(r.snap, best[from].Section.ID, p)
		if !ok {
			return toolset.Ref{}, false
		}
		sec, ok := r.snap.Section(id)
		return toolset.Ref{Target: "manual", ManualID: sec.Group, Path: sec.Path, StartLine: sec.Start}, ok
	}
	return in
}

// readings are sections read for the judgement while the rerankers were at work.
type readings struct {
	query     *judge.Reading // nil where reading the query failed
	evidences map[uint32]judge.Evidence
}

// readAhead begins to read the best sections: the rerankers seldom replace one, and
// while they work a core is idle. The function it returns waits until that
// is done; it must be called while the snapshot is held.
func readAhead(ctx context.Context, r *run, f fused) func() *readings {
	best := f.ranked[:min(len(f.ranked), r.limit(), judge.MostEvidences)]
	out := &readings{evidences: make(map[uint32]judge.Evidence, len(best))}
	var reading guard.Group
	reading.Go(func() error { return r.snap.Guard(func() error { out.read(ctx, r, best); return nil }) })
	return func() *readings {
		_ = reading.Wait() // what goes wrong here does so again where the section is judged
		return out
	}
}

func (rd *readings) read(ctx context.Context, r *run, best []scored) {
	rd.query = judge.NewReading(&r.query, r.lexicons)
	for _, s := range best {
		if ctx.Err() != nil {
			return
		}
		c, _ := candidateAt(ctx, r.snap, s.Section, s.terms)
		e := evidenceOf(r.snap, c)
		rd.query.Read(&e)
		rd.evidences[s.Section] = e
	}
}

// judgedBytes is how much of one section's own text the judgement reads: few sections are
// longer, and one of many megabytes must not hold up the answer.
const judgedBytes = 8 << 10

// evidenceOf reads a candidate's own text, from its start, or in a JSON file around the
// best match.
func evidenceOf(snap *snapshot.Snapshot, c Candidate) judge.Evidence {
	body, line := snap.Source(c.Section.ID, snapshot.FieldBody), c.Section.Body
	if c.Section.Node == snapshot.NodeJSON {
		skip := min(bytesBefore(body, c.Line-line), tail(body))
		line += strings.Count(body[:skip], "\n")
		body = body[skip:]
	}
	return judge.Evidence{
		ManualID: c.ManualID, Path: c.Path, StartLine: c.Line, EndLine: c.Section.End, TextLine: line,
		Heading: snap.Source(c.Section.ID, snapshot.FieldHeading), Text: body[:passageEnd(body, judgedBytes)],
	}
}

// tail is where the last lines of s begin that can be read whole.
func tail(s string) int {
	if len(s) <= judgedBytes {
		return 0
	}
	from := len(s) - judgedBytes
	if i := strings.IndexByte(s[from:len(s)-1], '\n'); i >= 0 {
		return from + i + 1
	}
	for !utf8.RuneStart(s[from]) {
		from++
	}
	return from
}

// bytesBefore is the length of the first n lines of s.
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
