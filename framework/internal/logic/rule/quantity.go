package rule

import (
	"math"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Quantity is a number in the base unit of its dimension.
type Quantity struct {
	Value float64
	// Dim is the dimension: time (s), bytes, ratio, money, usd, eur, price (money of
	// any currency), mass (kg), temperature, length (m), volume (l), width (px), text (characters), count; "" where
	// none is told.
	Dim string
	// Raw is the number as written, without its unit.
	Raw float64
}

// unit is a unit of measure.
type unit struct {
	dim    string
	factor float64
}

var units = map[string]unit{
	"ms": {"time", .001}, "msec": {"time", .001}, "millis": {"time", .001}, "millisecond": {"time", .001}, "ミリ秒": {"time", .001},
	"s": {"time", 1}, "sec": {"time", 1}, "second": {"time", 1}, "秒": {"time", 1},
	"min": {"time", 60}, "minute": {"time", 60}, "分": {"time", 60},
	"h": {"time", 3600}, "hr": {"time", 3600}, "hour": {"time", 3600}, "時間": {"time", 3600},
	"day": {"time", 86400}, "日": {"time", 86400}, "week": {"time", 604800}, "週": {"time", 604800}, "週間": {"time", 604800},
	"month": {"time", 2592000}, "か月": {"time", 2592000}, "ヶ月": {"time", 2592000}, "ヵ月": {"time", 2592000}, "カ月": {"time", 2592000}, "year": {"time", 31536000},
	"byte": {"bytes", 1}, "b": {"bytes", 1}, "kb": {"bytes", 1 << 10}, "kib": {"bytes", 1 << 10}, "mb": {"bytes", 1 << 20}, "mib": {"bytes", 1 << 20},
	"kilobyte": {"bytes", 1 << 10}, "megabyte": {"bytes", 1 << 20}, "gigabyte": {"bytes", 1 << 30},
	"gb": {"bytes", 1 << 30}, "gib": {"bytes", 1 << 30}, "バイト": {"bytes", 1},
	"%": {"ratio", .01}, "percent": {"ratio", .01}, "pct": {"ratio", .01}, "パーセント": {"ratio", .01}, "rate": {"ratio", 1}, "ratio": {"ratio", 1},
	"yen": {"money", 1}, "jpy": {"money", 1}, "円": {"money", 1}, "usd": {"usd", 1}, "dollar": {"usd", 1}, "ドル": {"usd", 1}, "cent": {"usd", .01}, "eur": {"eur", 1}, "euro": {"eur", 1}, "ユーロ": {"eur", 1},
	"kg": {"mass", 1}, "g": {"mass", .001}, "キロ": {"mass", 1}, "グラム": {"mass", .001},
	"km": {"length", 1000}, "kilometer": {"length", 1000}, "meter": {"length", 1}, "metre": {"length", 1}, "cm": {"length", .01}, "mm": {"length", .001},
	"キロメートル": {"length", 1000}, "メートル": {"length", 1}, "センチ": {"length", .01}, "liter": {"volume", 1}, "litre": {"volume", 1}, "リットル": {"volume", 1},
	"degree": {"temperature", 1}, "celsius": {"temperature", 1}, "度": {"temperature", 1},
	"px": {"width", 1}, "pixel": {"width", 1}, "ピクセル": {"width", 1},
	"character": {"text", 1}, "char": {"text", 1}, "letter": {"text", 1}, "digit": {"text", 1}, "文字": {"text", 1}, "回": {"count", 1}, "time": {"count", 1}, "件": {"count", 1},
	"人": {"count", 1}, "名": {"count", 1}, "個": {"count", 1}, "つ": {"count", 1}, "点": {"count", 1}, "ポイント": {"count", 1}, "枚": {"count", 1}, "桁": {"text", 1},
	"台": {"count", 1}, "冊": {"count", 1}, "本": {"count", 1}, "通": {"count", 1}, "匹": {"count", 1}, "問": {"count", 1}, "行": {"count", 1}, "字": {"text", 1}, "歳": {"count", 1}, "才": {"count", 1},
	"年": {"time", 31536000}, "年間": {"time", 31536000}, "日間": {"time", 86400}, "分間": {"time", 60}, "秒間": {"time", 1}, "か月間": {"time", 2592000}, "ヶ月間": {"time", 2592000},
}

// spelled are the numbers that prose spells out.
var spelled = map[string]string{
	"one": "1", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8", "nine": "9", "ten": "10",
	"twelve": "12", "twenty": "20", "thirty": "30", "once": "1 time", "twice": "2 time",
}

var (
	spelledOut = lazyregexp.New(`\b(one|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|once|twice)\b`)
	oneOf      = lazyregexp.New(`\b(one of|one or|no one|at once)\b`)
	// amount is a number in prose with what may be its unit.
	amount = lazyregexp.New(`(?:^|[^\w.])(\d[\d,]*(?:\.\d+)?)(?:\s|-)*(%|[a-z]+|ミリ秒|秒間?|分間?|時間|日間?|週間?|[かヶヵカ]月間?|年間?|バイト|パーセント|円|ドル|ユーロ|キロメートル|メートル|センチ|リットル|キロ|グラム|ピクセル|文字|回|件|人|名|個|つ|点|ポイント|枚|桁|台|冊|本|通|匹|問|行|字|歳|才|度)?`)
)

// perUnit follows an amount that others are counted by: 1日につき10円.
var perUnit = lazyregexp.New(`^\s*(?:につき|あたり|当たり|ごと|毎に)`)

// found is a quantity in prose and where it stands.
type found struct {
	Quantity
	start, end int
}

// amounts reads the quantities of folded prose.
func amounts(folded string) []found {
	all := []found{}
	for _, at := range amount().FindAllStringSubmatchIndex(folded, -1) {
		raw, err := strconv.ParseFloat(strings.ReplaceAll(folded[at[2]:at[3]], ",", ""), 64)
		if err != nil {
			continue
		}
		q := found{Quantity{Value: raw, Raw: raw}, at[2], at[3]}
		if at[4] >= 0 {
			if u, ok := unitOf(folded[at[4]:at[5]]); ok {
				q.Value, q.Dim, q.end = raw*u.factor, u.dim, at[5]
			} else if !text.EnglishStop(folded[at[4]:at[5]]) {
				q.Dim = "count"
			}
		}
		calendar := strings.HasPrefix(folded[at[3]:], "年") && raw >= 1900 // a date, and no duration
		last := len(all) - 1
		if last >= 0 && q.Dim == "time" && all[last].Dim == "time" && strings.TrimSpace(folded[all[last].end:q.start]) == "" { // 7 時間 45 分
			all[last].Value, all[last].end = all[last].Value+q.Value, q.end
			continue
		}
		if !calendar && !perUnit().MatchString(folded[q.end:]) {
			all = append(all, q)
		}
	}
	return all
}

// foldProse brings prose into the form that amounts and bounds are read in.
func foldProse(s string) string {
	folded := oneOf().ReplaceAllString(text.Fold(s), "")
	return spelledOut().ReplaceAllStringFunc(folded, func(w string) string { return spelled[w] })
}

func unitOf(word string) (unit, bool) {
	if u, ok := units[word]; ok {
		return u, true
	}
	u, ok := units[strings.TrimSuffix(word, "s")]
	return u, ok
}

// same reports whether two quantities are equal. Where one has no unit it may
// stand in any: 1800 is 30 minutes, 0.1 and 10 are 10 %.
func (q Quantity) same(o Quantity) bool {
	if near(q.Value, o.Value) || q.Dim == "bytes" && o.Dim == "bytes" && near(decimal(q), decimal(o)) {
		return true
	}
	return (q.Dim == "" || o.Dim == "") && (near(q.Raw, o.Raw) || near(q.Value, o.Value*1000) || near(q.Value*1000, o.Value))
}

// decimal is an amount of bytes whose thousands were counted as 1000.
func decimal(q Quantity) float64 {
	for _, power := range []float64{1 << 30, 1 << 20, 1 << 10} {
		if rest := q.Value / power; rest >= 1 && rest == math.Trunc(rest) {
			return rest * math.Pow(1000, math.Log2(power)/10)
		}
	}
	return q.Value
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b)) }

// comparable reports whether two quantities may speak of the same: those of one
// dimension do, and a bare number beside one with a unit where it is the same number.
func (q Quantity) comparable(o Quantity) bool {
	return q.family() == o.family() || q.Dim == "" && o.Dim == "text" || q.Dim == "text" && o.Dim == "" || q.share() && o.Dim == "ratio" || q.Dim == "ratio" && o.share() || q.priced() && o.priced() && (q.Dim == "price" || o.Dim == "price") ||
		(q.Dim == "" || o.Dim == "") && q.same(o)
}

// family is the dimension; what is counted often names no unit.
func (q Quantity) family() string {
	if q.Dim == "" {
		return "count"
	}
	return q.Dim
}

// share reports whether a bare number may be a ratio.
func (q Quantity) share() bool { return q.Dim == "" && 0 < q.Raw && q.Raw < 1 }

func (q Quantity) priced() bool {
	return q.Dim == "price" || q.Dim == "money" || q.Dim == "usd" || q.Dim == "eur"
}
