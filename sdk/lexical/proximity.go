package lexical

// occurrences is the maximum number of places of a term that are considered in one text.
const occurrences = 24

// Proximity measures how close neighbouring query terms are in a text: the mean over the pairs
// (t_i, t_i+1) of min(w_i, w_i+1) · 1/(1 + gap/reach), weighted by the same minima, so in [0, 1].
// gap is the smallest number of bytes between the two in either order; a missing pair counts 0.
// It follows Tao and Zhai's minimum pair distance (SIGIR 2007).
func Proximity(body string, terms []string, weights []float64, reach float64) float64 {
	near, _ := Terms{terms, weights}.In(body, reach)
	return near
}

// In returns the [Proximity] of the terms in a text and the weighted share of the terms that it has, in [0, 1].
func (t Terms) In(body string, reach float64) (near, share float64) {
	var sum, total float64
	places := make([][]int, len(t.Texts))
	for i, term := range t.Texts {
		if places[i] = find(body, term); i > 0 {
			w := min(t.Weights[i-1], t.Weights[i])
			total += w
			if gap, ok := closest(places[i-1], len(t.Texts[i-1]), places[i], len(term)); ok {
				sum += w / (1 + float64(gap)/reach)
			}
		}
	}
	if total > 0 {
		near = sum / total
	}
	i := -1
	return near, t.Share(func(string) bool { i++; return len(places[i]) > 0 })
}

// find returns the first offsets of term in body, ascending.
func find(body, term string) []int {
	if term == "" {
		return nil
	}
	f := finderOf(term)
	var out []int
	for at := 0; len(out) < occurrences; {
		i := f.Index(body[at:])
		if i < 0 {
			break
		}
		out = append(out, at+i)
		at += i + len(term)
	}
	return out
}

// closest returns the smallest gap between a place of one term and a place of the other.
func closest(a []int, lenA int, b []int, lenB int) (gap int, ok bool) {
	gap = 1 << 30
	for i, j := 0, 0; i < len(a) && j < len(b); {
		if a[i] <= b[j] {
			gap = min(gap, max(b[j]-a[i]-lenA, 0))
			i++
		} else {
			gap = min(gap, max(a[i]-b[j]-lenB, 0))
			j++
		}
		ok = true
	}
	return gap, ok
}
