package semcache

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Key is the lookup key of a query. It contains no text of the query.
type Key struct {
	// Exact is equal for queries with equal plans: the same normalised text with the same
	// phrases, exclusions and intent.
	Exact [sha256.Size]byte
	// Meaning is equal for queries that ask the same; see [KeyOf]. [Entry.Alike] decides whether their intents
	// may differ.
	Meaning [sha256.Size]byte
	Intent  sdk.Intent
}

// maxWorded is the maximum length in bytes of a query whose meaning is analysed. Longer queries,
// such as pasted texts, only match themselves.
const maxWorded = 2048

// KeyOf returns the key of a planned query.
//
// The rule for a server without embeddings is "the same multiset of
// content terms after stop patterns and folding", and no wrong hit. A multiset
// alone would take 「AからBへ」 for 「BからAへ」, so Meaning keeps the words of
// the query with their particles and in their order. It gives up only what
// cannot carry a meaning: the frame of the question (とは, について, を教えて,
// ですか, how do I, please), politeness, "the", and punctuation at the end. Numbers, codes,
// negations, must and excluded terms and phrases all have to agree. So does the intent, unless
// the answer is known to be the same.
func KeyOf(q sdk.Query) Key {
	norm := text.Fold(q.Raw)
	k := Key{Exact: hash(norm, q.Text, q.Intent, q.MatchThreshold, q.Terms), Intent: q.Intent}
	if k.Meaning = k.Exact; len(norm) <= maxWorded {
		k.Meaning = hash(form(norm), q.MatchThreshold, binding(q.Terms))
	}
	return k
}

// hash returns a hash of values, which must not contain pointers.
func hash(values ...any) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%#v", values))
}

// binding returns the terms that must agree, sorted.
func binding(all []sdk.Term) []sdk.Term {
	out := slices.DeleteFunc(slices.Clone(all), func(t sdk.Term) bool { return t.Kind == sdk.TermSoft })
	slices.SortFunc(out, func(a, b sdk.Term) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Text, b.Text), cmp.Compare(a.Weight, b.Weight))
	})
	return out
}

// Name returns a hexadecimal name that is the same, on every server, for queries that ask the same in a scope.
func (k Key) Name(s Scope) string { return fmt.Sprintf("%x", hash(s, k.Meaning)) }

// Scope is the scope in which an answer is valid. An answer is served only if all fields are equal.
type Scope struct {
	// ManualID is the manual as the search resolved it, "" for all.
	ManualID    string
	ExpandScope bool
	// MaxCandidates and TimeMS are the budget.
	MaxCandidates, TimeMS int
	// Recipe identifies the strategies and the settings of the search; see [Recipe].
	Recipe [sha256.Size]byte
	// Fingerprint is of the content of all manuals, not of times: an edit to any
	// of them changes the statistics that every answer is ranked by.
	Fingerprint string
}

// Recipe identifies the strategies that can be called, with their versions and weights, and the
// settings that affect results, which must not contain pointers.
func Recipe(strategies []sdk.Description, settings any) [sha256.Size]byte {
	values := []any{settings}
	for _, d := range strategies {
		values = append(values, d.Name, d.Version, d.Stage, d.Weight)
	}
	return hash(values...)
}

// frames are replaced in this order until nothing changes. No replacement changes what is asked: the intent has already
// recorded that とは asks for a definition, and "how do I" for a procedure. Where and how many stay, since they say what
// is asked; "how do you" may ask what the other side does, and a bare "explain" may be the name of a command.
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
	// Endings that differ only in politeness. A negation stays a negation.
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
