package patentquery

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Required returns groups of index terms. A text that matches the pattern has at least one term of
// each group. The result is empty if nothing is known, as for a single prefix.
func (p *Pattern) Required() [][]string {
	if p.stem != "" {
		return [][]string{{p.stem}}
	}
	groups := [][]string{}
	pieces := strings.FieldsFunc(p.needle, blank)
	for i, piece := range pieces {
		open := p.open && i == len(pieces)-1
		tokens := slices.Collect(p.z.Tokens(&text.Text{Norm: piece}))
		groups = append(groups, cjkGroups(tokens)...)
		groups = append(groups, wordGroups(tokens, len(piece), open)...)
	}
	return groups
}

// Proof returns an index term such that every text with the term matches the pattern, or "". Unlike
// for Stem, matching texts may lack the term.
func (p *Pattern) Proof() string {
	if p.stem != "" {
		return p.stem
	}
	runes := []rune(p.needle)
	if len(runes) == 0 || len(runes) > 2 || !text.IsCJK(runes[0]) || !text.IsCJK(runes[len(runes)-1]) {
		return ""
	}
	return p.needle
}

// cjkGroups returns the pairs of characters, and the characters that stand alone.
func cjkGroups(tokens []text.Token) (groups [][]string) {
	covered := 0
	for i, tok := range tokens {
		switch {
		case tok.Class == text.Bigram:
			groups = append(groups, pair(tok.Term))
			covered = tok.End
		case tok.Class == text.Unigram && tok.End > covered && !pairs(tokens[i:]):
			groups = append(groups, []string{tok.Term})
		}
	}
	return groups
}

// wordGroups returns the words; an identifier is one group of its parts and its whole, since a text
// may cut it elsewhere. It leaves out a group that reaches an open end.
func wordGroups(tokens []text.Token, length int, open bool) (groups [][]string) {
	stop := 0 // where the last group ends
	for _, tok := range tokens {
		if tok.Class != text.Word && tok.Class != text.Whole {
			continue
		}
		if tok.Start >= stop {
			groups = append(groups, nil)
		}
		groups[len(groups)-1] = append(groups[len(groups)-1], tok.Term)
		stop = max(stop, tok.End)
	}
	if open && stop == length && len(groups) > 0 {
		groups = groups[:len(groups)-1]
	}
	return groups
}

// pairs reports whether the first of the tokens, a character, starts a pair.
func pairs(tokens []text.Token) bool {
	return len(tokens) > 1 && tokens[1].Class == text.Bigram && tokens[1].Start == tokens[0].Start
}

// pair returns the index terms of two Japanese characters: adjacent, or separated by a space.
func pair(s string) []string {
	runes := []rune(s)
	return []string{s, text.BridgeTerm(runes[0], runes[len(runes)-1])}
}

// Open returns the start of the last word if that is a prefix, else "". The index of a text that
// matches the pattern has a term with this start, or with this start after [text.ExactMark].
func (p *Pattern) Open() string {
	if !p.open {
		return ""
	}
	open := "" // the longest end without marks: a text may cut it elsewhere, but joins it as well
	for tok := range p.z.Tokens(&text.Text{Norm: p.needle}) {
		end := p.needle[tok.Start:]
		if tok.End == len(p.needle) && len(end) > len(open) && strings.TrimPrefix(tok.Term, text.ExactMark) == end {
			open = end
		}
	}
	return open
}
