package search

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/passage"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// describe adds to the rows of a page their current places in the files, and turns the rows into text if the format is
// lines. If the index cannot be read, rows stay unchanged, and lines fail.
func (e *Engine) describe(ctx context.Context, t *Trace, h *Hits, req HitsRequest) error {
	if len(h.Items) == 0 {
		return nil
	}
	lines := req.Format == FormatLines
	err := e.withView(ctx, t, func(view index.View) error {
		d := describer{
			snap: view.Snapshot, manual: h.ManualID, trace: t, changed: t.changed(view.Snapshot),
			shown: map[uint32]bool{}, cite: corpus.NewCiter(ctx, view.Manuals, view.Snapshot),
		}
		for i := range h.Items {
			if err := ctx.Err(); err != nil {
				return err
			}
			d.row(&h.Items[i])
		}
		if lines {
			h.Lines = d.lines(ctx, h.Items, t.Request)
		}
		return ctx.Err()
	})
	if !lines {
		return ctx.Err()
	}
	h.Items = []Row{}
	return err
}

// describer finds the sections of rows in a snapshot.
type describer struct {
	snap    *snapshot.Snapshot
	manual  string // manual of rows that name none
	changed func(manual, path string) bool
	trace   *Trace
	cite    *corpus.Citer
	shown   map[uint32]bool // sections of changed files that already represent a row
}

// row adds the place of a row.
func (d *describer) row(r *Row) {
	switch p := r.Part.(type) {
	case judge.Conflict:
		for _, side := range []*judge.Side{&p.A, &p.B} {
			at := Row{Ref: &HitRef{Ref: side.Ref}}
			d.section(&at)
			side.Lines, side.Breadcrumb, side.Changed, side.Ref = at.Lines, at.Breadcrumb, at.Changed, at.Ref.Ref
		}
		r.Part = p
	case judge.Witness:
		d.part(r, p.Ref)
	case judge.Claim:
		d.evidence(r, p.EvidenceID)
	case judge.Edge:
		d.evidence(r, p.To)
	case nil:
		d.section(r)
	}
}

// evidence gives a part of the claim graph the place of its evidence.
func (d *describer) evidence(r *Row, id string) {
	all := d.trace.Graph.Evidences
	if i := slices.IndexFunc(all, func(w judge.Witness) bool { return w.ID == id }); i >= 0 {
		d.part(r, all[i].Ref)
	}
}

func (d *describer) part(r *Row, ref toolset.Ref) {
	at := Row{Ref: &HitRef{Ref: ref}}
	d.section(&at)
	r.Lines, r.Breadcrumb, r.Changed = at.Lines, at.Breadcrumb, at.Changed
}

// section adds the place of a section's row. If the file has changed, it takes the section that now
// contains the row's line.
func (d *describer) section(r *Row) {
	if r.Ref == nil || r.Ref.StartLine == 0 {
		return
	}
	r.Changed = d.changed(d.manualOf(r), r.Ref.Path)
	if sec, ok := d.find(r); ok {
		r.Lines = fmt.Sprintf("%d-%d", sec.Start, sec.OwnEnd)
		r.Breadcrumb = strings.Clone(d.snap.Source(sec.ID, snapshot.FieldHeading))
		r.Ref.Source = d.cite.Span(sec.Group, strings.Clone(sec.Path), sec.Start, sec.OwnEnd)
	}
}

func (d *describer) manualOf(r *Row) string { return cmp.Or(r.Ref.ManualID, d.manual) }

// find returns the section of a row, or, in a changed file, the section that now contains the row's line.
func (d *describer) find(r *Row) (found snapshot.Section, ok bool) {
	for it := SectionsOf(d.snap, d.manualOf(r), r.Ref.Path).Iterator(); it.HasNext(); {
		sec, live := d.snap.Section(it.Next())
		if !live || sec.Start > r.Ref.StartLine && sec.Node != snapshot.NodeJSON {
			continue
		}
		if !ok || sec.Start > found.Start {
			found, ok = sec, true
		}
	}
	if ok && r.Changed && found.Node != snapshot.NodeJSON && found.End < r.Ref.StartLine {
		return found, false // the file is shorter now
	}
	return found, ok
}

// Limits on what a line shows of a section: the length of the best sentence in characters, and how
// good further sentences must be.
const (
	sentenceLength = 160
	mostSentences  = 4
	sentenceShare  = 0.6
)

// lines formats rows of sections as text.
func (d *describer) lines(ctx context.Context, rows []Row, req Request) []string {
	words := wordsOf(newPlan(req, Settings{}), d.snap)
	var out []string
	for i := range rows {
		if ctx.Err() != nil {
			break
		}
		out = append(out, d.line(ctx, &rows[i], words))
	}
	return out
}

// line formats a row as "path:line breadcrumb: best sentence", followed by lines with the numbers and texts of further
// sentences.
func (d *describer) line(ctx context.Context, r *Row, words passage.Words) string {
	at, line, last, sentence := r.Ref.Path, r.Ref.StartLine, 0, ""
	if r.Ref.ManualID != "" && d.manual == "" {
		at = strings.TrimSuffix(r.Ref.ManualID+"/"+at, "/")
	}
	if line == 0 && r.Ref.Path == "" && r.Reason == reasonHard {
		return fmt.Sprintf("%s %d more in the collection (%s)", at, r.Sections, r.Reason)
	}
	if line == 0 {
		return fmt.Sprintf("%s (%s)", at, r.Reason)
	}
	sec, ok := d.find(r)
	mark := ""
	switch {
	case r.Changed && (!ok || d.shown[sec.ID]):
		return fmt.Sprintf("%s:%d (gone)", at, line)
	case r.Changed:
		mark, d.shown[sec.ID] = " (changed)", true
	}
	if ok {
		body, first, _ := around(ctx, d.snap, sec.ID, line, slices.Collect(maps.Keys(words)))
		before := "" // the sentence before
		for i, p := range passage.Read(body, words).Sentences(mostSentences, sentenceLength, sentenceShare) {
			said := strings.Join(strings.Fields(p.Text), " ")
			switch n := first + p.First; {
			case i == 0:
				line, last, sentence = n, n, ": "+said
			case n == last:
				if !strings.Contains(strings.Join(strings.Fields(body), ""), strings.ReplaceAll(before+said, " ", "")) {
					sentence += " …"
				}
				sentence += " " + said
			default:
				last = n
				sentence += fmt.Sprintf("\n%d: %s", n, said)
			}
			before = said
		}
		if place := d.cite.Span(sec.Group, sec.Path, line, max(line, last)).String(); place != "" {
			mark += " (" + place + ")"
		}
	}
	return fmt.Sprintf("%s:%d%s %s%s", at, line, mark, r.Breadcrumb, sentence)
}

type fileName struct{ manual, path string }

// digest is the start of a file's SHA-256, or zero if unknown.
type digest [8]byte

// digestOf returns the digest of a section's file.
func digestOf(snap *snapshot.Snapshot, id uint32) digest {
	f, _ := snap.FileOf(id)
	return digest(f.SHA256[:])
}

// changed returns a function that reports whether a file has changed since the trace was made. It unpacks the
// unscanned files only for a file without candidates.
func (t *Trace) changed(now *snapshot.Snapshot) func(manual, path string) bool {
	candidates := make(map[fileName]digest)
	for _, c := range t.Candidates {
		candidates[fileName{c.ManualID, c.Path}] = c.Digest
	}
	unscanned := sync.OnceValue(func() map[fileName]digest {
		out := make(map[fileName]digest)
		for _, f := range t.unscannedFiles() {
			out[fileName{f.ManualID, f.Path}] = f.Digest
		}
		return out
	})
	return func(manual, path string) bool {
		was, known := candidates[fileName{manual, path}]
		if !known {
			was, known = unscanned()[fileName{manual, path}]
		}
		if !known {
			return false
		}
		sections := SectionsOf(now, manual, path)
		return sections.IsEmpty() || was != digestOf(now, sections.Minimum())
	}
}
