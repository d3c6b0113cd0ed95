package judge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// akin decides whether two statements that bear on the query are about one thing.
// What they share must outweigh what each has for itself, and none of that may
// pick a kind, a part or a condition.
func (r *reader) akin(a, b *statement, l likeness) bool {
	own := l.onlyA + l.onlyB + l.tail/2
	if l.variant || l.shared < own+1 || l.shared < tellingWord {
		return false
	}
	if l.direct < 2 && (l.direct == 0 || own > 0 || !r.answered(a, b) && (a.telling > 2 || b.telling > 2)) {
		return false
	}
	if !r.covered(a, b) && (l.direct < 2 || own > 0 || max(a.telling, b.telling) > l.direct+mostBeside || !r.plain(a) || !r.plain(b)) {
		return false
	}
	return !r.otherwise(a, b) && !r.otherwise(b, a) && !r.rivals(a, b) && !r.conditioned(a, b) && !r.conditioned(b, a) && !r.parallel(a, b) && !(r.placed(a, b) && r.placed(b, a))
}

// otherwise reports whether s depends on an amount that t does not name.
func (r *reader) otherwise(s, t *statement) bool {
	for i := range s.given {
		q := &s.given[i]
		if !slices.ContainsFunc(t.given, func(p quantity) bool {
			return (p.role == q.role || q.unit.dimension == "weekday") && p.unit.dimension == q.unit.dimension && p.equal(q)
		}) {
			return true
		}
	}
	return false
}

// covered reports whether both statements hold most of the query.
func (r *reader) covered(a, b *statement) bool { return r.q.covers(a.near) && r.q.covers(b.near) }

// mostBeside is how many words beside the shared ones a statement may have that
// holds little of the query.
const mostBeside = 2

// plain reports whether a statement holds without a condition and speaks by an
// amount or an opposite; anything else must be what the query asks for.
func (r *reader) plain(s *statement) bool {
	return (s.amount != nil || s.stance.pole != 0 && s.stance.pole != including && s.stance.pole != -including) && !containsAny(r.sentences[s.sentence].norm, given[:])
}

// answered reports whether both statements hold the whole query.
func (r *reader) answered(a, b *statement) bool {
	return a.near == r.q.all() && b.near == r.q.all()
}

// foreignTo reports whether a word of a statement is telling and nowhere about the other one.
func (r *reader) foreignTo(t *statement, w word) bool {
	return !w.light && !w.plain && !repeated(t.subject, w.id) && !r.around(t, w.id)
}

// rivals reports whether two statements pick two kinds of one thing: a word that
// both hold has another one before it in each (慶弔休暇, 有給休暇; express delivery,
// standard delivery), or each says it of a thing of its own (ふたは, 本体は).
func (r *reader) rivals(a, b *statement) bool {
	x, y := r.sentences[a.sentence].norm, r.sentences[b.sentence].norm
	for i, w := range a.subject {
		if i == 0 || !r.kind(a, b, a.subject[i-1]) || !modifies(x, a.subject[i-1], w) {
			continue
		}
		for j, v := range b.subject {
			if v.id == w.id && j > 0 && r.kind(b, a, b.subject[j-1]) && modifies(y, b.subject[j-1], v) {
				return true
			}
		}
	}
	return r.ownTopic(a, b) && r.ownTopic(b, a)
}

// placed reports whether an English statement holds at a place of its own, which t does not name.
func (r *reader) placed(s, t *statement) bool {
	norm := r.sentences[s.sentence].norm
	return slices.ContainsFunc(s.subject, func(w word) bool {
		return s.trails(w) && r.foreignTo(t, w) && endsIn(norm[:w.start], []string{" in ", " in the ", " in a ", " at ", " at the ", " on the ", " inside ", " inside the ", " outside the "})
	})
}

// kind reports whether a word before another one may pick a kind of it: t knows
// nothing of it, though it be a small word that is written as a name (GET requests).
func (r *reader) kind(s, t *statement, w word) bool {
	of := &r.sentences[s.sentence]
	named := of.norm[w.start] < utf8.RuneSelf && strings.Contains(of.source, strings.ToUpper(of.norm[w.start:w.end]))
	return r.ownOf(t, w) || named && !repeated(t.subject, w.id) && !r.around(t, w.id)
}

// ownOf reports whether a word, telling or not, is nowhere about a statement.
func (r *reader) ownOf(t *statement, w word) bool {
	return !w.grammar && !w.plain && !repeated(t.subject, w.id) && !r.around(t, w.id)
}

// longestJoint bounds the bytes between a word and the one that it modifies.
const longestJoint = 15

// modifies reports whether one word stands before another in a compound, in
// Japanese also with particles between them (電話での申請).
func modifies(norm string, w, head word) bool {
	joint := norm[w.end:head.start]
	return joint == "" || joint == " " || joint[0] >= 0x80 && len(joint) <= longestJoint && !strings.ContainsAny(joint, "、。はがをも")
}

// ownTopic reports whether what a statement speaks of is a thing of its own: in
// Japanese a word before は or を, in English one before the predicate.
func (r *reader) ownTopic(s, t *statement) bool {
	norm := r.sentences[s.sentence].norm
	if text.HasCJK(norm) {
		return slices.ContainsFunc(s.subject, func(w word) bool {
			return r.foreignTo(t, w) && startsWith(norm[w.end:], []string{"は", "も", "を", "が"})
		})
	}
	start := s.clause.start
	end := start + firstCue(norm[start:s.end(norm)], coreCues)
	return slices.ContainsFunc(s.subject, func(w word) bool { return w.start >= start && w.end <= end && r.foreignTo(t, w) })
}

// end is where the clause of a statement ends.
func (s *statement) end(norm string) int {
	if s.clause.end > 0 {
		return s.clause.end
	}
	return len(norm)
}

// firstCue is where the first of the cues stands, 0 for none.
func firstCue(part string, list []cue) int {
	first := 0
	for i := range list {
		if at := strings.Index(part, list[i].text); at > 0 && (first == 0 || at < first) {
			first = at
		}
	}
	return first
}

// Signs of a condition: in English before its words, in Japanese behind them.
var (
	conditionsEn = [...]string{"if ", "when ", "whenever ", "during ", "while ", "unless ", "outside ", "for ", "under ", "after ", "before "}
	conditionsJa = [...]string{"場合", "とき", "際", "時は", "時に", "中は", "れば", "たら", "なら", "では", "のみ", "に限"}
)

// given are the plainest conditions.
var given = [...]string{"if ", "when ", "場合", "とき"}

// conditioned reports whether a condition of s has a word that t knows nothing of.
func (r *reader) conditioned(s, t *statement) bool {
	norm, other := r.sentences[s.sentence].norm, r.sentences[t.sentence].norm
	apart := r.foreignTo
	if containsAny(norm, given[:]) && containsAny(other, given[:]) {
		apart = r.ownOf // two conditions differ by any word
	}
	for _, w := range s.subject {
		if !apart(t, w) {
			continue
		}
		if w.end < len(norm) && norm[w.start] >= 0x80 {
			rest := norm[w.end:]
			if i := strings.IndexAny(rest, "、。はがを"); i >= 0 {
				rest = rest[:min(len(rest), i+len("は"))]
			}
			if len(rest) < 30 && containsAny(rest, conditionsJa[:]) {
				return true
			}
			continue
		}
		before := norm[:w.start]
		if i := strings.LastIndexAny(before, ",;:"); i >= 0 {
			before = before[i+1:]
		}
		for _, c := range conditionsEn {
			if i := strings.LastIndex(" "+before, " "+c); i >= 0 && strings.Count(before[i:], " ") <= reach(c) {
				return true
			}
		}
	}
	return false
}

// reach is how many words behind it a sign binds.
func reach(sign string) int {
	switch sign {
	case "for ":
		return 1
	case "if ", "when ":
		return 12
	}
	return 4
}

// parallel reports whether the headings over two statements are of one pattern
// and name two things: Rider A > Limit and Rider B > Limit.
func (r *reader) parallel(a, b *statement) bool {
	x, y := r.sentences[a.sentence].evidence, r.sentences[b.sentence].evidence
	p, q := &r.places[x], &r.places[y]
	if p.heading == q.heading {
		return false
	}
	ownP := slices.ContainsFunc(p.path, func(w word) bool { return !repeated(q.path, w.id) && r.foreignTo(b, w) })
	ownQ := slices.ContainsFunc(q.path, func(w word) bool { return !repeated(p.path, w.id) && r.foreignTo(a, w) })
	if ownP && ownQ && strings.Contains(p.heading, " > ") && lastTitle(p.heading) == lastTitle(q.heading) {
		return true
	}
	for i, w := range p.path {
		for j, v := range q.path {
			if w.id != v.id || i == 0 || j == 0 {
				continue
			}
			u, o := p.path[i-1], q.path[j-1]
			if !repeated(q.path, u.id) && !repeated(p.path, o.id) && !u.light && !o.light && modifies(p.heading, u, w) && modifies(q.heading, o, v) {
				return true
			}
		}
	}
	return false
}

func lastTitle(heading string) string { return heading[strings.LastIndex(heading, " > ")+1:] }

// absolutes say that there is no exception.
var absolutes = [...]string{"例外なく", "例外はありません", "例外は認め", "を問わず", "にかかわらず", "に関わらず", "全員", "without exception", "no exception", "even if ", "even when ", "regardless of ", "whatever ", "in all cases", "in every case"}

func (r *reader) absolute(s *statement) bool {
	return containsAny(r.sentences[s.sentence].norm, absolutes[:])
}
