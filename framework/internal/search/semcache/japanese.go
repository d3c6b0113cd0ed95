package semcache

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// japanese is the form of a query that holds Japanese text.
func japanese(s string) string {
	s = joined(s)
	for before := ""; s != before; {
		before = s
		s = unpunctuated(unframed(s), "?。、 ")
	}
	s = plain(s)
	s = ofAspect().ReplaceAllString(s, "$1 $2")
	if words := strings.Fields(s); isList(words) {
		return strings.Join(aspectLast(words), " ")
	}
	return s
}

// pauses are commas and spaces; next to hiragana they part nothing.
var (
	afterKana  = lazyregexp.New(`(\p{Hiragana})[、 ]+`)
	beforeKana = lazyregexp.New(`[、 ]+(\p{Hiragana})`)
	comma      = lazyregexp.New(`、\s*`)
)

func joined(s string) string {
	if isList(strings.Fields(s)) {
		return s
	}
	s = afterKana().ReplaceAllString(s, "$1")
	s = beforeKana().ReplaceAllString(s, "$1")
	return comma().ReplaceAllString(s, " ")
}

// The frames that a question ends with. Each of them leaves what is asked as it
// was; that とは asks for a definition is in the intent, which must agree too.
var frames = []func() *regexp.Regexp{
	lazyregexp.New(`(?:については?|に関して|を|が| )(?:教えて|知りたい|説明して|調べて)(?:ください|下さい|ほしい|欲しい|もらえます|くれます|いただけます)?(?:です)?$`),
	lazyregexp.New(`(?:については?|に関して|に関する)$`),
	lazyregexp.New(`とは(?:何)?$`),
	lazyregexp.New(`(?:(?:な?の)?(?:でしょう|です)か?|な?のか)$`),
}

// leastAsking is how many characters must be left before a か counts as the end
// of a question and not of a word (ほか, すいか).
const leastAsking = 4

// adverbs end in か as question do, and are none.
var adverbs = lazyregexp.New(`[静確豊僅細微遥遙俄密ら]か$`)

// unframed takes one frame off the end.
func unframed(s string) string {
	for _, f := range frames {
		if rest := f().ReplaceAllString(s, ""); rest != "" && rest != s {
			return rest
		}
	}
	rest := strings.TrimSuffix(s, "か")
	if utf8.RuneCountInString(rest) < leastAsking || adverbs().MatchString(s) {
		return s
	}
	return rest
}

// polite are endings that differ in manners only. A negation stays one.
var polite = [][2]string{
	{"できません", "できない"}, {"できます", "できる"}, {"ありません", "ない"}, {"あります", "ある"},
	{"なりません", "ならない"}, {"なります", "なる"}, {"されません", "されない"}, {"されます", "される"},
	{"しません", "しない"}, {"します", "する"}, {"でしょう", ""}, {"ればいい", "ればよい"}, {"れば良い", "ればよい"},
}

func plain(s string) string {
	for _, p := range polite {
		if rest, ok := strings.CutSuffix(s, p[0]); ok && rest != "" {
			return rest + p[1]
		}
	}
	return s
}

// aspects are the words for what one wants of a subject. In a list of keywords
// such a word means the same at either end, other words need not: 設定 ファイル
// is a file, ファイル 設定 is a task, 親 子 扶養 says who supports whom.
const aspects = `手順|方法|やり方|仕方|使い方|定義|意味|一覧|期限|料金|費用|概要|注意点|条件|要件|違い`

var (
	aspect   = lazyregexp.New(`^(?:` + aspects + `)$`)
	ofAspect = lazyregexp.New(`(.)の(` + aspects + `)$`)
	// okurigana is what may stand in kana inside a keyword; particles are not among it.
	okurigana = lazyregexp.New(`^(?:[^\p{Hiragana}]|[^\p{Hiragana}][いきしちみりぎびえけせれげべめ]+)+$`)
)

// isList reports whether words are keywords and not the parts of a sentence.
func isList(words []string) bool {
	return len(words) > 1 && !slices.ContainsFunc(words,
		func(w string) bool { return !okurigana().MatchString(w) && !aspect().MatchString(w) })
}

// aspectLast moves the one aspect that a list begins with to its end.
func aspectLast(words []string) []string {
	if !aspect().MatchString(words[0]) || slices.ContainsFunc(words[1:], aspect().MatchString) {
		return words
	}
	return append(slices.Clone(words[1:]), words[0])
}
