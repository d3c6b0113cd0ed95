package search

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Plan turns a query into what the strategies search for, with as much of it as is searched
// for at all. threshold is τ.
func Plan(raw string, threshold float64) sdk.Query {
	q, _ := plan(raw, threshold)
	return q
}

// plan is Plan, and says what of the query is not searched for.
func plan(raw string, threshold float64) (sdk.Query, []string) {
	var warnings []string
	raw, long := shortened(raw)
	if long {
		why := fmt.Sprintf("the query is longer than %d characters: what comes behind them was left aside", mostCharacters)
		warnings = append(warnings, why)
	}
	p := &planner{query: sdk.Query{Raw: raw, MatchThreshold: threshold}}
	rest := p.cutPhrases(raw)
	rest = p.cutNegatives(rest)
	norm := text.Fold(rest)
	p.query.Intent = intentOf(text.Fold(raw))
	p.query.Text = stripQuestion(norm)
	p.addCodes(p.query.Text)
	p.addContent(p.query.Text)
	p.query.Text = strings.TrimSpace(p.query.Text + " " + strings.Join(p.phrases, " "))
	if p.full {
		warnings = append(warnings, fmt.Sprintf("the query has more than %d terms: the others were left aside", mostTerms))
	}
	return p.query, warnings
}

// shortened cuts a query to as many characters as are read of one, and tells whether it had more.
func shortened(raw string) (string, bool) {
	n := 0
	for i := range raw {
		if n == mostCharacters {
			return raw[:i], true
		}
		n++
	}
	return raw, false
}

type planner struct {
	query   sdk.Query
	phrases []string
	full    bool // a term found no room
}

// Bounds of a plan: a text that is pasted as a query has its subject in its first few
// hundred words, and each of them is looked for in every text that is judged.
const (
	mostCharacters = 4000
	mostTerms      = 256
)

// add appends a term unless an equal one is there.
func (p *planner) add(t sdk.Term) {
	same := func(x sdk.Term) bool { return x.Text == t.Text }
	switch {
	case t.Text == "" || slices.ContainsFunc(p.query.Terms, same):
	case len(p.query.Terms) == mostTerms:
		p.full = true
	default:
		p.query.Terms = append(p.query.Terms, t)
	}
}

const (
	// dash before a word or a phrase excludes it; full-width input writes it wide.
	dash = `(?:^|[\s　])[-－]`
	// spared is spoken against in passing.
	spared = `(?i:\b(?:but not|other than|except(?: for)?|excluding) )`
)

var (
	quoted = lazyregexp.New(`(` + dash + `)?(` + spared + `)?(?:"[^"]+"|＂[^＂]+＂|“[^”]+”|「[^」]+」|『[^』]+』)(以外)?`)
	// A second dash makes "--flag" an option of a command, as does a single letter "-x".
	minus  = lazyregexp.New(dash + `([^\s　\-－][^\s　]+)`)
	beside = lazyregexp.New(`([\p{Han}\p{Katakana}ー\w]+)以外`)
	except = lazyregexp.New(spared + `([\p{L}\d_-]+)`)
)

// quotes are the signs that quoted needs, and that are no part of a phrase.
const quotes = "\"＂“”「」『』"

// cutPhrases takes quoted phrases out of the query: must terms, unless something
// before or behind them speaks against them.
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

// aversion is the weight of a term that is spoken against in passing: "X以外"
// lowers a section, and does not exclude it as "-X" does.
const aversion = 0.5

// cutNegatives takes the terms that speak against a section out of the query. Most
// queries lack the signs that each pattern needs.
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

// codes are exact terms: articles, numbers with their unit, model numbers and
// error codes. They match normalised text.
var codes = lazyregexp.New(`第\d+(?:条|項|号|章|節|編|部|款|表)(?:の\d+)?|別表\d+|様式\d+` +
	`|\d+(?:\.\d+)?(?:円|万円|年|か月|ヶ月|月|日|時間|分|秒|歳|人|件|回|%|gb|mb|kb|ms|days?\b|hours?\b|minutes?\b|seconds?\b)` +
	`|\b[a-z]{1,8}-?\d+(?:[.\-][a-z0-9]+)*\b`)

func (p *planner) addCodes(norm string) {
	for _, code := range codes().FindAllString(norm, -1) {
		p.add(sdk.Term{Text: code, Kind: sdk.TermMust, Weight: 1})
	}
}

// addContent adds the content words as soft terms.
func (p *planner) addContent(norm string) {
	words := contentWords(norm)
	if len(words) == 0 {
		words = strings.Fields(norm)
	}
	for _, w := range words {
		p.add(sdk.Term{Text: w, Kind: sdk.TermSoft, Weight: 1})
	}
}
