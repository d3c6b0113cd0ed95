package audit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Origin is a part of a file that an artifact, or a part of it, was copied from.
type Origin struct {
	Path        string // as that of a source
	Text        []byte // of the file as it is now, nil if it cannot be read
	Changed     bool   // the file was, since it was copied
	Lines       toolset.Range
	HeadingPath string // of the section of the first line, "" for a file as a whole
}

// adopt finds what of the artifact is a copy. It returns all copied lines of the source, and what copies may have
// become out of date.
func (a *Artifact) adopt(s *source, origins []Origin) (own []toolset.Range, stale []string) {
	a.copies = make([]string, len(a.lines))
	a.Elements = slices.Clone(a.Elements)
	of, paths := map[string]*source{s.path: s}, []string{s.path}
	for _, o := range origins {
		if of[o.Path] == nil {
			of[o.Path] = newSource(o.Text, o.Path)
			paths = append(paths, o.Path)
		}
		from := of[o.Path]
		from.copied = append(from.copied, from.place(o))
		if lacks := a.lacks(o, from); lacks != "" && !slices.Contains(stale, lacks) {
			stale = append(stale, lacks)
		}
	}
	for _, path := range paths {
		from := of[path]
		from.copied = toolset.MergeRanges(slices.DeleteFunc(from.copied,
			func(r toolset.Range) bool { return !r.Within(from.total) }))
		if lines := a.adoptFrom(from, from == s); from == s {
			own = lines
		}
	}
	return own, stale
}

// mostNamed is the maximum number of line ranges that a warning names.
const mostNamed = 5

// lacks returns a warning with the lines of a file, changed since it was copied, that are not in the artifact, or "".
func (a *Artifact) lacks(o Origin, s *source) string {
	switch {
	case !o.Changed:
		return ""
	case o.Text == nil:
		return fmt.Sprintf("%s, of which %s were copied, cannot be read now", o.Path, written(o.Lines))
	}
	held := map[string]bool{}
	for _, line := range a.lines {
		held[line] = true
	}
	var missing []toolset.Range
	place := s.place(o)
	for line := max(1, place.StartLine); line <= min(place.EndLine, s.total); line++ {
		r := toolset.Range{StartLine: line, EndLine: line}
		if s.supports(r) && !held[s.plain(line)] {
			missing = append(missing, r)
		}
	}
	if missing = toolset.MergeRanges(missing); len(missing) == 0 {
		return ""
	}
	var names []string
	for _, r := range missing[:min(mostNamed, len(missing))] {
		names = append(names, written(r))
	}
	if more := len(missing) - mostNamed; more > 0 {
		names = append(names, fmt.Sprintf("%d more places", more))
	}
	return fmt.Sprintf("%s was changed since %s were copied: the artifact lacks %s of it as it is now", o.Path,
		written(o.Lines), strings.Join(names, ", "))
}

// plain returns a line as the lines of an artifact are.
func (s *source) plain(line int) string {
	return strings.TrimSpace(plainText([]byte(s.read(line, line))))
}

// place returns the lines of an origin. In a file that has changed since, it returns those of the section
// that now has its headings, nearest to its old place.
func (s *source) place(o Origin) toolset.Range {
	if !o.Changed {
		return o.Lines
	}
	if o.HeadingPath == "" {
		return toolset.Range{StartLine: 1, EndLine: s.total}
	}
	found, nearest := o.Lines, -1
	for _, part := range s.parts {
		distance := max(part.Start-o.Lines.StartLine, o.Lines.StartLine-part.Start)
		if part.HeadingPath == o.HeadingPath && (nearest < 0 || distance < nearest) {
			found, nearest = toolset.Range{StartLine: part.Start, EndLine: part.End}, distance
		}
	}
	return found
}

// adoptFrom lets elements without citations rest on the lines from which they were copied, if none of their lines
// was changed. An element ends at a blank line or at the next element. If the lines are in the audited source, the
// element cites them.
func (a *Artifact) adoptFrom(s *source, own bool) (all []toolset.Range) {
	origins := s.origins(a.lines)
	starts := map[int]bool{}
	for _, e := range a.Elements {
		starts[e.Line] = true
	}
	for i := range a.Elements {
		e := &a.Elements[i]
		if !e.Citation.empty() || e.Elsewhere {
			continue
		}
		var from []toolset.Range
		for line := e.Line; line <= len(a.lines) && a.lines[line-1] != "" && (line == e.Line || !starts[line]); line++ {
			if origins[line-1] == 0 {
				from = nil
				break
			}
			from = append(from, toolset.Range{StartLine: origins[line-1], EndLine: origins[line-1]})
		}
		switch {
		case from == nil:
		case own:
			e.Copied, e.Citation.Ranges = true, toolset.MergeRanges(from)
		default:
			e.Elsewhere = true
		}
	}
	for i, line := range origins {
		if line > 0 {
			all = append(all, toolset.Range{StartLine: line, EndLine: line})
			if a.copies[i] == "" {
				a.copies[i] = s.path
			}
		}
	}
	return all
}

// origins returns the source line that each line of a copy equals, 0 for none. Of several it is the next
// behind the line before.
func (s *source) origins(lines []string) []int {
	places := map[string][]int{}
	for _, r := range s.copied {
		for line := r.StartLine; line <= r.EndLine; line++ {
			text := s.plain(line)
			places[text] = append(places[text], line)
		}
	}
	origins, last := make([]int, len(lines)), 0
	for i, text := range lines {
		if at := places[text]; text != "" && len(at) > 0 {
			next, _ := slices.BinarySearch(at, last+1)
			last = at[next%len(at)]
			origins[i] = last
		}
	}
	return origins
}
