package corpus

import (
	"iter"
	"slices"
)

// cutVault cuts a file of a vault: Markdown with headings as [Cut] does when the sections are yielded,
// anything else into runs of lines.
func cutVault(name string, src []byte) iter.Seq[Section] {
	if IsMarkdown(name) {
		if o := newOutline(name, src); !o.plain() {
			return o.sections
		}
	}
	return slices.Values(cutLines(name, src))
}
