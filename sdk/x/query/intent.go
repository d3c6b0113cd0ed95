package query

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// intents are tried in order: a question about an exception is one even if it is worded like one
// about a procedure.
var intents = []struct {
	intent     sdk.Intent
	expression func() *regexp.Regexp
}{
	{sdk.IntentExceptions, lazyregexp.New(`例外|対象外|除外|免責|適用されない|支払われない|できない場合|\bexcept|\bexclu(?:de|sion)|\bnot (?:covered|apply|allowed|supported)|\blimitations?\b`)},
	{sdk.IntentCompare, lazyregexp.New(`違い|比較|どちら|\bdifferences?\b|\bcompare|\bversus\b|\bvs\b`)},
	{sdk.IntentProcedure, lazyregexp.New(`方法|手順|やり方|どうやって|どうすれば|するには|仕方|\bhow (?:do|to|can|should)\b|\bsteps?\b|\bprocedure`)},
	{sdk.IntentEligibility, lazyregexp.New(`対象|条件|資格|要件|できますか|可能か|\bcan i\b|\beligib|\bqualif|\brequirements?\b|\bam i\b|\bdo i (?:need|have)\b`)},
	{sdk.IntentDefinition, lazyregexp.New(`とは|定義|意味|何ですか|\bwhat (?:is|are|does)\b|\bdefinition\b|\bmeaning\b|\bdefine`)},
}

// intentOf returns the intent of a normalised query.
func intentOf(norm string) sdk.Intent {
	for _, i := range intents {
		if i.expression().MatchString(norm) {
			return i.intent
		}
	}
	return sdk.IntentUnknown
}

// allWords are words with which a query asks for everything of a kind, and phrases in which they do not mean that.
var allWords = sync.OnceValue(func() (words struct{ all, both dict.Vocabulary }) {
	words.all = dict.All()
	words.both = slices.Concat(words.all, dict.NotAll())
	return words
})

// AsksForAll reports whether a normalised query asks for everything of a kind, not for one answer.
func AsksForAll(norm string) bool {
	return len(placesOfAll(norm)) > 0
}

// placesOfAll returns where a normalised query asks for everything of a kind.
func placesOfAll(norm string) []dict.Place {
	words := allWords()
	asksForNothing := func(p dict.Place) bool { return !slices.Contains(words.all, p.Word) }
	return slices.DeleteFunc(words.both.Find(norm), asksForNothing)
}

// withoutAll replaces the words of a normalised query that ask for everything of a kind by spaces.
func withoutAll(norm string) string {
	rest := []byte(norm)
	for _, p := range placesOfAll(norm) {
		copy(rest[p.Start:p.End], strings.Repeat(" ", p.End-p.Start))
	}
	return string(rest)
}

// question matches the parts of a query that only mark it as a question.
var question = lazyregexp.New(`とは(?:何(?:ですか|か)?)?|について(?:の)?|に関する|に関して` +
	`|を?(?:詳しく|くわしく)?(?:教えて|知りたい|説明して|調べて|聞きたい)(?:(?:ください|下さい|欲しい|ほしい)|(?:いただけ|頂け|もらえ|くれ)(?:ますか|ませんか))?` +
	`(?:(?:の|ん)?です(?:が|けど)?)?|って(?:何|なに|なん)(?:ですか|なの|だ)?|(?:でしょう|です|ます)か|どうすれば(?:よい|いい|良い)(?:ですか)?|どうやって` +
	`|\b(?:how (?:do|can|should|to)|what (?:is|are|does)|where (?:is|are|can|do)|when (?:is|do|does|can)|can|could|should|would|do|does|is|are) (?:i|we|you|the|a|an|there)\b|\b(?:how|what) (?:do|to|is|are)\b` +
	`|\b(?:i|we)(?:'d| would)? ?(?:want|need|like|wish|(?:was |am )?wonder(?:ing)?|am (?:trying|looking))\b` +
	`|\b(?:tell|give|show|help|let) (?:me|us)(?: (?:about|know|understand|with))?\b|\bplease\b|\bsteps$|[?？]` +
	`|^ *(?:explain|describe)\b|\b(?:to )?(?:know|learn)(?: more)? about\b`)

// stripQuestion removes question words from a normalised query, unless nothing
// would be left.
func stripQuestion(norm string) string {
	rest := strings.Join(strings.Fields(question().ReplaceAllString(norm, " ")), " ")
	if rest == "" {
		return norm
	}
	return rest
}
