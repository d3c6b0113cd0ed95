package judge

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
)

// need is a kind of answer that a query wants, whatever its subject.
type need struct {
	name  string
	facet sdk.Intent // "" means the query's
	asks  []string   // parts of a normalised query that ask for it
	words []string   // words of the query that only name it
	met   func(s *sentence) bool
}

// needs that can be told from the form of a text. A definition or a comparison
// has no form of its own; those are judged by the terms alone.
var needs = []*need{
	{name: "period", met: statesPeriod,
		asks: []string{"期限", "期間", "いつまで", "何日", "何か月", "何年", "何週間", "何時間", "何分", "締切", "締め切り", "日数", "所要時間", "どのくらいの間隔",
			"how long", "deadline", "due date", "by when", "how many days", "how many weeks", "how many months", "how many hours", "how many years", "how often", "time limit", "notice period"},
		words: []string{"期限", "期間", "日数", "締切", "所要", "時間", "deadline", "period", "long", "often"}},
	{name: "amount", met: statesAmount,
		asks:  []string{"いくら", "料金", "費用", "金額", "手数料", "価格", "値段", "送料", "代金", "会費", "運賃", "how much does", "how much is", "how much do", " cost", " fee?", " fee ", " fees", "price of", "prices of", "the price", " fare"},
		words: []string{"料金", "費用", "金額", "価格", "値段", "代金", "手数", "料", "送料", "会費", "運賃", "cost", "fee", "price"}},
	{name: "limit", met: statesCount,
		asks:  []string{"上限", "最大", "何台", "何人", "何件", "何回", "何個", "何枚", "何冊", "何本", "how many", "maximum"},
		words: []string{"上限", "最大", "台", "件", "many", "maximum", "number"}},
	{name: "contact", met: statesContact,
		asks:  []string{"連絡先", "電話番号", "問い合わせ先", "メールアドレス", "phone number", "contact about", "do i contact", "to contact", "email address", "who do i call", "hotline"},
		words: []string{"連絡", "先", "電話", "番号", "問", "問い", "合", "合わせ", "メールアドレス", "phone", "number", "contact", "email", "address"}},
	{name: "place", met: statesPlace,
		asks:  []string{"どこで", "どこに", "どこへ", "where is the", "where can", "where do i"},
		words: []string{"場所", "nearest"}},
	{name: "procedure", facet: sdk.IntentProcedure, met: statesSteps, words: []string{"手順", "方法", "手続", "仕方", "steps", "procedure"}},
	{name: "exceptions", facet: sdk.IntentExceptions, met: statesException, asks: []string{"例外", "対象外", "除外", "適用されない", "適用外", "支払われない", "not applied", "not apply", "exception", "not covered", "not valid"}, words: []string{"例外", "対象外", "除外", "適用", "exception", "applied"}},
	{name: "eligibility", facet: sdk.IntentEligibility, met: statesRight, words: []string{"対象", "条件", "資格", "要件", "eligib", "requirement"}},
}

// needsOf tells what a query wants. One need of a form is enough: how many days
// asks for a period, not for a number of things.
func needsOf(norm string, intent sdk.Intent) []*need {
	var out []*need
	formal := false
	for _, n := range needs {
		switch {
		case n.facet != "" && n.facet == intent && !formal:
			out = append(out, n)
		case !formal && (containsAny(norm+" ", n.asks) || n.name == "period" && howManyDays(norm)):
			out, formal = append(out, n), true
		}
	}
	return out
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
	"any time", "immediately", "at once", "daily", "weekly", "monthly", "annually", "yearly", "lifetime", "indefinitely", "forever", "same day", "next day", "end of the")

func statesPeriod(s *sentence) bool {
	for _, q := range quantities(nil, s.norm) {
		if q.unit.dimension == "time" || q.unit.dimension == "workday" {
			return true
		}
	}
	return s.namesDate() || s.has(periodWords)
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
	for _, q := range quantities(nil, s.norm) {
		switch q.unit.dimension {
		case "yen", "dollar", "euro", "pound", "percent":
			return true
		}
	}
	return s.has(amountWords)
}

var countWords = cues("無制限", "制限はありません", "上限はありません", "一人", "二人", "一つ", "二つ", "1つ", "unlimited", "no limit", "as many as", "any number", "only one", "one ", "two ", "three ", "four ")

func statesCount(s *sentence) bool {
	for _, q := range quantities(nil, s.norm) {
		if d := q.unit.dimension; d != "time" {
			return true
		}
	}
	return s.has(countWords)
}

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

var placeWords = cues("階", "窓口", "カウンタ", "受付", "センタ", "隣", "入口", "出口", "前に", "館", "駅", "室", "住所", "所在", "付近", "裏", "中央", "奥", "県", "市", "区", "町", "村", "州", "国", "島", "港", "画面", "メニュ", "タブ", "ページ", "サイト", "フォルダ",
	"floor", "desk", "counter", "entrance", "next to", "street", "located", "address", "room", "building", "opposite", "behind", "gate", "office", "page", "menu", "tab", "online", "website", "screen", "folder", "under ", "center")

func statesPlace(s *sentence) bool {
	return s.has(placeWords)
}

var imperatives = set(`open choose press click select go enter run hold tap send fill write call ask sign create install turn remove set use start edit add type copy visit complete submit apply mail bring log report
check make take place put insert connect download follow contact pull push switch unplug plug wait provide pay save drag right-click navigate configure register request get keep review gather update`)

var stepWords = cues("ください", "下さい", "手順", "押し", "押す", "選び", "選択し", "クリック", "開き", "開い", "入力し", "申し込", "申込", "申請", "依頼", "提出", "手続き", "設定し", "実行し", "行う", "行い", "使って", "用いて", "によって", "により", "することで",
	"you can ", "you must ", "you may ", "you need to ", "you will need", "you should ", "by ", "must be ", "in order to", "to do this")

func statesSteps(s *sentence) bool {
	if s.has(stepWords) {
		return true
	}
	first := s.norm[:latinEnd(s.norm, 0)]
	if first == "to" || first == "then" || first == "first" || first == "if" || first == "please" || first == "once" {
		_, rest, _ := strings.Cut(s.norm, ", ")
		if rest == "" {
			_, rest, _ = strings.Cut(s.norm, " ")
		}
		first = rest[:latinEnd(rest, 0)]
	}
	return imperatives[first]
}

var exceptionWords = cues("注意", "留意", "対象外", "除外", "不適用", "支払われない", "支払いません", "ただし", "但し", "を除", "限り", "ない場合", "以外", "例外", "できません", "できない", "されません", "しません", "なりません", "含みません",
	"except", "unless", "exclud", "not covered", "not apply", "however", "provided that", "limitation", "warning", "caution", "cannot", "can't", "not ", "without", "only ", "but ")

func statesException(s *sentence) bool { return s.has(exceptionWords) }

var rightWords = cues("対象", "条件", "資格", "要件", "場合", "限り", "限り", "お断り", "ください", "られます", "られる", "うる", "得る", "認め")

var rightWordsEn = cues("can ", "may ", "must ", "eligible", "qualif", "allowed", "permitted", "need", "require", "covered", "covers", "cannot", "not ", "only ", "if ", "unless", "have to", "could ", "able to", "you are", "entitled", "applies", "exclud", "includ")

func statesRight(s *sentence) bool {
	return s.has(grantsJa) || s.has(denialsJa) || s.has(demandsJa) || s.has(waivesJa) ||
		s.has(rightWords) ||
		s.has(rightWordsEn)
}

// wording is how the query names the need, or the need's own name.
func (n *need) wording(query string) string {
	longest := ""
	for _, w := range n.words {
		if len(w) > len(longest) && strings.Contains(query, w) {
			longest = w
		}
	}
	if longest == "" {
		return n.name
	}
	from := strings.Index(query, longest)
	return query[from:max(from+len(longest), latinEnd(query, from))]
}
