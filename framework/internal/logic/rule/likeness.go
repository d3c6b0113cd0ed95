package rule

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
)

// index finds the rules of one side that stand among the same words as one of the other.
type index struct {
	has, wants []Rule
	rarity     map[string]float64 // of ideas, see [index.weigh]
	postings   map[Kind]map[string][]posting
	norms      []float64         // of has
	found      [][]candidate     // by rule of wants, see [index.search]
	claims     map[int][]float64 // by rule of has, the scores of the rules of wants that lead to it
	settings   map[string][]int  // the rules of has that give a setting its default
	// leads is, by path of wants and of has, how much the values that both hold lead from one to the other; 1 at most.
	leads map[string]map[string]float64
}

// posting is a rule of has that an idea stands around.
type posting struct {
	rule      int
	closeness float64
}

// candidate is a rule of has that stands among the same words as one of wants; a higher score is closer.
type candidate struct {
	rule  int
	score float64
}

const (
	candidates = 150  // that are looked at
	closest    = 25   // of these with another value
	fewest     = 1000 // lines that rarity is counted in, at least
	damping    = 8    // lets a line of few words lead to less
	unknown    = 4    // the rarity of an idea that has does not hold
	common     = .7   // an idea of less rarity leads to no rule
	telling    = 1.5  // an idea of less rarity does not count as part of a line
)

// newIndex is of no use when ctx ends before it returns.
func newIndex(ctx context.Context, has, wants []Rule) *index {
	x := &index{
		has: has, wants: wants, postings: map[Kind]map[string][]posting{Number: {}, Status: {}, Flag: {}},
		norms: make([]float64, len(has)), claims: map[int][]float64{},
		settings: map[string][]int{}, leads: map[string]map[string]float64{},
	}
	x.weigh()
	for i := range has {
		if name := has[i].setting; name != "" {
			x.settings[name] = append(x.settings[name], i)
		}
		sum, of := sum(0), x.postings[has[i].Kind]
		for idea, closeness := range has[i].said {
			of[idea] = append(of[idea], posting{i, closeness})
			sum.add(square(x.rarity[idea] * closeness))
		}
		x.norms[i] = math.Sqrt(sum.float())
	}
	for i := range wants {
		if ctx.Err() != nil {
			break
		}
		x.found = append(x.found, x.search(&wants[i]))
		for _, c := range x.found[i] {
			if i == 0 || !wants[i].sameLine(&wants[i-1]) {
				x.claims[c.rule] = append(x.claims[c.rule], c.score)
			}
		}
		x.lead(i)
	}
	for _, files := range x.leads {
		most := slices.Max(slices.Collect(maps.Values(files)))
		for path := range files {
			files[path] /= most
		}
	}
	return x
}

// lead adds to leads what a wanted rule says: the closest rule of the same value in each file.
func (x *index) lead(want int) {
	w, met := &x.wants[want], map[string]bool{}
	for _, c := range x.found[want] {
		h := &x.has[c.rule]
		if met[h.Path] || !h.same(w) {
			continue
		}
		met[h.Path] = true
		if x.leads[w.Path] == nil {
			x.leads[w.Path] = map[string]float64{}
		}
		x.leads[w.Path][h.Path] += c.score
	}
}

// leadsTo is 1 as well where the specification leads nowhere.
func (x *index) leadsTo(w, h *Rule) float64 {
	if files := x.leads[w.Path]; len(files) > 0 {
		return files[h.Path]
	}
	return 1
}

// weigh sets the rarity of ideas: the logarithm of the share of the lines of has that hold one.
func (x *index) weigh() {
	count, lines := map[string]int{}, 0
	for i := range x.has {
		if i > 0 && x.has[i].sameLine(&x.has[i-1]) {
			continue
		}
		lines++
		for idea := range x.has[i].said {
			count[idea]++
		}
	}
	x.rarity = make(map[string]float64, len(count))
	for idea, n := range count {
		x.rarity[idea] = max(0, math.Log(float64(max(lines, fewest)+1)/(float64(n)+.5)))
		if plain[idea] || measures()[idea] {
			x.rarity[idea] = min(x.rarity[idea], 2)
		}
	}
}

func (x *index) rare(idea string) float64 {
	if r, ok := x.rarity[idea]; ok {
		return r
	}
	return unknown
}

func square(f float64) float64 { return f * f }

// search returns the rules of has that stand closest to a wanted one, by a cosine whose weights are
// rarity times closeness.
func (x *index) search(w *Rule) []candidate {
	scores, norm := map[int]sum{}, sum(0)
	for idea, closeness := range w.said {
		norm.add(square(x.rare(idea) * closeness))
		if r := x.rarity[idea]; r >= common {
			for _, p := range x.postings[w.Kind][idea] {
				scores[p.rule] += sumOf(r * r * closeness * p.closeness)
			}
		}
	}
	all := make([]candidate, 0, len(scores))
	for rule, score := range scores {
		all = append(all, candidate{rule, score.float() / (math.Sqrt(norm.float()) * (x.norms[rule] + damping))})
	}
	slices.SortFunc(all, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.rule, b.rule))
	})
	return all[:min(candidates, len(all))]
}

// features say how much a line of has is about what a statement wants.
type features struct {
	own    float64 // of the line's own words, those that stand around the statement
	clause float64 // of the words of the statement's clause, those that stand around the line
	// equal is how close the closest rule of the wanted value is, beside this one.
	equal float64
	// rivals is the number of lines of the specifications that are closer to the line.
	rivals int
	first  float64 // how close the line is, beside the closest of any value
	leads  float64 // how much the specification leads to the line's file
}

// bounds are the features from which a difference is reported, chosen on
// docs/measurements/2026-11-23-wild.md and 2026-11-27-wild.md.
var bounds = map[Kind]features{
	Number: {own: .55, clause: .25, equal: .3, rivals: 3, first: .95, leads: .3},
	Status: {own: .2, clause: .15, equal: .4, rivals: 3, first: .95, leads: .3},
}

// A line that is known by a name is surer than one that is known by its words, whose likeness is below.
const (
	bySetting = 3
	byPhrase  = 2
)

// conflict returns the rule of has that contradicts a wanted one, nil without, and how sure that is: by its
// setting, by its reason phrase, or the share of words that both share.
func (x *index) conflict(want int) (has *Rule, likeness float64) {
	w := &x.wants[want]
	if w.setting != "" { // no other line gives it
		return x.bySetting(w), bySetting
	}
	equal, best, differing := 0., 0., []candidate{}
	for _, c := range x.found[want] {
		best = max(best, c.score)
		if h := &x.has[c.rule]; h.same(w) {
			equal = max(equal, c.score)
		} else if h.differs(w) && !idle(h) {
			differing = append(differing, c)
		}
	}
	for _, c := range differing {
		h := &x.has[c.rule]
		if w.Kind != Status || w.reason != h.Status || x.beside(want, h) {
			continue
		}
		if f := x.features(w, h); f.own >= bounds[Status].own && f.clause >= bounds[Status].clause {
			return h, byPhrase
		}
	}
	for _, c := range differing[:min(closest, len(differing))] {
		h := &x.has[c.rule]
		f := x.features(w, h)
		f.equal, f.rivals, f.first, f.leads = equal/c.score, x.rivals(c), c.score/best, x.leadsTo(w, h)
		if f.within(bounds[w.Kind]) && f.own*f.clause > likeness && !x.beside(want, h) && !x.near(c.rule, w) {
			has, likeness = h, f.own*f.clause
		}
	}
	return has, likeness
}

// rivals counts the lines of wants that are closer to a candidate.
func (x *index) rivals(c candidate) (n int) {
	for _, score := range x.claims[c.rule] {
		if score > c.score {
			n++
		}
	}
	return n
}

func (f features) within(b features) bool {
	return f.own >= b.own && f.clause >= b.clause && f.equal < b.equal && f.rivals < b.rivals &&
		f.first >= b.first && f.leads >= b.leads
}

// features compares what stands around a wanted rule and one of has.
func (x *index) features(w, h *Rule) (f features) {
	var own, ownShared, clause, clauseShared sum
	for idea, closeness := range h.said {
		if r := x.rare(idea); closeness == 1 && r > telling {
			own.add(r)
			ownShared.add(r * w.said[idea])
		}
	}
	for idea, closeness := range w.said {
		if r := x.rare(idea); closeness == 1 {
			clause.add(r)
			clauseShared.add(r * h.said[idea])
		}
	}
	return features{own: ownShared.float() / max(own.float(), 1), clause: clauseShared.float() / max(clause.float(), 1)}
}

// sum is a sum in millionths, which does not depend on the order of its parts.
type sum int

func sumOf(part float64) sum { return sum(math.Round(part * 1e6)) }

func (s *sum) add(part float64) { *s += sumOf(part) }

func (s sum) float() float64 { return float64(s) / 1e6 }

// idle reports whether a number is one that programs write for other reasons than a rule.
func idle(h *Rule) bool {
	return h.Kind == Number && slices.Contains([]float64{0, 1, 2, 1000, 1024}, h.Amount.Raw)
}

// beside reports whether the statement has the value of h beside the wanted one.
func (x *index) beside(want int, h *Rule) bool {
	return around(x.wants, want, 0, func(r *Rule) bool { return r.Kind == h.Kind && r.same(h) })
}

// reach is how many lines around a candidate must not hold the wanted value.
const reach = 4

// near reports whether the wanted value stands near a rule of has.
func (x *index) near(rule int, w *Rule) bool {
	return around(x.has, rule, reach, func(r *Rule) bool { return r.Kind == w.Kind && r.same(w) })
}

// around reports whether a rule of the same file at most some lines from rule i is as wanted.
func around(all []Rule, i, lines int, as func(*Rule) bool) bool {
	for _, step := range []int{-1, 1} {
		for j := i + step; j >= 0 && j < len(all) && all[j].Path == all[i].Path &&
			max(all[j].Line-all[i].Line, all[i].Line-all[j].Line) <= lines; j += step {
			if as(&all[j]) {
				return true
			}
		}
	}
	return false
}
