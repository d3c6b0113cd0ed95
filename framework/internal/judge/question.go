package judge

import (
	"math/bits"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// question is what a query asks for.
type question struct {
	intent sdk.Intent
	norm   string // the raw query, normalised
	terms  []asked
	pieces []piece
	needs  []*need
	who    bool // asks for those who may
	things []thing
	lone   string // the word that is all of the query
}

// asked is a content term of the query.
type asked struct {
	text   string
	pieces uint64
	named  bool // names a need besides: 有効期間
}

// piece is a word of a term as texts are searched for it.
type piece struct {
	needle string
	latin  bool // stands at the start of a word, with at most an ending behind it
	pairs  pairs
	// verb and tail are the parts of a noun such as timeout, which texts also write
	// as a verb: times out.
	verb, tail string
	sense      string // the group of senses that it belongs to, "" for none
}

// mostPieces is the width of a set of pieces; a longer query is judged by its start.
const mostPieces = 64

// ask reads a query.
func (r *reader) ask(q *sdk.Query) {
	r.q = question{intent: q.Intent, norm: text.Fold(q.Raw)}
	if r.q.intent == "" {
		r.q.intent = sdk.IntentUnknown
	}
	r.q.needs = needsOf(r.q.norm, r.q.intent)
	r.q.who = asksWho(r.q.norm)
	r.q.things, r.q.lone = thingsOf(q, r.q.norm), loneWord(q)
	for _, t := range q.Terms {
		if t.Kind != sdk.TermNegative && !inflected(r.q.norm, t.Text) {
			r.term(t.Text)
		}
	}
}

// inflected reports whether a term is a lone kanji that the query only uses as
// the stem of a verb.
func inflected(query, term string) bool {
	if len(term) != kanjiBytes {
		return false
	}
	i := strings.Index(query, term)
	return i >= 0 && !noun(query[i+len(term):])
}

// verb reports whether the query uses a term only as the stem of a compound verb
// (振り込まれ): texts say what is done in many ways.
func (q *question) verb(term string) bool {
	if !strings.ContainsFunc(term, func(r rune) bool { return scriptOf(r) == hiragana }) {
		return false
	}
	i := strings.Index(q.norm, term)
	return i >= 0 && !noun(q.norm[i+len(term):])
}

// suffixes are kanji that a compound may end in and texts leave out: 従業者数.
const suffixes = "数率名頃的化性者式等"

// term adds a term with its words. Words that every question may hold, and
// those that only name a need (期限, fee), are nothing that a text must hold.
func (r *reader) term(term string) {
	t := asked{text: term}
	if bare := strings.TrimRight(term, suffixes); len(bare) >= 2*kanjiBytes {
		term = bare
	}
	for _, w := range r.lex.words(nil, term) {
		form := term[w.start:w.end]
		if r.q.named(form) {
			t.named = true
			continue
		}
		if w.light || askingWords[form] || strings.HasPrefix(form, "何") {
			continue
		}
		for _, part := range parts(form) {
			if len(r.q.pieces) < mostPieces {
				t.pieces |= 1 << r.piece(part)
			}
		}
	}
	if t.pieces != 0 || t.named {
		r.q.terms = append(r.q.terms, t)
	}
}

// parts splits a compound such as foreign-born, which texts also write in two words
// or in one. Parts of few letters (non-, 's) do not count.
func parts(form string) []string {
	if form[0] >= utf8.RuneSelf || !strings.ContainsAny(form, "-_'") {
		return []string{form}
	}
	var out []string
	for p := range strings.FieldsFuncSeq(form, func(r rune) bool { return r == '-' || r == '_' || r == '\'' }) {
		if len(p) > 3 || len(p) > 1 && isDigit(p[len(p)-1]) {
			out = append(out, p)
		}
	}
	return out
}

func (r *reader) piece(form string) int {
	p := piece{needle: form}
	if c := form[0]; c < 0x80 {
		p = piece{needle: r.stem(form), latin: true}
	}
	p.sense = sensed()[r.lex.stem(form)]
	for _, tail := range [...]string{"out", "in", "up", "off", "over", "down"} {
		if verb, ok := strings.CutSuffix(form, tail); ok && p.latin && len(verb) >= 3 && form == p.needle {
			p.verb, p.tail = verb, " "+tail
		}
	}
	if p.sense == "" && p.verb == "" { // else another word may stand for it
		p.pairs = pairsOf(p.needle)
	}
	for i, have := range r.q.pieces {
		if have == p {
			return i
		}
	}
	r.q.pieces = append(r.q.pieces, p)
	return len(r.q.pieces) - 1
}

// stem is the start that the forms of an English word share.
func (r *reader) stem(form string) string {
	t := text.Text{Norm: form}
	for token := range r.lex.stems.Tokens(&t) {
		if token.Class == text.Word && token.Start == 0 && token.End == len(form) {
			if s := strings.TrimRight(token.Term, "iy"); len(s) > 2 && strings.HasPrefix(form, s) {
				return s
			}
		}
	}
	return form
}

// named reports whether a word only says what kind of answer is wanted.
func (q *question) named(form string) bool {
	for _, n := range q.needs {
		for _, w := range n.words {
			if form == w || strings.HasPrefix(form, w) && len(form)-len(w) <= 2 {
				return true
			}
		}
	}
	return false
}

// held gives the pieces that a normalised text with such pairs holds.
func (q *question) held(s string, in *pairs) uint64 {
	var set uint64
	for i := range q.pieces {
		if p := &q.pieces[i]; in.holds(&p.pairs) && p.in(s) {
			set |= 1 << i
		}
	}
	return set
}

// in gives the pieces that a normalised text holds.
func (q *question) in(s string) uint64 {
	p := pairsOf(s)
	return q.held(s, &p)
}

func (p *piece) in(s string) bool {
	if p.written(s) {
		return true
	}
	if p.verb != "" && (&piece{needle: p.verb, latin: true, tail: p.tail}).written(s) {
		return true
	}
	if p.sense == "" {
		return false
	}
	return slices.ContainsFunc(alike()[p.sense], func(other piece) bool { return other.written(s) })
}

func (p *piece) written(s string) bool {
	if !p.latin {
		return strings.Contains(s, p.needle)
	}
	for from := 0; ; {
		i := strings.Index(s[from:], p.needle)
		if i < 0 {
			return false
		}
		i += from
		from = i + len(p.needle)
		more := ending(s[from:])
		if (i == 0 || !isAlnum(s[i-1])) && related(len(p.needle), more) && (p.verb != "" || strings.HasPrefix(s[from+more:], p.tail)) {
			return true
		}
	}
}

// Letters that an English word may have behind its stem: few behind a short one,
// which may be the start of any word.
const (
	shortStem    = 3
	shortEnding  = 3
	longerEnding = 7
)

// related reports whether a word with so many letters behind the stem is a form of it.
func related(stem, ending int) bool {
	return ending <= shortEnding || stem > shortStem && ending <= longerEnding
}

// ending counts the letters that s starts with.
func ending(s string) int {
	n := 0
	for n < len(s) && isAlnum(s[n]) {
		n++
	}
	return n
}

// all is the set of every piece.
func (q *question) all() uint64 { return 1<<len(q.pieces) - 1 }

// about reports whether a set holds enough of the query to be about it: half of its pieces.
func (q *question) about(set uint64) bool {
	return bits.OnesCount64(set)*2 >= len(q.pieces)
}

// share is the part of the query's pieces in a set, in [0, 1].
func (q *question) share(set uint64) float64 {
	if len(q.pieces) == 0 {
		return 1
	}
	return float64(bits.OnesCount64(set)) / float64(len(q.pieces))
}

// askingWords carry a question and are nothing that an answer repeats.
var askingWords = set(`誰 名前 名称 人物 答 呼 最初 最後 例 hello hi hey dear good morning afternoon evening thanks thank guys sorry wonder wondering hope hoping ask asking appreciate explain exactly bit info information detail details learn inform 全 valid one 何 何日 何年 何人 何台 何件 何回 いつ どこ 教 知 違 比較 例外 条件 対象 可能 必要 意味 定義 手順 方法 仕方 やり方 場所 理由 注意 点 詳細 一覧 種類 間隔
long much many often want know help happen happens tell explain need needs like tried trying problem issue question show find mean means meaning difference step steps best way ways going go think thing things
something anything someone come work works keep try look looking start able sure right left kind sort type give given see still already really actually far soon every same time when where why how often
mandatory optional compulsory required necessary stored kept located contain contains happen stop write told obtain receive
cost costs fee fees price deadline maximum minimum limit number phone contact days day hours weeks months years`)
