package trigram

import (
	"context"
	"maps"
	"math"
	"slices"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

const (
	// sampled is the number of sections from which the frequency of a trigram is estimated.
	sampled = 1024
	// common is the share of sections above which a trigram says nothing.
	common = 0.2
	// longest is the maximum number of bytes of a section that are read.
	longest = 4 << 10
	// heading is the number of times that a trigram in the headings counts.
	heading = 4
	// pivot is added to the length of a section in bytes, so that a section is not ranked first for being short.
	pivot = 1000
)

// Strategy implements [sdk.Strategy].
type Strategy struct {
	mu    sync.Mutex
	usage map[snapshot.Kind]*usage
}

var _ sdk.Opener = (*Strategy)(nil)

// New returns the strategy.
func New() *Strategy { return &Strategy{usage: map[snapshot.Kind]*usage{}} }

// Describe implements [sdk.Strategy].
func (*Strategy) Describe() sdk.Description {
	return sdk.Description{
		Name:    "trigram",
		Version: "1",
		Stage:   sdk.StageRerank,
		Signals: []string{sdk.SignalLateRerank},
		Weight:  0.2,
		Corpora: []snapshot.Kind{snapshot.KindManual, snapshot.KindVault},
	}
}

// Open implements [sdk.Opener].
func (s *Strategy) Open(ctx context.Context, corpus *snapshot.Snapshot) error {
	_, err := s.usageOf(ctx, corpus)
	return err
}

// Search implements [sdk.Strategy]. It scores the pool.
func (s *Strategy) Search(ctx context.Context, req *sdk.Request) (*sdk.Result, error) {
	asked, err := s.query(ctx, req.Corpus, req.Query.Text)
	if err != nil {
		return nil, err
	}
	out := &sdk.Result{Finished: true}
	for _, c := range req.Pool {
		if ctx.Err() != nil {
			out.Finished = false
			break
		}
		out.Candidates = append(out.Candidates, sdk.Candidate{
			Section: c.Section, Score: asked.likeness(textOf(req.Corpus, c.Section)),
			Signals: []string{sdk.SignalLateRerank},
		})
	}
	out.Candidates = sdk.Best(out.Candidates, req.Limit)
	return out, nil
}

// textOf returns the parts of a section that are read: heading and text.
func textOf(snap *snapshot.Snapshot, section uint32) [2]string {
	return [2]string{
		snap.Normalized(section, snapshot.FieldHeading), beginning(snap.Normalized(section, snapshot.FieldBody)),
	}
}

// beginning returns the part of a text that is read.
func beginning(body string) string { return body[:min(len(body), longest)] }

// gram is three characters of 21 bits each.
type gram uint64

// each yields the trigrams of a text. A run of characters other than letters and digits counts as one space, and a
// space is added before and after the text.
func each(s string, yield func(gram)) {
	const bits, mask = 21, 1<<63 - 1
	key, n, last := gram(' '), 1, ' '
	next := func(r rune) {
		if r == ' ' && last == ' ' {
			return
		}
		key, last = (key<<bits|gram(r))&mask, r
		if n++; n >= 3 {
			yield(key)
		}
	}
	for _, r := range s {
		if !says(r) {
			r = ' '
		}
		next(r)
	}
	next(' ')
}

// says reports whether a character is a letter, a mark or a digit.
func says(r rune) bool {
	switch {
	case r >= 'a' && r <= 'z', r >= '0' && r <= '9', r >= 'ぁ' && r <= 'ゖ', r >= 'ァ' && r <= 'ヺ', r >= '一' && r <= '鿿':
		return true // the usual case
	case r < utf8.RuneSelf || r == '、' || r == '。':
		return r >= 'A' && r <= 'Z'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
}

// idf returns 0 for a common trigram. With only a few sections, no trigram counts as common.
func idf(holders, sections float64) float64 {
	holders = max(1, holders)
	if holders > common*sections && sections > 1/common {
		return 0
	}
	return 1 + math.Log((1+sections)/(1+holders))
}

// set is a set of trigrams with a number for each, from 1.
type set struct {
	numbers map[gram]int
	filter  [1024]bool // by hash; false if the trigram is not in the set
}

func (s *set) add(g gram) {
	if s.numbers == nil {
		s.numbers = map[gram]int{}
	}
	s.numbers[g], s.filter[filtered(g)] = len(s.numbers)+1, true
}

// number returns the number of a trigram, or 0 if it is not in the set.
func (s *set) number(g gram) int {
	if !s.filter[filtered(g)] {
		return 0
	}
	return s.numbers[g]
}

// filtered returns the position of a trigram in the filter.
func filtered(g gram) uint64 { return uint64(g*0x9e3779b97f4a7c15) >> 54 }

// asked contains the trigrams of a query that are not common.
type asked struct {
	set
	weights []float64 // idf² · (1 + ln tf in the query)
	counts  []int     // in a section
}

// query returns the trigrams of a text as a query for a snapshot.
func (s *Strategy) query(ctx context.Context, snap *snapshot.Snapshot, text string) (*asked, error) {
	counts := map[gram]int{}
	each(text, func(g gram) { counts[g]++ })
	grams := slices.Sorted(maps.Keys(counts))
	u, err := s.usageOf(ctx, snap)
	if err != nil {
		return nil, err
	}
	a := &asked{}
	for i, idf := range u.idfs(grams) {
		if idf > 0 {
			a.add(grams[i])
			a.weights = append(a.weights, idf*idf*damped(counts[grams[i]]))
		}
	}
	a.counts = make([]int, len(a.weights))
	return a, nil
}

// likeness approximates the cosine of the vectors of (1 + ln tf) · idf. Instead of the length of the section's vector
// it uses the square root of the bytes, which does not require reading its other trigrams. The length of the query's
// vector does not affect the order.
func (a *asked) likeness(section [2]string) float64 {
	clear(a.counts)
	size, sum := pivot, 0.0
	for i, s := range section {
		size += len(s)
		times := [...]int{heading, 1}[i]
		each(s, func(g gram) {
			if n := a.number(g); n > 0 {
				a.counts[n-1] += times
			}
		})
	}
	for i, n := range a.counts {
		if n > 0 {
			sum += a.weights[i] * damped(n)
		}
	}
	return sum / math.Sqrt(float64(size))
}

func damped(n int) float64 { return 1 + math.Log(float64(n)) }

// Entry returns the strategy's entry, for programs that compile it in.
func Entry() sdk.Entry { return sdk.Entry{Name: "trigram", New: func() sdk.Strategy { return New() }} }
