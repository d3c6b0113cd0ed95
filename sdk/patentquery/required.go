package patentquery

import "github.com/sagasu-search/sagasu/sdk/text"

// Required are index terms without which no text holds the pattern: of each group one.
// It is empty when nothing can be said, as for a single word that goes on.
func (p *Pattern) Required() [][]string {
	if p.stem != "" {
		return [][]string{{p.stem}}
	}
	groups := [][]string{}
	norm := text.Text{Norm: p.needle}
	lone := text.Token{}
	for tok := range p.z.Tokens(&norm) {
		switch {
		case tok.Class == text.Word && (tok.End < len(p.needle) || !p.open):
			groups = append(groups, []string{tok.Term})
		case tok.Class == text.Unigram:
			if lone.Term != "" {
				groups = append(groups, []string{lone.Term})
			}
			lone = tok
			continue
		case tok.Class == text.Bigram:
			groups = append(groups, pair(p.needle[tok.Start:tok.End]))
		default:
			continue
		}
		if tok.Class != text.Bigram || tok.Start == lone.Start {
			lone = text.Token{}
		}
	}
	return groups
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
