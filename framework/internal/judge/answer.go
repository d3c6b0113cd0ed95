package judge

import (
	"math/bits"
	"slices"
)

// answer is a statement on what the query asks. Texts by different hands share few
// words beyond those of the question, so answers are held against each other by these.
type answer struct {
	*statement
	span clause // what says it
	held uint64 // pieces of the query over it
	own  uint64 // of a stance, those in its clause
}

// leastAsked is how many words of a query its answers have to hold.
const leastAsked = 2

// answerClashes gives the answers of different evidences that disagree.
func (r *reader) answerClashes(numbers, stances []statement, add func(a, b *statement, kind string)) {
	asked := r.known()
	if bits.OnesCount64(asked) < leastAsked {
		return
	}
	if r.q.asksAmount() {
		found := r.amountAnswers(numbers, asked)
		for i := 0; i < len(found) && !r.stopped(); i++ {
			for j := range i {
				if a, b := &found[i], &found[j]; a.amount.differs(b.amount) && r.sameQuestion(a, b) && !r.knows(a.statement, b.amount) && !r.knows(b.statement, a.amount) {
					add(a.statement, b.statement, ConflictNumber)
				}
			}
		}
	}
	if r.q.asksWhether() {
		found := r.stanceAnswers(stances, asked)
		for i := 0; i < len(found) && !r.stopped(); i++ {
			for j := range found {
				if no, yes := &found[i], &found[j]; r.sentences[no.sentence].evidence != r.sentences[yes.sentence].evidence {
					if kind := r.opposes(no, yes); kind != "" {
						add(no.statement, yes.statement, kind)
					}
				}
			}
		}
	}
}

// onPoint reports whether a sentence, with what stands over it, speaks of most of
// what is asked, words that few evidences hold counting most.
func (r *reader) onPoint(st *statement, asked uint64) bool {
	own, over := st.terms&asked, r.over(st)&asked
	if bits.OnesCount64(over) < leastAsked || own == 0 && over != asked && r.weight(over) < 0.8 {
		return false
	}
	return r.weight(over) >= leastHeld
}

// leastHeld is the share of what is asked, by weight, that an answer holds.
const leastHeld = 0.55

// over gives the pieces of a sentence, of the headings over it and of the
// sentences before it in its paragraph.
func (r *reader) over(st *statement) uint64 {
	over := st.near
	for i := st.sentence; i > 0 && r.sentences[i].follows; i-- {
		over |= r.sentences[i-1].terms
	}
	return over
}

// amountAnswers gives the numbers that answer the query; of each evidence and
// dimension the one in the sentence that holds most of it.
func (r *reader) amountAnswers(numbers []statement, asked uint64) (out []answer) {
	dimension := r.q.dimension()
	for k := range numbers {
		st := &numbers[k]
		if dimension != "" && dimension != st.amount.unit.dimension || !r.onPoint(st, asked) {
			continue
		}
		s := &r.sentences[st.sentence]
		x := answer{statement: st, span: clause{end: len(s.norm)}, held: r.over(st)}
		for _, c := range clauses(s) {
			if s.kind != row && c.start <= st.amount.start && st.amount.end <= c.end {
				x.span = c
			}
		}
		at := slices.IndexFunc(out, func(y answer) bool {
			return r.sentences[y.sentence].evidence == s.evidence && y.amount.unit.dimension == st.amount.unit.dimension
		})
		switch {
		case at < 0:
			out = append(out, x)
		case bits.OnesCount64(out[at].held) < bits.OnesCount64(x.held):
			out[at] = x
		}
	}
	return out
}

// stanceAnswers gives the stances that answer the query, for all that there is.
func (r *reader) stanceAnswers(stances []statement, asked uint64) (out []answer) {
	all := bits.OnesCount64(asked)
	for k := range stances {
		st := &stances[k]
		if !r.onPoint(st, asked) || st.stance.limited() {
			continue
		}
		own, over := r.q.in(st.stance.text), r.over(st)
		held := bits.OnesCount64(own | over&^r.sentences[st.sentence].terms)
		if own != 0 && held >= leastAsked && 2*held >= all && telling(st.clause.words) <= mostTelling {
			out = append(out, answer{statement: st, span: st.clause, held: over, own: own})
		}
	}
	return out
}

// sameQuestion reports whether two answers of different evidences answer the same:
// neither is about a part of it, or about something else, that the other is not.
func (r *reader) sameQuestion(a, b *answer) bool {
	x, y := r.sentences[a.sentence].evidence, r.sentences[b.sentence].evidence
	return x != y && a.held&b.held != 0 && r.together(a.statement, b.statement) && !r.otherConditions(a.statement, b.statement) && !r.alternatives(a, b) && !r.partial(a, b) && !r.partial(b, a)
}

// opposes gives the kind of the conflict where no denies what yes affirms, or
// takes out of it what yes says of all; "" for none.
func (r *reader) opposes(no, yes *answer) string {
	if yes.stance.apart != nil || no.held&yes.held == 0 {
		return ""
	}
	if no.stance.apart != nil {
		if no.stance.denies == yes.stance.denies && yes.stance.sweeps() && r.together(no.statement, yes.statement) && !r.partial(yes, no) && !r.offTopic(no, yes) {
			return ConflictException
		}
		return ""
	}
	ordered := demands(&r.sentences[yes.sentence], &yes.stance, &no.stance)
	if !no.stance.denies || yes.stance.denies || no.stance.duty != yes.stance.duty && !ordered || no.own&yes.own == 0 || !r.together(no.statement, yes.statement) || r.otherConditions(no.statement, yes.statement) {
		return ""
	}
	if p := no.stance.predicate; p != 0 && !r.asksFor(no, p) && (no.terms != r.known() || yes.terms != r.known()) {
		return ""
	}
	if !no.stance.duty && !ordered && !affirms(&r.sentences[yes.sentence], yes.span, &yes.stance, &no.stance) {
		return ""
	}
	special, general := r.partial(yes, no), r.partial(no, yes)
	switch {
	case r.alternatives(no, yes):
	case !special && !general:
		return ConflictPolarity
	case !special && yes.stance.sweeps() || !general && no.stance.sweeps():
		return ConflictException
	}
	return ""
}

// sweeps reports a stance on all there is.
func (st *stance) sweeps() bool { return containsAny(" "+st.text, universals[:]) }

var universals = [...]string{"すべて", "全て", "例外なく", "問わず", "全国", "どこでも", "いつでも", "誰でも", "どなた", "いずれも", "を含む", "を含め", "も含", "全員", "一切", "全職員", "全社員", "全従業員", "全会員", "全プラン", "全商品", "全店", "全室",
	" all ", " every ", " each ", " any ", " including ", "included", " whatever ", "without exception", " always ", " everyone ", " everything ", " no one ", " nobody "}

// limited reports a stance on some only, or one that may not hold.
func (st *stance) limited() bool { return containsAny(st.text, limits[:]) }

var limits = [...]string{"ない限り", "限り、", "のみ", "だけが", "だけは", "だけで", "だけに", "だけを", "だけ、", "に限", "しかでき", "しか使", "以外", "ことがあります", "場合があります", "ことがある", "かもしれ", "おそれ", "恐れ", "とは限", "一部", "多く", "ものもあ",
	"unless ", "until ", " only ", "only ", "might ", "sometimes", "in some cases", "not yet", "may not be ", "should ", "most ", "some ", "many ", "certain ", "at least one", "how ", "whether "}

// asksFor reports whether the query has the word of a predicate.
func (r *reader) asksFor(x *answer, predicate int32) bool {
	s := &r.sentences[x.sentence]
	return slices.ContainsFunc(s.words, func(w word) bool { return w.id == predicate && r.q.in(s.norm[w.start:w.end]) != 0 })
}

// telling counts the words that are not light.
func telling(words []word) (n int) {
	for _, w := range words {
		if !w.light {
			n++
		}
	}
	return n
}
