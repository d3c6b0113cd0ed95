package corpus

import (
	"iter"
	"slices"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// windowLines is how many lines of a file without headings make one section.
const windowLines = 40

// CutVault cuts a file of a vault: Markdown as [Cut] does, anything else into runs
// of lines. A Markdown file without headings is cut into runs too.
func CutVault(name string, src []byte) []Section { return slices.Collect(cutVault(name, src)) }

// cutVault is [CutVault] that makes the sections of Markdown when they are yielded.
func cutVault(name string, src []byte) iter.Seq[Section] {
	if IsMarkdown(name) {
		if o := newOutline(name, src); !o.plain() {
			return o.sections
		}
	}
	lines, title := NewLines(src), stem(name)
	sections := []Section{}
	for first := 1; first <= lines.Count(); first += windowLines {
		last := min(first+windowLines-1, lines.Count())
		sections = append(sections, Section{
			Section: snapshot.Section{
				Title: title, Node: snapshot.NodeLines, Start: first, End: last, OwnEnd: last, Body: first,
				Parent: snapshot.None,
			},
			HeadingPath: title,
			Text:        readable([]byte(between(src, lines, first, last))),
		})
	}
	return slices.Values(sections)
}
