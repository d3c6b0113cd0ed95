package judge

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// thing is one of many that a query names by its number: 別表9, 第77条の2, appendix z,
// e-1099. Nothing kindred stands for it.
type thing struct {
	text   string // as the query has it, normalised
	kind   string // the word that is numbered, "" for a code
	number string
}

// Words with their number behind them, and those with it before them.
var (
	labelsJa = [...]string{"別表", "付表", "附表", "別紙", "別図", "別記", "別添", "様式", "書式", "付録", "附録", "図", "表"}
	labelsEn = [...]string{"appendix", "annex", "exhibit", "attachment", "schedule", "section", "chapter", "article", "clause", "figure", "fig", "table"}
	ordinals = [...]string{"条", "項", "号", "章", "節", "編", "部", "款", "表"}
)

// counters make of a number behind a Japanese label an amount: 様式2通.
const counters = "枚つ冊件個人回種通点本頁ペ行列年月日時分秒円部"

// thingsOf gives the numbered things that a query asks for, each once.
func thingsOf(q *sdk.Query, norm string) []thing {
	var out []thing
	add := func(t thing) {
		within := func(x thing) bool { return strings.Contains(x.text, t.text) }
		spoken := func(x sdk.Term) bool { return x.Kind == sdk.TermNegative && strings.Contains(x.Text, t.text) }
		if !slices.ContainsFunc(out, within) && !slices.ContainsFunc(q.Terms, spoken) {
			out = append(out, t)
		}
	}
	labelled(norm, add)
	for _, kind := range ordinals {
		for i := range occurrences(norm, kind) {
			number, start, end := numberBefore(norm, i, kind)
			if head := strings.TrimSuffix(norm[:start], " "); number != "" && strings.HasSuffix(head, "第") {
				add(thing{norm[len(head)-len("第") : end], kind, number})
			}
		}
	}
	for _, t := range q.Terms {
		if t.Kind == sdk.TermMust && !t.Phrase && modelled(t.Text) {
			add(thing{text: t.Text, number: t.Text})
		}
	}
	return out
}

// labelled gives to add what has its number behind its kind.
func labelled(norm string, add func(thing)) {
	for _, kind := range slices.Concat(labelsJa[:], labelsEn[:]) {
		for i := range occurrences(norm, kind) {
			number, end := numberBehind(norm, i, kind)
			if next, _ := utf8.DecodeRuneInString(norm[end:]); number == "" || scriptOf(next) != other && strings.ContainsRune(counters, next) {
				continue
			}
			if strings.HasPrefix(norm[end:], "号") {
				end += len("号")
			}
			add(thing{norm[i:end], kind, number})
		}
	}
}

// occurrences yields where a word begins in s.
func occurrences(s, word string) func(func(int) bool) {
	return func(yield func(int) bool) {
		for from := 0; ; {
			i := strings.Index(s[from:], word)
			if i < 0 || !yield(from+i) {
				return
			}
			from += i + len(word)
		}
	}
}

// numberBehind reads the number of a label at i and where it ends, "" where none
// follows or the label is the end of a longer word.
func numberBehind(s string, i int, kind string) (number string, end int) {
	before, _ := utf8.DecodeLastRuneInString(s[:i])
	latin := kind[0] < utf8.RuneSelf
	if latin && i > 0 && isAlnum(s[i-1]) || !latin && len(kind) == kanjiBytes && scriptOf(before) != other && scriptOf(before) != hiragana {
		return "", i
	}
	rest := s[i+len(kind):]
	if latin {
		rest = strings.TrimPrefix(strings.TrimPrefix(rest, "s"), ".")
		if !strings.HasPrefix(rest, " ") {
			return "", i
		}
	}
	rest = strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(rest, " "), "第"), " ")
	n := numeralEnd(rest)
	if n == 0 && (latin || kind == "付録" || kind == "附録") && len(rest) > 0 && rest[0] >= 'a' && rest[0] <= 'z' && ending(rest) == 1 {
		n = 1
	}
	return arabic(rest[:n]), len(s) - len(rest) + n
}

// numberBefore reads the number that an ordinal at i ends, with that of what was put
// in behind it (第7条の2), and where both start and end.
func numberBefore(s string, i int, kind string) (number string, start, end int) {
	head := strings.TrimSuffix(s[:i], " ")
	start, end = len(strings.TrimRight(head, "0123456789")), i+len(kind)
	if start == len(head) {
		return "", start, end
	}
	number = head[start:]
	if rest, ok := strings.CutPrefix(s[end:], "の"); ok {
		n := len(rest) - len(strings.TrimLeft(rest, "0123456789"))
		if next, _ := utf8.DecodeRuneInString(rest[n:]); n > 0 && next != 'つ' && (scriptOf(next) != han || strings.ContainsRune("第及又並各以", next)) {
			number, end = number+"の"+rest[:n], end+len("の")+n
		}
	}
	return number, start, end
}

// kanjiNumerals write small numbers; where another kanji follows they are part of a word: 表一覧.
const kanjiNumerals = "一二三四五六七八九十"

// numeralEnd is the length of the number that s starts with, its parts included: 4.2, 3-1.
func numeralEnd(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "0123456789"))
	if n == 0 {
		n = len(s) - len(strings.TrimLeft(s, kanjiNumerals))
		if next, _ := utf8.DecodeRuneInString(s[n:]); scriptOf(next) == han && next != '号' {
			return 0
		}
		return n
	}
	for n+1 < len(s) && strings.IndexByte(".-", s[n]) >= 0 && isDigit(s[n+1]) {
		n++
		for n < len(s) && isDigit(s[n]) {
			n++
		}
	}
	return n
}

// arabic writes a number in kanji in digits.
func arabic(number string) string {
	if number == "" || number[0] < utf8.RuneSelf {
		return number
	}
	return strings.TrimSuffix(strings.TrimPrefix(text.Fold("第"+number+"条"), "第"), "条")
}

// modelled reports a code of letters and a number, as errors and models have.
func modelled(term string) bool {
	letters := ending(strings.TrimRight(term, "-0123456789."))
	digits := strings.TrimPrefix(term[letters:], "-")
	return letters > 0 && digits != "" && strings.Trim(digits, "0123456789.") == "" && !strings.ContainsAny(term[:letters], "0123456789")
}

// stands reports whether a normalised text holds the thing itself.
func (t *thing) stands(norm string) bool {
	if t.kind == "" {
		return t.coded(norm)
	}
	return t.called(norm, t.kind) || spelled[t.kind] != "" && t.called(norm, spelled[t.kind]) || t.leads(norm)
}

// spelled are kinds that are written in two ways.
var spelled = map[string]string{"figure": "fig", "fig": "figure", "付表": "附表", "附表": "付表", "付録": "附録", "附録": "付録"}

func (t *thing) called(norm, kind string) bool {
	for i := range occurrences(norm, kind) {
		number := ""
		if slices.Contains(ordinals[:], kind) {
			number, _, _ = numberBefore(norm, i, kind)
		}
		if number != t.number {
			number, _ = numberBehind(norm, i, kind)
		}
		if number == t.number {
			return true
		}
	}
	return false
}

// unlabelled are the kinds that a heading or an item may begin with the bare number of.
var unlabelled = set(`項 号 章 節 編 部 款 section chapter article clause`)

// leads reports whether a line or a title begins with the number of a thing whose kind
// need not be written. The first paragraph of an article has no number at all.
func (t *thing) leads(norm string) bool {
	if !unlabelled[t.kind] {
		return false
	}
	if t.number == "1" && (t.kind == "項" || t.kind == "号") {
		return true
	}
	for i := range occurrences(norm, t.number) {
		before := strings.TrimRight(norm[:i], " #*(§")
		after := norm[i+len(t.number):]
		if (before == "" || endsIn(before, []string{"\n", ">"}) || strings.HasSuffix(strings.TrimRight(norm[:i], " "), "§")) && (after == "" || strings.IndexByte(" .):\n", after[0]) >= 0 || strings.HasPrefix(after, "、")) {
			return true
		}
	}
	return false
}

// coded reports whether a text holds a code, be it with another mark or none
// between its letters and its number.
func (t *thing) coded(norm string) bool {
	letters := ending(strings.TrimRight(t.number, "-0123456789."))
	number := strings.TrimPrefix(t.number[letters:], "-")
	for i := range occurrences(norm, number) {
		head, rest := norm[:i], norm[i+len(number):]
		if rest != "" && isAlnum(rest[0]) || len(rest) > 1 && strings.IndexByte(".-", rest[0]) >= 0 && isDigit(rest[1]) {
			continue
		}
		if i > 0 && strings.IndexByte("-_ ", head[i-1]) >= 0 {
			head = head[:i-1]
		}
		if before, ok := strings.CutSuffix(head, t.number[:letters]); ok && (before == "" || !isAlnum(before[len(before)-1])) {
			return true
		}
	}
	return false
}

// lacking gives the numbered things that no evidence holds, not even where it is not read.
func (r *reader) lacking() []string {
	var out []string
	for i := range r.q.things {
		if !r.standing(&r.q.things[i]) {
			out = append(out, r.q.things[i].text)
		}
	}
	return out
}

func (r *reader) standing(t *thing) bool {
	for n := range r.wholes() {
		if r.stopped() || t.stands(r.texts[n].norm) {
			return true
		}
	}
	for n := 0; r.in.Normalized != nil && n < len(r.evidences); n++ {
		if r.stopped() || t.stands(r.in.Normalized(n)) {
			return true
		}
	}
	return false
}

// numbers reports whether a term is but a part of a numbered thing.
func (q *question) numbers(term string) bool {
	return slices.ContainsFunc(q.things, func(t thing) bool { return strings.Contains(t.text, term) })
}
