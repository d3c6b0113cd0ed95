package translation

import (
	"context"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/loanword"
)

// longestPhrase is how many words are looked up together.
const longestPhrase = 4

// word is a content word of an English query.
type word struct{ stem, said string }

// fromEnglish cuts a query into the longest phrases that some section may say in Japanese.
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

// englishAt reads the longest phrase at the start of words, n of them.
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
	if len(w.stem) > 1 { // what a dictionary says of a letter is its name
		values, _ := t.find(w.stem)
		t.addAll(&c, values)
	}
	if latin(w.said) {
		t.addAlike(&c, t.corpus.soundsOf(ctx, t.snap, true), loanword.OfEnglish(singular(w.said)))
	}
	t.add(&c, w.said, selfsame)
	return c
}

// singular returns a word without the s of its plural, which katakana leaves out.
func singular(word string) string {
	if strings.HasSuffix(word, "ss") {
		return word
	}
	return strings.TrimSuffix(word, "s")
}
