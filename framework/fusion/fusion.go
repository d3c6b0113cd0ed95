package fusion

import (
	"cmp"
	"fmt"
	"slices"
)

// Method is a way to merge lists.
type Method string

const (
	// Weighted sums min-max scaled scores times the list's weight: the convex
	// combination of Bruch, Gai and Ingber (TOIS 2023) without the constraint
	// that weights sum to 1.
	Weighted Method = "weighted"
	// RRF sums weight / (60 + rank): Cormack, Clarke and Büttcher (SIGIR 2009).
	RRF Method = "rrf"
	// CombMNZ is Weighted times the number of lists that hold the section: Fox
	// and Shaw (TREC-2, 1993).
	CombMNZ Method = "combmnz"
)

// rankConstant is RRF's k.
const rankConstant = 60

// ParseMethod reads the name of a method.
func ParseMethod(name string) (Method, error) {
	if m := Method(name); slices.Contains([]Method{Weighted, RRF, CombMNZ}, m) {
		return m, nil
	}
	return "", fmt.Errorf("unknown fusion method %q: weighted, rrf or combmnz", name)
}

// Entry is one section of a list. Scores are finite and ≥ 0.
type Entry struct {
	Section uint32
	Score   float64
}

// List is one strategy's ranking, best first, each section once.
type List struct {
	Source  string
	Weight  float64 // ≥ 0
	Entries []Entry
}

// Bonus adds Weight · Value(section) to every section that is in some list.
type Bonus struct {
	Source string
	Weight float64
	Value  func(section uint32) float64
}

// Contribution is what one source added to a score.
type Contribution struct {
	Source string
	Rank   int     // from 1; 0 for a bonus
	Raw    float64 // the source's own score
	Weight float64
	Amount float64
}

// Ranked is a section with its fused score, which is the sum of the amounts of
// its contributions.
type Ranked struct {
	Section       uint32
	Score         float64
	Contributions []Contribution
}

// Merge fuses lists. Ties in score are broken by order, which is negative when
// section a comes before b.
func Merge(method Method, lists []List, bonuses []Bonus, order func(a, b uint32) int) []Ranked {
	at := make(map[uint32]int)
	var out []Ranked
	for _, list := range lists {
		scale := scaler(method, list)
		for i, e := range list.Entries {
			n, ok := at[e.Section]
			if !ok {
				n = len(out)
				at[e.Section] = n
				out = append(out, Ranked{Section: e.Section, Contributions: make([]Contribution, 0, len(lists)+len(bonuses))})
			}
			out[n].add(Contribution{Source: list.Source, Rank: i + 1, Raw: e.Score, Weight: list.Weight, Amount: list.Weight * scale(i, e.Score)})
		}
	}
	for i := range out {
		if method == CombMNZ {
			out[i].multiply(float64(len(out[i].Contributions)))
		}
		for _, b := range bonuses {
			if v := b.Value(out[i].Section); v != 0 {
				out[i].add(Contribution{Source: b.Source, Raw: v, Weight: b.Weight, Amount: b.Weight * v})
			}
		}
	}
	slices.SortFunc(out, func(a, b Ranked) int {
		if c := cmp.Compare(b.Score, a.Score); c != 0 {
			return c // order is slow, cmp.Or would ask it each time
		}
		return order(a.Section, b.Section)
	})
	return out
}

// scaler gives the function from rank index and score to the unweighted amount.
func scaler(method Method, list List) func(i int, score float64) float64 {
	if method == RRF {
		return func(i int, _ float64) float64 { return 1 / float64(rankConstant+i+1) }
	}
	var best float64
	for _, e := range list.Entries {
		best = max(best, e.Score)
	}
	if best == 0 {
		return func(int, float64) float64 { return 0 }
	}
	return func(_ int, score float64) float64 { return score / best }
}

func (r *Ranked) add(c Contribution) {
	r.Contributions = append(r.Contributions, c)
	r.Score += c.Amount
}

func (r *Ranked) multiply(by float64) {
	r.Score *= by
	for i := range r.Contributions {
		r.Contributions[i].Amount *= by
	}
}
