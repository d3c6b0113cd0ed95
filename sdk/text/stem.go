package text

import (
	"cmp"
	_ "embed"
	"slices"
	"strings"
	"sync"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// term holds the terms of a word: the stem, and the marked exact form, "" if it equals the stem.
type term struct{ stem, exact string }

// Stem returns the dictionary term of the first word of a piece of text, or the text itself if it
// has no word.
func Stem(piece string) string {
	norm := Normalize(piece)
	for token := range Tokens(&norm) {
		if token.Class == Word {
			return token.Term
		}
	}
	return piece
}

// term returns the terms of a normalised word. Only words of ASCII letters are
// stemmed, by the English Snowball rules.
func (z *Tokenizer) term(word string) term {
	if !stemmable(word) {
		return term{stem: word}
	}
	if t, ok := z.terms[word]; ok {
		return t
	}
	return z.remember(strings.Clone(word))
}

// joinedTerm is like term, but takes a word in a buffer.
func (z *Tokenizer) joinedTerm(word []byte) term {
	if t, ok := z.terms[string(word)]; ok {
		return t
	}
	return z.remember(string(word))
}

func (z *Tokenizer) remember(word string) term {
	t := term{stem: word}
	if stemmable(word) {
		env := snowballstem.NewEnv(word)
		english.Stem(env)
		if stem := cmp.Or(families()[env.Current()], env.Current()); stem != word && stem != "" {
			t = term{stem, ExactMark + word}
		}
	}
	if z.terms == nil {
		z.terms = make(map[string]term)
	} else if len(z.terms) >= maxCached {
		clear(z.terms)
	}
	z.terms[word] = t
	return t
}

//go:embed families.txt
var familyList string

// Kin returns the stems of all words that share the term stem: stem itself, and the stems of the other
// words of its family before families are merged, such as spoke for speak.
func Kin(stem string) []string {
	kin := []string{stem}
	for other, first := range families() {
		if first == stem && other != stem {
			kin = append(kin, other)
		}
	}
	slices.Sort(kin[1:])
	return kin
}

// families maps the stem of each further word of a family to the stem of its first word.
var families = sync.OnceValue(func() map[string]string {
	stem := func(word string) string {
		env := snowballstem.NewEnv(word)
		english.Stem(env)
		return env.Current()
	}
	out := make(map[string]string)
	for line := range strings.Lines(familyList) {
		words := strings.Fields(line)
		for _, w := range words[1:] {
			if line[0] != '#' {
				out[stem(w)] = stem(words[0])
			}
		}
	}
	return out
})

func stemmable(word string) bool {
	for i := range len(word) {
		if b := word[i]; !isLower(b) && b != '\'' {
			return false
		}
	}
	return len(word) > 2
}
