package translation

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/loanword"
)

// sounds maps the key of a sound to words.
type sounds map[string][]spoken

// spoken is a word with the vowels of its sound.
type spoken struct{ word, vowels string }

// Limits for words that are compared by sound.
const (
	leastLetters = 3
	mostLetters  = 24
	leastKana    = 2
	near         = 0.7     // similarity of their vowels, see [loanword.Sound.Near]
	mostAlike    = 6       // maximum number of words for one sound
	mostSections = 1 << 17 // maximum number of sections that are read for katakana: about a second
)

// add adds a word.
func (s sounds) add(word string, sound loanword.Sound) {
	if len(sound.Key) > 1 {
		s[sound.Key] = append(s[sound.Key], spoken{word, sound.Vowels})
	}
}

// hearing is a reading of the words of a corpus, which continues where the time of an earlier search ended.
type hearing struct {
	sounds sounds
	next   uint32 // next letter or section
	read   int    // number of sections
	seen   map[string]bool
	done   bool
}

func newHearing() *hearing { return &hearing{sounds: sounds{}, seen: map[string]bool{}} }

// english reads the English words of a corpus, letter by letter.
func (h *hearing) english(ctx context.Context, snap *snapshot.Snapshot) {
	const letters = 'z' - 'a' + 1
	for ; h.next < 2*letters; h.next++ {
		if ctx.Err() != nil {
			return
		}
		mark := ""
		if h.next >= letters {
			mark = text.ExactMark
		}
		for term := range snap.Terms(mark + string(rune('a'+h.next%letters))) {
			word := term[len(mark):]
			if mark == "" && lacksItsE(snap, word) {
				continue
			}
			if latin(word) && len(word) >= leastLetters && len(word) <= mostLetters {
				word = strings.Clone(word)
				h.sounds.add(word, loanword.OfEnglish(word))
			}
		}
	}
	h.done = true
}

// lacksItsE reports whether a stem sounds unlike its word, which ends in ce or ge: sourc sounds like サッカー.
func lacksItsE(snap *snapshot.Snapshot, stem string) bool {
	return (strings.HasSuffix(stem, "c") || strings.HasSuffix(stem, "g")) && snap.DocFreq(text.ExactMark+stem+"e") > 0
}

// latin reports whether a word consists of ASCII letters.
func latin(word string) bool {
	return strings.IndexFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
}

// katakana reads the katakana words in the first [mostSections] of the sections of a corpus.
func (h *hearing) katakana(ctx context.Context, snap *snapshot.Snapshot, sections *roaring.Bitmap) {
	it := sections.Iterator()
	for it.AdvanceIfNeeded(h.next); h.read < mostSections && it.HasNext(); h.read++ {
		if ctx.Err() != nil {
			return
		}
		id := it.Next()
		h.next = id + 1
		for field := range snap.Fields() {
			for word := range katakanaWords(snap.Normalized(id, field)) {
				if !h.seen[word] {
					word = strings.Clone(word)
					h.seen[word] = true
					h.sounds.add(word, loanword.OfKana(word))
				}
			}
		}
	}
	h.seen, h.done = nil, true
}

// katakanaWords yields the runs of katakana in a normalised text.
func katakanaWords(norm string) iter.Seq[string] {
	return func(yield func(string) bool) {
		start := -1
		for i, r := range norm {
			switch in := isKatakana(r); {
			case in && start < 0:
				start = i
			case !in && start >= 0:
				if i-start >= 3*leastKana && !yield(norm[start:i]) {
					return
				}
				start = -1
			}
		}
		if start >= 0 && len(norm)-start >= 3*leastKana {
			yield(norm[start:])
		}
	}
}

// alike returns the words that sound similar, best first.
func (s sounds) alike(sound loanword.Sound) (out []string) {
	type found struct {
		word  string
		alike float64
	}
	var all []found
	for _, w := range s[sound.Key] {
		if a := sound.Near(loanword.Sound{Key: sound.Key, Vowels: w.vowels}); a >= near {
			all = append(all, found{w.word, a})
		}
	}
	slices.SortStableFunc(all, func(a, b found) int { return cmp.Compare(b.alike, a.alike) })
	for _, f := range all[:min(len(all), mostAlike)] {
		out = append(out, f.word)
	}
	return out
}
