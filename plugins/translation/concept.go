package translation

import (
	"context"
	"slices"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
	"github.com/sagasu-search/sagasu/sdk/x/loanword"
)

// concept is a word of the query with its translations. It has none if no dictionary contains the word.
type concept struct {
	name         string
	weight       float64
	alternatives []alternative
}

// alternative is a translation that a section may contain.
type alternative struct {
	text   string
	terms  []string // of the snapshot's dictionary; a section must contain all
	weight float64
}

// Weights of alternatives, chosen by measuring. The first translation of a word has weight 1.
const (
	perRank  = 0.2 // the n-th translation after it has 1 / (1 + n · perRank)
	selfsame = 0.5 // the English word itself in a Japanese text
	part     = 0.3 // a concept that is one of several kanji
)

// Limits that keep a query affordable whatever the dictionaries contain.
const (
	mostConcepts     = 32
	mostAlternatives = 64 // of one concept
)

// translator translates one query.
type translator struct {
	*Strategy
	snap   *snapshot.Snapshot
	corpus *corpus
	stems  text.Tokenizer
	unseen bool // also use translations that no section of snap contains
}

// read splits a query into its words.
func (t *translator) read(ctx context.Context, query string) []concept {
	if text.HasCJK(query) {
		return t.fromJapanese(ctx, text.Fold(query))
	}
	return t.fromEnglish(ctx, text.Fold(query))
}

// find looks up a key in all dictionaries. longer reports whether longer keys of the files begin with it.
func (t *translator) find(key string) (values []string, longer bool) {
	for _, f := range t.files {
		v, l := f.Find(key)
		values, longer = append(values, v...), longer || l
	}
	for _, v := range t.pairs()[key] {
		if !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values, longer
}

// addAll adds translations, best first.
func (t *translator) addAll(c *concept, values []string) {
	for i, v := range values {
		for _, form := range forms(v) {
			t.add(c, form, 1/(1+float64(i)*perRank))
		}
	}
}

// add adds a translation if sections may contain it.
func (t *translator) add(c *concept, word string, weight float64) {
	if i := slices.IndexFunc(c.alternatives, func(a alternative) bool { return a.text == word }); i >= 0 {
		c.alternatives[i].weight = max(c.alternatives[i].weight, weight)
		return
	}
	terms := dict.EnglishStems(&t.stems, word)
	if text.HasCJK(word) {
		terms = pairs(&t.stems, word)
	}
	unknown := func(term string) bool { return !t.unseen && t.snap.DocFreq(term) == 0 }
	if len(terms) == 0 || len(c.alternatives) == mostAlternatives || slices.ContainsFunc(terms, unknown) {
		return
	}
	c.alternatives = append(c.alternatives, alternative{text: word, terms: terms, weight: weight})
}

// addAlike adds the words with a similar sound.
func (t *translator) addAlike(c *concept, all sounds, sound loanword.Sound) {
	for _, w := range all.alike(sound) {
		t.add(c, w, 1)
	}
}

// pairs returns the terms of a Japanese word: its bigrams and English words, or its only character.
func pairs(z *text.Tokenizer, word string) (out []string) {
	n := text.Text{Norm: word}
	var alone []string
	for tok := range z.Tokens(&n) {
		switch tok.Class {
		case text.Bigram, text.Word:
			out = append(out, tok.Term)
		case text.Unigram:
			alone = append(alone, tok.Term)
		}
	}
	if len(out) == 0 {
		return alone
	}
	return out
}
