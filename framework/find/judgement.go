package find

import (
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/judge"
	"github.com/sagasu-search/sagasu/sdk/refer"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// judgedBytes is how much of one section's own text the judgement reads: a section
// that is longer is an exception, and one of many megabytes must not hold up the answer.
const judgedBytes = 8 << 10

// judge builds the claim graph of the best candidates.
func (s *search) judge() {
	best := s.candidates[:min(judge.MostEvidences, len(s.candidates))]
	in := judge.Input{Query: s.query, Lexicons: &s.engine.lexicons, Evidences: make([]judge.Evidence, len(best))}
	for i := range best {
		in.Evidences[i] = s.read(&best[i])
	}
	in.Resolve = func(from int, p refer.Pointer) (judge.Ref, bool) {
		id, ok := refer.Resolve(s.snap, best[from].Section.ID, p)
		if !ok {
			return judge.Ref{}, false
		}
		sec, ok := s.snap.Section(id)
		return judge.Ref{Target: "manual", ManualID: strings.Clone(sec.Group), Path: strings.Clone(sec.Path), StartLine: sec.Start}, ok
	}
	s.graph = judge.Build(in)
}

// read gives a candidate's own text, from its start, or in a JSON file around the
// best match.
func (s *search) read(c *candidate) judge.Evidence {
	body, line := s.snap.Source(c.Section.ID, snapshot.FieldBody), c.Section.Body
	if c.Section.Node == snapshot.NodeJSON {
		skip := min(bytesBefore(body, c.Line-line), tail(body))
		line += strings.Count(body[:skip], "\n")
		body = body[skip:]
	}
	return judge.Evidence{
		ManualID: c.ManualID, Path: c.Path, StartLine: c.Line, EndLine: c.Section.End, TextLine: line,
		Heading: s.snap.Source(c.Section.ID, snapshot.FieldHeading), Text: body[:passageEnd(body, judgedBytes)],
		Signals: c.Signals, Score: c.Score,
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
