package eval

import "github.com/sagasu-search/sagasu/framework/internal/toolset"

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
		sum += toolset.EstimateTokens(text(t))
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
