package judge

import (
	"slices"
	"strings"
	"sync"
)

// senses are words that manuals use for one thing, a group a line; the first one
// stands for all. Only words that may stand for each other in any manual belong here.
const senses = `
keep kept retain retained retention store stored save preserve hold held
cover contain contained comprise
warranty guarantee guaranteed
buy bought purchase
repair fix mend
delete remove erase
refund reimburse
luggage baggage
staff employee personnel
bike bicycle
phone telephone
parcel package
delivery shipment
cancel cancelled canceled cancellation
annual yearly
freeze froze frozen
take took taken
write wrote written
wear wore worn
pay paid
send sent
lose lost
choose chose chosen
break broke broken
drive drove driven
ride rode ridden
eat ate eaten
lend lent
withdraw withdrew withdrawn
steal stole stolen
bring brought
sell sold
begin began begun
forget forgot forgotten
掃除 清掃
保存 保管
交換 取替
修理 修繕
故障 不具
破棄 廃棄
有休 有給
申込 申し込
受付 受け付
返金 払戻 払い戻
キャンセル 取消 取り消
引渡 引き渡
問合 問い合
貸出 貸し出
締切 締め切
受取 受け取
振込 振り込
有料 有償
無料 無償
スマホ スマートフォン
パソコン pc`

// sensed gives the stem that stands for a stem's group.
var sensed = sync.OnceValue(func() map[string]string {
	m, x := make(map[string]string), &lexicon{}
	for _, line := range strings.Split(strings.TrimSpace(senses), "\n") {
		group := strings.Fields(line)
		for _, form := range group {
			m[x.stem(form)] = x.stem(group[0])
		}
	}
	return m
})

// alike gives the pieces that stand for one sense.
var alike = sync.OnceValue(func() map[string][]piece {
	m, r := make(map[string][]piece), &reader{lex: (*Lexicons)(nil).take()}
	for _, form := range strings.Fields(senses) {
		p := piece{needle: form}
		if c := form[0]; c >= 'a' && c <= 'z' {
			p = piece{needle: r.stem(form), latin: true}
		}
		group := sensed()[r.lex.stem(form)]
		m[group] = append(m[group], p)
	}
	return m
})

// unpolar leaves the words that only say the pole out of a statement.
func (r *reader) unpolar(s *statement) *statement {
	norm, out := r.sentences[s.sentence].norm, *s
	out.subject = slices.DeleteFunc(slices.Clone(s.subject), func(w word) bool { return polar[norm[w.start:w.end]] })
	return &out
}

// attributive reports whether a plain denial that ends at end only tells which
// thing is meant: ご満足いただけない場合に.
func attributive(norm string, end int) bool {
	return strings.HasSuffix(norm[:end], "ない") && startsWith(norm[end:], []string{"場合", "とき", "時", "際", "方", "人", "もの", "うち"})
}

// generic words that all of something is said of; they take in every kind of it.
var generic = [...][]string{{"商品", "製品", "品物", "品"}, {"従業", "社員", "職員"}, {"方", "人", "者", "客様", "会員", "利用"}}

// sweeping reports whether s says all of a kind of thing that t's subject is one of:
// すべての商品 and セール品, 全室 and 客室.
func (r *reader) sweeping(s, t *statement) bool {
	norm, other := r.sentences[s.sentence].norm, r.sentences[t.sentence].norm
	for _, w := range s.subject {
		form := norm[w.start:w.end]
		if len(form) == 2*kanjiBytes && strings.HasPrefix(form, "全") && form != "全額" && form != "全体" && form != "全部" {
			if slices.ContainsFunc(t.subject, func(x word) bool { return strings.HasSuffix(other[x.start:x.end], form[kanjiBytes:]) }) {
				return true
			}
		}
		if !endsIn(norm[:w.start], []string{"すべての", "全ての", "あらゆる", "全"}) {
			continue
		}
		for _, g := range generic {
			if slices.Contains(g, form) && slices.ContainsFunc(t.subject, func(x word) bool { return slices.Contains(g, other[x.start:x.end]) }) {
				return true
			}
		}
	}
	return false
}

// excepts decides whether no takes something out of what yes says of all.
func (r *reader) excepts(no, yes *statement) bool {
	base := *no
	base.subject = slices.DeleteFunc(slices.Clone(no.subject), func(w word) bool { return slices.Contains(no.stance.apart, w) })
	if !r.universal(yes, &base) && !r.sweeping(yes, no) {
		return false
	}
	l := r.overlap(&base, yes)
	return !l.weak() && !l.variant && l.onlyA <= 1 && l.onlyB <= 2
}

// universal reports whether s says all of something that t speaks of.
func (r *reader) universal(s, t *statement) bool {
	norm := r.sentences[s.sentence].norm
	return slices.ContainsFunc(s.subject, func(w word) bool {
		return !w.grammar && endsIn(norm[:w.start], []string{"all ", "all the ", "every ", "any ", "each ", "すべての", "全ての", "いずれの", "あらゆる"}) && repeated(t.subject, w.id)
	})
}

var (
	givenJa   = [...]string{"があ", "がい", "を得", "を受け", "をし"}
	lackingJa = [...]string{"がな", "のな", "がいな", "を得な", "を得ずに", "を受けな", "をしな", "なし"}
)

// contrary reports whether two statements hold under conditions that exclude each
// other: 同意があれば and 同意がない場合, with consent and without consent.
func (r *reader) contrary(a, b *statement) bool {
	x, y := r.sentences[a.sentence].norm, r.sentences[b.sentence].norm
	lacks := func(norm string, w word) bool {
		return startsWith(norm[w.end:], lackingJa[:]) || endsIn(norm[:w.start], []string{"without ", "without a ", "without an ", "without the ", "without your ", "unless ", "no "})
	}
	given := func(norm string, w word) bool {
		return startsWith(norm[w.end:], givenJa[:]) || endsIn(norm[:w.start], []string{"with ", "with a ", "with an ", "with the ", "with your "})
	}
	for _, w := range r.sentences[a.sentence].words {
		for _, v := range r.sentences[b.sentence].words {
			if w.id == v.id && lacks(x, w) != lacks(y, v) && (given(x, w) || given(y, v)) {
				return true
			}
		}
	}
	return false
}

// commands reports an order, which means what its section is about.
func (r *reader) commands(s *statement) bool {
	norm := r.sentences[s.sentence].norm
	return imperatives[norm[:latinEnd(norm, 0)]]
}
