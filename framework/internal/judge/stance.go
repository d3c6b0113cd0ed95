package judge

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// stance is what a clause grants, denies, demands or waives.
type stance struct {
	clause    clause
	denies    bool
	duty      bool   // demands or waives; else grants or denies
	forbids   bool   // denies by an order: must not
	predicate int32  // id of the word that is denied, 0 where the cue says it all
	pole      int    // the side that it takes, see polarity
	verb      string // what is denied, letter for letter, in Japanese
	text      string // of the clause, normalised
	subject   []word // words of the clause but examples and exceptions
	apart     []word // what the clause excepts
	core      int    // where its predicate ends, in English; 0 for nowhere
}

var (
	denialsJa = cues("できません", "できない", "出来ません", "対象外", "適用外", "対象とならない", "対象となりません", "対象になりません", "対象にならない", "含まれません", "含まれない", "含みません",
		"不可", "禁止", "認められません", "認めません", "許可されていません", "受け付けません", "受付けません", "受け付けておりません", "受け付けていません", "承っておりません", "承れません",
		"応じられません", "応じません", "応じかねます", "お断り", "ご遠慮ください", "対応していません", "対応しておりません", "非対応", "未対応", "使えません", "行っていません", "行っておりません", "行いません",
		"いただけません", "いただけない", "支払われません", "支払われない", "除外され", "を除きます", "てはならない", "てはなりません", "てはいけ", "ないでください", "認めない", "認めていません", "禁じ", "お控えください", "控えてください", "できかね", "できずに", "できず、", "可能ではありません", "不可能", "受けられません", "受けられない", "えません", "えない", "られません", "られない", "ておりません", "ていません", "ていない", "わない。", "わない", "なりません", "ありません", "ません", "しない。", "されない。", "しない", "されない")
	grantsJa = cues("できます", "できる", "出来ます", "可能です", "可能。", "対象です", "対象とな", "対象に含", "対象にな", "含まれます", "含みます", "適用され", "適用します", "承ります", "承っており",
		"受け付けます", "受け付けており", "受け付けています", "認めます", "認められます", "対応しています", "対応します", "対応しており", "使えます", "いただけます", "構いません", "差し支えありません",
		"支払います", "支払われます", "支給します", "補償します", "応じます", "てもよい", "てよい", "て良い", "ても良い", "可とする", "可とします", "可。", "も可", "歓迎", "自由に", "えます", "られます", "認める", "許可されています", "許可してい", "受けられ", "認めています", "対応可")
	demandsJa = cues("必要です", "必要があります", "必要とな", "必須で", "必須と", "必須とな", "しなければなりません", "しなければならない", "が必要", "義務づけ", "義務付け", "義務があ", "義務です", "ねばならない", "なければなりません", "なければならない", "なければいけ", "を要する", "を要します", "必ず持参", "ご持参ください", "お持ちください", "持参してください", "提示してください", "ご提示ください")
	waivesJa  = cues("不要です", "不要。", "必要はありません", "必要ありません", "必要はない", "必要ない", "任意です", "任意と", "任意で。", "不要と", "要りません", "いりません", "しなくてもよい", "しなくても構いません", "なくてもよい", "なくても構", "なくてよい", "なくても", "なしで利用できます", "なしで利用できる", "なしでご利用いただけます", "なしでも利用できます", "なしで使えます", "なしで入れます", "なしで入場できます", "なしで参加できます", "なしで受けられます", "必要としません", "要しない", "要しません", "義務はありません", "義務ではありません", "には及びません", "不要。")
	boundJa   = [...]string{"ない限り", "限り、", "のみ", "だけが", "だけは", "だけで", "だけに", "だけを", "だけ、", "に限", "しかでき", "しかあり", "しか使", "しか利用", "なければ", "ないと", "までは", "以外", "ことがあります", "場合があります", "ことがある", "かもしれ", "おそれ", "恐れ", "とは限", "一部", "多く", "ものもあ"}
	wideJa    = [...]string{"すべて", "全て", "を含む", "を含め", "も含", "全員", "いずれも", "どなた", "誰でも", "いつでも", "必ず", "全従業員", "全会員", "全プラン", "一切"}

	grantsEn = cues("welcome", "possible", "free to ", "able to ", "at any time", "entitled", "qualif", "can ", "may ", "applies ", "apply ", "includ", "cover", "eligible", "available", "allowed", "permitted", "supported", "accepted")

	denialsEn = cues("cannot ", "can not ", "can't ", "must not ", "mustn't ", "may not ", "do not ", "don't ", "does not ", "doesn't ", "is not ", "isn't ", "are not ", "aren't ", "will not ", "won't ", "never ", "not be ",
		"excluded from ", "prohibited", "forbidden", "impossible", "banned", "not allowed", "not permitted", "not possible", "not available", "not eligible", "not supported", "not accepted", "not welcome", "not admitted", "no longer possible", "refused", "rejected", "unavailable", "ineligible", "unsupported")
	waivesEn  = cues("need not ", "not required", "not need ", "not have to", "not necessary", "not mandatory", "not require ", "optional", "voluntary", "needn't ", "without a reservation", "without an appointment", "without registration", "without approval", "n't have to ", "n't need ", "n't require", "no need ", "unnecessary", "not compulsory", "not obligatory")
	demandsEn = cues("must ", "required", "requires ", "have to ", "has to ", "need to ", "needs to ", "mandatory", "necessary", "compulsory", "obligatory", "needs a ", "need a ")
	boundEn   = [...]string{"have never ", "has never ", "have not ", "has not ", "haven't ", "until ", "unless ", " only ", "only ", " if ", "if ", "when ", "several ", "depending", "must first", "before you", "either ", " ask ", "check whether", "might ", "sometimes", "in some cases", "not only", "not yet", "may not be ", "should ", "most ", "some ", "many ", "certain ", "at least one", "how ", "whether "}
	wideEn    = [...]string{"all ", "every ", "any ", "including ", "always ", "whatever ", "everyone", "each "}
)

// stances tells what the clauses of a sentence grant or deny, one for each.
// Without any cue a clause may still affirm what another one denies, see affirms.
func (r *reader) stances(s *sentence) []stance {
	if s.looked&forStances == 0 {
		s.looked |= forStances
		s.taken = r.take(s)
	}
	return s.taken
}

func (r *reader) take(s *sentence) []stance {
	if s.kind != states || r.wordsOf(s) == nil {
		return nil
	}
	parts := clauses(s)
	out := make([]stance, 0, len(parts))
	for _, c := range parts {
		norm := s.norm[c.start:c.end]
		var st stance
		if text.HasCJK(norm) {
			st = stanceJa(s, c, norm)
		} else {
			st = stanceEn(s, c, norm)
		}
		st.clause = c
		st.subject, st.apart = spared(s, c)
		st.pole = polarity(s, &st)
		if !text.HasCJK(norm) {
			st.core = coreOf(s, &st)
		}
		out = append(out, st)
	}
	return out
}

// coreOf is the end of what a clause says in English, before it adds where, why and how.
func coreOf(s *sentence, st *stance) int {
	_, end := s.lastCue(st.text, coreCues)
	if end < 0 {
		return 0
	}
	for k, w := range st.clause.words {
		if w.start >= st.clause.start+end && !w.grammar {
			if k+1 < len(st.clause.words) {
				return w.end
			}
			return 0
		}
	}
	return st.clause.start + end
}

// coreCues are the auxiliaries behind which the predicate stands.
var coreCues = cues(" is ", " are ", " be ", " can ", " may ", " must ", " cannot ", " not ", "can't ", "n't ", " been ")

// bound reports a stance under a condition, or on some only: it is compared with nothing.
func (st *stance) bound() bool {
	return containsAny(dutiless(st.text), boundJa[:]) || containsAny(st.text, boundEn[:]) || st.denies && strings.Contains(st.text, "without ")
}

// dutiless takes out of a text the conditions that are half of a duty: なければなりません.
func dutiless(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "なければな", ""), "ないといけ", "")
}

// negative reports a stance that may contradict another one by itself.
func (st *stance) negative() bool { return st.denies || st.apart != nil || st.pole < 0 }

// wide reports a stance on all, or on some by name (…を含む).
func (st *stance) wide() bool {
	return containsAny(st.text, wideJa[:]) || containsAny(st.text, wideEn[:])
}

func stanceJa(s *sentence, c clause, norm string) stance {
	st := stance{text: norm}
	_, waived := s.lastCue(norm, waivesJa)
	_, demanded := s.lastCue(norm, demandsJa)
	denial, denied := s.lastCue(norm, denialsJa)
	if denied > 0 && attributive(norm, denied) {
		denied = -1
	}
	grant, granted := s.lastCue(norm, grantsJa)
	switch max(waived, demanded, denied, granted) {
	case -1:
		st.predicate, st.verb = predicateJa(s.norm, c, len(norm))
	case waived:
		st.duty, st.denies = true, true
	case demanded:
		st.duty = true
	case granted:
		st.predicate, st.verb = predicateJa(s.norm, c, grant)
	default:
		st.denies, st.forbids = true, s.hasIn(norm[denial:], forbidsJa)
		st.predicate, st.verb = predicateJa(s.norm, c, denial)
	}
	return st
}

// predicateJa is the last word before a cue, with the letters between the two.
func predicateJa(s string, c clause, cue int) (int32, string) {
	for i := len(c.words) - 1; i >= 0; i-- {
		w := c.words[i]
		if w.end <= c.start+cue && s[w.start:w.end] != "対象" && s[w.start:w.end] != "可能" {
			return w.id, s[w.start : c.start+cue]
		}
	}
	return 0, ""
}

func stanceEn(s *sentence, c clause, norm string) stance {
	st := stance{text: norm}
	start, end := -1, -1
	if none(norm) && s.hasIn(norm, demandsEn) {
		st.duty, st.denies = true, true
		return st
	}
	if s.hasIn(norm, denying) {
		if _, end := s.lastCue(norm, waivesEn); end > 0 {
			st.duty, st.denies = true, true
			if norm[end-1] == ' ' && !strings.HasSuffix(norm[:end], "required ") {
				st.predicate = firstWord(s, c, c.start+end)
			}
			return st
		}
		start, end = s.lastCue(norm, denialsEn)
	}
	if start < 0 {
		st.duty = s.hasIn(norm, demandsEn)
		return st
	}
	st.denies, st.forbids = true, forbidding(s, norm, start)
	if norm[end-1] != ' ' || strings.HasPrefix(norm[start:], "excluded") {
		return st // the cue says it all
	}
	st.predicate = firstWord(s, c, c.start+end)
	return st
}

// none reports a clause on none of a thing: no deposit is required.
func none(norm string) bool {
	rest, ok := strings.CutPrefix(strings.TrimLeft(norm, " "), "no ")
	return ok && !startsWith(rest, []string{"more ", "later ", "longer ", "less ", "matter "})
}

// firstWord is the id of the first word of a clause that ends behind a place.
func firstWord(s *sentence, c clause, from int) int32 {
	for _, w := range c.words {
		if f := s.norm[w.start:w.end]; w.end > from && f != "be" && f != "not" {
			return w.id
		}
	}
	return 0
}

// spared splits the words of a clause into its subject and what it excepts.
// Examples (…など) belong to neither.
func spared(s *sentence, c clause) (subject, apart []word) {
	norm := s.norm[:c.end]
	from, to := len(norm), len(norm)
	if !s.has(sparing) {
		return unlisted(norm, c.words), nil
	}
	for _, cue := range [...]string{"を除き", "を除く", "を除いて", "は除き", "は除く", "以外"} {
		if i := strings.Index(norm[c.start:], cue); i >= 0 {
			to = c.start + i
			from = max(c.start, strings.LastIndexAny(norm[:to], "、。はが"))
		}
	}
	for _, cue := range [...]string{"except for ", "except ", "excluding ", "other than ", "apart from ", "with the exception of "} {
		if i := strings.Index(norm[c.start:], cue); i >= 0 && from == len(norm) {
			from = c.start + i
			to = len(norm)
			if j := strings.IndexAny(norm[from:], ",;."); j > 0 {
				to = from + j
			}
		}
	}
	if from == to {
		return unlisted(norm, c.words), nil
	}
	for _, w := range c.words {
		switch {
		case w.start >= from && w.end <= to:
			if f := norm[w.start:w.end]; f != "except" && f != "excluding" {
				apart = append(apart, w)
			}
		default:
			subject = append(subject, w)
		}
	}
	return subject, apart
}

// sparing are the least that tells an exception within a clause.
var sparing = cues("を除", "は除", "以外", "except ", "excluding ", "other than ", "apart from ", "exception of ")

// unlisted leaves out what a sentence names as examples or besides.
func unlisted(norm string, words []word) []word {
	for i, w := range words {
		if startsWith(norm[w.end:], []string{"など", "のほか", "をはじめ"}) {
			return slices.Clip(words[i+1:])
		}
	}
	return words
}

// affirms reports whether a clause without a denial states the predicate as a
// fact: in Japanese by a cue or as its last verb, in English by naming it.
func affirms(s *sentence, c clause, st, denial *stance) bool {
	if st.denies {
		return false
	}
	if denial.verb == "" {
		return affirmsEn(s, c, denial)
	}
	norm := s.norm[c.start:c.end]
	if i := strings.LastIndex(norm, denial.verb); i >= 0 && startsWith(norm[i+len(denial.verb):], []string{"ます", "ました", "る", "す", "れます", "れる", "した"}) {
		return true
	}
	turned := repeated(c.words, denial.predicate) && repeated(denial.clause.words, st.predicate) // 指定はアプリから, アプリから指定が
	turned = turned || startsWith(denial.verb, []string{"行", "実施"}) && repeated(denial.clause.words, st.predicate)
	return (st.predicate == denial.predicate || turned || uses(st.verb) && uses(denial.verb)) &&
		(s.hasIn(norm, grantsJa) || endsIn(norm, []string{"します。", "する。", "されます。", "される。", "いたします。"}))
}

// uses reports a verb that says no more than that a thing serves.
func uses(verb string) bool { return startsWith(verb, []string{"使", "利用", "使用"}) }

// auxiliaries stand before a predicate that is affirmed; so does its subject.
var auxiliaries = [...]string{"can ", "may ", "is ", "are ", "be ", "will ", "must ", "we ", "been ", "was ", "were ", "does ", "do ", "able to ", "also ", "has ", "have "}

// affirmsEn reports whether an English clause affirms the predicate: behind an
// auxiliary or right behind a word of the denial's subject. An order, or a
// predicate somewhere else in the clause, affirms nothing.
func affirmsEn(s *sentence, c clause, denial *stance) bool {
	if denial.predicate == 0 {
		return s.hasIn(s.norm[c.start:c.end], grantsEn)
	}
	for i, w := range c.words {
		if w.id != denial.predicate {
			continue
		}
		before := s.norm[c.start:w.start]
		if endsIn(before, auxiliaries[:]) {
			return true
		}
		if i > 0 && c.words[i-1].end+1 == w.start && repeated(denial.subject, c.words[i-1].id) && c.words[i-1].id != denial.predicate {
			return true
		}
	}
	return false
}
