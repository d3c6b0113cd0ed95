package judge

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
)

// Kinds of conflicts.
const (
	ConflictNumber    = "number"    // another number of the same unit and subject
	ConflictPolarity  = "polarity"  // one grants or demands what the other denies
	ConflictException = "exception" // one excepts what the other grants
)

// clash is a pair of sentences that disagree.
type clash struct {
	a, b int // sentences, a's evidence first
	kind string
}

// clashes compares what different evidences state, in pairs that share words.
func (r *reader) clashes() []clash {
	if r.q.bare() {
		return nil
	}
	numbers, stances := r.statements()
	var out []clash
	add := func(a, b *statement, kind string) {
		if r.aside(a)&r.aside(b) != 0 {
			return // the query asks for something else that both tell
		}
		c := clash{a.sentence, b.sentence, kind}
		if c.a > c.b {
			c.a, c.b = c.b, c.a
		}
		same := func(x clash) bool {
			return r.sentences[x.a].evidence == r.sentences[c.a].evidence && r.sentences[x.b].evidence == r.sentences[c.b].evidence
		}
		if !slices.ContainsFunc(out, same) {
			out = append(out, c)
		}
	}
	for i := 0; i < len(numbers) && !r.stopped(); i++ {
		for j := range i {
			if a, b := &numbers[i], &numbers[j]; alikely(a, b) && a.amount.differs(b.amount) && r.comparable(a, b) && r.numbersClash(a, b) && !r.strangers(a, b) && r.together(a, b) {
				add(a, b, ConflictNumber)
			}
		}
	}
	for i := 0; i < len(stances) && !r.stopped(); i++ {
		if !stances[i].stance.negative() {
			continue
		}
		for j := range stances {
			a, b := &stances[i], &stances[j]
			if !alikely(a, b) || b.stance.denies && a.stance.apart == nil || !r.comparable(a, b) {
				continue
			}
			if kind := r.stancesClash(a, b); kind != "" && !r.strangers(a, b) && r.together(a, b) {
				add(a, b, kind)
			}
		}
	}
	r.answerClashes(numbers, stances, add)
	slices.SortFunc(out, func(x, y clash) int {
		if x.a != y.a {
			return x.a - y.a
		}
		return x.b - y.b
	})
	return out
}

// aside gives the words of the query that the evidence of a statement holds, but not
// about the statement.
func (r *reader) aside(s *statement) uint64 {
	p := &r.places[r.sentences[s.sentence].evidence]
	if r.q.intent == sdk.IntentProcedure && !r.q.asksAmount() {
		return p.text &^ (p.pieces | s.terms)
	}
	return p.text &^ (r.over(s) | s.terms)
}

// alikely sorts out at once most pairs that share too little.
func alikely(a, b *statement) bool {
	return bits.OnesCount64(a.bits&b.bits) > 1 || a.bits&b.bits != 0 && bits.OnesCount64(a.bits|b.bits) <= fewWords
}

// fewWords is up to how many words of two statements one that they share says something.
const fewWords = 4

// covers reports whether a set holds most of the query's pieces.
func (q *question) covers(set uint64) bool {
	return bits.OnesCount64(set)*5 >= len(q.pieces)*3 || len(q.pieces) == 2 && set != 0
}

// comparable reports whether two statements stand in different texts that speak
// of what is asked, and of the same thing.
func (r *reader) comparable(a, b *statement) bool {
	if r.sentences[a.sentence].evidence == r.sentences[b.sentence].evidence {
		return false
	}
	if len(r.q.pieces) == 0 { // a query on an amount alone
		return a.amount != nil
	}
	return a.terms&b.terms != 0 && (a.near&^b.near == 0 || b.near&^a.near == 0) && a.near&b.near != 0
}

// together reports whether two statements are of the same edition, and hold at
// the same time. It costs the most and is asked last.
func (r *reader) together(a, b *statement) bool {
	return r.editionOf(r.sentences[a.sentence].evidence) == r.editionOf(r.sentences[b.sentence].evidence) && !r.rivalTitles(a, b)
}

// strangers reports whether two statements stand in files on different things.
func (r *reader) strangers(a, b *statement) bool {
	x, y := r.sentences[a.sentence].evidence, r.sentences[b.sentence].evidence
	p, q := &r.evidences[x], &r.evidences[y]
	return (p.ManualID != q.ManualID || p.Path != q.Path) && r.foreign(x, y) && r.foreign(y, x)
}

// foreign reports whether the file of x is about something that y never mentions.
func (r *reader) foreign(x, y int) bool {
	p := &r.places[x]
	for _, w := range p.file {
		if form := p.heading[w.start:w.end]; !w.light && r.mentions(x, form) && !r.mentions(y, form) && !strings.Contains(r.places[y].heading, form) {
			return true
		}
	}
	return false
}

func (r *reader) mentions(n int, form string) bool {
	p := &r.places[n]
	for i := p.from; i < p.to; i++ {
		if strings.Contains(r.sentences[i].norm, form) {
			return true
		}
	}
	return false
}

// around reports whether the headings over a statement or the sentence before it hold a word.
func (r *reader) around(s *statement, id int32) bool {
	i := s.sentence
	t := &r.sentences[i]
	return repeated(r.places[t.evidence].path, id) || repeated(t.words, id) || repeated(s.titles, id) || t.follows && i > 0 && repeated(r.wordsOf(&r.sentences[i-1]), id)
}

// topics reports whether the last headings over two statements tell their
// subjects apart: within one file a heading says what a section is about, and so
// it does elsewhere where the statements themselves say little.
func (r *reader) topics(a, b *statement, weak bool) bool {
	x, y := r.sentences[a.sentence].evidence, r.sentences[b.sentence].evidence
	p, q := &r.evidences[x], &r.evidences[y]
	if !weak && (p.ManualID != q.ManualID || p.Path != q.Path) {
		return false
	}
	apart := func(s, t *statement, own []word) bool {
		for _, w := range own {
			if !w.light && !repeated(t.subject, w.id) && !r.around(t, w.id) {
				return true
			}
		}
		return false
	}
	return apart(a, b, r.places[x].section) && apart(b, a, r.places[y].section)
}

// numbersClash decides on two numbers that differ.
func (r *reader) numbersClash(a, b *statement) bool {
	l := r.overlap(a, b)
	if !r.akin(a, b, l) || r.special(a, b) || r.special(b, a) || r.topics(a, b, r.commands(a) && r.commands(b)) {
		return false
	}
	return !r.knows(a, b.amount) && !r.knows(b, a.amount)
}

// special reports whether a statement picks a kind of what the query asks for by a
// word before it, and the other one speaks of it without: a premium locker, a locker.
func (r *reader) special(s, t *statement) bool {
	of := &r.sentences[s.sentence]
	for i, w := range s.subject {
		if i == 0 || w.start >= s.amount.start || !repeated(t.subject, w.id) || r.q.in(of.norm[w.start:w.end]) == 0 {
			continue
		}
		if m := s.subject[i-1]; r.foreignTo(t, m) && r.q.in(of.norm[m.start:m.end]) == 0 && of.norm[m.end:w.start] == " " && of.norm[m.end-1] != 's' {
			return true
		}
	}
	return false
}

// knows reports whether the evidence of a statement gives an amount as well: then
// both are right, each under its own condition.
func (r *reader) knows(s *statement, amount *quantity) bool {
	for _, q := range r.amountsOf(r.sentences[s.sentence].evidence) {
		if q.unit.dimension == amount.unit.dimension && q.equal(amount) {
			return true
		}
	}
	return false
}

// stancesClash decides on a denial and a statement that may affirm the same. It
// gives the kind of the conflict, "" for none.
func (r *reader) stancesClash(no, yes *statement) string {
	if no.stance.apart != nil {
		return r.exceptionClash(no, yes)
	}
	opposed := no.stance.pole < 0 && yes.stance.pole == -no.stance.pole && !(no.stance.pole == -openness && r.atOtherTimes(no, yes))
	if opposed {
		no, yes = r.unpolar(no), r.unpolar(yes)
	} else if !no.stance.denies {
		return ""
	}
	s := &r.sentences[yes.sentence]
	ordered := !opposed && demands(s, &yes.stance, &no.stance)
	if yes.stance.denies || yes.stance.apart != nil || no.stance.duty != yes.stance.duty && !opposed && !ordered && !(no.stance.duty && yes.stance.wide()) {
		return ""
	}
	if !opposed && no.stance.duty && no.stance.predicate != 0 && !repeated(s.words, no.stance.predicate) {
		return ""
	}
	if !opposed && !ordered && !no.stance.duty && !affirms(s, yes.clause, &yes.stance, &no.stance) {
		return ""
	}
	if opposed && yes.stance.pole == including && !r.answered(no, yes) {
		return ""
	}
	l := r.overlap(no, yes)
	if opposed { // that they speak of one pole they share as well
		l.direct, l.shared = l.direct+1, l.shared+tellingWord
	}
	if !opposed && !ordered && r.lex.plain(no, r.sentences[no.sentence].norm) {
		l.direct-- // the verb says little
	}
	near := r.akin(no, yes, l)
	wide := !l.weak() && l.onlyA <= 2 && l.onlyB <= 3 && yes.stance.wide() && r.takesIn(yes, no) ||
		l.shared >= tellingWord && l.onlyA <= 1 && l.onlyB <= 3 && r.sweeping(yes, no)
	// A plain denial speaks of every case, so also of one that is told in more detail.
	flat := near
	// A denial of something special beside a general grant is an exception, unless the grant takes it in.
	flat = flat && (l.onlyA == 0 || l.onlyA == 1 && r.answered(no, yes) && !r.ownTopic(no, yes)) || near && no.stance.wide() && r.takesIn(no, yes) && l.onlyA <= 2 && l.onlyB == 0
	wide = wide && r.covered(no, yes)
	wide = wide || r.covered(no, yes) && r.absolute(yes) && l.shared >= tellingWord && l.onlyB <= 2
	if opposed {
		flat = near
		wide = wide || r.covered(no, yes) && r.absolute(no) && l.shared >= tellingWord && l.onlyA <= 2
	}
	if !wide && (!flat || r.topics(no, yes, false)) {
		return ""
	}
	if r.bound(no) != r.bound(yes) || r.bound(no) && l.onlyA+l.onlyB > 0 || r.contrary(no, yes) || r.says(no, yes) || r.says(yes, no) {
		return ""
	}
	if wide {
		return ConflictException
	}
	return ConflictPolarity
}

// atOtherTimes reports whether two statements name days or hours, and different ones.
func (r *reader) atOtherTimes(a, b *statement) bool {
	for _, p := range r.sentences[a.sentence].amounts() {
		for _, q := range r.sentences[b.sentence].amounts() {
			if d := p.unit.dimension; d == q.unit.dimension && (d == "date" || d == "clock") && !p.equal(&q) {
				return true
			}
		}
	}
	return false
}

// bound reports a stance under a condition that it or the sentence before it names.
func (r *reader) bound(s *statement) bool {
	return s.stance.bound() || startsWith(r.sentences[s.sentence].norm, []string{"if ", "when ", "unless "})
}

// quantifiers of all; in English and mostly in Japanese what they take in follows.
var quantifiers = [...]string{"all ", "every ", "any ", "including ", "each ", "すべての", "全ての", "いずれの"}

// takesIn reports whether the wide statement s names something of t's subject as
// what all of is meant, or as included.
func (r *reader) takesIn(s, t *statement) bool {
	norm := r.sentences[s.sentence].norm
	for _, w := range s.subject {
		if !r.holds(t, s, w) {
			continue
		}
		if endsIn(norm[:w.start], quantifiers[:]) || startsWith(norm[w.end:], []string{"を含", "も含", "全員"}) {
			return true
		}
	}
	return containsAny(norm, []string{"いつでも", "誰でも", "どなた", "always ", "everyone", "including those "})
}

// holds reports whether t's subject has a word of s, be it as the end of a compound of katakana.
func (r *reader) holds(t, s *statement, w word) bool {
	form, norm := r.sentences[s.sentence].norm[w.start:w.end], r.sentences[t.sentence].norm
	return slices.ContainsFunc(t.subject, func(x word) bool {
		return x.id == w.id || form[0] >= 0x80 && strings.HasSuffix(norm[x.start:x.end], form)
	})
}

// exceptionClash decides whether yes grants what no takes out of its grant.
func (r *reader) exceptionClash(no, yes *statement) string {
	if yes.stance.denies != no.stance.denies || yes.stance.apart != nil || yes.stance.duty != no.stance.duty {
		return ""
	}
	telling, taken := 0, 0
	for _, w := range no.stance.apart {
		if w.light {
			continue
		}
		telling++
		if repeated(yes.subject, w.id) {
			taken++
		}
	}
	if telling == 0 || yes.stance.bound() {
		return ""
	}
	if taken < telling { // what is left out need not be named where all is meant
		if r.excepts(no, yes) && !r.topics(no, yes, false) {
			return ConflictException
		}
		return ""
	}
	l := r.overlap(no, yes)
	if l.shared < (telling+1)*tellingWord || l.onlyB > 0 || r.topics(no, yes, false) || yes.stance.bound() {
		return ""
	}
	return ConflictException
}

// says reports whether the evidence of s also takes the position of t on t's
// predicate: then it knows both, each under its own condition.
func (r *reader) says(s, t *statement) bool {
	p := &r.places[r.sentences[s.sentence].evidence]
	for i := p.from; i < p.to; i++ {
		for _, st := range r.stances(&r.sentences[i]) {
			if st.denies != t.stance.denies || st.duty != t.stance.duty || i == s.sentence && st.clause.start == s.clause.start {
				continue
			}
			other := r.statement(statement{sentence: i, stance: st, clause: st.clause, subject: st.subject})
			l := r.overlap(&other, t)
			if l.shared >= 2*tellingWord && l.onlyB == 0 && (t.stance.denies || affirms(&r.sentences[i], st.clause, &st, &s.stance)) {
				return true
			}
		}
	}
	return false
}
