package audit

import (
	"context"
	"net/url"
	pathpkg "path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/yuin/goldmark/ast"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// anchors are the lines of the IDs of a text that links can lead to, by their folded names.
type anchors struct {
	lines    map[string]int
	numbered map[string]int // the last number behind a title that came before, by the anchor of the title
}

// add adds an anchor; the first of a name stays.
func (a anchors) add(id string, line int) {
	if _, ok := a.lines[folded(id)]; !ok {
		a.lines[folded(id)] = line
	}
}

// line returns where an anchor stands.
func (a anchors) line(id string) (int, bool) {
	if plain, err := url.PathUnescape(id); err == nil {
		id = plain
	}
	line, ok := a.lines[folded(id)]
	return line, ok
}

func folded(id string) string { return cases.Fold().String(norm.NFC.String(id)) }

// heading adds the anchors of a heading: the one it is given by {#id}, and the
// one that its title makes, numbered when the title has come before.
func (a anchors) heading(node *ast.Heading, title string, line int) {
	if id, ok := node.AttributeString("id"); ok {
		if id, ok := id.([]byte); ok {
			a.add(string(id), line)
		}
	}
	name := slug(title)
	first := folded(name)
	numbered := first
	for a.lines[numbered] > 0 {
		a.numbered[first]++
		numbered = folded(name + "-" + strconv.Itoa(a.numbered[first]))
	}
	a.lines[numbered] = line
}

// slug returns the anchor of a title: in lower case, spaces as hyphens, without
// other signs than hyphens and underscores.
func slug(title string) string {
	var out strings.Builder
	for _, r := range strings.ToLower(title) {
		switch {
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.IsMark(r), r == '-', r == '_':
			out.WriteRune(r)
		case unicode.IsSpace(r):
			out.WriteByte('-')
		}
	}
	return out.String()
}

// resolve turns the links of the text and of its charts into references.
func (m *markdown) resolve(ctx context.Context) {
	for i, r := range m.to.References {
		if !r.Missing {
			_, ok := m.anchors.line(r.To)
			m.to.References[i].Missing = !ok
		}
	}
	m.endParts()
	slices.SortStableFunc(m.links, func(a, b mention) int { return a.line - b.line })
	for _, l := range m.links {
		if ctx.Err() != nil {
			return
		}
		r := Reference{To: l.to, Line: l.line}
		if l.from >= 0 {
			r.From = m.to.Elements[l.from].ID
		}
		line, found := m.anchors.line(l.to)
		r.Missing = !found && l.to != "" && !strings.EqualFold(l.to, "top")
		r.Unreturned = found && l.both && !m.returned(l, line)
		m.to.References = append(m.to.References, r)
	}
}

// returned reports whether a link from the part at a line leads back to where
// another link stands.
func (m *markdown) returned(l mention, line int) bool {
	first, last := m.region(line)
	back, known := m.back[first]
	if !known {
		at, _ := slices.BinarySearchFunc(m.links, first, func(l mention, line int) int { return l.line - line })
		for ; at < len(m.links) && m.links[at].line <= last; at++ {
			if to, ok := m.anchors.line(m.links[at].to); ok {
				from, until := m.region(to)
				back = append(back, toolset.Range{StartLine: from, EndLine: until})
			}
		}
		back = toolset.MergeRanges(back)
		m.back[first] = back
	}
	at, _ := slices.BinarySearchFunc(back, l.line, func(r toolset.Range, line int) int { return r.EndLine - line })
	return at < len(back) && back[at].StartLine <= l.line
}

// region returns the part of the text that an anchor on a line refers to: an element's own lines,
// or a heading's section.
func (m *markdown) region(line int) (first, last int) {
	i, found := slices.BinarySearchFunc(m.parts, line, func(p part, line int) int { return p.first - line })
	if i--; found {
		i++
	}
	if i < 0 || m.parts[i].last < line {
		return line, line
	}
	return m.parts[i].first, m.parts[i].until
}

// endParts sets the last lines of what anchors refer to.
func (m *markdown) endParts() {
	var open []int // headings
	end := func(level, line int) {
		for ; len(open) > 0 && m.parts[open[len(open)-1]].level >= level; open = open[:len(open)-1] {
			m.parts[open[len(open)-1]].until = line
		}
	}
	for i := range m.parts {
		p := &m.parts[i]
		if p.until = p.last; p.level > 0 {
			end(p.level, p.first-1)
			open = append(open, i)
		}
	}
	end(0, m.lines.Count())
}

// outward reads a link to another file, whose path counts from the artifact's folder.
// ok is false for a link that leads out of the root or has a scheme.
func (m *markdown) outward(destination string, line int) (out Outward, ok bool) {
	u, err := url.Parse(destination)
	if err != nil || u.Scheme != "" || u.Host != "" || u.Path == "" || strings.HasPrefix(u.Path, "/") {
		return Outward{}, false
	}
	to := pathpkg.Join(pathpkg.Dir(m.to.Path), u.Path)
	if to == ".." || strings.HasPrefix(to, "../") {
		return Outward{}, false
	}
	return Outward{Path: to, To: u.Path, Anchor: u.Fragment, Line: line}, true
}

// outwardFindings returns the links to files that do not exist, and to anchors that such a
// file lacks. A link in a copied line may also count from where it was copied.
func (a Artifact) outwardFindings(ctx context.Context, files linkedFiles) (found []Finding) {
	if files.lookup == nil {
		return nil
	}
	for _, out := range a.Outward {
		if ctx.Err() != nil {
			return nil
		}
		there, holds := files.holds(ctx, out)
		if there && holds || files.copied(ctx, a, out) {
			continue
		}
		if !there {
			found = append(found, finding(OneWayRef, "", out.Line,
				"a link refers to the file %q, which is not there", short(out.Path)))
			continue
		}
		found = append(found, finding(OneWayRef, "", out.Line, "a link refers to %q in %s, which is not there",
			short(out.Anchor), short(out.Path)))
	}
	return found
}

// copied reports whether a link is in a copied line and is valid relative to the line's origin.
func (f linkedFiles) copied(ctx context.Context, a Artifact, out Outward) bool {
	if f.lookup == nil || out.Line > len(a.copies) || a.copies[out.Line-1] == "" {
		return false
	}
	from := a.copies[out.Line-1]
	if root, _, _ := strings.Cut(from, "/"); out.To != "" {
		if from = pathpkg.Join(pathpkg.Dir(from), out.To); from != root && !strings.HasPrefix(from, root+"/") {
			return false
		}
	}
	out.Path = from
	there, holds := f.holds(ctx, out)
	return there && holds
}

// linkedFiles are the files that an artifact links to, each read once however many links lead there.
type linkedFiles struct {
	lookup  func(path string) (text []byte, ok bool)
	anchors map[string]*anchors // by path; nil for a file that is not there, without lines before they are asked for
}

// holds reports whether the file of a link is there, and whether it holds the link's anchor, if that can be known.
func (f linkedFiles) holds(ctx context.Context, out Outward) (there, holds bool) {
	asked := out.Anchor != "" && corpus.IsMarkdown(out.Path) && !strings.EqualFold(out.Anchor, "top")
	in, known := f.anchors[out.Path]
	if !known || in != nil && in.lines == nil && asked {
		in = nil
		if text, ok := f.lookup(out.Path); ok {
			in = &anchors{}
			if asked {
				*in = readMarkdown(ctx, &Artifact{Path: "other.md"}, plainText(text)).anchors
			}
		}
		f.anchors[out.Path] = in
	}
	if in == nil || !asked {
		return in != nil, true
	}
	_, holds = in.line(out.Anchor)
	return true, holds
}
