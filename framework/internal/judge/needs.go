package judge

import (
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// need is a kind of answer that a query wants, whatever its subject.
type need struct {
	name  string
	nouns [2]string  // what an English and a Japanese query lack where they have no noun for it
	facet sdk.Intent // "" means the query's
	asks  []string   // parts of a normalised query that ask for it
	words []string   // words of the query that only name it
	met   func(s *sentence) bool
}

// needs that can be told from the form of a text. A definition or a comparison
// has no form of its own; those are judged by the terms alone.
var needs = []*need{
	{name: "period", nouns: [2]string{"period", "期間"}, met: statesPeriod,
		asks: []string{"期限", "期間", "いつまで", "何日", "何か月", "何年", "何週間", "何時間", "何分", "締切", "締め切り", "日数", "所要時間", "どのくらいの間隔", "寿命", "耐用",
			"how long", "deadline", "due date", "by when", "how many days", "how many weeks", "how many months", "how many hours", "how many years", "how often", "time limit", "notice period"},
		words: []string{"期限", "期間", "日数", "締切", "所要", "時間", "寿命", "耐用", "deadline", "period", "long", "often"}},
	{name: "amount", nouns: [2]string{"price", "料金"}, met: statesAmount,
		asks:  []string{"いくら", "料金", "費用", "金額", "手数料", "価格", "値段", "送料", "代金", "会費", "運賃", "how much does", "how much is", "how much do", " cost", " fee?", " fee ", " fees", "price of", "prices of", "the price", " fare"},
		words: []string{"料金", "費用", "金額", "価格", "値段", "代金", "手数", "料", "送料", "会費", "運賃", "cost", "fee", "price"}},
	{name: "limit", nouns: [2]string{"maximum", "上限"}, met: statesCount,
		asks:  []string{"上限", "最大", "定員", "人数", "件数", "回数", "何台", "何人", "何件", "何回", "何個", "何枚", "何冊", "何本", "how many", "maximum"},
		words: []string{"上限", "最大", "定員", "人数", "件数", "回数", "台", "件", "many", "maximum", "number"}},
	{name: "weight", nouns: [2]string{"weight", "重さ"}, met: statesWeight,
		asks:  []string{"重さ", "重量", "質量", "どのくらい重い", "どれくらい重い", "何キロの重", " weight of", "how heavy", "how much does it weigh", "does it weigh", " weigh?", " weigh "},
		words: []string{"重さ", "重量", "質量", "重", "weight", "heavy", "weigh"}},
	{name: "size", nouns: [2]string{"size", "大きさ"}, met: statesSize,
		asks:  []string{"大きさ", "高さ", "幅", "奥行", "寸法", " size of", " height of", " width of", " depth of", " length of", " dimensions", "how tall", "how wide", "how deep", "how big", "how large", "how high is"},
		words: []string{"大きさ", "高さ", "幅", "奥行", "寸法", "大", "高", "size", "height", "width", "depth", "length", "dimension", "tall", "wide", "deep", "big", "large", "high"}},
	{name: "contact", nouns: [2]string{"contact", "連絡先"}, met: statesContact,
		asks:  []string{"連絡先", "電話番号", "問い合わせ先", "メールアドレス", "phone number", "contact about", "do i contact", "to contact", "email address", "who do i call", "hotline"},
		words: []string{"連絡", "先", "電話", "番号", "問", "問い", "合", "合わせ", "メールアドレス", "phone", "number", "contact", "email", "address", "call", "write", "ring"}},
	{name: "place", nouns: [2]string{"place", "場所"}, met: statesPlace,
		asks:  []string{"どこで", "どこに", "どこへ", "where is the", "where can", "where do i"},
		words: []string{"場所", "nearest", "closest", "place", "location", "point"}},
	{name: "procedure", nouns: [2]string{"procedure", "手順"}, facet: sdk.IntentProcedure, met: statesSteps, words: []string{"手順", "方法", "手続", "仕方", "steps", "procedure"}},
	{name: "exceptions", nouns: [2]string{"exceptions", "例外"}, facet: sdk.IntentExceptions, met: statesException, asks: []string{"例外", "対象外", "除外", "適用されない", "適用外", "支払われない", "not applied", "not apply", "exception", "not covered", "not valid"}, words: []string{"例外", "対象外", "除外", "適用", "exception", "applied"}},
	{name: "eligibility", nouns: [2]string{"requirements", "条件"}, facet: sdk.IntentEligibility, met: statesRight, words: []string{"対象", "条件", "資格", "要件", "eligib", "requirement"}},
}

// needsOf tells what a query wants. One need of a form is enough: how many days
// asks for a period, not for a number of things.
func needsOf(norm string, intent sdk.Intent) []*need {
	var out []*need
	formal := false
	for _, n := range needs {
		switch {
		case n.facet != "" && n.facet == intent && (!formal || besides().MatchString(norm)):
			out = append(out, n)
		case !formal && (containsAny(" "+norm+" ", n.asks) && !which(norm, n) || n.name == "period" && howManyDays(norm)):
			out, formal = append(out, n), true
		}
	}
	return out
}

// besides matches a query for a procedure and something else: 寿命と交換手順.
var besides = lazyregexp.New(`と[^とのをはが、]{0,12}(?:手順|方法|やり方|仕方)|\band (?:how to|the steps|steps|the procedure)\b`)

// premises end the part of a Japanese sentence that only says when its main clause holds.
var premises = [...]string{"かぎり、", "限り、", "ると", "れば", "たら", "なら", "場合は", "ときは"}

// inMain reports whether the main clause of a sentence meets the need, and not only
// the condition that it holds under.
func (n *need) inMain(s *sentence) bool {
	clause := s.norm
	if text.HasCJK(clause) {
		for _, c := range premises {
			if i := strings.LastIndex(clause, c); i >= 0 {
				clause = clause[i+len(c):]
			}
		}
	} else if first, _ := cutWord(clause); first == "if" || first == "when" || first == "unless" || first == "for" {
		_, clause, _ = strings.Cut(clause, ", ")
	} else {
		for _, c := range [...]string{" if ", " when ", " unless "} {
			clause, _, _ = strings.Cut(clause, c)
		}
	}
	main := sentence{norm: clause, source: s.source, kind: s.kind}
	main.sift()
	return n.met(&main)
}

// which reports a question for one of several, whatever they are: 刊行したのはどこですか.
func which(norm string, n *need) bool {
	return n.name == "place" && strings.Contains(norm, "のはどこ")
}

// howManyDays reports a question such as how many vacation days.
func howManyDays(norm string) bool {
	_, rest, ok := strings.Cut(norm, "how many ")
	for range 2 {
		var w string
		w, rest, _ = strings.Cut(rest, " ")
		ok = ok && w != ""
		if ok && units[w].dimension == "time" {
			return true
		}
	}
	return false
}

var periodWords = cues("無期限", "期限はありません", "いつでも", "当日", "翌日", "前日", "末日", "年度末", "月末", "毎日", "毎週", "毎月", "毎年", "世紀", "時代", "年代",
	"any time", "immediately", "at once", "daily", "weekly", "monthly", "annually", "yearly", "lifetime", "indefinitely", "forever", "overnight", "all night", "permanently", "as long as", "until ", "never expire", "midnight", "noon", "一晩", "一日", "半日", "半年", "一年", "一週間", "一か月", "数日", "数時間", "数週間", "数か月", "永久", "恒久", "即日", "即時", "直ちに", "すぐに", "随時", "常時", "期間中", "夜間", "年中", "same day", "next day", "end of the")

func statesPeriod(s *sentence) bool {
	for _, q := range s.quantities() {
		if q.unit.dimension == "time" || q.unit.dimension == "workday" {
			return true
		}
	}
	return s.namesDate() || s.has(periodWords) || spelledPeriod(s.norm)
}

var spelledNumbers = set(`a an one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty ninety hundred half several few couple many next every each per same`)

// spelledPeriod reports a length of time whose number is a word: eighteen hours, every third week.
func spelledPeriod(norm string) bool {
	before, last := "", ""
	for w := range strings.FieldsFuncSeq(norm, func(c rune) bool { return c >= utf8.RuneSelf || !isAlnum(byte(c)) }) {
		if units[w].dimension == "time" && (spelledNumbers[last] || spelledNumbers[before]) {
			return true
		}
		before, last = last, w
	}
	return false
}

var months = cues("january", "february", "march ", "april", "may ", "june", "july", "august", "september", "october", "november", "december", "monday", "friday", "sunday", "saturday", "曜日")

// namesDate reports whether a sentence names a day, a month, a year or a time of day.
func (s *sentence) namesDate() bool {
	for i := 0; i < len(s.norm); i++ {
		if !isDigit(s.norm[i]) {
			continue
		}
		end := numberEnd(s.norm, i)
		if startsWith(s.norm[end:], []string{"月", "日", "年", "時", ":", "am", "pm", " am", " pm", "曜"}) || end-i == 4 {
			return true
		}
		i = end
	}
	return s.has(months)
}

var amountWords = cues("無料", "無償", "費用はかかりません", "実費", "半額", "全額", "free of charge", "for free", "is free", "are free", "no charge", "no fee", "no cost")

func statesAmount(s *sentence) bool {
	for _, q := range s.quantities() {
		switch q.unit.dimension {
		case "yen", "dollar", "euro", "pound", "percent":
			return true
		}
	}
	return s.has(amountWords)
}

var countWords = cues("無制限", "制限はありません", "上限はありません", "一人", "二人", "一つ", "二つ", "1つ", "unlimited", "no limit", "as many as", "any number", "only one", "one ", "two ", "three ", "four ")

func statesCount(s *sentence) bool {
	for _, q := range s.quantities() {
		if d := q.unit.dimension; d != "time" {
			return true
		}
	}
	return s.has(countWords) || spelledCount(s.norm)
}

// spelledCount reports a number of two or more that is a word: up to thirty tags.
func spelledCount(norm string) bool {
	for w := range strings.FieldsFuncSeq(norm, func(c rune) bool { return c >= utf8.RuneSelf || !isAlnum(byte(c)) }) {
		if spelledNumbers[w] && !countsNothing[w] {
			return true
		}
	}
	return false
}

// countsNothing are the numbers among spelledNumbers that may as well be articles.
var countsNothing = set(`a an one few many several couple next every each per same`)

var contactWays = cues("窓口", "センター", "センタ", "デスク", "課", "係", "help desk", "service desk", "hotline", "support team", "reception", "call us")

var contactWords = cues("連絡", "電話", "問い合わせ", "知らせ", "伝え", "call", "contact", "report", "tell", "write", "ask", "desk", "hotline", "reception")

func statesContact(s *sentence) bool {
	if strings.Contains(s.norm, "@") || strings.Contains(s.norm, "://") || strings.Contains(s.source, "://") || telephone(s.norm) {
		return true
	}
	return s.has(contactWays) &&
		s.has(contactWords)
}

// telephone reports whether s holds a run of at least seven digits and hyphens.
func telephone(s string) bool {
	digits := 0
	for i := range len(s) {
		switch c := s[i]; {
		case isDigit(c):
			if digits++; digits >= 7 {
				return true
			}
		case c == '-', c == ' ' && digits > 0, c == '(', c == ')', c == '+':
		default:
			digits = 0
		}
	}
	return false
}

var placeWords = cues("窓口", "カウンタ", "受付", "センタ", "隣", "入口", "出口", "の前にあ", "住所", "所在", "付近", "の裏", "中央", "の奥", "画面", "メニュ", "タブ", "ページ", "サイト", "フォルダ",
	"next to", "located", "address", "opposite", "behind", "beside ", "near ", "across ", "around the corner", "upstairs", "downstairs", "online")

// spots are the kinds of places that an English text names behind a preposition.
var spots = set(`floor desk counter entrance exit street road avenue square room building hall shop store depot basement gate office menu tab website site screen panel folder directory center centre station lobby reception kiosk library cabinet shelf drawer rack garage yard garden kitchen terminal platform branch school hospital clinic town city county village state`)

var locatives = set(`in at on to from into inside outside under above below by through via left right`)

// namesSpot reports a place behind a preposition: in the heated depot.
func namesSpot(norm string) bool {
	since := farAway
	for w := range strings.FieldsFuncSeq(norm, func(c rune) bool { return c >= utf8.RuneSelf || !isAlnum(byte(c)) }) {
		if spots[w] && since <= longestPhrase {
			return true
		}
		if since++; locatives[w] {
			since = 0
		}
	}
	return false
}

// paths are how the place of a file begins.
var paths = [...]string{" /", "`/", "~/", "./", ":\\", "%\\"}

// Words that may stand between a preposition and its noun.
const (
	longestPhrase = 4
	farAway       = 100
)

func statesPlace(s *sentence) bool {
	return s.has(placeWords) || namesPlace(s.norm) || namesSpot(s.norm) || containsAny(s.source, paths[:])
}

// placeKinds end the names of places: 第三会議室, 中央区. The few words that are
// written alike and name none are left out.
const placeKinds = "館駅室県市区町村州国島港店場局院園都府道山川湖海橋庁所課塔寺社宮城棟門"

var noPlaces = set("全国 外国 各国 他国 自国 場所 箇所 個所 当社 会社 弊社 貴社 各社 他社 全社 都市 市場 登場 出場 入場 工場 立場 役所 長所 短所 住所 近所 名所 日課 放課 結局 当局 薬局 通院 退院 入院 転院 教室 鉄道 報道 水道 歩道 車道 道 所 場 社 課 部門 専門 入門 部 登山 各市 両国 帰国 入国 出国 本社")

// namesPlace reports a run of kanji or katakana that ends like the name of a place.
func namesPlace(norm string) bool {
	for i, r := range norm {
		if !strings.ContainsRune(placeKinds, r) {
			continue
		}
		end := i + kanjiBytes
		if next, _ := utf8.DecodeRuneInString(norm[end:]); scriptOf(next) == han {
			continue
		}
		start := i
		for start > 0 {
			before, size := utf8.DecodeLastRuneInString(norm[:start])
			if c := scriptOf(before); c != han && c != katakana {
				break
			}
			start -= size
		}
		if start < i && !noPlaces[norm[start:end]] {
			return true
		}
	}
	return false
}

var exceptionWords = cues("注意", "留意", "対象外", "除外", "不適用", "支払われない", "支払いません", "ただし", "但し", "を除", "限り", "ない場合", "以外", "例外", "できません", "できない", "されません", "しません", "なりません", "含みません",
	"except", "unless", "exclud", "not covered", "not apply", "however", "provided that", "limitation", "warning", "caution", "cannot", "can't", "not ", "without", "only ", "but ")

func statesException(s *sentence) bool { return s.has(exceptionWords) }

var rightWords = cues("対象", "条件", "資格", "要件", "場合", "限り", "限り", "お断り", "ください", "られます", "られる", "うる", "得る", "認め")

var rightWordsEn = cues("can ", "may ", "must ", "eligible", "qualif", "allowed", "permitted", "need", "require", "covered", "covers", "cannot", "not ", "only ", "if ", "unless", "have to", "could ", "able to", "you are", "entitled", "applies", "exclud", "includ", "let ", "lets ", "admit", "welcome", "forbidden", "prohibited", "banned", "no one", "nobody", "anyone", "everyone", "free to", "has to", "should ")

func statesRight(s *sentence) bool {
	return s.has(grantsJa) || s.has(denialsJa) || s.has(demandsJa) || s.has(waivesJa) ||
		s.has(rightWords) ||
		s.has(rightWordsEn)
}

// questioning are words that ask for a need and do not name it.
var questioning = set(`long often many much heavy weigh tall wide deep big large high call write ring 重 大 高 料 先 問 合`)

// wording is how the query names the need, or a noun for it.
func (n *need) wording(query string) string {
	longest := ""
	for _, w := range n.words {
		if len(w) > len(longest) && !questioning[w] && strings.Contains(query, w) {
			longest = w
		}
	}
	if longest == "" {
		return n.nouns[order(text.HasCJK(query))]
	}
	from := strings.Index(query, longest)
	return query[from:max(from+len(longest), latinEnd(query, from))]
}
