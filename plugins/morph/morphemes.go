package main

import (
	"strings"
	"unicode"

	"github.com/ikawaha/kagome-dict/ipa"
	"github.com/ikawaha/kagome/v2/tokenizer"
)

// analyser cuts normalised text into morphemes. It is safe for concurrent use.
type analyser struct {
	tokenizer *tokenizer.Tokenizer
}

func newAnalyser() (*analyser, error) {
	t, err := tokenizer.New(ipa.Dict(), tokenizer.OmitBosEos())
	return &analyser{t}, err
}

// grammar are the parts of speech that say nothing of what a text is about.
var grammar = map[string]bool{"助詞": true, "助動詞": true, "記号": true, "フィラー": true, "接続詞": true}

// morphemes gives the dictionary forms of a text's content words. Compounds come in their
// parts, so that a part finds the whole.
func (a *analyser) morphemes(text string) []string {
	var out []string
	for _, token := range a.tokenizer.Analyze(text, tokenizer.Search) {
		if speech := token.POS(); grammar[speech[0]] || speech[0] == "動詞" && speech[1] != "自立" {
			continue
		}
		form := token.Surface
		if base, ok := token.BaseForm(); ok && base != "" && base != "*" {
			form = base
		}
		if strings.ContainsFunc(form, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) {
			out = append(out, form)
		}
	}
	return out
}
