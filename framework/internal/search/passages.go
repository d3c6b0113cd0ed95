package search

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"
	"sync"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/passage"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Passage is text of a section in an answer: whole lines or sentences, verbatim.
type Passage struct {
	ManualID   string `json:"manual_id"`
	Path       string `json:"path"`
	Lines      string `json:"lines" doc:"First and last line, such as 12-18; what stands before a line … lies above."`
	Breadcrumb string `json:"breadcrumb" doc:"Title and headings above the text."`
	Text       string `json:"text"`
	// Whole is set if the section has no other text of its own: its subsections may have.
	Whole bool `json:"whole,omitempty" doc:"No own text of the section is left out."`
	// Also lists other sections with the same text, by rank.
	Also []Copy `json:"also,omitempty" doc:"Other places with the same text."`
	// Source is the place in a converted document at which the text begins.
	Source *toolset.Source `json:"source,omitempty" schema:"object" doc:"path, and page, anchor or sheet, of a converted document."`

	section int // line where its section starts
}

// Copy is another place with the same text.
type Copy struct {
	ManualID string `json:"manual_id,omitempty" doc:"Where it is another manual."`
	Path     string `json:"path"`
	Lines    string `json:"lines"`

	section, line int // first lines of the section and of the whole text
}

// mostCopies is the maximum number of copies of a text that are listed.
const mostCopies = 3

// passageLengths are the maximum lengths of the first passage in characters. The first of them applies unless the
// reply would cost too much; then the next is tried, and so on.
var passageLengths = [...]int{780, 680, 600, 520, 450, 390, 340, 300, 260, 230, 200, 170, 145, 120}

// lastLength is the index of the smallest length. behind is the number of steps by which the other passages are shorter
// than the first, which has the answer most often.
const (
	lastLength = len(passageLengths) - 1
	behind     = 5
)

// lengthOf returns the index of the length of a passage, by its place, after a number of steps.
func lengthOf(place, step int) int {
	if place > 0 {
		step += behind
	}
	return min(step, lastLength)
}

// passageBytes is the size of the text from which a passage is chosen. Of a longer section, it is the text
// around the best match.
const passageBytes = 32 << 10

// source is a section that a passage is chosen from.
type source struct {
	Passage
	line    int    // line number of the text's first line
	peak    int    // line of the best match in a section longer than one reading
	pointer string // JSON pointer of the best match in a long JSON file
	copies  []Copy // without their lines
	// read reads the text when a passage of a new length is needed.
	read   func() *passage.Text
	chosen [len(passageLengths)]*passage.Passage // by the index of the length
	cite   *corpus.Citer
}

// sourcesOf reads the best sections, as many as the request wants passages. Sections with the same text are one
// source.
func sourcesOf(ctx context.Context, kept *cuts, p plan, snap *snapshot.Snapshot, best []Candidate) []source {
	if p.request.Passages == 0 {
		return nil
	}
	var out []source
	words, texts := wordsOf(p, snap), map[string]int{}
	parts := kept.rankPieces(ctx, p, snap, cutFor(snap, best))
	for c, part := range parts.inPlaces(best) {
		if len(out) == p.request.Passages || ctx.Err() != nil {
			break
		}
		var body string
		var line, from int
		var read *passage.Text
		if part != nil {
			c.Section.ID, from = part.section.ID, part.from
			body, line = part.text(snap)
			read = part.read(snap, parts.words)
		} else {
			id, ok := Locate(snap, c.ManualID, c.Path, c.Line)
			if !ok {
				continue
			}
			c.Section.ID = id
			body, line, from = around(ctx, snap, id, c.Line, c.Terms)
			read = passage.Read(body, words.Beyond(snap.Source(id, snapshot.FieldHeading)))
		}
		if i, known := texts[body]; known {
			if s := &out[i]; len(s.copies) < mostCopies {
				again := Copy{Path: c.Path, section: c.Line, line: line}
				if c.ManualID != s.ManualID {
					again.ManualID = c.ManualID
				}
				s.copies = append(s.copies, again)
			}
			continue
		}
		length := lengthOf(len(out), 0)
		chosen, ok := read.Choose(passageLengths[length])
		if !ok {
			continue
		}
		s := source{line: line, read: func() *passage.Text { return read }, Passage: Passage{
			ManualID: c.ManualID, Path: c.Path, section: c.Line,
			Breadcrumb: strings.Clone(snap.Source(c.Section.ID, snapshot.FieldHeading)),
		}}
		s.chosen[length] = &chosen
		s.point(snap, c.Section.ID, read, from)
		texts[body], out = len(out), append(out, s)
	}
	return out
}

// cutFor returns the sections of which passages are chosen piece by piece: JSON files among the first candidates, and
// the long sections among fewer of them.
func cutFor(snap *snapshot.Snapshot, best []Candidate) (ids []uint32) {
	for i, c := range best[:min(mostCut, len(best))] {
		id, ok := Locate(snap, c.ManualID, c.Path, c.Line)
		if sec, _ := snap.Section(id); ok && (sec.Node == snapshot.NodeJSON || i < mostLong) {
			ids = append(ids, id)
		}
	}
	return ids
}

// keepSources stores the chosen passages in a trace, if the sources are complete, without references to the snapshot.
func (t *Trace) keepSources(sources []source, complete bool) {
	t.sources = nil
	if complete {
		t.sources = slices.Clone(sources)
	}
	for i := range t.sources {
		t.sources[i].read, t.sources[i].cite = nil, nil
	}
}

// recalledSources returns the sources of a trace. If a passage of another length is needed, it reads the texts again.
func (t *Trace) recalledSources(again func() []source) []source {
	out, again := slices.Clone(t.sources), sync.OnceValue(again)
	for i := range out {
		if out[i].read != nil {
			continue
		}
		out[i].read = func() *passage.Text {
			if all := again(); i < len(all) {
				return all[i].read()
			}
			return passage.Read("", nil)
		}
	}
	return out
}

// readBytes is the number of bytes of a file that one reading shows. peakLength is the length in characters of the
// passage by which a line or a JSON value is chosen; beforePeak and afterPeak are how many to read around the line.
const (
	readBytes  = 12_000
	peakLength = 200
	beforePeak = 2000
	afterPeak  = 4000
)

// point finds the line with the best match if one reading may not reach it from the start of the section, and in a JSON
// file the value there. from is the offset of the text in the section.
func (s *source) point(snap *snapshot.Snapshot, id uint32, read *passage.Text, from int) {
	body := snap.Source(id, snapshot.FieldBody)
	if len(body) <= readBytes {
		return
	}
	peak, lines, ok := read.Peak(peakLength)
	if !ok {
		return
	}
	s.peak = s.line + lines
	if corpus.IsJSON(s.Path) {
		s.pointer = corpus.JSONPointer([]byte(body), from+peak, readBytes)
		s.Breadcrumb = strings.Join(append([]string{s.Breadcrumb}, corpus.JSONNames(s.pointer)...), " > ")
	}
}

// pointed adds, to proposals to read a section that is longer than one reading, the line where it answers best, with
// the JSON value there, or with the size of the text around it. In Markdown, a side of a conflict may stand elsewhere.
func pointed(actions []toolset.Action, sources []source) []toolset.Action {
	actions = slices.Clone(actions)
	for i, a := range actions {
		ref, ok := a.Params["ref"].(map[string]any)
		if !ok || a.Type != "manual_read" {
			continue
		}
		at := slices.IndexFunc(sources, func(s source) bool {
			return s.peak > 0 && (corpus.IsJSON(s.Path) || a.Reason != judge.ReasonConflicts) && s.isAt(ref)
		})
		if at < 0 {
			continue
		}
		s := sources[at]
		ref, a.Params = maps.Clone(ref), maps.Clone(a.Params)
		ref["start_line"], a.Params["ref"] = s.peak, ref
		switch {
		case s.pointer != "":
			ref["json_path"] = s.pointer
		case !corpus.IsJSON(s.Path):
			a.Params["scope"] = "snippet"
			a.Params["expand"] = map[string]any{"before_chars": beforePeak, "after_chars": afterPeak}
		}
		actions[i] = a
	}
	return actions
}

// isAt reports whether a ref points to a section with the text of the passage.
func (p *Passage) isAt(ref map[string]any) bool {
	manual, _ := ref["manual_id"].(string)
	path, _ := ref["path"].(string)
	line, _ := ref["start_line"].(int)
	return p.isOf(manual, path, line)
}

// isOf reports whether a section has the text of the passage.
func (p *Passage) isOf(manual, path string, line int) bool {
	return p.ManualID == manual && p.Path == path && p.section == line ||
		slices.ContainsFunc(p.Also, func(c Copy) bool {
			return cmp.Or(c.ManualID, p.ManualID) == manual && c.Path == path && c.section == line
		})
}

// covers reports whether a ref points to a section with the text of the source.
func (s *source) covers(ref toolset.Ref) bool {
	p := s.Passage
	p.Also = s.copies
	return p.isOf(ref.ManualID, ref.Path, ref.StartLine)
}

// wordWeights are the weights of the tokens of a query when passages are chosen.
var wordWeights = lexical.Weights{Word: 1, Exact: 0.2, Whole: 0.5, Unigram: 0.1, Bigram: 1, CommonKana: 0.05}

// wordsOf weighs the tokens of the query by idf.
func wordsOf(p plan, snap *snapshot.Snapshot) passage.Words {
	words, n := passage.Words{}, snap.Population()
	for _, t := range lexical.NewBag(snap, &p.query, wordWeights).Terms {
		words[t.Text] = t.Weight * lexical.IDF(n, snap.DocFreq(t.Text))
	}
	return words
}

// choose returns the passage of at most passageLengths[length] characters.
func (s *source) choose(length int) Passage {
	if s.chosen[length] == nil {
		chosen, _ := s.read().Choose(passageLengths[length])
		s.chosen[length] = &chosen
	}
	p, chosen := s.Passage, s.chosen[length]
	p.Text, p.Whole = chosen.Text, chosen.Whole
	p.Lines = fmt.Sprintf("%d-%d", s.line+chosen.First, s.line+chosen.Last)
	for _, c := range s.copies {
		c.Lines = fmt.Sprintf("%d-%d", c.line+chosen.First, c.line+chosen.Last)
		p.Also = append(p.Also, c)
	}
	p.Source = s.cite.Span(p.ManualID, p.Path, s.line+chosen.First, s.line+chosen.Last)
	return p
}

// show adds passages to the answer, as many and as long as a budget of most estimated tokens allows. It
// drops proposals to read sections that passages show whole.
// It returns the cost of the answer or, if that exceeds most, the smallest budget that would do.
func (a *Answer) show(sources []source, most int) int {
	proposed, tensions, cut := pointed(a.NextActions, sources), a.Tensions, a.TruncatedReason
	costs, least := 0, math.MaxInt
	for n := len(sources); n > 0; n-- {
		fits := func(step int) bool {
			a.Passages = a.Passages[:0]
			for i := range sources[:n] {
				a.Passages = append(a.Passages, sources[i].choose(lengthOf(i, step)))
			}
			a.NextActions = slices.DeleteFunc(slices.Clone(proposed), a.shown)
			a.Tensions = a.pointing(tensions)
			if a.TruncatedReason = cut; step > 0 || n < len(sources) {
				a.TruncatedReason = reasonTokens
			}
			costs = a.tokens()
			least = min(least, costs)
			return costs <= most
		}
		if fits(0) {
			return costs
		}
		if !fits(lastLength) {
			continue
		}
		step := 1 + sort.Search(lastLength-1, func(i int) bool { return fits(i + 1) })
		fits(step)
		return costs
	}
	a.Passages, a.NextActions, a.Tensions = nil, proposed, tensions
	for a.tokens() > most && len(a.Tensions) > 0 {
		a.Tensions, a.TruncatedReason = a.Tensions[:len(a.Tensions)-1], reasonTokens
	}
	return min(least, a.tokens())
}

// pointing returns tensions in which sentences that a passage shows are replaced by the number of the passage.
func (a *Answer) pointing(tensions []judge.Tension) []judge.Tension {
	out := slices.Clone(tensions)
	for i := range out {
		for _, s := range [...]*judge.Sentence{&out[i].A, &out[i].B} {
			shown := slices.IndexFunc(a.Passages, func(p Passage) bool {
				return p.ManualID == s.ManualID && p.Path == s.Path && strings.Contains(p.Text, s.Text)
			})
			if shown >= 0 {
				s.Text, s.Passage = "", &shown
			}
		}
	}
	return out
}

// reasonTokens says that an answer had to be shortened.
const reasonTokens = "max_tokens"

// shown reports whether an action proposes to read a section that a passage shows whole. Both sides of a conflict are
// proposed in any case.
func (a *Answer) shown(action toolset.Action) bool {
	ref, ok := action.Params["ref"].(map[string]any)
	return ok && action.Type == "manual_read" && action.Reason != judge.ReasonConflicts &&
		slices.ContainsFunc(a.Passages, func(p Passage) bool {
			return p.Whole && p.isAt(ref)
		})
}

// tokensOfTrace is the maximum cost of a trace_id in tokens. Costs differ between ids, and an answer that
// fits must fit with any id.
const tokensOfTrace = 30

// tokens estimates the cost of the answer without claim graph and inline hits.
func (a *Answer) tokens() int {
	lean := *a
	lean.ClaimGraph, lean.InlineHits = nil, nil
	data, err := json.Marshal(lean)
	if err != nil {
		return 0
	}
	text, traces := string(data), 0
	if a.TraceID != "" {
		traces = strings.Count(text, a.TraceID)
		text = strings.ReplaceAll(text, a.TraceID, "")
	}
	return traces*tokensOfTrace + toolset.EstimateTokens(text)
}
