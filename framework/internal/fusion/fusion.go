package fusion

import (
	"cmp"
	"fmt"
	"slices"
)

// Method is a way to merge lists.
type Method string

const (
	// Weighted sums the scores, min-max scaled with the minimum at 0, times the list's weight: the convex combination
	// of Bruch, Gai and Ingber (TOIS 2023) without the constraint that weights sum to 1.
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
	Terms   []string // that led to it
}

// List is one strategy's ranking, best first, each section once.
type List struct {
	Source string
	Weight float64 // ≥ 0
	// Confidence is the part of the weight that applies, in (0, 1]; 0 means all of it.
	Confidence float64
	Entries    []Entry
}

// Bonus adds Weight · Value(section) to every section that is in some list.
type Bonus struct {
	Source string
	Weight float64
	Value  func(section uint32) float64
}

// Contribution is what one source added to a score: Weight · Confidence · Lists · Scaled, or with a Blend
// Weight · Confidence · (To − From).
type Contribution struct {
	Source     string   `json:"source"`         // of a [List] or [Bonus]
	Rank       int      `json:"rank,omitempty"` // from 1; 0 for a bonus
	Raw        float64  `json:"raw"`            // the source's own score
	Scaled     float64  `json:"scaled"`         // as the method scales it
	Weight     float64  `json:"weight"`
	Confidence float64  `json:"confidence,omitempty"` // 0 means 1
	Lists      int      `json:"lists,omitempty"`      // lists with the section, if the method counts them; 0 means 1
	Blend      *Blend   `json:"blend,omitempty"`      // of a reranker
	Amount     float64  `json:"contribution"`
	Terms      []string `json:"terms,omitempty"` // of its [Entry]
}

// Blend is how far a reranker would have moved a score if it had all the weight.
type Blend struct {
	From float64 `json:"from"`
	To   float64 `json:"to"`
}

// Ranked is a section with its fused score, which is the sum of the amounts of
// its contributions.
type Ranked struct {
	Section       uint32
	Score         float64
	Contributions []Contribution
}

// Merge fuses lists. Ties in score are broken by order, which is negative if section a comes before b. Only the best
// keep sections carry their contributions.
func Merge(method Method, lists []List, bonuses []Bonus, order func(a, b uint32) int, keep int) []Ranked {
	m := newMerger(method, lists, bonuses)
	out := make([]Ranked, len(m.sections))
	parts := make([]int, len(out)) // number of contributions by row
	spare := make([]Contribution, 0, len(lists)+len(bonuses))
	for row := range out {
		r := m.ranked(row, spare)
		out[row], parts[row] = Ranked{Section: r.Section, Score: r.Score}, len(r.Contributions)
	}
	slices.SortFunc(out, func(a, b Ranked) int {
		if c := cmp.Compare(b.Score, a.Score); c != 0 {
			return c // order is slow, and cmp.Or would call it each time
		}
		return order(a.Section, b.Section)
	})
	kept := out[:min(keep, len(out))]
	sum := 0
	for _, k := range kept {
		sum += parts[m.rows[k.Section]]
	}
	all := make([]Contribution, 0, sum)
	for i := range kept {
		row := m.rows[kept[i].Section]
		n := len(all)
		all = all[:n+parts[row]]
		kept[i] = m.ranked(row, all[n:n:len(all)])
	}
	return out
}

// merger holds the rank of each section in each list.
type merger struct {
	method   Method
	lists    []List
	bonuses  []Bonus
	scales   []func(i int, score float64) float64 // of lists
	sections []uint32                             // each once
	rows     map[uint32]int                       // in sections
	ranks    []int32                              // of a section in each list, one section after the other; 0 for none
}

func newMerger(method Method, lists []List, bonuses []Bonus) *merger {
	n := 0
	for _, list := range lists {
		n += len(list.Entries)
	}
	m := &merger{
		method: method, lists: lists, bonuses: bonuses,
		rows: make(map[uint32]int, n), sections: make([]uint32, 0, n), ranks: make([]int32, 0, n*len(lists)),
	}
	none := make([]int32, len(lists))
	for l, list := range lists {
		m.scales = append(m.scales, scaler(method, list))
		for i, e := range list.Entries {
			row, ok := m.rows[e.Section]
			if !ok {
				row = len(m.sections)
				m.rows[e.Section] = row
				m.sections = append(m.sections, e.Section)
				m.ranks = append(m.ranks, none...)
			}
			m.ranks[row*len(lists)+l] = int32(i + 1)
		}
	}
	return m
}

// ranked scores a section. It appends the contributions to contributions, which must be empty.
func (m *merger) ranked(row int, contributions []Contribution) Ranked {
	r := Ranked{Section: m.sections[row], Contributions: contributions}
	for l, rank := range m.ranks[row*len(m.lists):][:len(m.lists)] {
		if rank > 0 {
			list, i := &m.lists[l], int(rank-1)
			e := list.Entries[i]
			c := Contribution{Source: list.Source, Rank: i + 1, Raw: e.Score, Scaled: m.scales[l](i, e.Score),
				Weight: list.Weight, Confidence: list.Confidence, Terms: e.Terms}
			c.Amount = c.Weight * cmp.Or(c.Confidence, 1) * c.Scaled
			r.add(c)
		}
	}
	if m.method == CombMNZ {
		r.multiply(len(r.Contributions))
	}
	for _, b := range m.bonuses {
		if v := b.Value(r.Section); v != 0 {
			r.add(Contribution{Source: b.Source, Raw: v, Scaled: v, Weight: b.Weight, Amount: b.Weight * v})
		}
	}
	return r
}

// scaler returns the function from rank index and score to the unweighted amount.
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

func (r *Ranked) multiply(lists int) {
	r.Score *= float64(lists)
	for i := range r.Contributions {
		r.Contributions[i].Lists = lists
		r.Contributions[i].Amount *= float64(lists)
	}
}
