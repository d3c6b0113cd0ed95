package patentquery

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Language is the language of a collection.
type Language string

const (
	Japanese Language = "ja"
	English  Language = "en"
	Mixed    Language = "" // both, or unknown
)

// Codes of the warnings.
const (
	LintMixedLanguage = "mixed_language"
	LintManyGroups    = "many_and_groups"
	LintRawKeywords   = "raw_keywords"
	LintOperatorWord  = "operator_word"
	LintNumber        = "number"
)

// Lint is a warning about syntax that is valid, but probably not intended.
type Lint struct {
	Code    string   `json:"code"`
	Message string   `json:"message"` // what is odd, and what to do
	Terms   []string `json:"terms,omitempty"`
}

// mostGroups is the number of parts above which an AND rarely finds anything.
const mostGroups = 5

// Check returns warnings about a query of the fulltext lane. It never returns nil.
func Check(n Node, collection Language) []Lint {
	lints := []Lint{}
	if l, odd := mixed(n, collection); odd {
		lints = append(lints, l)
	}
	if and, ok := n.(And); ok && len(and.Nodes) > mostGroups {
		lints = append(lints, Lint{
			Code: LintManyGroups,
			Message: fmt.Sprintf("the query joins %d groups by AND; more than %d rarely match together: put synonyms "+
				"in one group by OR and drop the weakest groups", len(and.Nodes), mostGroups),
		})
	}
	var words, numbers []string
	if spaced, ok := spacedNumber(n); ok {
		numbers = append(numbers, spaced)
	}
	for _, t := range Terms(n) {
		switch {
		case t.Quoted:
		case operatorWord(t.Text):
			words = append(words, t.Text)
		case numberForm().MatchString(asciiOf(t.Text)):
			numbers = append(numbers, t.Text)
		}
	}
	if len(words) > 0 {
		lints = append(lints, Lint{
			Code: LintOperatorWord,
			Message: "these are searched for as words; operators are AND, OR, NOT, and in capitals NEAR, NEAR5, " +
				"ADJ, ADJ5, XOR: NEAR15 is about a sentence",
			Terms: words,
		})
	}
	if len(numbers) > 0 {
		lints = append(lints, Lint{
			Code: LintNumber,
			Message: "the texts are searched, and a publication is not found by its number there: filter by pub_id, " +
				"or read it",
			Terms: numbers,
		})
	}
	return lints
}

// spacedNumber returns the number that all words of a query form together, such as US 8,925,999 B2.
func spacedNumber(n Node) (string, bool) {
	and, _ := n.(And)
	var words []string
	for _, part := range and.Nodes {
		if t, ok := part.(Term); ok && !t.Quoted && !t.Prefix {
			words = append(words, t.Text)
		}
	}
	whole := len(words) > 1 && len(words) == len(and.Nodes)
	return strings.Join(words, " "), whole && numberForm().MatchString(asciiOf(strings.Join(words, "")))
}

// operatorWord reports whether a word is an operator in lower case, or an operator of another system.
func operatorWord(s string) bool {
	return slices.Contains([]string{"near", "adj", "xor"}, text.Fold(s)) || s == "SAME" || s == "WITH"
}

// numberForm matches the number of a publication or an application.
var numberForm = lazyregexp.New(`^(?i:(?:US|JP|EP|WO|CN|KR|DE|FR|GB|特[開許願表公]|再表|実[開願公])(?:平|昭|第)?[-0-9/,]{6,}号?[A-Z]?[0-9]?)$`)

// mixed warns about terms in a language other than the collection's. In a mixed collection, it
// warns about a query that requires terms of both languages.
func mixed(n Node, collection Language) (Lint, bool) {
	var foreign []string
	for _, t := range Terms(n) {
		if l := languageOf(t.Text); l != Mixed && collection != Mixed && l != collection {
			foreign = append(foreign, t.Text)
		}
	}
	if len(foreign) > 0 {
		return Lint{
			Code: LintMixedLanguage,
			Message: fmt.Sprintf("the collection is written in %s and these terms are not: add their translation by "+
				"OR or leave them out", names[collection]),
			Terms: foreign,
		}, true
	}
	if and, ok := n.(And); ok && collection == Mixed {
		if here, there := oneSided(and, Japanese), oneSided(and, English); len(here) > 0 && len(there) > 0 {
			return Lint{
				Code: LintMixedLanguage,
				Message: "a publication is written in one language, and this query wants words of two at once: put " +
					"translations in one group by OR, or use one lane per language",
				Terms: append(here, there...),
			}, true
		}
	}
	return Lint{}, false
}

var names = map[Language]string{Japanese: "Japanese", English: "English"}

// oneSided returns the terms of the parts of an AND that are all in one language.
func oneSided(and And, l Language) (out []string) {
	for _, part := range and.Nodes {
		var terms []string
		for _, t := range Terms(part) {
			if languageOf(t.Text) != l {
				terms = nil
				break
			}
			terms = append(terms, t.Text)
		}
		out = append(out, terms...)
	}
	return out
}

// languageOf returns the language of a term. Names, codes and abbreviations, which occur in texts
// of any language, have none.
func languageOf(term string) Language {
	lower, letters := 0, 0
	for _, r := range term {
		switch {
		case text.IsCJK(r):
			return Japanese
		case unicode.IsDigit(r):
			return Mixed
		case unicode.IsLetter(r):
			letters++
			if unicode.IsLower(r) {
				lower++
			}
		}
	}
	if letters < 4 || lower < letters-1 {
		return Mixed
	}
	return English
}

// fewWords is the minimum number of words of an English sentence.
const fewWords = 6

// CheckSemantic returns warnings about the text for a semantic lane, which works best with
// sentences. It never returns nil.
func CheckSemantic(s string) []Lint {
	if !keywords(s) {
		return []Lint{}
	}
	return []Lint{{
		Code: LintRawKeywords,
		Message: "the semantic lane compares meaning and was given keywords: describe the invention in a sentence " +
			"or two, with its problem and its means",
	}}
}

// keywords reports whether a text is a boolean query or a bare list of words.
func keywords(s string) bool {
	words := strings.Fields(s)
	for _, w := range words {
		w = strings.Trim(asciiOf(w), "()")
		if w == "AND" || w == "OR" || w == "NOT" || strings.HasPrefix(w, "*N") || strings.HasPrefix(w, "*ONP") {
			return true
		}
	}
	if text.HasCJK(s) {
		return !strings.ContainsFunc(s, func(r rune) bool { return unicode.Is(unicode.Hiragana, r) })
	}
	for _, w := range words {
		if text.EnglishStop(text.Fold(w)) {
			return false
		}
	}
	return len(words) < fewWords
}
