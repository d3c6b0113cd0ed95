package passage

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Words are what a query asks for: the terms of its tokens (as [text.Tokenizer] yields them) and what
// each is worth, > 0.
type Words map[string]float64

// Passage is a part of a text.
type Passage struct {
	Text        string
	First, Last int  // lines of the part that was chosen, from 0; what stands over it may lie before
	Whole       bool // nothing of the text was left out
}

// Text is a text that passages are chosen from.
type Text struct {
	source string
	units  []unit
	scores []map[string]float64 // of each unit, the words that it holds
}

// Read cuts a text into units and looks for the words in each.
func Read(source string, words Words) *Text {
	source = strings.TrimRight(source, " \t\r\n　")
	t := &Text{source: source, units: cut(source)}
	var tokenizer text.Tokenizer
	for _, u := range t.units {
		norm := text.Normalize(source[u.from:u.to])
		var held map[string]float64
		for tok := range tokenizer.Tokens(&norm) {
			if w := words[tok.Term]; w > 0 {
				if held == nil {
					held = map[string]float64{}
				}
				held[tok.Term] = w
			}
		}
		t.scores = append(t.scores, held)
	}
	return t
}

// Choose returns the part of at most limit characters that answers best; a single unit that is longer
// is cut. The second result is false where the text is empty.
func (t *Text) Choose(limit int) (Passage, bool) {
	if len(t.units) == 0 {
		return Passage{}, false
	}
	from, to := t.best(limit)
	return t.show(from, to, limit), true
}

// best returns the window of units, [from, to), that holds most of the words within limit.
func (t *Text) best(limit int) (from, to int) {
	most := -1.0
	for i := range t.units {
		held := map[string]bool{}
		sum, peak, length := 0.0, 0.0, 0
		if o := t.units[i].over; o >= 0 {
			length = t.units[o].length
		}
		for j := i; j < len(t.units); j++ {
			length += t.units[j].length
			if j > i && length > limit {
				break
			}
			own := 0.0
			for w, weight := range t.scores[j] {
				own += weight
				if !held[w] {
					held[w] = true
					sum += weight
				}
			}
			peak = max(peak, own)
			if score := sum + peak; score > most {
				most, from, to = score, i, j+1
			}
		}
	}
	return t.grow(from, to, limit)
}

// grow adds units around a window while they fit: first those before, which say what it is about, then
// those after it.
func (t *Text) grow(from, to, limit int) (int, int) {
	length := 0
	for _, u := range t.units[from:to] {
		length += u.length
	}
	for grown := true; grown; {
		grown = false
		if to < len(t.units) && length+t.units[to].length <= limit {
			length += t.units[to].length
			to, grown = to+1, true
		}
		if from > 0 && length+t.units[from-1].length <= limit {
			from--
			length += t.units[from].length
			grown = true
		}
	}
	return from, to
}

// gap stands where lines were left out.
const gap = "…"

// show writes a window of units, behind what stands over the first of them.
func (t *Text) show(from, to, limit int) Passage {
	first, last := t.units[from], t.units[to-1]
	body := t.source[first.from:last.to]
	if u := last.length; from+1 == to && u > limit {
		body = text.CutRunes(body, limit)
	}
	if o := first.over; o >= 0 && o < from {
		joint := "\n"
		if o+1 < from {
			joint = "\n" + gap + "\n"
		}
		over := t.units[o]
		body = t.source[over.from:over.to] + joint + body
	}
	return Passage{
		Text: strings.Clone(body), First: first.line, Last: first.line + strings.Count(t.source[first.from:last.to], "\n"),
		Whole: from == 0 && to == len(t.units),
	}
}
