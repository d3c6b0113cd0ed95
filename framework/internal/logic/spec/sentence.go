package spec

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// itemMark matches the start of a list item, a quotation, a heading or a table row.
var itemMark = lazyregexp.New(`^\s*(?:[-*+]\s+|\d+[.)]\s+|>\s?|#{1,6}\s|\|)`)

// paragraphs splits a text at empty lines and before items. It leaves out fenced code.
func paragraphs(text string, line int) []Item {
	all, open, fence := []Item{}, false, ""
	for at := range strings.Lines(text) {
		at = strings.TrimSuffix(at, "\n")
		mark := fenceMark(at)
		switch {
		case mark != "" && fence == "":
			fence, open = mark, false
		case fence != "":
			if mark == fence {
				fence = ""
			}
		case strings.TrimSpace(at) == "":
			open = false
		case open && !itemMark().MatchString(at):
			all[len(all)-1].Text += "\n" + at
		default:
			all, open = append(all, Item{Line: line, Text: at}), true
		}
		line++
	}
	return all
}

// fenceMark returns the fence that a line opens or closes, or "" for any other line.
func fenceMark(line string) string {
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(strings.TrimSpace(line), mark) {
			return mark
		}
	}
	return ""
}

// Sentence is a sentence, an item of a list or a row of a table.
type Sentence struct {
	Line int    // where it starts, from 1
	Text string // on one line, without list marks
	Step Step   // of the item that it begins
	// Heading reports whether it is the title of a scenario.
	Heading bool
}

// sentenceEnd matches the end of a sentence; abbreviated matches what only looks like one.
var (
	sentenceEnd = lazyregexp.New(`[.!?](?:["')\]]*)(?:\s+|$)|。[」』）]?`)
	abbreviated = lazyregexp.New(`\b(?:e\.g|i\.e|vs|etc)\.\s+$`)
)

func sentences(items []Item) []Sentence {
	all := []Sentence{}
	for _, p := range items {
		if strings.HasPrefix(p.Text, "TBD") { // OpenSpec's placeholder for a purpose
			continue
		}
		step := p.Step
		for from, to := 0, 0; from < len(p.Text); from = to {
			to = from
			for to == from || abbreviated().MatchString(p.Text[from:to]) {
				end := sentenceEnd().FindStringIndex(p.Text[to:])
				if end == nil {
					to = len(p.Text)
					break
				}
				to += end[1]
			}
			sentence := p.Text[from:to]
			lead := len(sentence) - len(strings.TrimLeft(sentence, " \t\n"))
			if written := oneLine(itemMark().ReplaceAllString(sentence, "")); written != "" {
				line := p.Line + strings.Count(p.Text[:from+lead], "\n")
				all = append(all, Sentence{line, written, step, p.heading})
				step = NoStep
			}
		}
	}
	return all
}
