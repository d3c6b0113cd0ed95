package judge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// partial reports whether an answer holds for a part of the question only, or is
// about something else, as its words tell that neither the query nor b knows.
func (r *reader) partial(a, b *answer) bool {
	s := &r.sentences[a.sentence]
	if r.offTopic(a, b) {
		return true
	}
	for k, w := range s.words {
		if w.start < a.span.start || w.end > a.span.end || !r.unknownTo(a, b, w) {
			continue
		}
		if r.qualifies(s, k) || r.kindOf(s, w) || inCondition(s.norm, a, w) {
			return true
		}
	}
	return false
}

// rivalTitles reports whether the last titles over two answers are of one pattern
// and name two kinds: ライトプラン and プロプラン.
func (r *reader) rivalTitles(a, b *statement) bool {
	x, y := r.places[r.sentences[a.sentence].evidence].heading, r.places[r.sentences[b.sentence].evidence].heading
	if twins(x, y) {
		return true
	}
	p, q := lastTitle(x), lastTitle(y)
	end := commonEnd(p, q)
	return end >= 2*kanjiBytes && end < len(p) && end < len(q)
}

// commonEnd is how many bytes two texts end in alike, in whole characters.
func commonEnd(p, q string) int {
	n := 0
	for n < min(len(p), len(q)) && p[len(p)-1-n] == q[len(q)-1-n] {
		n++
	}
	for n > 0 && !utf8.RuneStart(p[len(p)-n]) {
		n--
	}
	return n
}

// alternatives reports whether the subjects of two answers each have a word that
// the other has not: two kinds of one thing, that the query may name both.
func (r *reader) alternatives(a, b *answer) bool {
	own := func(a, b *answer) bool {
		s := &r.sentences[a.sentence]
		from, to := topicOf(s.norm, a)
		topic := within(s.words, from, to)
		if s.kind == row {
			topic = a.subject
		}
		return slices.ContainsFunc(topic, func(w word) bool {
			return !w.light && !r.tells(b, s.norm[w.start:w.end], w.id)
		})
	}
	return own(a, b) && own(b, a)
}

// conditions reports whether two answers depend on different amounts, or hold under
// conditions that differ or exclude each other.
func (r *reader) otherConditions(a, b *statement) bool {
	x, y := r.sentences[a.sentence].norm, r.sentences[b.sentence].norm
	both := containsAny(x, given[:]) && containsAny(y, given[:])
	return r.otherwise(a, b) || r.otherwise(b, a) || r.contrary(a, b) || both && (r.conditioned(a, b) || r.conditioned(b, a))
}

// tells reports whether a word stands in an answer, or over it.
func (r *reader) tells(x *answer, form string, id int32) bool {
	t := &r.sentences[x.sentence]
	if repeated(t.words, id) || strings.Contains(t.norm, form) || strings.Contains(r.places[t.evidence].heading, form) {
		return true
	}
	for i := x.sentence; i > 0 && r.sentences[i].follows; i-- {
		if strings.Contains(r.sentences[i-1].norm, form) {
			return true
		}
	}
	return false
}

// unknownTo reports a telling word that neither the query nor b knows.
func (r *reader) unknownTo(a, b *answer, w word) bool {
	if w.light || a.amount != nil && w.start < a.amount.end && w.end > a.amount.start {
		return false
	}
	form := r.sentences[a.sentence].norm[w.start:w.end]
	return !isDigit(form[0]) && !pointing[form] && !r.q.names(form) && !r.tells(b, form, w.id)
}

// pointing words say how many or which one without naming a kind.
var pointing = set(`next few several last first second same different following above below 次 以下 上記 下記 同じ 別 各`)

// names reports whether a word is one of the query, and no compound with one at its end.
func (q *question) names(form string) bool {
	return slices.ContainsFunc(q.pieces, func(p piece) bool {
		return p.in(form) && (p.latin || !strings.HasSuffix(form, p.needle) || form == p.needle)
	})
}

// kind reports whether a term only says of what kind the word is that it is joined
// to in the query: ひろびろプラン. A text may name the thing without it.
func (q *question) kind(term string) bool {
	before, _, ok := strings.Cut(q.norm, term)
	last, _ := utf8.DecodeLastRuneInString(before)
	return ok && slices.Contains(kindNouns[:], term) && scriptOf(last) != other && !strings.ContainsRune("はがをにのでともへや", last)
}

// kindOf reports whether a word picks a kind: ライトプラン, model x200, premium members.
func (r *reader) kindOf(s *sentence, w word) bool {
	form := s.norm[w.start:w.end]
	ends := func(p piece) bool { return !p.latin && len(p.needle) < len(form) && strings.HasSuffix(form, p.needle) }
	return strings.ContainsAny(form, "0123456789") || slices.ContainsFunc(r.q.pieces, ends) || startsWith(strings.TrimPrefix(s.norm[w.end:], " "), kindNouns[:])
}

// qualifies reports whether a word stands right before one of the query, as in audit logs or 監査ログ.
func (r *reader) qualifies(s *sentence, k int) bool {
	if k+1 >= len(s.words) {
		return false
	}
	w, next := s.words[k], s.words[k+1]
	between := s.norm[w.end:next.start]
	return (between == "" || between == " ") && r.q.in(s.norm[next.start:next.end]) != 0
}

var whenEnds = [...]string{"場合", "とき", "時は", "時に", "時の", "際", "れば", "たら", "なら", "後は", "後に", "前は", "前に", "中は", "中に", "以外", "のみ", "に限", "だけ"}

// inCondition reports whether a word stands in a condition that does not hold the answer itself.
func inCondition(norm string, a *answer, w word) bool {
	if norm[w.start] >= 0x80 {
		end := a.span.end
		if i := strings.Index(norm[w.end:end], "、"); i >= 0 {
			end = w.end + i
		}
		if a.amount != nil && w.start < a.amount.start && a.amount.start < end {
			end = a.amount.start
		}
		rest := norm[w.end:min(end, w.end+farCondition)]
		return containsAny(dutiless(rest), whenEnds[:])
	}
	start := a.span.start
	if i := strings.LastIndexAny(norm[start:w.start], ",;:"); i >= 0 {
		start += i + 1
	}
	if a.amount != nil && start <= a.amount.start && a.amount.end <= w.start {
		start = a.amount.end
	}
	fields := strings.Fields(norm[start:w.start])
	for _, f := range fields[max(0, len(fields)-mostCondition):] {
		if conditionWords[f] {
			return true
		}
	}
	return false
}

// farCondition is how many bytes of Japanese a condition goes on behind a word.
const farCondition = 36

// mostCondition is how many words a condition is taken to have.
const mostCondition = 5

var conditionWords = set(`if when unless during while after before under outside for once only until`)

// offTopic reports whether the subject of a's clause is something that neither the query nor b knows.
func (r *reader) offTopic(a, b *answer) bool {
	s := &r.sentences[a.sentence]
	from, to := topicOf(s.norm, a)
	telling, foreign := 0, 0
	for _, w := range within(s.words, from, to) {
		if w.light {
			continue
		}
		telling++
		if r.unknownTo(a, b, w) {
			foreign++
		}
	}
	return telling > 0 && foreign == telling
}

// topicOf gives where the subject of a clause stands.
func topicOf(norm string, a *answer) (from, to int) {
	from, to = a.span.start, a.span.end
	if a.amount != nil {
		to = a.amount.start
	}
	part := norm[from:to]
	if text.HasCJK(norm[a.span.start:a.span.end]) {
		if i := max(strings.LastIndex(part, "は"), strings.LastIndex(part, "が")); i >= 0 {
			if comma := strings.LastIndex(part[:i], "、"); comma >= 0 {
				return from + comma + len("、"), from + i
			}
			return from, from + i
		}
		return from, from
	}
	if conditional(part) {
		if i := strings.Index(part, ", "); i >= 0 {
			from += i + 2
			part = norm[from:to]
		}
	}
	first := -1
	for _, aux := range [...]string{" is ", " are ", " can ", " may ", " must ", " will ", " has ", " have ", " shall ", " do ", " does ", " cannot ", " should ", " takes ", " allows "} {
		if i := strings.Index(part, aux); i > 0 && (first < 0 || i < first) {
			first = i
		}
	}
	if first < 0 {
		return from, from
	}
	return from, from + first
}
