package semcache

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// frames are replaced in this order, again until nothing changes. Each leaves what is asked as it
// was: that とは asks for a definition, and "how do I" for a procedure, is in the intent. Where and how
// many stay: they say what is asked; "how do you" may ask what the other side does, a bare "explain"
// may be a command's name.
var frames = []struct {
	expression  func() *regexp.Regexp
	replacement string
}{
	{lazyregexp.New(`^(?:please,? |(?:can|could|would) you (?:please )?)(?:explain |(?:tell|show) me )(?:about |to me )?`), ""},
	{lazyregexp.New(`^(?:please,? )?(?:(?:tell|show) me (?:about )?|explain to me |i (?:want|need|would like) to know (?:about )?)`), ""},
	{lazyregexp.New(`^please,? `), ""},
	{lazyregexp.New(` please$`), ""},
	{lazyregexp.New(`^how (?:do|can) (?:i|we) `), howTo},
	{lazyregexp.New(`^what are `), "what is "},
	{lazyregexp.New(`\bthe (\S)`), "$1"},
	{lazyregexp.New(`(\p{Hiragana})[、 ]+`), "$1"},
	{lazyregexp.New(`[、 ]+(\p{Hiragana})`), "$1"},
	{lazyregexp.New(`(?:については?|に関して|を|が| )(?:教えて|知りたい|説明して|調べて)(?:ください|下さい|ほしい|欲しい|もらえます|くれます|いただけます)?(?:です)?$`), ""},
	{lazyregexp.New(`(?:については?|に関して|に関する)$`), ""},
	{lazyregexp.New(`とは(?:何)?$`), ""},
	{lazyregexp.New(`(?:(?:な?の)?(?:でしょう|です)か?|な?のか)$`), ""},
	// Shorter words (ほか, すいか) and adverbs (静か) end in か without being a question.
	{lazyregexp.New(`(.{2}[^静確豊僅細微遥遙俄密ら])か$`), "$1"},
	// Endings that differ in manners only. A negation stays one.
	{lazyregexp.New(`ありません$`), "ない"},
	{lazyregexp.New(`あります$`), "ある"},
	{lazyregexp.New(`なりません$`), "ならない"},
	{lazyregexp.New(`なります$`), "なる"},
	{lazyregexp.New(`(でき|され|し)ません$`), "${1}ない"},
	{lazyregexp.New(`(でき|され)ます$`), "${1}る"},
	{lazyregexp.New(`します$`), "する"},
	{lazyregexp.New(`れば(?:いい|良い)$`), "ればよい"},
}

// form returns a normalised query without its frames, unless nothing would be left.
func form(norm string) string {
	s := unpunctuated(norm)
	for before := ""; s != before; {
		before = s
		for _, f := range frames {
			if rest := f.expression().ReplaceAllString(s, f.replacement); rest != "" {
				s = unpunctuated(rest)
			}
		}
	}
	if rest := strings.TrimPrefix(s, howTo); rest != "" { // last: "how to please" does not begin with a courtesy
		return rest
	}
	return s
}

// howTo begins a query for a procedure.
const howTo = "how to "

// unpunctuated returns s without trailing punctuation, unless the punctuation belongs to what
// precedes it, as in $?, or is all there is.
func unpunctuated(s string) string {
	bare := strings.TrimRight(s, "?。、., ")
	last, _ := utf8.DecodeLastRuneInString(bare)
	if unicode.In(last, unicode.Letter, unicode.Number, unicode.Mark) || strings.ContainsRune("ー)%'", last) {
		return bare
	}
	return s
}
