package corpus

import (
	"iter"
	"slices"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// windowLines is how many lines of a file without headings make one section.
const windowLines = 40

// cutVault cuts a file of a vault: Markdown with headings as [Cut] does when the sections are yielded,
// anything else into runs of lines.
func cutVault(name string, src []byte) iter.Seq[Section] {
	if IsMarkdown(name) {
		if o := newOutline(name, src); !o.plain() {
			return o.sections
		}
	}
	lines, title := NewLines(src), stem(name)
	sections, names := []Section{}, newFileNames(name, title)
	for first := 1; first <= lines.Count(); first += windowLines {
		last := min(first+windowLines-1, lines.Count())
		sections = append(sections, Section{
			Section: snapshot.Section{
				Title: title, Node: snapshot.NodeLines, Start: first, End: last, OwnEnd: last, Body: first,
				Parent: snapshot.None,
			},
			HeadingPath: title,
			Names:       names.of(len(sections)),
			Text:        readable([]byte(between(src, lines, first, last))),
		})
	}
	return slices.Values(sections)
}
