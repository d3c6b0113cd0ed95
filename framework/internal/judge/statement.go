package judge

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// statement is something that a text says and another one may contradict.
type statement struct {
	sentence int
	amount   *quantity // nil for a stance
	stance   stance
	clause   clause
	subject  []word
	titles   []word     // of a cell of a table, the title over it
	given    []quantity // of a stance, amounts on which it depends
	core     int        // where what only adds to it begins, 0 for nowhere
	telling  int        // how many words of the subject are
	terms    uint64     // of the query, in its sentence and, of a cell, in the title over it
	near     uint64
	bits     uint64 // the sieve of subject
}

// statements collects what the sentences that bear on the query state. Stances
// are read only of those that another one may contradict.
func (r *reader) statements() (numbers, stances []statement) {
	asked := r.known()
	if !r.q.asksWhether() {
		asked = 0
	}
	var bearing []bearer
	for i := 0; i < len(r.sentences) && !r.stopped(); i++ {
		s := &r.sentences[i]
		if s.kind != row && s.terms == 0 && len(r.q.pieces) > 0 { // what is compared shares a word of the query
			continue
		}
		if s.kind == row {
			numbers = r.cells(numbers, i)
			continue
		}
		if s.kind != states || r.wordsOf(s) == nil || code(s.source) {
			continue
		}
		found := s.amounts()
		for k := range found {
			if st, ok := r.numberOf(i, found, k); ok {
				numbers = append(numbers, st)
			}
		}
		bearing = append(bearing, r.bearer(i, asked))
	}
	return numbers, r.contested(bearing)
}

// stancesOf appends the stances of a sentence.
func (r *reader) stancesOf(out []statement, i int) []statement {
	s := &r.sentences[i]
	found := s.amounts()
	var before []word
	for _, x := range r.stances(s) {
		if len(x.clause.words) == 0 {
			continue
		}
		if anaphoric(s.norm[x.clause.start:]) {
			x.subject = union(before, x.subject)
		}
		before = x.subject
		st := statement{sentence: i, stance: x, clause: x.clause, subject: uncounted(union(x.subject, x.apart), found), core: x.core}
		for k := range found {
			if q := &found[k]; q.start >= x.clause.start && q.end <= x.clause.end && (q.limits(s.norm) || q.unit.dimension == "weekday") {
				st.given = append(st.given, *q)
			}
		}
		out = append(out, r.statement(st))
	}
	return out
}

// cells appends what the numbers of a row of a table say: each stands for what the
// first cell and the title over it name.
func (r *reader) cells(out []statement, i int) []statement {
	s := &r.sentences[i]
	if s.titles == 0 {
		return out
	}
	head := &r.sentences[i-s.titles]
	if s.terms|head.terms == 0 && len(r.q.pieces) > 0 || !s.counts() {
		return out
	}
	for _, x := range [...]*sentence{s, head} {
		if x.words == nil {
			x.words = r.words(x.norm)
		}
	}
	first, _ := cell(s.norm, 0)
	for k := 1; ; k++ {
		at, end := cell(s.norm, k)
		if at < 0 {
			return out
		}
		value := strings.TrimSpace(s.norm[at:end])
		of := sentence{norm: value}
		of.sift()
		found := of.amounts()
		if len(found) != 1 || found[0].role == loose {
			continue
		}
		from, to := cell(head.norm, k)
		_, stop := cell(s.norm, 0)
		st := statement{sentence: i, amount: &found[0], subject: slices.Clone(within(s.words, first, stop)), terms: head.terms}
		if from >= 0 {
			st.titles = within(head.words, from, to)
		}
		out = append(out, r.statement(st))
	}
}

// cell gives the bounds of the k-th cell of a row, -1 where it has none.
func cell(row string, k int) (start, end int) {
	start = 1
	for ; k > 0; k-- {
		i := strings.IndexByte(row[start:], '|')
		if i < 0 {
			return -1, -1
		}
		start += i + 1
	}
	i := strings.IndexByte(row[min(start, len(row)):], '|')
	if i < 0 {
		return -1, -1
	}
	return start, start + i
}

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
const mostTelling = 10

// anaphoric reports whether a clause speaks of what the one before it did.
func anaphoric(clause string) bool {
	return startsWith(strings.TrimLeft(clause, " "), []string{"it ", "they ", "this ", "these ", "and is ", "and are ", "and cannot ", "and can "})
}

// uncounted leaves out the words of amounts.
func uncounted(words []word, found []quantity) []word {
	if len(found) == 0 {
		return words
	}
	return slices.DeleteFunc(slices.Clone(words), func(w word) bool {
		return slices.ContainsFunc(found, func(q quantity) bool { return q.unit.dimension != "weekday" && w.start < q.end && w.end > q.start })
	})
}

func union(a, b []word) []word {
	if len(b) == 0 {
		return a
	}
	return append(slices.Clip(a), b...)
}

func (r *reader) statement(s statement) statement {
	s.terms |= r.sentences[s.sentence].terms
	s.near = r.sentences[s.sentence].near | s.terms
	s.telling = telling(s.subject)
	if s.telling <= mostTelling { // else it says too many things at once to be held against another
		s.bits = sieve(s.subject)
	}
	return s
}

// numberOf makes a statement of the k-th number of a sentence. A number is alone
// in its dimension; where a sentence has several, they are variants or a condition.
func (r *reader) numberOf(i int, found []quantity, k int) (statement, bool) {
	s, q := &r.sentences[i], found[k]
	if q.role == loose || q.role != most && q.inCondition(s.norm) {
		return statement{}, false
	}
	for j := range found {
		if j != k && found[j].unit.dimension == q.unit.dimension {
			return statement{}, false
		}
	}
	start, end := 0, len(s.norm)
	if text.HasCJK(s.norm) { // what it is good for is no part of it
		if i := strings.LastIndex(s.norm[:q.start], "ため、"); i >= 0 {
			start = i + len("ため、")
		}
	} else {
		start, end = aroundNumber(s.norm, q.start)
	}
	st := statement{sentence: i, amount: &q, subject: make([]word, 0, 8)}
	if end < len(s.norm) || start > 0 || !text.HasCJK(s.norm) {
		st.core = q.end
	}
	for _, w := range unlisted(s.norm, within(s.words, start, end)) {
		inside := func(q quantity) bool {
			return w.start < q.number && w.end > q.start || w.start >= q.noun && w.end <= q.end
		}
		if !slices.ContainsFunc(found, inside) && !digits(s.norm[w.start:w.end]) {
			st.subject = append(st.subject, w)
		}
	}
	for j := range found {
		if j != k && found[j].inCondition(s.norm) {
			st.given = append(st.given, found[j])
		}
	}
	return r.statement(st), true
}

// digits reports a word of digits.
func digits(form string) bool { return strings.Trim(form, "0123456789.,") == "" }
