package rule

import (
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
	"github.com/sagasu-search/sagasu/framework/internal/quantity"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Spec returns the values that a unit of a specification wants. A unit that obliges nobody wants none.
func Spec(file string, u spec.Unit) []Rule {
	if !u.Obliges {
		return nil
	}
	all := []Rule{}
	for _, item := range u.Items {
		binds := item.Step == spec.Then || slices.ContainsFunc(u.Binding, func(line int) bool {
			return item.Line <= line && line <= item.Line+strings.Count(item.Text, "\n")
		})
		if item.Step == spec.When && !binds { // an example
			continue
		}
		values := wanted(item)
		if len(values) > maxValues {
			continue
		}
		for _, r := range values {
			if r.Kind == Number && !binds && r.role == "" && r.setting == "" {
				continue
			}
			r.Path, r.Name, r.Text = file, u.Name, code.OneLine(item.Text)
			r.Line += item.Line
			all = append(all, r)
		}
	}
	return all
}

var (
	// naming are numbers that name something or are samples: links, identifiers, versions, dates, quotations.
	naming = lazyregexp.New(strings.Join([]string{
		`"[^"]*"|「[^」]*」`,                                 // samples
		`^\s*[-*+]\s+\[[ xX]\]\s+[\d.]+`,                  // tasks
		`^\s*(?:[-*+]\s+)?\d+[.)]\s`, `^\s*\|\s*\d+\s*\|`, // items and rows
		`\]\([^)]*\)|https?://\S+|#\d+|※\d+`,           // links
		`\b[A-Za-z]+-?\d[\w.-]*|(?:^|[^\d,.])0\d+\b`,   // identifiers and codes
		`\b\d+(?:[.\-/:]\d+){2,}|\b\d\d:\d\d\b|\b\d+代`, // versions, dates, times, generations
		`\b\d+[xX]+\b`,           // 4xx
		`\b\d+(?:st|nd|rd|th)\b`, // ordinals
		`\b\d+(?:,\s+\d+){2,}\b`, // lists
		`(?i:\b(?:section|step|attempt|phase|story|version|ruby|rails|python|node|java|php|go|rust)\s+v?\d[\d.]*)`,
	}, "|"))
	clause  = lazyregexp.New(`[.;]\s+|[。、]\s*|, (?:and |or |with )`)
	failing = lazyregexp.New(`(?i)http|status|return|answer|respon|reject|error|code|forbid|unauth|conflict|` +
		`not found|bad request|ステータス|エラー|返`)
)

// wanted returns the values of a paragraph, an item or a row, with lines counted from 0.
func wanted(item spec.Item) []Rule {
	bare := naming().ReplaceAllStringFunc(item.Text, func(s string) string { return strings.Repeat(" ", len(s)) })
	subject := Read(item.Conditions + "\n" + item.Text)
	given := amounts(item.Conditions)
	all, from := []Rule{}, 0
	for from < len(bare) {
		end, next := len(bare), len(bare)
		if m := clause().FindStringIndex(bare[from:]); m != nil {
			end, next = from+m[0], from+m[1]
		}
		part := bare[from:end]
		role, line := roleOf(part), strings.Count(item.Text[:end-len(strings.TrimLeft(part, " \n"))], "\n")
		for _, m := range flag().FindAllStringIndex(part, -1) {
			if name := settingOf(item.Text, from+m[0]); name != "" {
				all = append(all, Rule{Kind: Flag, Line: line, Flag: strings.ToLower(part[m[0]:m[1]]), setting: name,
					subject: subject})
			}
		}
		for _, a := range amounts(part) {
			r := Rule{Kind: Number, Line: line, Amount: a, role: role, subject: subject}
			if len(text.Fold(part)) == len(part) { // byte offsets are the same in both
				r.setting = settingOf(item.Text, from+a.Start)
			}
			equal := func(g quantity.Amount) bool { return same(&g, &a) }
			if item.Step == spec.Then && slices.ContainsFunc(given, equal) {
				continue // it comes from the condition
			}
			if isStatus(&a) && failing().MatchString(item.Text) {
				continue
			}
			all = append(all, r)
		}
		from = next
	}
	return all
}

// isStatus reports whether a number may be an HTTP status.
func isStatus(a *quantity.Amount) bool {
	return 100 <= a.Number && a.Number < 600 && a.Number == float64(int(a.Number)) && !a.Measured()
}
