package text

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// cueTail has a bit for the last UTF-8 byte of each cue, to rule out most other characters with one
// test.
var cueTail = func() (bits uint64) {
	for _, r := range "ーヴァィェォヤ第月所年〇零一二三四五六七八九十百千万億兆" {
		bits |= 1 << (r & 0x3F)
	}
	return bits
}()

// isCue reports whether the second pass must look at r. A comma is one too.
func isCue(r rune) bool {
	switch r {
	case 'ー', 'ヴ', 'ァ', 'ィ', 'ェ', 'ォ', 'ヤ', '第', '月', '所', '年',
		'〇', '零', '一', '二', '三', '四', '五', '六', '七', '八', '九', '十', '百', '千', '万', '億', '兆':
		return true
	}
	return r >= '0' && r <= '9'
}

// number rewrites the run of digits, numerals and commas around the cue at i. If the run is used as
// a number, it becomes ASCII digits. Otherwise only the commas between groups of digits are
// dropped.
func (p *pass) number(i int) {
	start, end := p.numeralRun(i)
	p.done = max(end, i+1)
	if start == end || p.afterPoint(start) {
		return
	}
	run := string(p.s[start:end])
	if p.standsAsNumber(start, end, run) {
		if form := digits(run); form != "" {
			p.replace(start, end, form)
			return
		}
	}
	for at := 0; at < len(run); {
		n := strings.IndexFunc(run[at:], func(r rune) bool { return r >= utf8.RuneSelf })
		if n < 0 {
			n = len(run) - at
		}
		p.ungroup(start+at, run[at:at+n])
		at += n + kanaSize // the numeral after them
	}
}

// ungroup drops the commas of a number such as 12,000.
func (p *pass) ungroup(start int, run string) {
	trimmed := strings.TrimLeft(run, ",")
	start += len(run) - len(trimmed)
	trimmed = strings.TrimRight(trimmed, ",")
	if strings.Contains(trimmed, ",") && grouped(trimmed) {
		p.replace(start, start+len(trimmed), strings.ReplaceAll(trimmed, ",", ""))
	}
}

// grouped reports whether digits and commas form groups of three.
func grouped(s string) bool {
	first := strings.IndexByte(s, ',')
	if first < 1 || first > 3 || s[0] >= utf8.RuneSelf {
		return false
	}
	for s = s[first:]; s != ""; s = s[4:] {
		if len(s) < 4 || s[0] != ',' || !isDigit(s[1]) || !isDigit(s[2]) || !isDigit(s[3]) {
			return false
		}
	}
	return true
}

// numeralRun returns the longest unprocessed run around i of digits, numerals and commas between
// them.
func (p *pass) numeralRun(i int) (start, end int) {
	start, end = i, i
	for {
		before := start
		if before > p.done && p.s[before-1] == ',' {
			before--
		}
		r, size := utf8.DecodeLastRune(p.s[p.done:before])
		if numeral(r) == notNumeral || before < start && numeral(p.at(start)) == notNumeral {
			break
		}
		start = before - size
	}
	for {
		after := end
		if after > start && after < len(p.s) && p.s[after] == ',' {
			after++
		}
		r, size := utf8.DecodeRune(p.s[after:])
		if numeral(r) == notNumeral {
			break
		}
		end = after + size
	}
	return start, end
}

func (p *pass) at(i int) rune {
	r, _ := utf8.DecodeRune(p.s[i:])
	return r
}

// afterPoint reports whether a decimal point precedes start.
func (p *pass) afterPoint(start int) bool {
	return start > 1 && p.s[start-1] == '.' && isDigit(p.s[start-2])
}

// standsAsNumber reports whether the numerals [start, end) are a number and not part of a word such
// as 一般, 十分 or 統一. It looks at the text on both sides.
func (p *pass) standsAsNumber(start, end int, run string) bool {
	if !strings.ContainsFunc(run, func(r rune) bool { return numeral(r) > 0 }) {
		return false // 〇〇 is a blank to fill in
	}
	if strings.IndexFunc(run, func(r rune) bool { return r >= utf8.RuneSelf }) < 0 {
		return false
	}
	before, after := string(p.s[max(0, start-4*kanaSize):start]), string(p.s[end:min(end+5*kanaSize, len(p.s))])
	next, _ := utf8.DecodeRuneInString(after)
	return isDigit(run[0]) && strings.ContainsRune("万億兆", lastRune(run)) ||
		hasSuffix(before, labels) && endsLabel(next) ||
		strings.HasSuffix(before, "第") && strings.ContainsRune(ordinalCounters, next) ||
		(hasPrefix(after, units) || run != "一" && hasPrefix(after, counters)) && !ordinary(before, run, after)
}

// ordinary reports whether numerals followed by a unit are nevertheless part of a word.
func ordinary(before, run, after string) bool {
	prev, single := lastRune(before), utf8.RuneCountInString(run) == 1
	switch {
	case isDigit(run[0]):
		return false
	case strings.ContainsRune("数何幾", prev):
		return true
	case single && unicode.Is(unicode.Han, prev) && !strings.ContainsRune(leads, prev):
		return true
	}
	if rest, ok := strings.CutPrefix(after, "分"); ok && single {
		next, _ := utf8.DecodeRuneInString(rest)
		// Enough (十分), fractions (三分の一), to halve (二分する), fields (一分野).
		return run == "十" && next != '間' || strings.ContainsRune("のさしすせ儀野割類析", next)
	}
	return hasPrefix(run+after, words)
}

// endsLabel reports whether a label such as 別表第一 or 第三条の二 may end before next.
func endsLabel(next rune) bool {
	switch {
	case unicode.Is(unicode.Han, next):
		return strings.ContainsRune("第及又若並", next)
	case unicode.Is(unicode.Hiragana, next):
		return next != 'つ'
	}
	return true
}

// Text that occurs next to numbers, normalised.
const (
	ordinalCounters = "条項号章節編部款表回種類級期版巻図例段欄行列"
	// Kanji that may directly precede a numeral of one character.
	leads = "第前後各約満計毎翌年月日時分条項号章節款編法則令規程例附付和成正治"
)

var (
	labels = []string{
		"別表", "様式", "別表第", "様式第", "別記第", "付表第", "附表第",
		"条の", "項の", "号の", "条ノ", // a branch of an article: 第三条の二
	}
	units = []string{
		"条", "項", "号", "円", "年", "月", "日", "歳", "人", "名", "件", "回", "%", "パーセント",
		"分", "秒", "時間", "週間", "倍", "級", "割",
		"か月", "ヶ月", "ヵ月", "カ月", "ケ月", "箇月", "か所", "ヶ所", "ヵ所", "カ所", "ケ所", "箇所",
		"か年", "ヶ年", "ヵ年", "カ年", "ケ年", "箇年",
	}
	// After 一, they make words, as in 一部 and 一本.
	counters = []string{
		"台", "個", "本", "枚", "冊", "階", "社", "箱", "棟", "匹", "頭", "羽", "足", "泊", "株", "席", "便", "段階", "種類", "部",
		"通", "点", "度", "杯", "軒", "戸", "位", "桁", "行", "列", "票", "室", "口", "組", "系統", "世帯", "ページ",
	}
	words = []string{"一人", "二人", "一円", "三日月", "四日市", "五月雨", "八日市", "百人一首"}
)

// counterKa replaces the ka of 3ヶ月, 三箇所 and the like by か. i is the offset of the counted noun.
func (p *pass) counterKa(i int) {
	ka := i - kanaSize
	if ka < 1 || !slices.Contains([]string{"ヶ", "ヵ", "カ", "ケ", "箇"}, string(p.s[ka:i])) {
		return
	}
	if r, _ := utf8.DecodeLastRune(p.s[:ka]); numeral(r) != notNumeral || strings.ContainsRune("数何", r) {
		p.replace(ka, i, "か")
	}
}

// roman rewrites a Roman numeral up to 39 between 第 and a counter. It leaves a single x alone,
// which usually means any number.
func (p *pass) roman(start int) {
	end := start
	for end < len(p.s) && strings.IndexByte("ivx", p.s[end]) >= 0 {
		end++
	}
	form, ok := romanDigits(string(p.s[start:end]))
	if ok && strings.ContainsRune(ordinalCounters, p.at(end)) {
		p.replace(start, end, form)
	}
}

func lastRune(s string) rune {
	r, _ := utf8.DecodeLastRuneInString(s)
	return r
}

func hasPrefix(s string, list []string) bool {
	return slices.ContainsFunc(list, func(x string) bool { return strings.HasPrefix(s, x) })
}

func hasSuffix(s string, list []string) bool {
	return slices.ContainsFunc(list, func(x string) bool { return strings.HasSuffix(s, x) })
}
