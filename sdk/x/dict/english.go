package dict

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// EnglishStems returns the stems of a phrase's words, stop words left out.
func EnglishStems(z *text.Tokenizer, phrase string) (out []string) {
	t := text.Normalize(phrase)
	for tok := range z.Tokens(&t) {
		if tok.Class == text.Word && !text.EnglishStop(t.Norm[tok.Start:tok.End]) {
			out = append(out, tok.Term)
		}
	}
	return out
}

// englishKey returns what a phrase is looked up by in a [Bilingual].
func englishKey(z *text.Tokenizer, phrase string) string {
	return strings.Join(EnglishStems(z, phrase), " ")
}
