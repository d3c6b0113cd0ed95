package corpus

import (
	"bytes"
	"cmp"
	"iter"
	"path"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/refer"
)

// Section is one section of a file. ID, Group and Path of the embedded row are empty, and Parent is an index into the
// file's sections (or snapshot.None).
type Section struct {
	snapshot.Section
	// HeadingPath is the file's title and the headings down to the section's own, joined by " > ".
	HeadingPath string
	// Names are the names of the file and its folders, for [snapshot.FieldPath].
	Names string
	// Text is the own text from line Section.Body to OwnEnd, without the heading line(s). It is as written, except that
	// in JSON the \u escapes of readable characters are resolved.
	Text string
	// Labels are names that texts refer to, besides the title.
	Labels []string
	// Anchor is such a name that is valid only within its file, or "".
	Anchor string
	// Route is the path under which a site shows the file, on its first section and where it is not that of the file.
	Route string
	// Altered reports that there are lines which neither Text nor "#…# Title" shows letter for letter: markup in a
	// heading, escapes, or text before the first section.
	Altered bool
}

// Cut cuts a file's text into its sections, in order of their lines; a file has at least one. Its name decides how: a
// .json file is one node, and one without headings that is not Markdown is cut into runs of lines. Text before the
// first heading is a section at line 1, unless it is blank or only front matter, and headings follow.
func Cut(name string, src []byte) []Section { return slices.Collect(Sections(name, src)) }

// Sections is like [Cut], but makes each section when it is yielded: the sections of a large file may not fit in
// memory.
func Sections(name string, src []byte) iter.Seq[Section] {
	switch formatOf(name) {
	case jsonText:
		return slices.Values(cutJSON(name, src))
	case underlined, asciidoc, unstructured:
		if o := newOutline(name, src); !o.plain() {
			return o.sections
		}
		return slices.Values(cutLines(name, src))
	}
	return newOutline(name, src).sections
}

// outline holds the headings of a file.
type outline struct {
	name     string // path of the file
	src      []byte
	lines    Lines
	title    string    // of the file, or ""
	headings []heading // at least one, the preamble first
	named    []label
	anchors  []label // explicit anchors of headings
}

func newOutline(name string, src []byte) *outline {
	o := &outline{name: name, src: src, lines: NewLines(src)}
	var skip int
	switch formatOf(name) {
	case underlined:
		o.headings = underlinedHeadings(src, o.lines)
		if more := numberedHeadings(src, o.lines); len(more) > len(o.headings) {
			o.headings = more
		}
	case asciidoc:
		o.headings = asciidocHeadings(src, o.lines)
	case unstructured:
	default:
		skip, o.title = frontMatter(src)
		if skip == 0 && bytes.HasPrefix(src, []byte(bom)) {
			skip = len(bom)
		}
		if isMDX(name) {
			plain := plainNewlines(src)
			text := append(plain[:skip:skip], withoutComponents(plain[skip:])...)
			o.headings, o.anchors = headings(text, skip, NewLines(text))
			break
		}
		o.headings, o.anchors = headings(src, skip, o.lines)
	}
	o.named = o.labels()
	before := len(src)
	if len(o.headings) > 0 {
		before = max(skip, o.lines.Start(int(o.headings[0].line)))
	}
	if len(o.named) > 0 && len(o.headings) > 0 && o.named[0].line == int(o.headings[0].line) {
		before = o.lines.Start(o.named[0].at) // where the labels of the heading are
	}
	if len(o.headings) == 0 || len(bytes.TrimSpace(src[skip:before])) > 0 {
		o.headings = slices.Insert(o.headings, 0, heading{title: cmp.Or(o.title, fileStem(name)), line: 1, body: 1})
	}
	o.title = cmp.Or(o.title, onlyTop(o.headings))
	o.nest()
	return o
}

// plain reports whether there is no heading.
func (o *outline) plain() bool { return len(o.headings) == 1 && o.headings[0].level == 0 }

// nest sets where headings end.
func (o *outline) nest() {
	var open []*heading // the enclosing ones, outermost first
	for i := range o.headings {
		h := &o.headings[i]
		h.end = uint32(o.lines.Count())
		for len(open) > 0 && (open[len(open)-1].level >= h.level || open[len(open)-1].level == 0) {
			open[len(open)-1].end = h.line - 1
			open = open[:len(open)-1]
		}
		open = append(open, h)
	}
}

func (o *outline) sections(yield func(Section) bool) {
	var open []enclosing // outermost first
	names, labels, anchors := newFileNames(o.name, o.title), o.named, o.anchors
	for i, h := range o.headings {
		for len(open) > 0 && (open[len(open)-1].level >= h.level || open[len(open)-1].level == 0) {
			open = open[:len(open)-1]
		}
		above := enclosing{id: snapshot.None, title: o.title, path: shorten(o.title)}
		if len(open) > 0 {
			above = open[len(open)-1]
		}
		s := Section{Section: snapshot.Section{
			Title: h.title, Node: snapshot.NodeHeading, Level: int(h.level),
			Start: int(h.line), End: int(h.end), OwnEnd: o.lines.Count(), Body: int(h.body), Parent: above.id,
		}, HeadingPath: join(above.path, above.title, h.title), Names: names.of(i)}
		if h.level == 0 {
			s.Node, s.Names = snapshot.NodePreamble, newFileNames(o.name, h.title).of(i)
		}
		if i+1 < len(o.headings) {
			s.OwnEnd = int(o.headings[i+1].line) - 1
		}
		s.Text = between(o.src, o.lines, s.Body, s.OwnEnd)
		for ; len(labels) > 0 && labels[0].line <= s.OwnEnd; labels = labels[1:] {
			s.Labels = append(s.Labels, labels[0].name)
		}
		if len(anchors) > 0 && anchors[0].line == s.Start {
			s.Anchor, anchors = anchors[0].name, anchors[1:]
		}
		if plain := strings.TrimSuffix(o.name, path.Ext(o.name)); i == 0 && refer.Route(plain) != plain {
			s.Route = refer.Route(plain)
		}
		s.Altered = i == 0 && (h.line > 1 || bytes.HasPrefix(o.src, []byte(bom))) ||
			strings.TrimRight(between(o.src, o.lines, s.Start, s.Body-1), "\r\n") != HeadingLine(s.Section)
		if !yield(s) {
			return
		}
		path := strings.TrimSuffix(s.HeadingPath, h.title) + shorten(h.title)
		open = append(open, enclosing{uint32(i), h.level, h.title, path})
	}
}

// HeadingLine returns the line of a heading without markup, or "" for a section without a heading.
func HeadingLine(s snapshot.Section) string {
	if s.Level == 0 {
		return ""
	}
	return strings.Repeat("#", s.Level) + " " + s.Title
}

// enclosing is a heading with others below it.
type enclosing struct {
	id    uint32
	level uint8
	title string
	path  string // path of the headings below it
}

// between returns the text of the lines from first to last, "" if there are none.
func between(src []byte, lines Lines, first, last int) string {
	if first > last {
		return ""
	}
	return string(bytes.TrimPrefix(src[lines.Start(first):lines.Start(last+1)], []byte(bom)))
}

// fileStem returns a file's name without folders and extension.
func fileStem(name string) string {
	base := path.Base(name)
	return strings.TrimSuffix(base, path.Ext(base))
}

// Row is a section as a snapshot stores it, with one text per field of the schema.
type Row struct {
	snapshot.Section
	Fields, Keywords []string
}

// AlteredKey is the keyword of sections with [Section.Altered] set.
const AlteredKey = "altered:"

// rows converts sections to rows with the fields of [snapshot.ManualSchema].
func rows(sections iter.Seq[Section]) iter.Seq[Row] {
	return func(yield func(Row) bool) {
		for s := range sections {
			row := Row{Section: s.Section, Fields: []string{s.HeadingPath, s.Text, s.Names}}
			if s.Altered {
				row.Keywords = []string{AlteredKey}
			}
			for _, name := range s.Labels {
				row.Keywords = append(row.Keywords, refer.LabelKey+name)
			}
			if s.Anchor != "" {
				row.Keywords = append(row.Keywords, refer.AnchorKey+s.Anchor)
			}
			if s.Route != "" {
				row.Keywords = append(row.Keywords, refer.RouteKey+refer.Label(s.Route))
			}
			if !yield(row) {
				return
			}
		}
	}
}
