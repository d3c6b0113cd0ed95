package find

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Plan turns a query into what the strategies search for. threshold is τ.
func Plan(raw string, threshold float64) sdk.Query {
	p := &planner{query: sdk.Query{Raw: raw, MatchThreshold: threshold}}
	rest := p.cutPhrases(raw)
	rest = p.cutNegatives(rest)
	norm := text.Fold(rest)
	p.query.Intent = intentOf(text.Fold(raw))
	p.query.Text = stripQuestion(norm)
	p.addCodes(p.query.Text)
	p.addContent(p.query.Text)
	p.query.Text = strings.TrimSpace(p.query.Text + " " + strings.Join(p.phrases, " "))
	return p.query
}

type planner struct {
	query   sdk.Query
	phrases []string
}

// mostTerms bounds the terms of a plan: a text that is pasted as a query has its
// subject in its first few hundred words.
const mostTerms = 256

// add appends a term unless an equal one is there.
func (p *planner) add(t sdk.Term) {
	if len(p.query.Terms) == mostTerms {
		return
	}
	same := func(x sdk.Term) bool { return x.Text == t.Text }
	if t.Text != "" && !slices.ContainsFunc(p.query.Terms, same) {
		p.query.Terms = append(p.query.Terms, t)
	}
}

var quoted = regexp.MustCompile(`"([^"]+)"|“([^”]+)”|「([^」]+)」|『([^』]+)』`)

// cutPhrases takes quoted phrases out of the query as must terms.
func (p *planner) cutPhrases(s string) string {
	if !strings.ContainsAny(s, "\"“「『") {
		return s
	}
	return quoted.ReplaceAllStringFunc(s, func(m string) string {
		phrase := text.Fold(strings.Trim(m, "\"“”「」『』"))
		if phrase == "" {
			return " "
		}
		p.add(sdk.Term{Text: phrase, Kind: sdk.TermMust, Phrase: true, Weight: 1})
		p.phrases = append(p.phrases, phrase)
		return " "
	})
}

var (
	// A lone dash before a word excludes it; "--flag" and "-x" are options of a
	// command and stay.
	minus  = regexp.MustCompile(`(^|[\s　])-([^\s　\-][^\s　]+)`)
	beside = regexp.MustCompile(`([\p{Han}\p{Katakana}ー\w]+)以外`)
	except = regexp.MustCompile(`(?i)\b(?:but not|other than|except(?: for)?|excluding) ([\p{L}\d_-]+)`)
)

// aversion is the weight of a term that is spoken against in passing: "X以外"
// lowers a section, and does not exclude it as "-X" does.
const aversion = 0.5

// cutNegatives takes the terms that speak against a section out of the query. Most
// queries lack the sign that each pattern needs.
func (p *planner) cutNegatives(s string) string {
	cut := func(re *regexp.Regexp, sign string, group int, weight float64) {
		if !strings.Contains(s, sign) {
			return
		}
		s = re.ReplaceAllStringFunc(s, func(m string) string {
			term := text.Fold(re.FindStringSubmatch(m)[group])
			p.add(sdk.Term{Text: term, Kind: sdk.TermNegative, Weight: weight})
			return " "
		})
	}
	cut(minus, "-", 2, 1)
	cut(beside, "以外", 1, aversion)
	cut(except, " ", 1, aversion)
	return s
}

// codes are exact terms: articles, numbers with their unit, model numbers and
// error codes. They match normalised text.
var codes = regexp.MustCompile(`第\d+(?:条|項|号|章|節|編|部|款|表)(?:の\d+)?|別表\d+|様式\d+` +
	`|\d+(?:\.\d+)?(?:円|万円|年|か月|ヶ月|月|日|時間|分|秒|歳|人|件|回|%|gb|mb|kb|ms|days?\b|hours?\b|minutes?\b|seconds?\b)` +
	`|\b[a-z]{1,8}-?\d+(?:[.\-][a-z0-9]+)*\b`)

func (p *planner) addCodes(norm string) {
	for _, code := range codes.FindAllString(norm, -1) {
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
