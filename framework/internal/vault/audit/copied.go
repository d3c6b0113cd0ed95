package audit

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// adopt lets elements that cite nothing cite the source lines that they are copies of, if none of their own
// lines was changed; they end at a blank line or at the next element. It returns all copied lines.
func (a *Artifact) adopt(s *source) []toolset.Range {
	origins := s.origins(a.lines)
	starts := map[int]bool{}
	for _, e := range a.Elements {
		starts[e.Line] = true
	}
	a.Elements = slices.Clone(a.Elements)
	for i := range a.Elements {
		e := &a.Elements[i]
		if !e.Citation.empty() {
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
		if e.Copied = from != nil; e.Copied {
			e.Citation.Ranges = toolset.MergeRanges(from)
		}
	}
	var all []toolset.Range
	for _, line := range origins {
		if line > 0 {
			all = append(all, toolset.Range{StartLine: line, EndLine: line})
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
			text := strings.TrimSpace(plainText([]byte(s.read(line, line))))
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
