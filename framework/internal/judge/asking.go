package judge

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// measures are words by which a query asks for a number.
var measures = [...]string{"いくつ", "いくら", "どのくらい", "どれくらい", "どれだけ", "何日", "何時間", "何分", "何秒", "何年", "何か月", "何ヶ月", "何カ月", "何週間", "何人", "何名", "何回", "何度", "何件", "何個", "何台", "何枚", "何冊", "何本", "何点", "何歳", "何円", "何割", "何パーセント", "何%", "何mb", "何gb", "何文字", "何桁", "何メートル", "何キロ", "何泊", "何階",
	"いつまで", "期限", "期間", "上限", "下限", "最大", "最小", "最低", "限度", "容量", "料金", "費用", "手数料", "価格", "金額", "運賃", "代金", "送料", "温度", "速度", "空気圧", "圧力", "倍率", "間隔", "年齢", "回数", "件数", "人数", "台数", "日数", "割合", "サイズ", "長さ", "重さ", "高さ", "距離", "頻度", "初期値", "既定値", "既定の値", "しきい値", "閾値",
	"how long", "how many", "how much", "how often", "how far", "how soon", "how old", "how large", "how big", "how fast", "how high", "how late", "how early", "how hot", "how cold", "what percentage", "what age", "by when", "deadline", "period", "limit", "maximum", "minimum", "quota", "allowance", "timeout", "interval", "duration", "rate", "fee", "price", "cost", "charge", "fare", "size", "length", "weight", "height", "width", "capacity", "temperature", "pressure", "speed", "multiplier", "number of", "notice", "default", "retention", "threshold", "frequency", "distance", "when does", "when do", "when must", "when is"}

// asksAmount reports a query that a number answers.
func (q *question) asksAmount() bool { return containsAny(q.norm, measures[:]) }

// dimension gives what the query counts (何冊, how many days), "" where it does not say.
func (q *question) dimension() string {
	if _, rest, ok := strings.Cut(q.norm, "何"); ok {
		if u, _ := unitAt(rest); u.dimension != "" {
			if strings.HasPrefix(rest, "年") && !strings.HasPrefix(rest, "年間") {
				return "date"
			}
			return u.dimension
		}
	}
	if _, rest, ok := strings.Cut(q.norm, "how many "); ok {
		if u, _ := unitAt(rest); u.dimension != "" {
			return u.dimension
		}
	}
	return ""
}

// requests begin a query that only looks like one that yes or no answers.
var requests = [...]string{"can you ", "could you ", "can i get ", "can i ask", "can someone", "do you have ", "do you know", "would you ", "will you "}

var whetherEn = [...]string{"is ", "are ", "can ", "could ", "do ", "does ", "did ", "may ", "must ", "will ", "should ", "am ", "has ", "have ", "was "}

// asksWhether reports a query that yes or no answers.
func (q *question) asksWhether() bool {
	s := q.norm
	if text.HasCJK(s) {
		s = strings.TrimRight(s, "?。 ")
		if containsAny(s, []string{"可否", "有無", "可能か", "要否"}) {
			return true
		}
		for _, w := range [...]string{"何", "いつ", "どこ", "誰", "どう", "なぜ", "どのよう", "どんな", "いくら", "いくつ"} {
			if strings.Contains(s, w) && w != "どこ" {
				return false
			}
		}
		return endsIn(s, []string{"か", "の", "できる", "可能", "必要", "大丈夫"})
	}
	if startsWith(s, requests[:]) {
		return false
	}
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return r == '.' || r == ',' || r == '?' || r == '!' }) {
		if part = strings.TrimSpace(part); startsWith(part, whetherEn[:]) && !startsWith(part, requests[:]) {
			return true
		}
	}
	return containsAny(s, []string{"allowed", "possible", "permitted", "whether ", " or not", "eligible"})
}
