package figure

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/quantity"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Unheld returns the figures with a unit, dates, codes and negations of a statement that a source
// does not hold, normalised, each once: a figure is held by an equal one in any unit and by the same
// number without a unit, a negation by any other. A question negates nothing.
func Unheld(statement, source string) []string {
	said, held := text.Fold(statement), text.Fold(source)
	amounts := quantity.Read(held)
	numbers, bare := numbersOf(held), bareNumbers(held, amounts)
	var out []string
	for _, a := range quantity.Read(said) {
		same := func(b quantity.Amount) bool { return a.HeldBy(&b) }
		isBare := a.High == a.Value && bare[a.Number]
		if (a.Measured() || a.Counted()) && !slices.ContainsFunc(amounts, same) && !isBare {
			out = append(out, said[a.Start:a.End])
		}
	}
	for _, date := range fixed().FindAllString(said, -1) {
		if slices.ContainsFunc(numbersOf(date), func(n string) bool { return !slices.Contains(numbers, n) }) {
			out = append(out, date)
		}
	}
	for _, code := range codes().FindAllString(said, -1) {
		if !counted().MatchString(code) && !holdsCode(held, code) {
			out = append(out, code)
		}
	}
	cue := denial().FindString(denialLike().ReplaceAllString(said, " "))
	if cue != "" && !asking().MatchString(said) && !denied().MatchString(held) {
		out = append(out, strings.TrimSpace(cue))
	}
	slices.Sort(out)
	return slices.Compact(out)
}

var (
	number = lazyregexp.New(`[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?`)
	// fixed finds dates, times of day and articles.
	fixed = lazyregexp.New(`[0-9]{4}年(?:[0-9]{1,2}月(?:[0-9]{1,2}日)?)?|[0-9]{1,2}月[0-9]{1,2}日|` +
		`[0-9]{4}[-/][0-9]{1,2}[-/][0-9]{1,2}|` +
		`[0-9]{1,2}:[0-9]{2}|[0-9]{1,2}時(?:[0-9]{1,2}分)?(?:$|[^間0-9])|第[0-9]+条`)
	codes = lazyregexp.New(`\b[a-z][a-z0-9]*(?:[-_][a-z0-9]+)*[-_]?[0-9][a-z0-9]*(?:[-_][a-z0-9]+)*\b`)
	// counted matches names of places in a document, which are not codes.
	counted = lazyregexp.New(`^(?:[a-z]|step|phase|stage|table|fig|figure|section|chapter|page|line|lines|item|case|` +
		`note|no|part|option|day|week)[-_]?[0-9]+$`)

	denial = lazyregexp.New(`できません|できない|対象外|適用外|不可|禁止|ません|なりません|てはならない|` +
		`ない(?:。|$|こと|もの)|お断り|認めない|受け付けない|` +
		`\b(?:cannot|not|never|prohibited|forbidden)\b|n't\b`)
	// denialLike matches phrases that look like negations but are not.
	denialLike = lazyregexp.New(`なければな(?:らない|りません)|なければいけ(?:ない|ません)|ねばならない|` +
		`かもしれ(?:ない|ません)|ない限り|やむを得ない|少なくない|差し支えない|差し支えありません|構いません|間違いない|\b(?:not only|whether or not|if not|not (?:later|more|less|fewer) than)\b`)
	asking = lazyregexp.New(`(?:か|\?)\s*$`)
	denied = lazyregexp.New(`ない|なく|なし|ません|ずに|ず[、。]|せず|不|無|非|未|禁|除|対象外|適用外|以外|断|遠慮|のみ|` +
		`限|だけ|\b(?:not|no|none|never|nor|neither|cannot|without|except|excluding|excluded|excludes|unless|only|` +
		`prohibited|forbidden|refused|rejected|denied|outside|un\w+|in(?:eligible|valid|active))\b|n't\b`)
)

// numbersOf returns the numbers of a normalised text without separators and leading zeros.
func numbersOf(s string) (out []string) {
	for _, n := range number().FindAllString(s, -1) {
		out = append(out, plainNumber(n))
	}
	return out
}

func plainNumber(n string) string {
	n = strings.TrimLeft(strings.ReplaceAll(n, ",", ""), "0")
	if n == "" || n[0] == '.' {
		n = "0" + n
	}
	return n
}

// bareNumbers returns the numbers without a unit in a normalised text.
func bareNumbers(s string, amounts []quantity.Amount) map[float64]bool {
	bare := map[float64]bool{}
	for _, a := range amounts {
		if a.Dimension == "" {
			bare[a.Number] = true
		}
	}
	for _, at := range number().FindAllStringIndex(s, -1) {
		inside := func(a quantity.Amount) bool {
			return (a.Measured() || a.Counted()) && a.Start <= at[0] && at[1] <= a.End
		}
		n, err := strconv.ParseFloat(plainNumber(s[at[0]:at[1]]), 64)
		if err == nil && !slices.ContainsFunc(amounts, inside) {
			bare[n] = true
		}
	}
	return bare
}

// holdsCode reports whether a normalised text holds a code, also written with other separators.
func holdsCode(s, code string) bool {
	var pattern strings.Builder
	for i, part := range codeParts().FindAllString(code, -1) {
		if i > 0 {
			pattern.WriteString(`[-_ ]?`)
		}
		pattern.WriteString(part)
	}
	found, err := regexp.Compile(`(?:^|[^a-z0-9])` + pattern.String() + `(?:$|[^0-9])`)
	return err != nil || found.MatchString(s)
}

// codeParts finds the runs of letters and of digits that a code consists of.
var codeParts = lazyregexp.New(`[a-z]+|[0-9]+`)
