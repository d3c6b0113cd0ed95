//go:build fit

package answer

import (
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/sagasu-search/sagasu/framework/internal/judge/cases"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Weights of the rows of one set: those that are not gaps, and those that were made gaps. A row of a case weighs 1.
const (
	weightHeld = 120.0
	weightMade = 20.0
)

// mostSmall is the number of sections of a pool that is as small as a case.
const mostSmall = 5

// gapRows returns the terms and facets of the queries that weights are fitted on: those of the cases; those of
// answerable queries, among all their sections and among a few, which are not gaps; and terms that are made gaps in the
// latter by replacing a held word with one of another query.
func gapRows(t *testing.T, ps []*pool, m *fitted) (terms, facets []row) {
	words := map[string][]string{}
	for _, p := range ps {
		for i := range p.r.asked {
			if a := &p.r.asked[i]; p.answerable() && p.fittedOn() && a.specific {
				key := p.Set[:2] + script(a.Text)
				words[key] = append(words[key], a.Text)
			}
		}
	}
	random := rand.New(rand.NewPCG(1, 1))
	none := func(string) bool { return false }
	for _, p := range ps {
		if !p.fittedOn() || len(p.r.units) == 0 || !p.judged() && !p.answerable() {
			continue
		}
		if p.judged() {
			terms = append(terms, p.termRows(m, func(s string) bool { return p.Kind == "gap/term" && p.names(s) })...)
			if p.Kind != "gap/term" { // if the subject is missing, so is what is asked about it
				facets = append(facets, p.facetRows(m, func(s string) bool { return slices.Contains(p.Gaps, s) })...)
			}
			continue
		}
		few := p.few(t)
		for _, x := range []*pool{p, few} {
			terms, facets = append(terms, x.termRows(m, none)...), append(facets, x.facetRows(m, none)...)
		}
		if x, with := few.swapped(t, random, words); x != nil {
			terms = append(terms, x.termRows(m, func(s string) bool { return s == with })...)
		}
	}
	return weighGaps(terms), weighGaps(facets)
}

// termRows returns the specific terms that no section has.
func (p *pool) termRows(m *fitted, gap func(term string) bool) (rows []row) {
	c := p.r.choose(&m.Sentence)
	right := m.Right.probability(p.r.verdictOf(&c))
	for n := range p.r.asked {
		if a := &p.r.asked[n]; !a.held && a.specific {
			rows = append(rows, row{x: p.r.missingOf(n, right), y: gap(a.Text), w: oneIf(p.judged()), set: p.group()})
		}
	}
	return rows
}

// facetRows returns the facets that may be gaps.
func (p *pool) facetRows(m *fitted, gap func(facet string) bool) (rows []row) {
	c := p.r.choose(&m.Sentence)
	for n, f := range p.r.facets {
		if f.mayBeGap() {
			rows = append(rows, row{x: p.r.facetOf(n, &c), y: gap(f.name), w: oneIf(p.judged()), set: p.group()})
		}
	}
	return rows
}

// weighGaps sets the weights of the rows of each set, which have none yet.
func weighGaps(rows []row) []row {
	type key struct {
		set string
		gap bool
	}
	n := map[key]float64{}
	for _, r := range rows {
		n[key{r.set, r.y}]++
	}
	for i := range rows {
		if r := &rows[i]; r.w == 0 {
			all := weightHeld
			if r.y {
				all = weightMade
			}
			r.w = min(1, all/n[key{r.set, r.y}])
		}
	}
	return rows
}

// few returns the pool as small as a case: the first relevant section and the best others, weighted by themselves.
func (p *pool) few(t *testing.T) *pool {
	in := p.Input
	in.Held, in.Evidences = nil, nil
	for n := range p.Evidences {
		if n == p.Relevant[0] || len(in.Evidences) < mostSmall-1 {
			in.Evidences = append(in.Evidences, p.Evidences[n])
		}
	}
	return p.with(t, in)
}

// swapped returns the pool with another word of the same script for a held term, or nil if that word is held too.
func (p *pool) swapped(t *testing.T, random *rand.Rand, words map[string][]string) (out *pool, with string) {
	var held []string
	for i := range p.r.asked {
		if a := &p.r.asked[i]; a.held && a.specific && strings.Contains(p.Query.Text, a.Text) {
			held = append(held, a.Text)
		}
	}
	if len(held) == 0 {
		return nil, ""
	}
	old := held[random.IntN(len(held))]
	choice := words[p.Set[:2]+script(old)]
	with = choice[random.IntN(len(choice))]
	in := p.Input
	in.Query.Terms = slices.Clone(in.Query.Terms)
	for i := range in.Query.Terms {
		if in.Query.Terms[i].Text == old {
			in.Query.Terms[i].Text = with
		}
	}
	in.Query.Text = strings.Replace(in.Query.Text, old, with, 1)
	in.Query.Raw = strings.Replace(text.Fold(in.Query.Raw), old, with, 1)
	out = p.with(t, in)
	for _, a := range out.r.asked {
		if a.Text == with && !a.held {
			return out, with
		}
	}
	return nil, ""
}

// with returns the pool with another input, without an index.
func (p *pool) with(t *testing.T, in Input) *pool {
	out := *p
	in.WithoutIndex()
	out.Input = in
	var err error
	if out.r, err = read(t.Context(), &out.Input); err != nil {
		t.Fatal(err)
	}
	return &out
}

func script(s string) string {
	switch {
	case strings.ContainsFunc(s, func(c rune) bool { return unicode.Is(unicode.Katakana, c) }):
		return "katakana"
	case strings.ContainsFunc(s, func(c rune) bool { return unicode.Is(unicode.Latin, c) }):
		return "latin"
	}
	return "other"
}

// gapsLeftOut measures the gaps of each domain and of each set with weights fitted without it.
func gapsLeftOut(t *testing.T, ps []*pool, m fitted, terms, facets []row) {
	sums, queries, gaps := map[string]cases.Tally{}, map[string]int{}, map[string]int{}
	left := map[string]fitted{}
	for _, p := range ps {
		key := p.group()
		if !p.fittedOn() || !p.judged() && !p.answerable() {
			continue
		}
		if _, ok := left[key]; !ok {
			less := func(rows []row) []row {
				return slices.DeleteFunc(slices.Clone(rows), func(r row) bool { return r.set == key })
			}
			m.Missing, m.Facet = model{Weights: logistic(less(terms))}, model{Weights: logistic(less(facets))}
			left[key] = m
		}
		of := left[key]
		got := p.r.judge(&of).Gaps
		if p.judged() {
			sum := sums[p.Set]
			sum.Add(p.tally(got))
			sums[p.Set] = sum
			continue
		}
		queries[key]++
		gaps[key] += int(oneIf(len(got) > 0))
	}
	for _, key := range slices.Sorted(maps.Keys(sums)) {
		s := sums[key]
		t.Logf("gaps of %s without its domain: right %d wrong %d missed %d: precision %.2f recall %.2f", key, s.Right, s.Wrong,
			s.Missed, s.Precision(), s.Recall())
	}
	for key, n := range queries {
		t.Logf("gaps without %s: %.3f of %d", key, ratio(gaps[key], n), n)
	}
}

// tally counts the right, wrong and missed gaps of a case. A gap of terms counts once.
func (p *pool) tally(gaps []Gap) (one cases.Tally) {
	met := map[string]bool{}
	for _, g := range gaps {
		hit := ""
		for _, want := range p.Gaps {
			if want == g.Facet || slices.ContainsFunc(g.Terms, p.names) {
				hit = want
			}
		}
		if hit == "" {
			one.Wrong++
		} else {
			met[hit] = true
		}
	}
	one.Right, one.Missed = len(met), len(p.Gaps)-len(met)
	return one
}
