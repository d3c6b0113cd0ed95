package translation

import (
	"context"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Parameters of the score, chosen by measuring: BM25F, but without length normalisation for the heading and the names.
const (
	saturation = 1.0
	lengths    = 0.7
	heading    = 2.0
	threshold  = 0.2 // minimum coverage of a matched section, relative to the concepts that any section contains
)

// ranker scores the sections in the other language.
type ranker struct {
	snap     *snapshot.Snapshot
	sections *roaring.Bitmap // all sections in that language
	postings snapshot.Postings
}

// ranking is the result of a ranker.
type ranking struct {
	hits     []lexical.Hit
	matched  *roaring.Bitmap
	coverage float64 // of the best hit
}

// holds is the amount of a concept in a section: the frequency of its alternatives, by weight and length, and the
// weight of the best of them.
type holds struct{ freq, best float64 }

// sum is the sum over all concepts in a section.
type sum struct {
	score, coverage float64
	slots           uint64
}

// rank finds the best sections of within. All alternatives of a concept count as one word: their frequencies are added
// up, and a section contains the concept if it contains one of them.
func (r *ranker) rank(ctx context.Context, concepts []concept, within *roaring.Bitmap, limit int) ranking {
	n := int(r.sections.GetCardinality())
	sums := map[uint32]sum{}
	var total, known float64
	for i, c := range concepts {
		held := r.concept(ctx, &c)
		const unit = 1 << 10 // for integers, whose sum does not depend on the order
		df := 0
		for _, h := range held {
			df += int(h.best * unit)
		}
		idf := c.weight * lexical.IDF(n, (df+unit/2)/unit)
		if total += idf; df > 0 {
			known += idf
		}
		for id, h := range held {
			if within.Contains(id) {
				s := sums[id]
				s.score += idf * h.freq / (saturation + h.freq)
				s.coverage += idf * h.best
				s.slots |= 1 << i
				sums[id] = s
			}
		}
	}
	out := ranking{matched: roaring.New()}
	top := lexical.NewTop(limit)
	for id, s := range sums {
		if s.coverage < threshold*known {
			continue
		}
		coverage := min(s.coverage/total, 1)
		out.matched.Add(id)
		out.coverage = max(out.coverage, coverage)
		top.Offer(lexical.Hit{Section: id, Score: s.score * (1 + coverage), Coverage: coverage, Slots: s.slots})
	}
	out.hits = top.Sorted()
	return out
}

// concept returns the sections that contain a concept.
func (r *ranker) concept(ctx context.Context, c *concept) map[uint32]holds {
	out := map[uint32]holds{}
	for _, a := range c.alternatives {
		if ctx.Err() != nil {
			break
		}
		for id, freq := range r.alternative(&a) {
			h := out[id]
			out[id] = holds{freq: h.freq + a.weight*freq, best: max(h.best, a.weight)}
		}
	}
	return out
}

// alternative returns the sections that contain a translation: all words of an English one, or a Japanese one
// literally.
func (r *ranker) alternative(a *alternative) map[uint32]float64 {
	var out map[uint32]float64
	for i, term := range a.terms {
		next := map[uint32]float64{}
		r.term(term, func(id uint32, freq float64) {
			if before, ok := out[id]; ok {
				next[id] = min(before, freq)
			} else if i == 0 {
				next[id] = freq
			}
		})
		out = next
	}
	if len(a.terms) > 1 && text.HasCJK(a.text) {
		for id := range out {
			if !r.stands(id, a.text) {
				delete(out, id)
			}
		}
	}
	return out
}

// stands reports whether a field of a section contains a word.
func (r *ranker) stands(id uint32, word string) bool {
	for field := range r.snap.Fields() {
		if strings.Contains(r.snap.Normalized(id, field), word) {
			return true
		}
	}
	return false
}

// term visits the sections that contain a term, with its frequency adjusted for length.
func (r *ranker) term(term string, visit func(id uint32, freq float64)) {
	p := &r.postings
	mean := r.snap.AvgLen(snapshot.FieldBody)
	for _, segment := range r.snap.Segments() {
		if !segment.Postings(term, p) {
			continue
		}
		long := segment.Lengths(snapshot.FieldBody)
		for p.Next() {
			for i, doc := range p.Docs {
				if !r.sections.Contains(segment.Base() + doc) {
					continue
				}
				freq := heading * (float64(p.Freq(snapshot.FieldHeading, i)) + float64(p.Freq(snapshot.FieldPath, i)))
				if body := float64(p.Freq(snapshot.FieldBody, i)); body > 0 {
					freq += body / (1 - lengths + lengths*float64(long[doc])/mean)
				}
				visit(segment.Base()+doc, freq)
			}
		}
	}
}
