package passage

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Words are the words of a query: the terms of its tokens, as [text.Tokenizer] yields them, and what each is worth, >
// 0.
type Words map[string]float64

// mostWords is the maximum number of words to look for: those that are worth most.
const mostWords = 64

// Heaviest returns the words to look for, in a fixed order.
func (w Words) Heaviest() []string {
	all := slices.SortedFunc(maps.Keys(w), func(a, b string) int {
		return cmp.Or(cmp.Compare(w[b], w[a]), strings.Compare(a, b))
	})
	return all[:min(mostWords, len(all))]
}

// Beyond returns the words that a heading does not contain: its words apply to all the text below it.
func (w Words) Beyond(heading string) Words {
	out := maps.Clone(w)
	norm := text.Normalize(heading)
	for tok := range text.Tokens(&norm) {
		delete(out, tok.Term)
	}
	return out
}

// Passage is a part of a text.
type Passage struct {
	Text        string // its lines end with LF
	First, Last int    // lines, from 0 where the part starts; what stands before "…" is not counted
	Whole       bool   // nothing of the text was left out
}

// Text is a text that passages are chosen from.
type Text struct {
	source     string
	units      []unit
	first, end int            // the units that passages are chosen from
	from, line int            // where these start
	number     map[string]int // of each word
	worth      []float64      // of each word
}

// Read cuts a text into units and finds the words in each. It keeps source.
func Read(source string, words Words) *Text { return Cut(source).Part(0, len(source), words) }

// Cut cuts a text into units. No passages can be chosen before words are given to [Text.Part]. It keeps source.
func Cut(source string) *Text {
	source = strings.TrimRightFunc(source, unicode.IsSpace)
	t := &Text{source: source, units: cut(source)}
	for i, u := range t.units {
		shown := source[u.from:u.to]
		t.units[i].length = readable(shown)
		t.units[i].aside = aside(shown)
	}
	return t
}

// Starts returns where parts of whole units start, each of about size bytes or of one longer unit.
func (t *Text) Starts(size int) (starts []int) {
	for _, u := range t.units {
		if last := len(starts) - 1; last < 0 || u.to-starts[last] > size {
			starts = append(starts, u.from)
		}
	}
	return starts
}

// Part returns the text with passages from the units that start in [from, to). It finds the words in these.
func (t *Text) Part(from, to int, words Words) *Text {
	starts := func(u unit, at int) int { return cmp.Compare(u.from, at) }
	first, _ := slices.BinarySearchFunc(t.units, from, starts)
	end, _ := slices.BinarySearchFunc(t.units, to, starts)
	t = &Text{
		source: t.source, units: slices.Clone(t.units), first: first, end: end,
		from: min(from, len(t.source)), number: map[string]int{},
	}
	t.line = strings.Count(t.source[:t.from], "\n")
	for i, w := range words.Heaviest() {
		t.number[w] = i
		t.worth = append(t.worth, words[w])
	}
	for i := first; i < end; i++ {
		u := &t.units[i]
		if u.aside {
			continue
		}
		norm := text.Normalize(t.source[u.from:u.to])
		for tok := range text.Tokens(&norm) {
			if n, ok := t.number[tok.Term]; ok {
				u.words |= 1 << n
			}
		}
	}
	return t
}

// topicShare is the divisor for the share of a passage that the topic sentence, the first of the text, may take.
const topicShare = 5

// Choose returns the part of at most limit characters that answers best, after a topic sentence if that is short. Of a
// single unit that is longer, it returns the part around the words. It reports false if the text says nothing.
func (t *Text) Choose(limit int) (Passage, bool) {
	if !slices.ContainsFunc(t.units[t.first:t.end], func(u unit) bool { return !u.aside }) {
		return Passage{}, false
	}
	from, to := t.best(limit)
	over, topic := t.units[from].over, t.units[0].length
	free := over == none && t.first == 0 && from > 0 && t.units[1].over != 0 // neither header nor lead
	if free && topic*topicShare <= limit && t.begins() {
		limit -= topic
		from, to = t.best(limit)
		over = max(0, t.units[from].over)
	}
	return t.show(over, from, to, limit, true), true
}

// begins reports whether the first unit may be a topic sentence: neither a key or brace of JSON nor markup or
// punctuation alone.
func (t *Text) begins() bool {
	first := t.source[t.units[0].from:t.units[0].to]
	return !t.units[0].aside && !data(first) && strings.ContainsFunc(first, unicode.IsLetter)
}

// Sentences returns the unit that answers best, followed in order by the others that are worth at least share of it, at
// most n in all, each without its header or lead. Of a unit longer than limit characters, it returns the part around
// the words. It returns nothing if the text is empty.
func (t *Text) Sentences(n, limit int, share float64) []Passage {
	if len(t.units) == 0 {
		return nil
	}
	best, _ := t.best(1)
	least := share * t.worthOf(best)
	chosen := []int{best}
	for i, u := range t.units {
		if i != best && u.words != 0 && t.worthOf(i) >= least-leastGain {
			chosen = append(chosen, i)
		}
	}
	slices.SortStableFunc(chosen[1:], func(a, b int) int { return cmp.Compare(t.worthOf(b), t.worthOf(a)) })
	chosen = chosen[:min(n, len(chosen))]
	slices.Sort(chosen[1:])
	var out []Passage
	for _, i := range chosen {
		one := Text{source: t.source, units: t.units[i : i+1], number: t.number, worth: t.worth}
		out = append(out, one.show(none, 0, 1, limit, false))
	}
	return out
}

// worthOf returns the worth of the words in a unit.
func (t *Text) worthOf(i int) (sum float64) {
	for w := range t.units[i].held() {
		sum += t.worth[w]
	}
	return sum
}

// best returns the first run of units, [from, to), that is worth most within limit, found with a sliding window, with
// as much of what stands around it as fits. The run does not begin with a unit whose words others in it have: space is
// left for what follows the words, often the answer to a question.
func (t *Text) best(limit int) (from, to int) {
	held := make([]int, len(t.worth)) // number of units in the window with each word
	sum, length, start, most := 0.0, 0, t.first, -1.0
	for end := t.first; end < t.end; end++ {
		length += t.units[end].length
		for w := range t.units[end].held() {
			if held[w]++; held[w] == 1 {
				sum += t.worth[w]
			}
		}
		for ; start < end && (length > limit || !t.units[start].alone(held)); start++ {
			length -= t.units[start].length
			for w := range t.units[start].held() {
				if held[w]--; held[w] == 0 {
					sum -= t.worth[w]
				}
			}
		}
		if sum > most+leastGain {
			most, from, to = sum, start, end+1
		}
	}
	return t.fill(from, to, limit)
}

// leastGain is the difference from which on one sum of floats is greater than another.
const leastGain = 1e-9

// fill extends a run alternately by units after and before it. What says nothing by itself does not stay at an end.
func (t *Text) fill(from, to, limit int) (int, int) {
	length := 0
	for _, u := range t.units[from:to] {
		length += u.length
	}
	for grown := true; grown; {
		grown = false
		if to < t.end && length+t.units[to].length <= limit {
			length, to, grown = length+t.units[to].length, to+1, true
		}
		if from > t.first && length+t.units[from-1].length <= limit {
			length, from, grown = length+t.units[from-1].length, from-1, true
		}
	}
	for from+1 < to && t.units[to-1].aside {
		to--
	}
	for from+1 < to && t.units[from].aside {
		from++
	}
	return from, to
}

// silent reports whether units show no text.
func silent(units []unit) bool {
	return !slices.ContainsFunc(units, func(u unit) bool { return u.length > 0 })
}

// gap marks what was left out.
const gap = "…"

// show returns the units [from, to) after their header or lead, over. Code that is cut keeps its fences if asked for.
func (t *Text) show(over, from, to, limit int, fences bool) Passage {
	first, last := t.units[from], t.units[to-1]
	start, end := first.from, last.to
	before, after := gap, gap
	if from+1 == to && first.length > limit {
		start, end = t.excerpt(first, limit)
		if code := t.source[first.from:first.to]; fences && fenced(code) {
			opening := firstLine(code)
			mark := strings.TrimSpace(opening)
			before, after = opening+"\n"+gap, gap+"\n"+mark[:len(mark)-len(strings.TrimLeft(mark, mark[:1]))]
		}
	}
	body := t.source[start:end]
	p := Passage{
		Text: body, First: first.line - t.line + strings.Count(t.source[first.from:start], "\n"),
		Whole: silent(t.units[:from]) && silent(t.units[to:]) && end-start == last.to-first.from,
	}
	p.Last = p.First + strings.Count(body, "\n")
	if start > first.from {
		p.Text = before + p.Text
	}
	if end < last.to {
		p.Text += after
	}
	if over >= 0 && over < from {
		o := t.units[over]
		between := t.source[o.to:first.from]
		switch {
		case over+1 < from:
			between = "\n" + gap + "\n"
		case start == first.from:
			p.First = o.line - t.line
		}
		p.Text = t.source[o.from:o.to] + between + p.Text
	}
	p.Text = strings.Clone(strings.ReplaceAll(p.Text, "\r\n", "\n"))
	return p
}
