package snapshot

import (
	"math"

	"github.com/RoaringBitmap/roaring/v2"
)

// Statistics are the figures of a collection that ranking needs to weigh terms and lengths.
type Statistics struct {
	// Sections is the number of sections, ≥ 0.
	Sections int `json:"sections"`
	// Lengths are the average lengths of the fields in tokens, in the order of the schema.
	Lengths []float64 `json:"lengths"`
	// DocFreqs is the number of sections that have a term. A missing term was not requested.
	DocFreqs map[string]int `json:"doc_freqs"`
}

// stratum is a subset of the gathered sections whose share of the collection is known: those with a certain term.
type stratum struct {
	held *roaring.Bitmap
	df   float64 // of the term, in the collection
}

// Estimate returns the number of sections that a set represents: its own size or, for sections gathered from a
// collection, how many sections of that are probably like them. Gathered sections are not a sample, because all of
// them have terms that were asked for. So each term with a known document frequency gives an estimate, in which the
// sections with the term and those without it are scaled separately. The result is the lowest estimate.
func (s *Snapshot) Estimate(sections *roaring.Bitmap) int {
	n := int(sections.GetCardinality())
	if s.manifest.Gathered == nil || n == 0 {
		return n
	}
	all, gathered := float64(s.Population()), float64(s.live.GetCardinality())
	least := all * float64(n) / gathered
	for _, x := range s.strata() {
		with, both := float64(x.held.GetCardinality()), float64(x.held.AndCardinality(sections))
		estimate := x.df * both / with
		if rest := gathered - with; rest > 0 {
			estimate += (all - x.df) * (float64(n) - both) / rest
		}
		least = min(least, estimate)
	}
	return max(n, int(math.Round(least)))
}

// stratify returns a stratum for each term with a known document frequency that occurs in a gathered section.
func (s *Snapshot) stratify() (out []stratum) {
	if s.manifest.Gathered == nil {
		return nil
	}
	for term, df := range s.manifest.Gathered.DocFreqs {
		if held := s.holders(term); !held.IsEmpty() {
			out = append(out, stratum{held, max(float64(df), float64(held.GetCardinality()))})
		}
	}
	return out
}

// holders returns the live sections that have a term.
func (s *Snapshot) holders(term string) *roaring.Bitmap {
	out := roaring.New()
	var p Postings
	for _, g := range s.segments {
		for ok := g.Postings(term, &p); ok && p.Next(); {
			for _, doc := range p.Docs {
				out.Add(g.base + doc)
			}
		}
	}
	out.And(s.live)
	return out
}
