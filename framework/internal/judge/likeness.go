package judge

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// likeness weighs what two statements have in common and counts what only one of them has.
type likeness struct {
	direct       int  // telling words that both statements hold
	shared       int  // telling once each word that both have, and a bit for light ones
	onlyA, onlyB int  // telling words that neither the other nor its surroundings hold
	tail         int  // telling words behind the number or the predicate that only one has
	variant      bool // one of those names who or which kind: プレミアム会員, the Pro plan
}

// Weights of a word that two statements share.
const (
	tellingWord = 2
	lightWord   = 1 // of all light ones together
)

// overlap compares the subjects of two statements.
func (r *reader) overlap(a, b *statement) likeness {
	var l likeness
	lights := 0
	for i, w := range a.subject {
		switch {
		case repeated(a.subject[:i], w.id):
		case !repeated(b.subject, w.id):
			l.onlyA += r.own(&l, a, b, w)
		case w.light:
			lights = lightWord
		default:
			l.direct++
			l.shared += tellingWord
		}
	}
	for i, w := range b.subject {
		if !repeated(b.subject[:i], w.id) && !repeated(a.subject, w.id) {
			l.onlyB += r.own(&l, b, a, w)
		}
	}
	l.shared += lights
	l.variant = l.variant || r.opposed(a, b)
	return l
}

// own weighs a word of s that t's subject lacks: it gives 1 for one that t lacks
// altogether and that tells s apart.
func (r *reader) own(l *likeness, s, t *statement, w word) int {
	switch {
	case w.light:
	case r.around(t, w.id):
		l.shared++
	case w.plain || !r.apart(s, w):
	case s.trails(w):
		l.tail++
	default:
		l.variant = l.variant || r.selects(s, w)
		return 1
	}
	return 0
}

// trails reports whether a word only adds to what has been said: in English what
// follows the number or the predicate.
func (s *statement) trails(w word) bool { return s.core > 0 && w.start >= s.core }

// apart reports whether a word may tell s apart: in Japanese what follows the
// number is the predicate and tells nothing.
func (r *reader) apart(s *statement, w word) bool {
	return s.amount == nil || w.start < s.amount.start || !text.HasCJK(r.sentences[s.sentence].norm)
}

// opposites are light words that tell two subjects apart all the same.
var opposites = [...][2]string{{"before", "after"}, {"open", "close"}, {"start", "end"}, {"begin", "end"}, {"start", "finish"}, {"開始", "終了"}, {"minimum", "maximum"}, {"least", "most"}, {"less", "more"}, {"最大", "最小"}, {"最高", "最低"}, {"最長", "最短"}, {"上限", "下限"}, {"上", "下"}, {"内", "外"}}

// opposed reports whether one statement has a word whose opposite the other has.
func (r *reader) opposed(a, b *statement) bool {
	for _, o := range opposites {
		x, y := r.lex.entry(o[0]).id, r.lex.entry(o[1]).id
		if repeated(a.subject, x) && repeated(b.subject, y) || repeated(a.subject, y) && repeated(b.subject, x) {
			return true
		}
	}
	return false
}

// kindNouns follow what selects a part of the users or goods.
var kindNouns = [...]string{"会員", "プラン", "利用者", "ユーザ", "顧客", "版", "モデル", "便", "券", "コース", "member", "user", "customer", "plan", "account", "guest", "edition", "model", "tier", "holder"}

// selects reports whether a word picks one of several kinds.
func (r *reader) selects(s *statement, w word) bool {
	norm := r.sentences[s.sentence].norm
	if isDigit(norm[w.end-1]) || endsIn(norm[w.start:w.end], []string{"プラン", "コース", "モデル"}) {
		return true
	}
	return startsWith(strings.TrimPrefix(norm[w.end:], " "), kindNouns[:])
}

func repeated(words []word, id int32) bool {
	for _, w := range words {
		if w.id == id {
			return true
		}
	}
	return false
}

// weak likeness rests on one telling word.
func (l likeness) weak() bool { return l.shared < 2*tellingWord }
