package corpus

import (
	"bytes"
	"path"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Section is one section of a file; the embedded row's ID, Group and Path are empty and
// Parent is an index into the file's sections (or snapshot.None).
type Section struct {
	snapshot.Section
	// HeadingPath is the file's title and the headings down to the section's own, joined by " > ".
	HeadingPath string
	// Text is the own text from line Section.Body to OwnEnd, without the heading line(s):
	// as written, but for JSON with its \u escapes of readable characters resolved.
	Text string
}

// Cut cuts a file's text into its sections, in order of their lines; a file
// has at least one. Files named .json are one node, all others are read as
// Markdown. Text before the first heading is a section at line 1, unless it is
// blank or nothing but front matter and headings follow.
func Cut(name string, src []byte) []Section {
	if IsJSON(name) {
		return cutJSON(name, src)
	}
	lines := NewLines(src)
	skip, fileTitle := frontMatter(src)
	if skip == 0 && bytes.HasPrefix(src, []byte(bom)) {
		skip = len(bom)
	}
	found := headings(src, skip, lines)
	sections := make([]Section, 0, len(found)+1)
	if preamble, ok := preamble(name, fileTitle, src[skip:], found, lines); ok {
		sections = append(sections, preamble)
	}
	for _, h := range found {
		sections = append(sections, Section{Section: snapshot.Section{
			Title: h.title, Node: snapshot.NodeHeading, Level: h.level, Start: h.line, Body: h.body,
		}})
	}
	nest(sections, lines.Count())
	titlePaths(sections, fileTitle)
	for i := range sections {
		sections[i].Text = between(src, lines, sections[i].Body, sections[i].OwnEnd)
	}
	return sections
}

// preamble is the section before the first heading, if there is one. text is
// the file without its front matter.
func preamble(name, fileTitle string, text []byte, found []heading, lines Lines) (Section, bool) {
	if len(found) > 0 {
		offset := lines.size - len(text)
		if before := lines.Start(found[0].line); before <= offset || len(bytes.TrimSpace(text[:before-offset])) == 0 {
			return Section{}, false
		}
	}
	if fileTitle == "" {
		fileTitle = stem(name)
	}
	return Section{Section: snapshot.Section{Title: fileTitle, Node: snapshot.NodePreamble, Start: 1, Body: 1}}, true
}

// nest sets where sections end and what encloses them.
func nest(sections []Section, last int) {
	open := []int{} // enclosing sections, outermost first
	for i := range sections {
		s := &sections[i]
		s.Parent, s.OwnEnd, s.End = snapshot.None, last, last
		if i > 0 {
			sections[i-1].OwnEnd = s.Start - 1
		}
		for len(open) > 0 && sections[open[len(open)-1]].Level >= s.Level {
			sections[open[len(open)-1]].End = s.Start - 1
			open = open[:len(open)-1]
		}
		if len(open) > 0 {
			s.Parent = uint32(open[len(open)-1])
		}
		if s.Node == snapshot.NodeHeading {
			open = append(open, i)
		}
	}
	if sections[0].Node == snapshot.NodePreamble {
		sections[0].End = sections[0].OwnEnd
	}
}

// between is the text of the lines from first to last, "" if there are none.
func between(src []byte, lines Lines, first, last int) string {
	if first > last {
		return ""
	}
	return string(bytes.TrimPrefix(src[lines.Start(first):lines.Start(last+1)], []byte(bom)))
}

// stem is a file's name without folders and extension.
func stem(name string) string {
	base := path.Base(name)
	return strings.TrimSuffix(base, path.Ext(base))
}

// Row is a section as a snapshot stores it, with one text per field of the schema.
type Row struct {
	snapshot.Section
	Fields, Keywords []string
}

// rows converts sections to rows with the fields of [snapshot.ManualSchema].
func rows(sections []Section) []Row {
	all := make([]Row, len(sections))
	for i, s := range sections {
		all[i] = Row{Section: s.Section, Fields: []string{s.HeadingPath, s.Text}}
	}
	return all
}
