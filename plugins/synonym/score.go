package synonym

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

// tokens returns a term's dictionary terms with the weights of their classes.
func tokens(snap *snapshot.Snapshot, term string) []lexical.Term {
	return lexical.NewBag(snap, &sdk.Query{Text: term}, weights).Terms
}

// mass returns the maximum that terms can add to a score.
func mass(snap *snapshot.Snapshot, terms []lexical.Term) float64 {
	var sum float64
	for _, t := range terms {
		sum += t.Weight * lexical.IDF(snap.Population(), snap.DocFreq(t.Text))
	}
	return sum
}

// cover computes the coverage of sections if an alternative covers the slots of its term.
type cover struct {
	bag        *lexical.Bag
	shares     []float64 // of the bag's slots
	expansions []expansion
	own        []float64 // share of each expansion's own slot, or 0
}

func newCover(snap *snapshot.Snapshot, bag *lexical.Bag, expansions []expansion) *cover {
	var total, added float64
	for _, t := range bag.Terms {
		if t.Slot >= 0 {
			total += lexical.IDF(snap.Population(), snap.DocFreq(t.Text))
		}
	}
	for _, e := range expansions {
		added += e.idf
	}
	c := &cover{bag: bag, expansions: expansions}
	for _, share := range bag.Share {
		c.shares = append(c.shares, share*total/(total+added))
	}
	for _, e := range expansions {
		c.own = append(c.own, e.idf/max(total+added, e.idf))
	}
	return c
}

// of returns a section's coverage and its slots, including those covered by alternatives.
func (c *cover) of(section uint32, slots uint64) (float64, uint64) {
	var sum float64
	for i, e := range c.expansions {
		if e.holders.Contains(section) {
			slots |= e.slots
			sum += c.own[i]
		}
	}
	return min(c.plus(sum, slots), 1), slots
}

// plus returns sum plus the shares of slots.
func (c *cover) plus(sum float64, slots uint64) float64 {
	for ; slots != 0; slots &= slots - 1 {
		sum += c.shares[bits.TrailingZeros64(slots)]
	}
	return sum
}

// sure reports whether each alternative alone makes a section match.
func (c *cover) sure() bool {
	for i, e := range c.expansions {
		if c.plus(c.own[i], e.slots) < c.bag.Threshold {
			return false
		}
	}
	return true
}

// matches reports whether a section matches by the rule of the base strategy, if alternatives count for coverage. own
// are the slots that it covers itself.
func (c *cover) matches(section uint32, own uint64) bool {
	sum, _ := c.of(section, own)
	return sum >= c.bag.Threshold-rounding || holdsMust(c.bag, section, own)
}

// rounding is the tolerance for single-precision sums that just miss the threshold.
const rounding = 1e-4

func holdsMust(bag *lexical.Bag, section uint32, slots uint64) bool {
	for i, mask := range bag.Must {
		if slots&mask == mask && bag.Verify(section, i) {
			return true
		}
	}
	return false
}

// candidate returns the candidate for a hit and how it matched.
func (c *cover) candidate(snap *snapshot.Snapshot, h lexical.Hit) sdk.Candidate {
	coverage, slots := c.of(h.Section, h.Slots)
	out := sdk.Candidate{
		Section: h.Section, Score: h.Score, Coverage: coverage,
		Signals: []string{sdk.SignalNormalized, sdk.SignalSynonym}, Terms: c.bag.SlotNames(slots),
	}
	names := inHeading(snap.Normalized(h.Section, snapshot.FieldHeading))
	for _, e := range c.expansions {
		if !e.holders.Contains(h.Section) {
			continue
		}
		out.Terms = append(out.Terms, missing(out.Terms, e.names)...)
		for _, v := range e.variants {
			if !v.holders.Contains(h.Section) {
				continue
			}
			out.Terms = append(out.Terms, missing(out.Terms, []string{v.text})...)
			if out.Signals[0] != sdk.SignalHeading && names(v) {
				out.Signals = append([]string{sdk.SignalHeading}, out.Signals...)
			}
		}
	}
	return out
}

// inHeading returns a function that reports whether a heading contains a variant as a word. An English one may be
// inflected, as in [holding].
func inHeading(heading string) func(variant) bool {
	key := sync.OnceValue(func() string { return "\x00" + join(units(heading)) })
	return func(v variant) bool {
		if v.key == "" {
			return dict.Index(heading, v.text) >= 0
		}
		return strings.Contains(key(), v.key)
	}
}

// missing returns the words that are not in all.
func missing(all, words []string) []string {
	var out []string
	for _, w := range words {
		if !slices.Contains(all, w) {
			out = append(out, w)
		}
	}
	return out
}
