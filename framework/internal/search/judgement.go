package search

import (
	"context"
	"errors"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// judgedBytes is how much of one section's own text the judgement reads: a section
// that is longer is an exception, and one of many megabytes must not hold up the answer.
const judgedBytes = 8 << 10

// ahead holds the sections that are likely to be judged, read while they were ranked
// for the last time.
type ahead struct {
	reading   *judge.Reading // nil where reading the query failed
	evidences map[uint32]judge.Evidence
}

// readAhead begins to read the best sections: the rerankers seldom exchange one, and
// while they are at work a core is idle. The function that it gives waits until that
// is done; it must be called while the snapshot is held.
func (s *search) readAhead(ctx context.Context, ranked []fusion.Ranked, found map[uint32]*evidence) func() *ahead {
	best := ranked[:min(len(ranked), s.kept(), judge.MostEvidences)]
	a := &ahead{evidences: make(map[uint32]judge.Evidence, len(best))}
	ids, terms := make([]uint32, len(best)), make([][]string, len(best))
	for i, r := range best { // the rerankers change what they are taken from
		ids[i], terms[i] = r.Section, found[r.Section].terms
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		// What goes wrong here does so again where the section is judged.
		_ = wire.Guard(func() error { return s.snap.Guard(func() error { a.read(ctx, s, ids, terms); return nil }) })
	}()
	return func() *ahead { <-done; return a }
}

func (a *ahead) read(ctx context.Context, s *search, ids []uint32, terms [][]string) {
	a.reading = judge.NewReading(&s.query, &s.engine.lexicons)
	for i, id := range ids {
		if ctx.Err() != nil {
			return
		}
		e := s.read(s.located(id, terms[i]))
		a.reading.Read(&e)
		a.evidences[id] = e
	}
}

// Warnings of a graph without claims.
const (
	unjudged    = "the answer was not judged: it tells no claims, conflicts and gaps, and the log says why"
	judgedShort = "the judgement did not finish in time: claims, conflicts and gaps are not known"
)

// judge builds the claim graph of the best candidates. It is advice: where it fails or
// does not finish, the candidates stand in their order, with a warning.
func (s *search) judge(ctx context.Context, a *ahead) {
	best := s.candidates[:min(judge.MostEvidences, len(s.candidates))]
	var ended error
	err := wire.Guard(func() error {
		return s.snap.Guard(func() error { s.graph, ended = s.engine.build(ctx, s.input(a, best)); return nil })
	})
	if ended != nil {
		s.warnings = union(s.warnings, []string{judgedShort})
	}
	if err == nil {
		return
	}
	s.graph = judge.Unjudged(len(best))
	if broken, ok := errors.AsType[*wire.PanicError](err); ok { // damage of the snapshot ends the search
		s.warnings = union(s.warnings, []string{unjudged})
		s.engine.Logger.Error("judgement failed", "error", broken)
		s.engine.Logger.Debug("where the judgement failed", "stack", broken.Stack)
	}
}

// input is what is judged.
func (s *search) input(a *ahead, best []candidate) judge.Input {
	in := judge.Input{Query: s.query, Lexicons: &s.engine.lexicons, Reading: a.reading, Evidences: make([]judge.Evidence, len(best))}
	for i := range best {
		c := &best[i]
		e, ok := a.evidences[c.Section.ID]
		if !ok {
			e = s.read(*c)
		}
		e.Signals, e.Score = c.Signals, c.Score
		in.Evidences[i] = e
	}
	in.Normalized = func(n int) string { return s.snap.Normalized(best[n].Section.ID, snapshot.FieldBody) }
	in.Resolve = func(from int, p refer.Pointer) (toolset.Ref, bool) {
		id, ok := refer.Resolve(s.snap, best[from].Section.ID, p)
		if !ok {
			return toolset.Ref{}, false
		}
		sec, ok := s.snap.Section(id)
		return toolset.Ref{Target: "manual", ManualID: sec.Group, Path: sec.Path, StartLine: sec.Start}, ok
	}
	return in
}

// read gives a candidate's own text, from its start, or in a JSON file around the
// best match.
func (s *search) read(c candidate) judge.Evidence {
	body, line := s.snap.Source(c.Section.ID, snapshot.FieldBody), c.Section.Body
	if c.Section.Node == snapshot.NodeJSON {
		skip := min(bytesBefore(body, c.Line-line), tail(body))
		line += strings.Count(body[:skip], "\n")
		body = body[skip:]
	}
	return judge.Evidence{
		ManualID: c.ManualID, Path: c.Path, StartLine: c.Line, EndLine: c.Section.End, TextLine: line,
		Heading: s.snap.Source(c.Section.ID, snapshot.FieldHeading), Text: body[:passageEnd(body, judgedBytes)],
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
