package translation

import (
	"context"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/loanword"
)

// longestPhrase is the maximum number of words that are looked up together.
const longestPhrase = 4

// word is a content word of an English query.
type word struct{ stem, said string }

// fromEnglish splits a query into the longest phrases that a section may express in Japanese.
func (t *translator) fromEnglish(ctx context.Context, norm string) (out []concept) {
	var words []word
	n := text.Text{Norm: norm}
	for tok := range t.stems.Tokens(&n) {
		said := n.Norm[tok.Start:tok.End]
		if tok.Class == text.Word && !text.EnglishStop(said) {
			words = append(words, word{tok.Term, said})
		}
	}
	for len(words) > 0 && len(out) < mostConcepts {
		c, n := t.englishAt(ctx, words)
		out, words = append(out, c), words[n:]
	}
	return out
}

// englishAt reads the longest phrase at the start of words. n is its number of words.
func (t *translator) englishAt(ctx context.Context, words []word) (c concept, n int) {
	c, n = t.english(ctx, words[0]), 1
	key := words[0].stem
	for i, w := range words[1:min(len(words), longestPhrase)] {
		key += " " + w.stem
		phrase := concept{name: key, weight: 1}
		values, longer := t.find(key)
		if t.addAll(&phrase, values); len(phrase.alternatives) > 0 {
			c, n = phrase, i+2
		}
		if !longer && len(values) == 0 && len(t.files) > 0 {
			break
		}
	}
	return c, n
}

func (t *translator) english(ctx context.Context, w word) concept {
	c := concept{name: w.said, weight: 1}
	if len(w.stem) > 1 { // dictionaries translate a letter by its name
		values, _ := t.find(w.stem)
		t.addAll(&c, values)
	}
	if latin(w.said) {
		t.addAlike(&c, t.corpus.soundsOf(ctx, t.snap, true), loanword.OfEnglish(singular(w.said)))
	}
	t.add(&c, w.said, selfsame)
	return c
}

// singular returns a word without its plural s, which katakana omits.
func singular(word string) string {
	if strings.HasSuffix(word, "ss") {
		return word
	}
	return strings.TrimSuffix(word, "s")
}
