package webpage

import (
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/x/markdown"
)

// note is a footnote that a block refers to.
type note struct {
	at   int    // its node
	mark string // such as 1
}

// notes returns the nodes of the footnotes of a page by their ids.
func (c *content) notes() map[string]int {
	found := map[string]int{}
	for i := range c.nodes {
		if id := c.nodes[i].attribute("id"); id != "" && block[c.nodes[i].name] && !c.dropped[i] && c.isNote(i) {
			found[id] = i
		}
	}
	return found
}

// isNote reports whether an element is a footnote, or an item of a list of footnotes, by what it or the list is called.
func (c *content) isNote(i int) bool {
	levels := 1
	if c.nodes[i].name == "li" {
		levels = 3
	}
	for ; levels > 0 && i > 0; levels, i = levels-1, int(c.nodes[i].parent) {
		n := &c.nodes[i]
		for _, key := range []string{"class", "role", "epub:type"} {
			if said := n.attribute(key); strings.Contains(said, "footnote") || strings.Contains(said, "endnote") {
				return true
			}
		}
	}
	return false
}

// longestMark is how many characters the mark of a footnote may have; a longer text is a link to the notes.
const longestMark = 3

// meet reports whether a link leads to a footnote, and writes its mark if so. The footnote is kept until the block at
// hand ends, unless it stands before the link or is kept already.
func (c *converter) meet(in *markdown.Inline, link int) bool {
	id, _ := strings.CutPrefix(c.nodes[link].attribute("href"), "#")
	at, mark := c.notes[id], strings.Trim(c.plain(link), "[]() \u00a0\n")
	if at == 0 || mark == "" || utf8.RuneCountInString(mark) > longestMark {
		return false
	}
	if at > link && !c.dropped[at] {
		c.dropped[at] = true // else it would be written at its place, too
		c.pending = append(c.pending, note{at, mark})
	}
	in.Text("[" + mark + "]")
	return true
}

// endNotes writes the footnotes of the block that has ended. Those that they refer to follow them.
func (c *converter) endNotes() {
	if c.noting {
		return
	}
	c.noting = true
	for len(c.pending) > 0 {
		n := c.pending[0]
		c.pending = c.pending[1:]
		if c.nodes[n.at].name == "li" { // its number is that of the list
			c.words("[" + n.mark + "]")
			c.flush()
			c.w.Join()
		}
		c.children(n.at)
		c.flush()
	}
	c.noting = false
}
