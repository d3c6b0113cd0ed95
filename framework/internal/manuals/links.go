package manuals

import (
	"context"
	"encoding/json"
	"iter"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// LinksArgs are the arguments of manual_links.
type LinksArgs struct {
	Ref       Ref    `json:"ref" required:"an object with manual_id and path, as manual_hits lists them"`
	Direction string `json:"direction" enum:"in,out,both" default:"both"`
	Offset    int    `json:"offset" min:"0" default:"0"`
	Limit     int    `json:"limit" min:"1" max:"1000" default:"50"`
	MaxTokens *int   `json:"max_tokens" min:"100" max:"50000"`
}

// Directions of links, as seen from the section.
const (
	DirectionIn  = "in"  // another section points here
	DirectionOut = "out" // the section points elsewhere
)

// Links is the answer to manual_links: first what the section points to, by line, then what points to it, by manual,
// path and line.
type Links struct {
	Results         []LinkRow `json:"results" schema:"objects" doc:"Of direction, how, ref or broken with target, breadcrumb, line, text."`
	Total           int       `json:"total"`
	Truncated       bool      `json:"truncated"`
	TruncatedReason string    `json:"truncated_reason" enum:"limit,max_tokens,time_budget,none"`
	NextOffset      *int      `json:"next_offset"`
}

// Counters implements [toolset.Counter].
func (l *Links) Counters() []any { return []any{"items", len(l.Results), "total", l.Total} }

// LinkRow is a line that points from one section to another.
type LinkRow struct {
	Direction  string       `json:"direction"`     // in or out
	How        string       `json:"how"`           // link, number or title
	Ref        *toolset.Ref `json:"ref,omitempty"` // the other section; nil if it does not exist
	Breadcrumb string       `json:"breadcrumb,omitempty"`
	Line       int          `json:"line"` // of the text that points, in the file of the section that points
	Text       string       `json:"text"`
	Broken     bool         `json:"broken,omitempty"` // the target file of a link does not exist
	Target     string       `json:"target,omitempty"` // the target of a broken link, as written

	end int // the last line of the section's own text
}

func (m *Module) linksTool() toolset.Tool {
	return toolset.Define(toolset.Tool{
		Name:  "manual_links",
		Title: "Follow references",
		Description: "List what a section points to and what points to it, by link, number (第7条, 別表1) or title. " +
			`Example: {"ref": {"manual_id": "aoba-nas", "path": "06-disk-raid.md", "start_line": 12}}`,
		Example: json.RawMessage(`{"ref": {"manual_id": "id of a manual", "path": "guide/setup.md", "start_line": 1}, "direction": "both", "limit": 50, "offset": 0, "max_tokens": 1200}`),
		Hints:   toolset.Reading,
		Group:   group,
	}, m.Links)
}

// Links lists the references from and to a section and its descendants, according to the index. For a ref
// that does not exist it fails like [Library.Read], and for a file that is not indexed with not_available.
func (m *Module) Links(ctx context.Context, args LinksArgs) (*Links, error) {
	d, err := m.open(ctx, args.Ref.ManualID, args.Ref.Path)
	if err != nil {
		return nil, nameRef(err)
	}
	line, err := d.refLine(args.Ref, scopeSection)
	if err != nil {
		return nil, err
	}
	view, err := m.View(ctx, 0)
	if err != nil {
		return nil, err
	}
	defer view.Release()
	out := &Links{Results: []LinkRow{}, TruncatedReason: reasonNone}
	err = view.Snapshot.Guard(func() error { return m.links(ctx, args, view, d, max(1, deref(line)), out) })
	if err != nil {
		return nil, err
	}
	return out, nil
}

// links fills in the references of the section at a line.
func (m *Module) links(ctx context.Context, args LinksArgs, view index.View, d *document, line int, out *Links) error {
	here := below(view.Snapshot, d, line)
	if here.IsEmpty() {
		return toolset.Errorf(toolset.NotAvailable, "%s is not indexed, so its references are not known; "+
			"manual_search finds where its name stands", d.path).Argument("ref.path", d.path, "an indexed file")
	}
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	rows, cite := []LinkRow{}, corpus.NewCiter(ctx, view.Manuals, view.Snapshot)
	if args.Direction != DirectionIn {
		rows = m.outward(ctx, view.Snapshot, cite, here)
	}
	if args.Direction != DirectionOut {
		rows = append(rows, inward(ctx, view.Snapshot, cite, here)...)
	}
	if caller.Err() != nil {
		return caller.Err()
	}
	for _, r := range rows {
		if r.Ref != nil {
			r.Ref.Source = cite.Span(r.Ref.ManualID, r.Ref.Path, r.Ref.StartLine, r.end)
		}
	}
	out.Total = len(rows)
	return out.page(rows[min(args.Offset, len(rows)):], args, ctx.Err() != nil)
}

// page takes the first rows, as many as args allow, and records why there are no more.
func (l *Links) page(rows []LinkRow, args LinksArgs, late bool) error {
	page := min(len(rows), args.Limit)
	hold := func(n int) any {
		l.Results, l.NextOffset, l.TruncatedReason = rows[:n], nil, reasonNone
		if n > 0 && n < len(rows) {
			l.NextOffset = new(args.Offset + n)
		}
		switch {
		case late:
			l.TruncatedReason = reasonTime
		case n < page:
			l.TruncatedReason = reasonTokens
		case n < len(rows):
			l.TruncatedReason = reasonLimit
		}
		l.Truncated = l.TruncatedReason != reasonNone
		return l
	}
	return toolset.Fit(args.MaxTokens, page, hold)
}

// below returns the section at a line of a document and those below it.
func below(snap *snapshot.Snapshot, d *document, line int) *roaring.Bitmap {
	var at snapshot.Section
	all := []snapshot.Section{}
	for it := search.SectionsOf(snap, d.manual, d.path).Iterator(); it.HasNext(); {
		s, _ := snap.Section(it.Next())
		if all = append(all, s); at.Start == 0 || s.Start <= line && s.Start >= at.Start {
			at = s
		}
	}
	out := roaring.New()
	for _, s := range all {
		if s.Start >= at.Start && s.Start <= at.End {
			out.Add(s.ID)
		}
	}
	return out
}

// outward lists the references from sections to other sections.
func (m *Module) outward(
	ctx context.Context, snap *snapshot.Snapshot, cite *corpus.Citer, here *roaring.Bitmap,
) []LinkRow {
	rows := []LinkRow{}
	for it := here.Iterator(); it.HasNext() && ctx.Err() == nil; {
		for p := range pointers(ctx, snap, cite, it.Next()) {
			switch {
			case p.found && !here.Contains(p.target):
				rows = append(rows, p.row(snap, DirectionOut, p.target))
			case !p.found && m.broken(ctx, snap, p):
				rows = append(rows, LinkRow{
					Direction: DirectionOut, How: howLink, Line: p.line, Broken: true,
					Text: p.snippet(), Target: strings.Clone(p.Path),
				})
			}
		}
	}
	return rows
}

// inward lists the references from other sections to sections of a file.
func inward(ctx context.Context, snap *snapshot.Snapshot, cite *corpus.Citer, here *roaring.Bitmap) []LinkRow {
	rows, wanted := []LinkRow{}, here.ToArray()
	home, _ := snap.Section(here.Minimum())
	document := len(cite.Places(home.Group, home.Path)) > 0
	if document { // a link whose anchor only the document's places know seems to lead to its beginning
		wanted = append(wanted, search.SectionsOf(snap, home.Group, home.Path).Minimum())
	}
	for it := roaring.AndNot(snap.Live(), here).Iterator(); it.HasNext() && ctx.Err() == nil; {
		id := it.Next()
		source := snap.Source(id, snapshot.FieldBody)
		sec, _ := snap.Section(id)
		if sec.Group != home.Group && !strings.Contains(source, "](") && !strings.Contains(source, "href=") {
			continue // numbers and titles count only within the same manual
		}
		inside := document && sec.Group == home.Group && sec.Path == home.Path
		if !inside && !refer.PointsTo(ctx, snap, id, source, wanted) {
			continue
		}
		for p := range pointers(ctx, snap, cite, id) {
			if p.found && here.Contains(p.target) {
				rows = append(rows, p.row(snap, DirectionIn, id))
			}
		}
	}
	slices.SortStableFunc(rows, func(a, b LinkRow) int {
		return strings.Compare(a.Ref.ManualID+"\x00"+a.Ref.Path, b.Ref.ManualID+"\x00"+b.Ref.Path)
	})
	return rows
}

// Ways in which a text points to a section.
const (
	howLink   = "link"
	howNumber = "number"
	howTitle  = "title"
)

// pointing is a reference in a line of a section.
type pointing struct {
	refer.Pointer
	from uint32
	line int
	text string
	resolution
}

// resolution is the section that a reference means, if there is one.
type resolution struct {
	target uint32
	found  bool
}

// pointers yields the references in a section's own text outside of code, one for each line and target, until ctx is
// done.
func pointers(ctx context.Context, snap *snapshot.Snapshot, cite *corpus.Citer, id uint32) iter.Seq[pointing] {
	return func(yield func(pointing) bool) {
		sec, _ := snap.Section(id)
		line, fenced := sec.Body-1, false
		resolved := map[refer.Pointer]resolution{}
		for raw := range strings.Lines(snap.Source(id, snapshot.FieldBody)) {
			line++
			written := strings.TrimSpace(raw)
			if strings.HasPrefix(written, "```") || strings.HasPrefix(written, "~~~") {
				fenced = !fenced
			}
			if fenced {
				continue
			}
			if ctx.Err() != nil {
				return
			}
			seen := []uint32{}
			for _, p := range refer.Pointers(written, text.Fold(written)) {
				to, known := resolved[p]
				if !known {
					to.target, to.found = refer.Resolve(snap, id, p)
					resolved[p] = to
				}
				if p.Kind == refer.Link {
					to = follow(snap, cite, sec, line, p, to)
				}
				if to.found && (to.target == id || slices.Contains(seen, to.target)) {
					continue
				}
				if to.found {
					seen = append(seen, to.target)
				}
				if !yield(pointing{p, id, line, written, to}) {
					return
				}
			}
		}
	}
}

// follow finds the section that a link in a line leads to. It uses the places of documents, which know what headings do
// not: the anchors of a page, and the pages of a book or an archive, to which the path leads from another one.
// Otherwise it returns to.
func follow(
	snap *snapshot.Snapshot, cite *corpus.Citer, from snapshot.Section, line int, p refer.Pointer, to resolution,
) resolution {
	page, err := url.PathUnescape(p.Path)
	anchor, err2 := url.PathUnescape(p.Anchor)
	if err != nil || err2 != nil {
		return to
	}
	file := from
	if to.found {
		file, _ = snap.Section(to.target)
	}
	places, wanted := cite.Places(file.Group, file.Path), []string{anchor}
	if here, _, _ := strings.Cut(places.At(line).Anchor, "#"); !to.found && page == "" {
		wanted = append(wanted, here+"#"+anchor)
	} else if !to.found { // a page begins at its first place
		here = path.Join(path.Dir(here), page)
		wanted = []string{here + "#" + anchor, here + "#", here}
	}
	for _, want := range wanted {
		at := slices.IndexFunc(places, func(x corpus.Placed) bool {
			return x.Anchor == want || strings.HasSuffix(want, "#") && strings.HasPrefix(x.Anchor, want)
		})
		if at < 0 || want == "" {
			continue
		}
		for it := search.SectionsOf(snap, file.Group, file.Path).Iterator(); it.HasNext(); {
			if s, _ := snap.Section(it.Next()); s.Start <= places[at].Line {
				to = resolution{s.ID, true}
			}
		}
		break
	}
	return to
}

// snippet returns the line. A long line is cut around the reference.
func (p pointing) snippet() string {
	return corpus.LineSnippet(p.text, max(0, strings.Index(p.text, p.Text)))
}

// row describes a reference with the section at its other end.
func (p pointing) row(snap *snapshot.Snapshot, direction string, other uint32) LinkRow {
	sec, _ := snap.Section(other)
	how := howNumber
	switch p.Kind {
	case refer.Link:
		how = howLink
	case refer.Heading:
		how = howTitle
	}
	return LinkRow{
		Direction: direction, How: how, Line: p.line, Text: p.snippet(), end: sec.OwnEnd,
		Ref:        &toolset.Ref{ManualID: strings.Clone(sec.Group), Path: strings.Clone(sec.Path), StartLine: sec.Start},
		Breadcrumb: strings.Clone(snap.Source(other, snapshot.FieldHeading)),
	}
}

// broken reports whether a link without a target section leads to a file of a manual that does not exist.
func (m *Module) broken(ctx context.Context, snap *snapshot.Snapshot, p pointing) bool {
	ours := corpus.Manual{Documents: m.ours.Documents}
	if p.Kind != refer.Link || !ours.IsFile(p.Path) {
		return false
	}
	sec, _ := snap.Section(p.from)
	target, err := url.PathUnescape(p.Path)
	if err != nil {
		return true
	}
	file := path.Join(sec.Group, path.Dir(sec.Path), target)
	if path.IsAbs(target) {
		file = path.Join(sec.Group, target)
	}
	id, rest, _ := strings.Cut(file, "/")
	_, err = m.open(ctx, corpus.ManualID(id), rootfs.Path(rest))
	return err != nil && toolset.AsError(err).Code == toolset.NotFound
}
