package spec

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Unit is a requirement with its scenarios, or a section of other Markdown.
type Unit struct {
	// Name is the requirement's name without "Requirement:", or the section's title.
	Name string
	// Obliges reports whether the unit must be fulfilled. A requirement below REMOVED or RENAMED Requirements need not
	// be.
	Obliges bool
	// HeadingPath is the file's title and the titles down to the unit's own, joined by " > ".
	HeadingPath string
	// First and Last are the lines of the unit with its scenarios, from 1.
	First, Last int
	// Text is the text of these lines without the unit's heading.
	Text string
	// Items are its paragraphs, items and rows.
	Items []Item
	// Sentences are all sentences of Text, binding or not. Binding are the lines where the binding ones start, from 1.
	Sentences []Sentence
	Binding   []int
}

// Binds reports whether a sentence or an outcome of the unit must be fulfilled.
func (u Unit) Binds() bool {
	return u.Obliges && (len(u.Binding) > 0 ||
		slices.ContainsFunc(u.Items, func(i Item) bool { return i.Step == Then }))
}

// Scenarios counts the scenarios of a binding unit. Each begins at its first condition.
func (u Unit) Scenarios() (n int) {
	last := NoStep
	for _, item := range u.Items {
		if item.Step == When && last != When && u.Binds() {
			n++
		}
		last = item.Step
	}
	return n
}

// Cut cuts a specification into its units, in order of their lines.
func Cut(name string, src []byte) []Unit {
	c := &cutter{sections: corpus.Cut(name, src), lines: corpus.NewLines(src), src: src}
	for i := 0; i < len(c.sections); {
		i = c.section(i)
	}
	return c.units
}

type cutter struct {
	sections []corpus.Section
	lines    corpus.Lines
	src      []byte
	units    []Unit
}

// section makes a unit of section i and returns the next section without a unit.
func (c *cutter) section(i int) int {
	s := c.sections[i]
	name, isRequirement := requirement(s.Title)
	u := Unit{Name: name, Obliges: c.obliges(i), HeadingPath: s.HeadingPath, First: s.Start, Last: s.OwnEnd}
	next := i + 1
	if isRequirement {
		u.Last = s.End
		for next < len(c.sections) && c.sections[next].Start <= s.End {
			next++
		}
	}
	u.Text = c.text(s.Body, u.Last)
	if isRequirement || strings.TrimSpace(u.Text) != "" {
		u.Items = items(u.Text, s.Body)
		u.Sentences = sentences(u.Items)
		u.Binding = bindingLines(u.Sentences)
		c.units = append(c.units, u)
	}
	return next
}

// text returns some lines, each ended by LF.
func (c *cutter) text(first, last int) string {
	if first > last {
		return ""
	}
	text := string(c.src[c.lines.Start(first):c.lines.Start(last+1)])
	return strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
}

// obliges reports whether the innermost heading around section i that tells a change lets it oblige.
func (c *cutter) obliges(i int) bool {
	for i := uint32(i); i != snapshot.None; i = c.sections[i].Parent {
		if m := change().FindStringSubmatch(c.sections[i].Title); m != nil {
			return m[1] == ""
		}
	}
	return true
}

// change matches a heading that tells what a specification does to requirements. Its group matches if they go.
var change = lazyregexp.New(`(?i)^\s*(?:added|modified|(removed|renamed)) requirement`)

// requirement cuts the label "Requirement:" off a title and reports whether there is one.
func requirement(title string) (string, bool) {
	label, name, ok := strings.Cut(strings.Replace(title, "：", ":", 1), ":")
	if !ok || !slices.Contains([]string{"requirement", "要件", "要求"}, strings.ToLower(strings.TrimSpace(label))) {
		return title, false
	}
	return strings.TrimSpace(name), true
}
