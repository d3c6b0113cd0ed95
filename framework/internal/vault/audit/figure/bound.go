package figure

import (
	"math"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/text"
)

// Signs of what a number is to what it counts, before and behind it.
var (
	rough       = [...]string{"約", "およそ", "おおむね", "概ね", "about ", "around ", "approximately ", "roughly ", "nearly ", "almost ", "approx. "}
	roughTail   = [...]string{"程度", "ほど", "くらい", "ぐらい", "前後", " or so"}
	vague       = [...]string{"平均", "平均で", "average of ", "typically ", "usually ", "the first ", "the last ", "最初の", "はじめの", "additional ", "an extra ", "another ", "a further ", "さらに", "追加で", "間に", " or "}
	vagueTail   = [...]string{"弱", "強", "~", "-", " on average", "を目安", "が目安", "単位"}
	atMost      = [...]string{"最大", "最大で", "最長", "最長で", "最高", "上限は", "上限を", "限度は", "within ", "up to ", "at most ", "no more than ", "not more than ", "no longer than ", "no later than ", "maximum of ", "maximum ", "maximum is ", "not exceed ", "limit of ", "limited to ", "until "}
	mostTail    = [...]string{"以内", "まで", "以下", "を上限", "を限度", "が上限", "が限度", "を超えない", " or less", " or fewer", " or under", " at most", " maximum"}
	atLeast     = [...]string{"最低", "最低でも", "最短", "最小", "少なくとも", "at least ", "minimum of ", "no less than ", "no fewer than ", "older than ", "after ", "from "}
	leastTail   = [...]string{"以上", "以降", "経過", "を過ぎ", "から", "後", "が過ぎ", " or more", " or older", " or over", " and over", " or longer", " or later", " or higher", " or newer", " or above", " after", " minimum"}
	aheadTail   = [...]string{"前", " before", " prior", " in advance", " ahead", " beforehand", "' notice", " notice"}
	atEvery     = [...]string{"every ", "each "}
	everyTail   = [...]string{"ごと", "毎", "に1回", "に1度", "に一度", "に一回", "おき"}
	overBefore  = [...]string{"more than ", "over ", "larger than ", "bigger than ", "greater than ", "longer than ", "exceeding ", "exceeds ", "exceed ", "in excess of ", "above "}
	overTail    = [...]string{"を超", "超", "を上回", "より大き", "より長", "より多"}
	underBefore = [...]string{"less than ", "under ", "below ", "fewer than ", "younger than ", "shorter than ", "smaller than "}
	underTail   = [...]string{"未満", "に満たな", "を下回", "より小さ", "より短", "より少な"}
)

// roleOf reads the role of the number at [start, end). What lies beyond a number
// bounds it only where it is denied (over 20 MB cannot be sent); else it is a condition.
func roleOf(s string, start, end int) role {
	before, after := s[:start], s[end:]
	switch {
	case endsIn(before, []string{"within the first ", "within the last "}):
		return most
	case endsIn(before, vague[:]), startsWith(after, vagueTail[:]):
		return loose
	case startsWith(after, everyTail[:]), endsIn(before, atEvery[:]):
		return every
	case startsWith(after, aheadTail[:]):
		return ahead
	case endsIn(before, atMost[:]), startsWith(after, mostTail[:]):
		return most
	case endsIn(before, overBefore[:]), startsWith(after, overTail[:]):
		return beyond(s, after, most)
	case endsIn(before, underBefore[:]), startsWith(after, underTail[:]):
		return beyond(s, after, least)
	case startsWith(after, leastTail[:]), endsIn(before, atLeast[:]):
		if (endsIn(before, []string{"after "}) || startsWith(after, []string{"後", " after"})) && containsAny(s, ends[:]) {
			return exact
		}
		return least
	case endsIn(before, rough[:]), startsWith(after, roughTail[:]):
		return about
	}
	return exact
}

// ends are what happens to a thing after its time, which is how long it lasts.
var ends = [...]string{"expire", "delete", "purge", "lapse", "signed out", "logged out", "removed", "discarded", "失効", "削除", "無効", "破棄", "消去", "終了", "切れ"}

var refusals = [...]string{"できません", "できない", "出来ません", "られません", "られない", "れません", "えません", "けません", "いたしません", "しません", "不可", "禁止", "お断り", "エラー", "拒否", "失敗", "対象外", "ご遠慮", "ないでください",
	"never ", "cannot", "can't", "can not", "must not", "may not", "do not", "don't", "does not", "are not", "is not", "not be ", "not become", "not allowed", "rejected", "refused", "prohibited", "forbidden", "denied", "blocked", "excluded", "not accepted", "impossible", " fails", " fail"}

// beyond is the role of a number beyond which something is refused.
func beyond(s, after string, refused role) role {
	rest := after
	if !text.HasCJK(s) {
		rest = s
	}
	if containsAny(rest, refusals[:]) {
		return refused
	}
	return loose
}

// Words between two numbers that make a range, or a choice, of them.
var (
	ranges  = [...]string{"から", "~", "-", " to ", " - ", "、~"}
	choices = [...]string{" and ", " or ", "または", "か", "や", "、", ", ", "または、"}
)

// ranges joins the end of a range.
func (q *quantity) ranges(to *quantity) {
	if q.role == loose || to.role == loose || q.role == about {
		q.role, to.role = loose, loose
		return
	}
	q.high, q.role = to.value*to.unit.factor, span
	q.end, q.number, q.noun = to.end, to.number, to.noun
	to.name = "" // it is a part of q
}

// spans reads a number without a unit before the joint of a range: 3 to 5 days.
func (q *quantity) spans(before, after string) {
	head := before
	for _, joint := range [...]string{" to ", "~", "-", " and ", "から"} {
		cut, ok := strings.CutSuffix(before, joint)
		if !ok || joint == " and " && !strings.Contains(before, "between ") {
			continue
		}
		start := len(cut)
		for start > 0 && (isDigit(cut[start-1]) || cut[start-1] == '.') {
			start--
		}
		low, err := strconv.ParseFloat(cut[start:], 64)
		if err != nil {
			return
		}
		head = cut[:start]
		q.high, q.value, q.role, q.start = q.value*q.unit.factor, low, span, start
		if endsIn(head, rough[:]) || endsIn(head, vague[:]) || startsWith(after, roughTail[:]) || startsWith(after, vagueTail[:]) {
			q.role = loose
		}
		return
	}
}

func near(a, b, slack float64) bool { return math.Abs(a-b) <= slack*max(a, b) }
