package judge

import (
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// whole is an evidence from its path to its last line, what it quotes and its code
// included, normalised once a term is looked for in it.
type whole struct {
	norm     string
	squeezed string // without spaces and hyphens
	words    []string
}

// wholes gives the evidences as they stand. Only what the sentences lack is looked
// for in them, so most judgements never need them.
func (r *reader) wholes() []whole {
	if r.texts == nil {
		r.texts = make([]whole, len(r.evidences))
		for n := range r.evidences {
			e := &r.evidences[n]
			norm := text.Fold(placeMarks.Replace(e.ManualID+" "+e.Path) + "\n" + e.Heading + "\n" + e.Text)
			r.texts[n] = whole{norm: norm, squeezed: squeeze(norm), words: strings.FieldsFunc(norm, func(c rune) bool { return c >= utf8.RuneSelf || !isAlnum(byte(c)) })}
		}
	}
	return r.texts
}

var squeeze = strings.NewReplacer(" ", "", "-", "", "_", "", "\n", "").Replace

// absent reports whether a term is a word with a meaning of its own that no
// evidence holds, be it inflected, in parts, joined, or with a slip of the pen.
func (r *reader) absent(t asked) bool {
	for run := range runs(t.text) {
		if commonWords[run] || strings.HasSuffix(run, "ly") && len(run) > 4 {
			continue
		}
		found := false
		for i := range r.wholes() {
			if r.stopped() {
				return false
			}
			if w := &r.texts[i]; run[0] < utf8.RuneSelf && w.spells(run) || run[0] >= utf8.RuneSelf && w.covers(run) {
				found = true
				break
			}
		}
		if !found {
			return true
		}
	}
	return false
}

// runs parts a term where Latin letters meet others, and at the hyphens between words.
func runs(term string) func(func(string) bool) {
	return func(yield func(string) bool) {
		for term != "" {
			end := 0
			if term[0] < utf8.RuneSelf {
				for end < len(term) && isAlnum(term[end]) {
					end++
				}
			} else if end = strings.IndexFunc(term, func(c rune) bool { return c < utf8.RuneSelf }); end < 0 {
				end = len(term)
			}
			if end > 0 && !yield(term[:end]) {
				return
			}
			term = term[max(1, end):]
		}
	}
}

// Lengths from which on English words are held to be one by what they share.
const (
	sharedStart = 4 // and three letters in four of the shorter one
	joinedWord  = 7 // may be written in two
	slipShort   = 5 // one letter may be wrong
	slipLong    = 8 // two may
)

// spells reports whether a text holds a Latin word in some form.
func (w *whole) spells(word string) bool {
	if len(word) >= joinedWord && strings.Contains(w.squeezed, word) {
		return true
	}
	digits := strings.ContainsAny(word, "0123456789")
	for _, x := range w.words {
		if x == word || !digits && (kindred(word, x) || slip(word, x)) {
			return true
		}
	}
	return false
}

// kindred reports whether two words have one stem, by their beginnings: submit and
// submission, rotate and rotation.
func kindred(a, b string) bool {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return n >= sharedStart && 4*n >= 3*min(len(a), len(b)) && max(len(a), len(b))-n <= longerEnding
}

// slip reports whether two words differ by what a hurried hand gets wrong.
func slip(a, b string) bool {
	allowed := 0
	switch n := min(len(a), len(b)); {
	case n >= slipLong:
		allowed = 2
	case n >= slipShort:
		allowed = 1
	}
	return allowed > 0 && max(len(a), len(b))-min(len(a), len(b)) <= allowed && distance(a, b) <= allowed
}

// distance counts the letters to change, add, drop or swap between two words.
func distance(a, b string) int {
	before, last, next := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		next[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			next[j+1] = min(last[j]+cost, last[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, last, next = last, next, before
	}
	return last[len(b)]
}
