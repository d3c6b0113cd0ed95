// Fuse: merges the scores of all strategies into one order.

package search

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/fusion"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/query"
)

// fused holds the retrieved sections in one order, best first.
type fused struct {
	retrieved
	ranked []scored
}

// scored is a section with its score and evidence.
type scored struct {
	fusion.Ranked
	evidence
}

// evidence is what the strategies say about one section.
type evidence struct {
	coverage       float64
	measured       bool // some strategy measured the coverage
	signals, terms []string
	wordings       []int // wordings that found it, ascending
}

// fuse merges the results and the bonuses.
func fuse(r *run, in retrieved) fused {
	most := max(r.limit(), r.settings.RerankTop, mostReordered)
	return fused{in, in.merge(&r.settings, r.titled(), compareSections(r.snap), most)}
}

// merge fuses the results. titled reports whether the title of a section begins with a must term, order breaks ties,
// and the best keep sections carry their contributions.
func (in retrieved) merge(s *Settings, titled func(uint32) bool, order func(a, b uint32) int, keep int) []scored {
	found := in.evidence()
	values := [len(bonusNames)]func(section uint32) float64{
		func(id uint32) float64 { return found[id].coverage },
		func(id uint32) float64 { return oneIf(slices.ContainsFunc(found[id].signals, isName)) },
		func(id uint32) float64 { return oneIf(titled(id)) },
	}
	var bonuses []fusion.Bonus
	for i, weight := range s.bonusWeights() {
		bonuses = append(bonuses, fusion.Bonus{Source: bonusNames[i], Weight: *weight, Value: values[i]})
	}
	merged := fusion.Merge(s.Method, in.lists(s), bonuses, order, keep)
	out := make([]scored, len(merged))
	for i, m := range merged {
		out[i] = scored{m, *found[m.Section]}
	}
	return out
}

// bonusNames are the sources of the bonuses of fusion in the order in which they contribute, also in a trace.
var bonusNames = [...]string{"coverage", "heading", "title"}

// bonusWeights returns the weights of the bonuses, in the same order.
func (s *Settings) bonusWeights() [len(bonusNames)]*float64 {
	return [...]*float64{&s.CoverageWeight, &s.HeadingWeight, &s.TitleWeight}
}

// titled returns a function that reports whether the title of a section begins with a must term.
func (r *run) titled() func(id uint32) bool {
	musts := r.terms(sdk.TermMust)
	return func(id uint32) bool {
		if len(musts) == 0 {
			return false
		}
		sec, ok := r.snap.Section(id)
		return ok && beginsWithTerm(query.Together(text.Fold(sec.Title)), musts)
	}
}

// isName reports whether a signal marks a query word in a title or a file name.
func isName(signal string) bool { return signal == sdk.SignalHeading || signal == sdk.SignalPath }

// lists returns the results, reduced to sections that may become candidates.
func (in retrieved) lists(settings *Settings) []fusion.List {
	var out []fusion.List
	for _, res := range in.results {
		d := res.description
		l := fusion.List{Source: d.Name, Weight: settings.fullWeight(d), Confidence: res.Confidence}
		l.Entries = make([]fusion.Entry, 0, len(res.Candidates))
		for _, c := range res.Candidates {
			if in.matched.Contains(c.Section) {
				l.Entries = append(l.Entries, fusion.Entry{Section: c.Section, Score: c.Score, Terms: c.Terms})
			}
		}
		out = append(out, l)
	}
	return out
}

// evidence merges coverage, signals and terms over the results.
func (in retrieved) evidence() map[uint32]*evidence {
	out := make(map[uint32]*evidence)
	for _, res := range in.results {
		for _, c := range res.Candidates {
			e := out[c.Section]
			if e == nil {
				e = new(evidence)
				out[c.Section] = e
			}
			if e.add(c); !slices.Contains(e.wordings, res.wording) {
				e.wordings = append(e.wordings, res.wording)
			}
		}
	}
	for _, res := range in.results {
		addSignal(out, res)
	}
	return out
}

// add merges what a strategy says about the section into the evidence.
func (e *evidence) add(c sdk.Candidate) {
	e.coverage = max(e.coverage, c.Coverage)
	e.measured = e.measured || c.Measured || c.Coverage > 0
	e.signals, e.terms = joined(e.signals, c.Signals), joined(e.terms, c.Terms)
}

// joined is like [union], but returns b itself, without spare capacity, if a is empty.
func joined(a, b []string) []string {
	if len(a) == 0 && distinct(b) {
		return slices.Clip(b)
	}
	return union(a, b)
}

// distinct reports whether all texts differ.
func distinct(texts []string) bool {
	for i, t := range texts {
		if slices.Contains(texts[:i], t) {
			return false
		}
	}
	return true
}

// addSignal adds the signal of a strategy that admits no candidates to all sections that it says
// matched. If the strategy has several signals, only its candidates say which applies.
func addSignal(found map[uint32]*evidence, res result) {
	if res.description.Admits() || len(res.description.Signals) != 1 || res.Matched == nil {
		return
	}
	for id, e := range found {
		if res.Matched.Contains(id) {
			e.signals = union(e.signals, res.description.Signals)
		}
	}
}

// beginsWithTerm reports whether a title begins with one of the terms, as the section that the
// query names does, unlike sections that mention it. 別表30 and 第3条の2 are not 別表3 and 第3条.
func beginsWithTerm(title string, terms []string) bool {
	return slices.ContainsFunc(terms, func(t string) bool {
		rest, ok := strings.CutPrefix(title, t)
		if number := strings.TrimPrefix(rest, "の"); number != "" && isDigit(number[0]) {
			return false
		}
		return ok && (rest == "" || !isAlnum(rest[0]) || !isAlnum(t[len(t)-1]))
	})
}

func isDigit(b byte) bool { return b >= '0' && b <= '9' }

func isAlnum(b byte) bool { return isDigit(b) || b >= 'a' && b <= 'z' }

func oneIf(yes bool) float64 {
	if yes {
		return 1
	}
	return 0
}
