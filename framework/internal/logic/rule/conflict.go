package rule

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// Conflict is a contradiction: what one source does or says, and what a
// specification wants.
type Conflict struct {
	What       Difference
	Has, Wants Side
}

// Side is one of the two rules of a conflict.
type Side struct {
	Path, Name string
	Line       int
	Text       string
	// Value is what a constant that Text names holds, such as "MAX_BYTES = 25 MB", or "".
	Value string
}

// Conflicts compares every unit of code with every unit of specification. The
// latter are those of one layer, the open changes or the main ones: a
// requirement and its change are not held against each other's programs. A rule of code is held against the specifications that fit
// its subject about as well as any does, and against none of these where it
// agrees with one that fits better. It is of no use when ctx ends before it returns.
func Conflicts(ctx context.Context, has, wants []Source) []Conflict {
	wants = hear(has).translated(wants)
	s := newScale(slices.Concat(has, wants))
	near, pairs := s.homes(has, wants), []pair{}
	for h := range has {
		if ctx.Err() != nil {
			return nil
		}
		for w := range wants {
			pairs = append(pairs, s.pairs(&has[h], &wants[w], near[[2]string{wants[w].Path, has[h].Path}])...)
		}
	}
	return settle(pairs)
}

// pair is two rules about the same subject.
type pair struct {
	has, wants         *Source
	hasRule, wantsRule *Rule
	fit                float64
	judgement
}

// margin is by how much a fit may lie below the best.
const margin = .25

// settle drops the pairs whose rules fit others better.
func settle(pairs []pair) []Conflict {
	best, agreeing := map[*Rule]float64{}, map[*Rule]float64{} // by the rule of either side
	inUnit := map[[2]any]float64{}                             // a specification's rule and the unit that agrees with it
	for _, p := range pairs {
		best[p.hasRule], best[p.wantsRule] = max(best[p.hasRule], p.fit), max(best[p.wantsRule], p.fit)
		if p.agree {
			agreeing[p.hasRule], agreeing[p.wantsRule] = max(agreeing[p.hasRule], p.fit), max(agreeing[p.wantsRule], p.fit)
			key := [2]any{p.wantsRule, p.has}
			inUnit[key] = max(inUnit[key], p.fit)
		}
	}
	found := []Conflict{}
	for _, p := range pairs {
		if p.what == "" || p.fit < best[p.hasRule]-margin || p.fit < best[p.wantsRule]-2*margin ||
			agreeing[p.hasRule] > p.fit+1e-9 || p.elsewhere() && agreeing[p.wantsRule] > p.fit+held || inUnit[[2]any{p.wantsRule, p.has}] >= p.fit-1e-9 {
			continue
		}
		found = append(found, Conflict{p.what, sideOf(p.has, p.hasRule), sideOf(p.wants, p.wantsRule)})
	}
	return distinct(found)
}

// held is by how much better a statement fits where it is held than where it is not.
const held = .1

// elsewhere reports whether a difference tells nothing where the statement is held
// elsewhere: another number or value is then rather one of something else.
func (p pair) elsewhere() bool {
	switch Kind(p.what) {
	case Amount, State, Status, Members:
		return true
	}
	return false
}

func sideOf(s *Source, r *Rule) Side { return Side{s.Path, s.Name, r.Line, r.Text, r.Value} }

// distinct keeps one conflict per two lines and difference, ordered by place.
func distinct(all []Conflict) []Conflict {
	slices.SortStableFunc(all, func(a, b Conflict) int {
		return cmp.Or(cmp.Compare(a.Wants.Path, b.Wants.Path), cmp.Compare(a.Wants.Line, b.Wants.Line),
			cmp.Compare(a.Has.Path, b.Has.Path), cmp.Compare(a.Has.Line, b.Has.Line), cmp.Compare(a.What, b.What))
	})
	return slices.CompactFunc(all, func(a, b Conflict) bool { return a.What == b.What && a.Has == b.Has && a.Wants == b.Wants })
}

// scale weighs ideas: the more sources name one, the less it tells.
// Weights are whole millionths, whose sums do not depend on their order.
type scale map[string]int

func newScale(sources []Source) scale {
	count := map[string]int{}
	for _, s := range sources {
		all := s.Topic
		for _, r := range s.Rules {
			all = all.with(r.About)
		}
		for word := range all {
			count[word]++
		}
	}
	s := scale{}
	for word, n := range count {
		s[word] = int(one / math.Cbrt(float64(n)))
	}
	return s
}

// one is the weight of an idea that one source names.
const one = 1e6

func (s scale) sum(w Words) int {
	total := 0
	for word := range w {
		total += s.weight(word)
	}
	return total
}

func (s scale) weight(word string) int { return cmp.Or(s[word], one) }

// covered is how much of some words others hold between them, by weight.
func (s scale) covered(words Words, by ...Words) float64 {
	if len(words) == 0 {
		return 0
	}
	held := 0
	for word := range words {
		if slices.ContainsFunc(by, func(w Words) bool { return w[word] }) {
			held += s.weight(word)
		}
	}
	return float64(held) / float64(s.sum(words))
}
