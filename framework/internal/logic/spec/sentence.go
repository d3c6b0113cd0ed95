package spec

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// paragraph is text that is read without its line breaks: a paragraph, a list
// item, a row of a table.
type paragraph struct {
	line int // of its first line
	text string
}

// itemMark is what a list item, a quotation, a heading or a table row begins with.
var itemMark = lazyregexp.New(`^\s*(?:[-*+]\s+|\d+[.)]\s+|>\s?|#{1,6}\s|\|)`)

// paragraphs cuts a text at empty lines and before items. What stands in fences
// is code and left out.
func paragraphs(text string, line int) []paragraph {
	all, open, fence := []paragraph{}, false, ""
	for at := range strings.Lines(text) {
		at = strings.TrimRight(at, "\r\n")
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
			all[len(all)-1].text += "\n" + at
		default:
			all, open = append(all, paragraph{line, at}), true
		}
		line++
	}
	return all
}

// fenceMark returns the fence that a line opens or closes, "" for any other line.
func fenceMark(line string) string {
	for _, mark := range []string{"```", "~~~"} {
		if strings.HasPrefix(strings.TrimSpace(line), mark) {
			return mark
		}
	}
	return ""
}

// sentenceEnd is where a sentence ends.
var sentenceEnd = lazyregexp.New(`[.!?](?:["')\]]*)(?:\s+|$)|。[」』）]?`)

// statements reads the binding sentences of a paragraph.
func (p paragraph) statements() []Statement {
	found := []Statement{}
	for from, to := 0, 0; from < len(p.text); from = to {
		to = len(p.text)
		if end := sentenceEnd().FindStringIndex(p.text[from:]); end != nil {
			to = from + end[1]
		}
		sentence := p.text[from:to]
		plain := codeSpan().ReplaceAllString(sentence, "_")
		if i := slices.IndexFunc(cues, func(c cue) bool { return c.pattern().MatchString(plain) }); i >= 0 {
			lead := len(sentence) - len(strings.TrimLeft(sentence, " \t\n"))
			found = append(found, Statement{p.line + strings.Count(p.text[:from+lead], "\n"),
				cues[i].strength, cues[i].negated, oneLine(itemMark().ReplaceAllString(sentence, ""))})
		}
	}
	return found
}
