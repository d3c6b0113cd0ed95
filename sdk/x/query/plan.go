package query

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// DefaultThreshold is the default of τ.
const DefaultThreshold = 0.05

// Plan makes the plan of a user's query, within the limits on queries. threshold is τ. The warnings
// name the parts of the query that are not searched for.
func Plan(raw string, threshold float64) (sdk.Query, []string) {
	var warnings []string
	raw, long := shortened(raw)
	if long {
		const why = "the query is longer than %d characters: what comes behind them was left aside"
		warnings = append(warnings, fmt.Sprintf(why, MaxLength))
	}
	p := &planner{Query: sdk.Query{Raw: raw, MatchThreshold: threshold}}
	rest := p.cutPhrases(raw)
	rest = p.cutNegatives(rest)
	norm := text.Fold(rest)
	p.Intent = intentOf(text.Fold(raw))
	p.Text = Together(withoutJoints(stripQuestion(norm)))
	p.addCodes(p.Text)
	p.addContent(p.Text)
	p.Text = unframed().ReplaceAllString(p.Text, "$1")
	p.Text = strings.TrimSpace(p.Text + " " + strings.Join(p.phrases, " "))
	if p.full {
		const why = "the query has more than %d terms: the others were left aside"
		warnings = append(warnings, fmt.Sprintf(why, MaxTerms))
	}
	return p.Query, warnings
}

// shortened cuts a query to MaxLength characters and reports whether it was longer.
func shortened(raw string) (string, bool) {
	n := 0
	for i := range raw {
		if n == MaxLength {
			return raw[:i], true
		}
		n++
	}
	return raw, false
}

type planner struct {
	sdk.Query
	phrases []string
	full    bool // a term was left out
}

// Limits of a query. A long pasted text names its subject in its first few hundred words, and each term is searched in
// every text that is judged.
const (
	MaxLength = 4000 // characters
	MaxTerms  = 256
)

// add appends a term unless the query has an equal one.
func (p *planner) add(t sdk.Term) {
	if !Add(&p.Query, t) {
		p.full = true
	}
}

// Add appends a term to a query unless it has an equal one. A query may both ask for and exclude the
// same text. Add returns false if the query has no room for the term.
func Add(q *sdk.Query, t sdk.Term) bool {
	same := func(x sdk.Term) bool {
		return x.Text == t.Text && (x.Kind == sdk.TermNegative) == (t.Kind == sdk.TermNegative)
	}
	switch {
	case t.Text == "" || slices.ContainsFunc(q.Terms, same):
	case len(q.Terms) == MaxTerms:
		return false
	default:
		q.Terms = append(q.Terms, t)
	}
	return true
}

const (
	// dash before a word or a phrase excludes it; full-width input has a wide one.
	dash = `(?:^|[\s　])[-－]`
	// spared precedes a term that is only excluded in passing.
	spared = `(?i:\b(?:but not|other than|except(?: for)?|excluding) )`
)

var (
	quoted = lazyregexp.New(`(` + dash + `)?(` + spared + `)?(?:"[^"]+"|＂[^＂]+＂|“[^”]+”|「[^」]+」|『[^』]+』)(以外)?`)
	// A second dash makes "--flag" an option of a command, as does a single letter "-x".
	minus  = lazyregexp.New(dash + `([^\s　\-－][^\s　]+)`)
	beside = lazyregexp.New(`([\p{Han}\p{Katakana}ー\w]+)以外`)
	except = lazyregexp.New(spared + `([\p{L}\d_-]+)`)
)

// quotes are the quotation marks that quoted matches. They are not part of a phrase.
const quotes = "\"＂“”「」『』"

// cutPhrases moves quoted phrases out of the query. They become must terms, unless the text before
// or after them negates them.
func (p *planner) cutPhrases(s string) string {
	if !strings.ContainsAny(s, quotes) {
		return s
	}
	return quoted().ReplaceAllStringFunc(s, func(m string) string {
		sub := quoted().FindStringSubmatch(m)
		inner := strings.TrimSuffix(m[len(sub[1])+len(sub[2]):], sub[3])
		phrase := text.Fold(strings.Trim(inner, quotes))
		term := sdk.Term{Text: phrase, Kind: sdk.TermMust, Phrase: true, Weight: 1}
		switch {
		case phrase == "":
			return " "
		case sub[1] != "":
			term.Kind = sdk.TermNegative
		case sub[2] != "" || sub[3] != "":
			term.Kind, term.Weight = sdk.TermNegative, aversion
		default:
			p.phrases = append(p.phrases, phrase)
		}
		p.add(term)
		return " "
	})
}

// aversion is the weight of a term that is excluded in passing: "X以外" lowers a section, but does not exclude it like
// "-X".
const aversion = 0.5

// cutNegatives moves negative terms out of the query. It first checks for the characters that each
// pattern needs, which most queries lack.
func (p *planner) cutNegatives(s string) string {
	cut := func(expression func() *regexp.Regexp, signs string, weight float64) {
		if !strings.ContainsAny(s, signs) {
			return
		}
		re := expression()
		s = re.ReplaceAllStringFunc(s, func(m string) string {
			term := text.Fold(re.FindStringSubmatch(m)[1])
			p.add(sdk.Term{Text: term, Kind: sdk.TermNegative, Weight: weight})
			return " "
		})
	}
	cut(minus, "-－", 1)
	cut(beside, "外", aversion)
	cut(except, " ", aversion)
	return s
}

// codes matches exact terms in normalised text: articles, numbers with their units, model numbers and error codes.
var codes = lazyregexp.New(`第\d+(?:条|項|号|章|節|編|部|款|表)(?:の\d+)?|別表\d+|様式\d+` +
	`|\d+(?:\.\d+)?(?:円|万円|年|か月|ヶ月|月|日|時間|分|秒|歳|人|件|回|%|gb|mb|kb|ms|days?\b|hours?\b|minutes?\b|seconds?\b)` +
	`|\b[a-z]{1,8}-?\d+(?:[.\-][a-z0-9]+)*\b`)

// joint matches a particle that stands alone between words without kana: bitset の to_string.
var joint = lazyregexp.New(`(^|[!-~])(?: (?:の|を|が|は|に|で|と|へ|や|も|から|まで|より))+ ([!-~]|$)`)

// unframed matches a query for how to use something with a Latin name: histogram の使い方. Texts in another language than
// the query's lack the words after the name. These are rare, so they would outweigh the name. They stay among the
// terms.
var unframed = lazyregexp.New(`([!-~]) ?(?:の|を使う) ?(?:使い方|使いかた|やり方|仕方|方法|手順)(?:は|を)?$`)

// withoutJoints returns a normalised query without such particles.
func withoutJoints(norm string) string {
	if !text.HasCJK(norm) {
		return norm
	}
	return joint().ReplaceAllString(norm, "$1 $2")
}

// apart matches a word and a number with a space between them, and anything that would make the number a quantity, a
// version or a time.
var apart = lazyregexp.New(`\b([a-z]{1,8}) (\d{1,3})\b(?:[.,:]\d+| ?%| ?[a-z]*[a-z]s\b)?`)

// beforeQuantities are words that do not form a name together with the number after them.
var beforeQuantities = strings.Fields("under within after before until since between per only all not no without " +
	"unless least most more less every each first last next top another total age aged " +
	"use used uses using need needs want take takes get give pay buy bring keep wait hold add allow allows exceed")

// quantity matches a number with a technical unit after a space.
var quantity = lazyregexp.New(`\b(\d+(?:\.\d+)?) ([kmgt]i?b|[kmg]?bps|[kmg]?hz|[mnu]s|[kmc]?m|[km]?g|[km]?w|kwh|[km]?v|dpi|rpm)\b`)

// Together joins a word and a number, or a number and its unit, in a normalised query, as in codes: sev1 for sev 1.
func Together(norm string) string {
	norm = quantity().ReplaceAllString(norm, "$1$2")
	return apart().ReplaceAllStringFunc(norm, func(m string) string {
		word, number, _ := strings.Cut(m, " ")
		names := m == norm || !text.EnglishStop(word) && !slices.Contains(beforeQuantities, word)
		if !names || strings.TrimRight(number, "0123456789") != "" {
			return m
		}
		return word + number
	})
}

func (p *planner) addCodes(norm string) {
	for _, code := range codes().FindAllString(norm, -1) {
		p.add(sdk.Term{Text: code, Kind: sdk.TermMust, Weight: 1})
	}
}

// addContent adds the content words as soft terms. It skips words that ask for everything, unless there
// are no others.
func (p *planner) addContent(norm string) {
	words := contentWords(withoutAll(norm))
	if len(words) == 0 {
		words = contentWords(norm)
	}
	if len(words) == 0 {
		words = strings.Fields(norm)
	}
	for _, w := range words {
		p.add(sdk.Term{Text: w, Kind: sdk.TermSoft, Weight: 1})
	}
}

// contentWords splits a normalised query into its content words: runs of kanji, of katakana, and of Latin letters and
// digits. Hiragana is grammar, unless there is nothing else. Okurigana within a word is dropped (払戻 for 払い戻し).
func contentWords(norm string) []string {
	t := text.Text{Norm: text.Skeleton(norm)}
	var out, kana []string
	for r := range text.Runs(&t) {
		switch word := t.Norm[r.Start:r.End]; {
		case r.Class == text.Hiragana:
			if utf8.RuneCountInString(word) >= 3 {
				kana = append(kana, word)
			}
		case !text.EnglishStop(word):
			out = append(out, word)
		}
	}
	if len(out) == 0 {
		return kana
	}
	return out
}

// United returns one query for several wordings of a question.
func United(wordings []sdk.Query) sdk.Query {
	out := wordings[0]
	out.Terms = slices.Clone(out.Terms)
	for _, q := range wordings[1:] {
		out.Raw, out.Text = out.Raw+" / "+q.Raw, out.Text+" "+q.Text
		if out.Intent == sdk.IntentUnknown {
			out.Intent = q.Intent
		}
		for _, t := range q.Terms {
			Add(&out, t)
		}
	}
	return out
}
