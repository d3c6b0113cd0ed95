package passage

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// mention is an occurrence of a word of the query in a unit, in bytes of the source and in characters of the unit.
type mention struct {
	word          int
	from, to      int
	start, length int
}

// excerpt returns the part of a unit of more than limit characters whose words are worth most, as bytes of the source,
// cut between words, and neither within a tag of a row in HTML nor within the fences of code.
func (t *Text) excerpt(u unit, limit int) (from, to int) {
	source := t.source[u.from:u.to]
	switch {
	case htmlRow(source) > 0:
		from, to = t.richestPart(u, limit*utf8.RuneCountInString(source)/u.length)
		from, to = outOfTags(source, from-u.from, to-u.from)
	case fenced(source):
		from, to = t.richestPart(u, limit)
		from, to = outOfFences(source, from-u.from, to-u.from)
	default:
		return t.richestPart(u, limit)
	}
	return u.from + from, u.from + to
}

// outOfTags moves the ends of a part of a row in HTML to the borders of the tags that they are in.
func outOfTags(row string, from, to int) (int, int) {
	if i := strings.IndexByte(row[from:], '>'); i >= 0 && !strings.Contains(row[from:from+i], "<") {
		from += i + 1
	}
	if i := strings.LastIndexByte(row[:to], '<'); i > from && !strings.Contains(row[i:to], ">") {
		to = i
	}
	return from, max(from, to)
}

// outOfFences moves the ends of a part of a block of code that are in its fences to those of the block.
func outOfFences(code string, from, to int) (int, int) {
	if from <= len(firstLine(code)) {
		from = 0
	}
	if last := strings.LastIndexByte(code, '\n') + 1; to > last && last > 0 && fenced(code[last:]) {
		to = len(code)
	}
	return from, to
}

// richestPart returns the part of at most limit characters whose words are worth most, cut between words. The limit
// includes the marks for what is left out.
func (t *Text) richestPart(u unit, limit int) (from, to int) {
	limit = max(1, limit-2*utf8.RuneCountInString(gap))
	mentions := t.mentions(u)
	if len(mentions) == 0 {
		to = u.from + len(text.CutRunes(t.source[u.from:u.to], limit))
		return u.from, t.between(to, u.from+1, u.to, -1)
	}
	first, last := t.richest(mentions, limit)
	from, to = mentions[first].from, mentions[last].to
	spare := max(0, limit-(mentions[last].start+mentions[last].length-mentions[first].start))
	before, after := mentions[first].start, utf8.RuneCountInString(t.source[to:u.to])
	back := min(before, max(spare/3, spare-after)) // the text after the words says more than the text before
	for range back {
		_, size := utf8.DecodeLastRuneInString(t.source[u.from:from])
		from -= size
	}
	to = t.ahead(to, min(after, spare-back))
	from = t.between(from, u.from, mentions[first].from, 1)
	return from, t.between(to, mentions[last].to, u.to, -1)
}

// Peak returns the place of the last word in the part of at most limit characters that is worth most, as bytes and
// lines from where the units start that passages are chosen from. It reports false if these have none of the words.
func (t *Text) Peak(limit int) (at, line int, ok bool) {
	if t.first >= t.end {
		return 0, 0, false
	}
	mentions := t.mentions(unit{from: t.from, to: t.units[t.end-1].to})
	if len(mentions) == 0 {
		return 0, 0, false
	}
	_, last := t.richest(mentions, limit)
	at = mentions[last].from
	return at - t.from, strings.Count(t.source[t.from:at], "\n"), true
}

// mentions lists the occurrences of words in a unit, in order.
func (t *Text) mentions(u unit) []mention {
	var out []mention
	source := t.source[u.from:u.to]
	norm := text.Normalize(source)
	at, start := 0, 0
	for tok := range text.Tokens(&norm) {
		n, ok := t.number[tok.Term]
		if !ok {
			continue
		}
		from, to := norm.Source(tok.Start, tok.End)
		if from < at {
			continue // a whole word whose parts came before
		}
		start += utf8.RuneCountInString(source[at:from])
		at = from
		out = append(out, mention{n, u.from + from, u.from + to, start, utf8.RuneCountInString(source[from:to])})
	}
	return out
}

// richest returns the first and the last mention of the span of at most limit characters that is worth most, counting
// each word once. The span is the shortest with these words.
func (t *Text) richest(mentions []mention, limit int) (first, last int) {
	held, sum, most, start := make([]int, len(t.worth)), 0.0, -1.0, 0
	for end, m := range mentions {
		if held[m.word]++; held[m.word] == 1 {
			sum += t.worth[m.word]
		}
		for ; start < end; start++ {
			w := mentions[start].word
			if held[w] == 1 && m.start+m.length-mentions[start].start <= limit {
				break
			}
			if held[w]--; held[w] == 0 {
				sum -= t.worth[w]
			}
		}
		if sum > most+leastGain {
			most, first, last = sum, start, end
		}
	}
	return first, last
}

// ahead returns the offset n characters after from.
func (t *Text) ahead(from, n int) int {
	for ; n > 0 && from < len(t.source); n-- {
		_, size := utf8.DecodeRuneInString(t.source[from:])
		from += size
	}
	return from
}

// between moves a cut in [low, high], forward or backward, to where it neither divides a word nor leaves a space at the
// edge. If there is no such place, it returns cut.
func (t *Text) between(cut, low, high, step int) int {
	for at := cut; at >= low && at <= high; {
		before, back := utf8.DecodeLastRuneInString(t.source[:at])
		after, forth := utf8.DecodeRuneInString(t.source[at:])
		inside, size := after, forth
		if step < 0 {
			inside, size = before, -back
		}
		apart := !unicode.IsSpace(inside) && !unicode.Is(unicode.M, after) && !(spaced(before) && spaced(after))
		if at == low || at == high || apart {
			return at
		}
		at += size
	}
	return cut
}

// spaced reports whether a character belongs to a word in a script with spaces between words.
func spaced(r rune) bool {
	unspaced := unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana)
	return !unspaced && (unicode.IsLetter(r) || unicode.IsDigit(r))
}
