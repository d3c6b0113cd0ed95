package eval

import (
	"maps"
	"math"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Measures are means over queries. The first list position is rank 1. NDCG and MRR are cut at the run's k, which is
// part of their JSON names (see [Report]).
type Measures struct {
	NDCG      float64 `json:"ndcg@10"`
	MRR       float64 `json:"mrr@10"`
	Hit1      float64 `json:"hit@1"`
	Hit5      float64 `json:"hit@5"`
	Hit10     float64 `json:"hit@10"`
	Recall100 float64 `json:"recall@100"`
}

// measure measures a ranking of distinct keys against graded keys. nDCG uses gain 2^grade − 1 and discount log2(rank +
// 1): Burges et al. (ICML 2005).
func measure(ranking []string, grades map[string]float64, k int) Measures {
	var m Measures
	var dcg float64
	found, first := 0, 0
	for i, key := range ranking[:min(max(100, k), len(ranking))] {
		grade, relevant := grades[key]
		if !relevant {
			continue
		}
		if first == 0 {
			first = i + 1
		}
		if i < 100 {
			found++
		}
		if i < k {
			dcg += gain(grade, i)
		}
	}
	if first > 0 {
		m.Hit1, m.Hit5, m.Hit10 = indicator(first <= 1), indicator(first <= 5), indicator(first <= 10)
		m.MRR = indicator(first <= k) / float64(first)
	}
	m.NDCG = dcg / ideal(grades, k)
	m.Recall100 = float64(found) / float64(len(grades))
	return m
}

func gain(grade float64, i int) float64 { return (math.Exp2(grade) - 1) / math.Log2(float64(i+2)) }

// ideal returns the DCG@k of the best possible ranking.
func ideal(grades map[string]float64, k int) float64 {
	best := slices.Sorted(maps.Values(grades))
	slices.Reverse(best)
	var sum float64
	for i, g := range best[:min(k, len(best))] {
		sum += gain(g, i)
	}
	return sum
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// mean returns the mean of measures, or zero for none.
func mean(all []Measures) Measures {
	var m Measures
	n := float64(len(all))
	for _, x := range all {
		m.NDCG += x.NDCG / n
		m.MRR += x.MRR / n
		m.Hit1 += x.Hit1 / n
		m.Hit5 += x.Hit5 / n
		m.Hit10 += x.Hit10 / n
		m.Recall100 += x.Recall100 / n
	}
	return m
}

// average returns the arithmetic mean, or 0 for none.
func average(values []float64) float64 {
	var sum float64
	for _, v := range values {
		sum += v
	}
	return sum / float64(max(1, len(values)))
}

// Percentile returns the nearest-rank percentile p in (0, 1] of values, or 0 for none.
func Percentile[T ~int64 | ~float64](values []T, p float64) T {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[max(0, int(math.Ceil(p*float64(len(sorted))))-1)]
}

// Spread is the distribution of a figure over queries.
type Spread struct {
	Mean   float64 `json:"mean"`
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
}

func spreadOf(values []float64) Spread {
	return Spread{average(values), Percentile(values, 0.50), Percentile(values, 0.95)}
}

// without returns the ranking without the sections of excluded files.
func without(ranking, excluded []Target) []Target {
	return slices.DeleteFunc(slices.Clone(ranking), func(t Target) bool {
		return slices.ContainsFunc(excluded, func(x Target) bool { return x.file() == t.file() })
	})
}

// unique keeps the first target of each key.
func unique(targets []Target, key func(Target) string) []Target {
	out := []Target{}
	seen := make(map[string]bool)
	for _, t := range targets {
		if k := key(t); !seen[k] {
			seen[k] = true
			out = append(out, t)
		}
	}
	return out
}

// keys returns the distinct keys of a ranking, each at its best rank.
func keys(ranking []Target, key func(Target) string) []string {
	var out []string
	for _, t := range unique(ranking, key) {
		out = append(out, key(t))
	}
	return out
}

// grades maps each key to its best grade.
func grades(targets []Target, key func(Target) string) map[string]float64 {
	out := make(map[string]float64)
	for _, t := range targets {
		out[key(t)] = max(out[key(t)], t.Grade)
	}
	return out
}

// Tokens is how much is read to reach a relevant section: the estimated tokens of all ranked sections up to and
// including the first relevant one.
type Tokens struct {
	Spread
	// Without counts the queries whose ranking has no relevant section; the other figures leave them out.
	Without int `json:"queries_without"`
}

// readingCost sums the tokens of the sections up to rank, from 1; rank 0 costs nothing. text returns a section's text.
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

// tokens summarises the outcomes.
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
