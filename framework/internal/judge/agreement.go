package judge

import (
	"math"
	"math/bits"
	"strings"
)

// agree reports whether a sentence can stand for what a claim says: it takes the
// same side, and of what both count, one number is equal.
func (b *builder) agree(claim, at int) bool {
	if claim == at {
		return true
	}
	if b.denies(claim) != b.denies(at) {
		return false
	}
	if x, y := b.pole(claim), b.pole(at); x != 0 && x == -y {
		return false
	}
	return !differ(b.sentences[claim].quantities(), b.sentences[at].quantities())
}

// differ reports whether two texts count in one dimension and never alike.
func differ(a, b []quantity) bool {
	met := make(map[string]bool) // dimensions of both, and whether a number is equal
	for i := range a {
		for j := range b {
			if d := a[i].unit.dimension; d == b[j].unit.dimension {
				met[d] = met[d] || a[i].equal(&b[j])
			}
		}
	}
	for _, equal := range met {
		if !equal {
			return true
		}
	}
	return false
}

// denies reports whether a sentence denies or waives in its main clause, the last one.
func (r *reader) denies(i int) bool {
	st := r.main(i)
	return st != nil && st.denies
}

// pole is the side that the main clause takes of a pair such as free and chargeable, see polarity.
func (r *reader) pole(i int) int {
	if st := r.main(i); st != nil {
		return st.pole
	}
	return 0
}

func (r *reader) main(i int) *stance {
	all := r.stances(&r.sentences[i])
	if len(all) == 0 {
		return nil
	}
	return &all[len(all)-1]
}

// outdated reports whether an evidence says itself that it is of the past (旧約款,
// old/), and the query does not ask for that.
func (r *reader) outdated(n int) bool {
	edition := r.editionOf(n)
	for _, mark := range undated {
		if strings.Contains(edition, mark) {
			return !strings.Contains(r.q.norm, mark)
		}
	}
	return false
}

// weight is the part of the query's content in a set of its words, in [0, 1]: a
// word that few evidences hold counts for more.
func (r *reader) weight(set uint64) float64 {
	if len(r.weights) == 0 {
		r.weights = make([]float64, len(r.q.pieces))
		sum := 0.0
		for k := range r.weights {
			n := 0
			for i := range r.places {
				n += int(r.places[i].text >> k & 1)
			}
			if n > 0 {
				r.weights[k] = math.Log1p(float64(len(r.places)) / float64(n))
				sum += r.weights[k]
			}
		}
		for k := range r.weights {
			r.weights[k] /= max(sum, 1e-9)
		}
	}
	total := 0.0
	for ; set != 0; set &= set - 1 {
		total += r.weights[bits.TrailingZeros64(set)]
	}
	return total
}

// asksWho reports a question for those who may, rather than whether one may.
func asksWho(norm string) bool {
	return containsAny(" "+norm, []string{" who ", " who's ", " whom ", "eligible", "eligibility", "requirements", "誰", "どんな人", "どのような人", "どういう人", "条件", "資格", "要件", "対象者"}) &&
		!containsAny(" "+norm, []string{" not ", "n't ", "cannot", "ineligible", "except", "ない", "対象外", "除外", "以外"})
}
