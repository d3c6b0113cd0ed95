package patentquery

import (
	"slices"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Required are index terms without which no text holds the pattern: of each group one.
// It is empty when nothing can be said, as for a single word that goes on.
func (p *Pattern) Required() [][]string {
	if p.stem != "" {
		return [][]string{{p.stem}}
	}
	groups, covered := [][]string{}, 0
	tokens := slices.Collect(p.z.Tokens(&text.Text{Norm: p.needle}))
	for i, tok := range tokens {
		switch {
		case tok.Class == text.Word && (tok.End < len(p.needle) || !p.open):
			groups = append(groups, []string{tok.Term})
		case tok.Class == text.Bigram:
			groups = append(groups, pair(tok.Term))
			covered = tok.End
		case tok.Class == text.Unigram && tok.End > covered && !pairs(tokens[i:]):
			groups = append(groups, []string{tok.Term})
		}
	}
	return groups
}

// pairs reports whether the first of the tokens, a character, starts a pair.
func pairs(tokens []text.Token) bool {
	return len(tokens) > 1 && tokens[1].Class == text.Bigram && tokens[1].Start == tokens[0].Start
}

// pair is how an index holds two Japanese characters: side by side, or parted by a space.
func pair(s string) []string {
	runes := []rune(s)
	return []string{s, text.BridgeTerm(runes[0], runes[len(runes)-1])}
}

// Open is the start of the last word when it may go on and is that word's own: an index
// holds a term with this start, or one with it behind [text.ExactMark]. "" otherwise.
func (p *Pattern) Open() string {
	if !p.open {
		return ""
	}
	open := ""
	for tok := range p.z.Tokens(&text.Text{Norm: p.needle}) {
		if tok.Class == text.Word && tok.End == len(p.needle) {
			open = p.needle[tok.Start:tok.End]
		}
	}
	return open
}
