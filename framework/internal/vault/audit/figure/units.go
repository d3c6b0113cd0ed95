package figure

import "strings"

// unit is what a number counts. Values are compared in base units of one dimension.
type unit struct {
	dimension string
	factor    float64 // of the base unit
	slack     float64 // by how much, relatively, equal amounts may differ in another unit
}

const (
	hour = 3600.0
	day  = 24 * hour
)

// units by their names in normalised text. Months and years are compared with
// days, and data sizes with each other, with slack: a month is 28 to 31 days, a
// GB 1000 or 1024 MB.
var units = func() map[string]unit {
	m := make(map[string]unit)
	add := func(dimension string, factor, slack float64, names string) {
		for _, n := range strings.Fields(names) {
			m[n] = unit{dimension, factor, slack}
		}
	}
	add("time", 0.001, 0, "ミリ秒 ms millisecond milliseconds")
	add("time", 1, 0, "秒 秒間 s sec secs second seconds")
	add("time", 60, 0, "分 分間 min mins minute minutes")
	add("time", hour, 0, "時間 h hr hrs hour hours")
	add("time", day, 0, "日 日間 day days")
	add("time", 7*day, 0, "週 週間 week weeks")
	add("time", 30.4*day, 0.09, "か月 か月間 month months")
	add("time", 365*day, 0.02, "年 年間 か年 year years")
	add("time", 91.2*day, 0.05, "quarter quarters 四半期")
	add("workday", 1, 0, "営業日 business working weekdays workdays")
	add("yen", 1, 0, "円 yen jpy")
	add("dollar", 1, 0, "ドル dollar dollars usd")
	add("euro", 1, 0, "ユーロ euro euros eur")
	add("pound", 1, 0, "ポンド pounds gbp")
	add("percent", 1, 0, "% パーセント percent")
	add("percent", 10, 0, "割")
	add("bytes", 1<<10, 0.1, "kb kib kバイト キロバイト")
	add("bytes", 1<<20, 0.1, "mb mib mバイト メガバイト")
	add("bytes", 1<<30, 0.1, "gb gib gバイト ギガバイト")
	add("bytes", 1<<40, 0.1, "tb tib テラバイト")
	add("bits", 1e6, 0, "mbps")
	add("bits", 1e9, 0, "gbps")
	add("length", 0.001, 0, "mm ミリ ミリメートル millimetres millimeters")
	add("length", 0.01, 0, "cm センチ センチメートル centimetres centimeters")
	add("length", 1, 0, "m メートル metres meters metre meter")
	add("length", 1000, 0, "km キロメートル kilometres kilometers")
	add("length", 0.0254, 0, "inch inches インチ")
	add("length", 0.3048, 0, "feet foot ft")
	add("length", 1609.34, 0, "mile miles マイル")
	add("mass", 0.001, 0, "g グラム grams gram")
	add("mass", 1, 0, "kg キロ キログラム kilograms kilogram")
	add("mass", 0.4536, 0, "lb lbs")
	add("volume", 0.001, 0, "ml ミリリットル")
	add("volume", 1, 0, "l リットル litres liters litre liter")
	add("celsius", 1, 0, "°c 度")
	add("fahrenheit", 1, 0, "°f")
	add("volt", 1, 0, "v volts volt ボルト")
	add("watt", 1, 0, "w watts watt ワット")
	add("watt", 1000, 0, "kw")
	add("times", 1, 0, "回 times")
	add("people", 1, 0, "人 名 people persons")
	for _, counter := range strings.Fields("台 件 世代 個 枚 本 冊 文字 桁 点 歳 才 泊 室 匹 頭 杯 箱 袋 通 食 口 株 か所 箇所 種類 倍 世帯 社 行 列 層 か国") {
		add(counter, 1, 0, counter)
	}
	m["才"] = m["歳"]
	m["箇所"] = m["か所"]
	return m
}()

// longestUnit bounds the bytes of a unit's name.
const longestUnit = 27

// unitAt finds the unit that s starts with, in Japanese the longest one.
func unitAt(s string) (u unit, name string) {
	if s == "" {
		return
	}
	if isAlnum(s[0]) {
		end := 0
		for end < len(s) && s[end] >= 'a' && s[end] <= 'z' {
			end++
		}
		return units[s[:end]], s[:end]
	}
	for end := min(len(s), longestUnit); end > 0; end-- {
		if u, ok := units[s[:end]]; ok {
			return u, s[:end]
		}
	}
	return
}

// countable reports whether a word may be what a number counts: an English plural.
func countable(noun string) bool {
	return len(noun) > 3 && strings.HasSuffix(noun, "s") && !strings.HasSuffix(noun, "ss") && !notCounted[noun]
}

var notCounted = set(`this was has does percent types kinds ways parts steps options things sections sides cases reasons categories forms classes versions examples questions`)
