package judge

import (
	"math/bits"
	"slices"
	"strings"
)

// statement is something that a text says and another one may contradict.
type statement struct {
	sentence int
	amount   *quantity // nil for a stance
	stance   stance
	clause   clause
	subject  []word
	near     uint64
	bits     uint64 // the sieve of subject
}

// statements collects what the sentences that bear on the query state. Stances
// are read only of sentences that deny or share words with one that does.
func (r *reader) statements() (numbers, stances []statement) {
	var found []quantity
	var bearing []int
	var deniers []uint64
	for i := range r.sentences {
		s := &r.sentences[i]
		if s.words == nil || s.kind != states || r.near(i) == 0 {
			continue
		}
		found = quantities(found[:0], s.norm)
		for k := range found {
			if st, ok := r.numberOf(i, found, k); ok {
				numbers = append(numbers, st)
			}
		}
		bearing = append(bearing, i)
		if s.has(denying) {
			deniers = append(deniers, sieve(s.words))
		}
	}
	for _, i := range bearing {
		s := &r.sentences[i]
		own := sieve(s.words)
		if !slices.ContainsFunc(deniers, func(d uint64) bool { return d&own != 0 && bits.OnesCount64(d&own) > 1 }) {
			continue
		}
		for _, x := range r.stances(s) {
			if len(x.clause.words) > 0 {
				stances = append(stances, r.statement(statement{sentence: i, stance: x, clause: x.clause, subject: union(x.subject, x.apart)}))
			}
		}
	}
	return numbers, stances
}

// denying are the least that a denial, a waiver or an exception holds.
var denying = cues("ませ", "ない", "不", "外", "禁", "除", "断", "未対応", "ご遠慮", "任意", "無料", "無償", "無効", "オフ", "休業", "休館", "定休", "閉", "要り", "応じかね", "not ", "n't ", "cannot", "never ", "exclud", "except", "prohibited", "forbidden",
	"unavailable", "ineligible", "unsupported", "optional", "voluntary", "disabled", "closed", "closes ", "free ", " free", "no charge", " off by", "other than ", "apart from ")

// sieve is a set of the ids of telling words, as a quick test of what two texts share.
func sieve(words []word) uint64 {
	var set uint64
	for _, w := range words {
		if !w.light {
			set |= 1 << (w.id & 63)
		}
	}
	return set
}

// mostTelling is how many telling words a statement may have to be compared.
const mostTelling = 12

func union(a, b []word) []word {
	if len(b) == 0 {
		return a
	}
	return append(slices.Clip(a), b...)
}

func (r *reader) statement(s statement) statement {
	s.near = r.near(s.sentence)
	telling := 0
	for _, w := range s.subject {
		if !w.light {
			telling++
		}
	}
	if telling <= mostTelling { // else it says too many things at once to be held against another
		s.bits = sieve(s.subject)
	}
	return s
}

// numberOf makes a statement of the k-th number of a sentence. A number is alone
// in its dimension; where a sentence has several, they are variants or a condition.
func (r *reader) numberOf(i int, found []quantity, k int) (statement, bool) {
	s, q := &r.sentences[i], found[k]
	if q.role == loose {
		return statement{}, false
	}
	for j := range found {
		if j != k && found[j].unit.dimension == q.unit.dimension {
			return statement{}, false
		}
	}
	start, end := 0, len(s.norm)
	if japanese(s.norm) { // what it is good for is no part of it
		if i := strings.LastIndex(s.norm[:q.start], "ため、"); i >= 0 {
			start = i + len("ため、")
		}
	} else {
		start, end = aroundNumber(s.norm, q.start)
	}
	st := statement{sentence: i, amount: &q, subject: make([]word, 0, 8)}
	for _, w := range unlisted(s.norm, within(s.words, start, end)) {
		inside := func(q quantity) bool {
			return w.start < q.number && w.end > q.start || w.start >= q.noun && w.end <= q.end
		}
		if !slices.ContainsFunc(found, inside) {
			st.subject = append(st.subject, w)
		}
	}
	return r.statement(st), true
}
