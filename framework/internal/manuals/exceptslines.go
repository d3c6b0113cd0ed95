package manuals

import (
	"bytes"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// excepts collects one page of lines.
type excepts struct {
	words       dict.Vocabulary
	from, limit int
	out         *Excepts
}

// sections looks through sections of a file.
func (e *excepts) sections(path string, sections []corpus.Section, src []byte) {
	lines := corpus.NewLines(src)
	for _, s := range sections {
		own, first := []byte(s.Text), s.Body // a JSON file's escapes are resolved, line by line
		if s.Node != snapshot.NodeJSON {
			own, first = src[lines.Start(s.Start):lines.Start(s.OwnEnd+1)], s.Start
		}
		e.section(path, s.Start, own, first)
	}
}

// section looks through a section's own text, which starts at line first.
func (e *excepts) section(path string, start int, own []byte, first int) {
	norm := text.Normalize(string(own))
	places := e.words.Find(norm.Norm)
	if len(places) == 0 {
		return
	}
	lines, last := corpus.NewLines(own), 0
	for _, p := range places {
		from, to := norm.Source(p.Start, p.End)
		line := lines.At(from)
		if line == last {
			continue
		}
		last = line
		if at := e.out.Total; at >= e.from && len(e.out.Items) < e.limit {
			snippet := lineAround(own, lines.Start(line), lines.Start(line+1), from, to)
			e.out.Items = append(e.out.Items, ExceptLine{path, start, first + line - 1, snippet, p.Word})
		}
		e.out.Total++
	}
}

// besides is how many code points of a line are shown on each side of a word.
const besides = 120

// lineAround is the line [low, high) of text without white space at its ends, cut
// where it is long around the word at [from, to).
func lineAround(text []byte, low, high, from, to int) string {
	to = min(to, high)
	start := corpus.FirstBreak(text, max(low, corpus.Backward(text, from, besides)), from)
	end := corpus.LastBreak(text, to, min(high, corpus.Forward(text, to, besides)))
	return string(bytes.TrimSpace(text[start:end]))
}
