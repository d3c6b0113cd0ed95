package eval

import "unicode"

// charactersPerToken is what a token of alphabetic text holds on average.
const charactersPerToken = 4

// EstimateTokens estimates how many tokens a language model reads in a text:
// one per Chinese, Japanese or Korean character and one per four other
// characters, spaces included, rounded up.
func EstimateTokens(text string) int {
	wide, others := 0, 0
	for _, r := range text {
		if unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) || isWidePunctuation(r) {
			wide++
		} else {
			others++
		}
	}
	return wide + (others+charactersPerToken-1)/charactersPerToken
}

// isWidePunctuation reports whether r is CJK punctuation or a full-width form.
func isWidePunctuation(r rune) bool {
	return r >= 0x3000 && r <= 0x303F || r == 'ー' || r >= 0xFF00 && r <= 0xFFEF
}

// Tokens says how much is read until a relevant section is: the estimated
// tokens of all ranked sections down to the first relevant one, it included.
type Tokens struct {
	Spread
	// Without counts the queries whose ranking holds no relevant section; they
	// are no part of the other figures.
	Without int `json:"queries_without"`
}

// readingCost sums what has been read when the section at rank is, text giving a
// section's text. Rank counts from 1; 0 costs nothing.
func readingCost(ranking []Target, rank int, text func(Target) string) int {
	if text == nil {
		return 0
	}
	sum := 0
	for _, t := range ranking[:rank] {
		sum += EstimateTokens(text(t))
	}
	return sum
}

// tokens sums the outcomes up.
func tokens(outcomes []Outcome) Tokens {
	var t Tokens
	var all []float64
	for _, o := range outcomes {
		if o.Rank == 0 {
			t.Without++
			continue
		}
		all = append(all, float64(o.Tokens))
	}
	t.Spread = spreadOf(all)
	return t
}
