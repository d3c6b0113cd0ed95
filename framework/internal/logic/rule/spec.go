package rule

import (
	"path"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// How close to a value of a specification stands what is not in its clause.
const (
	closeSentence = .6 // and the title of the unit
	closeLead     = .35
	closeTopic    = .3 // the folder, which names the capability
	closeHeading  = .2
)

// Spec reads the values that a unit of a specification wants; one that obliges nobody wants none.
func Spec(file string, u spec.Unit) []Rule {
	if !u.Obliges() {
		return nil
	}
	base := said{}
	base.add(u.HeadingPath, closeHeading)
	base.add(u.Name, closeSentence)
	base.add(path.Base(path.Dir(file))+" "+strings.TrimSuffix(path.Base(file), path.Ext(file)), closeTopic)
	all := []Rule{}
	for _, item := range u.Items {
		binds := item.Step == spec.Then || slices.ContainsFunc(u.Statements, func(s spec.Statement) bool {
			return item.Line <= s.Line && s.Line <= item.Line+strings.Count(item.Text, "\n")
		})
		around := base.with(item.Lead, closeLead)
		around.add(item.Conditions, closeCondition)
		if len(item.Text) > maxParagraph {
			continue
		}
		if item.Step == spec.When && !binds && !comparing().MatchString(item.Text) { // an example, and no bound
			continue
		}
		values := wanted(item, around)
		if len(values) > maxValues {
			continue
		}
		for _, r := range values {
			if r.Kind == Number && !binds && r.role == "" && r.setting == "" {
				continue
			}
			r.Path, r.Name, r.Line, r.Text = file, u.Name, item.Line, oneLine(item.Text)
			all = append(all, r)
		}
	}
	return all
}

var (
	comparing = lazyregexp.New(`>=|<=|[<>≥≤]|以上|以下|未満|超|以内|(?i:at least|at most|more than|less than|exceed|fewer|greater|within|older|below|above|up to)`)
	// naming are numbers that name something, or are samples: links, identifiers, versions, dates, quotations.
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

// phrase is the reason phrase behind a status: 403 Forbidden.
var phrase = lazyregexp.New("(?i)^[`*]*[\\s(:-]{1,3}(bad request|unauthorized|forbidden|not found|conflict|too many requests)")

// maxParagraph bounds a paragraph in bytes; a longer one is data.
const maxParagraph = 8 << 10

// wanted reads the values of a paragraph, an item or a row.
func wanted(item spec.Item, around said) []Rule {
	bare := naming().ReplaceAllStringFunc(item.Text, func(s string) string { return strings.Repeat(" ", len(s)) })
	around = around.with(item.Text, closeSentence)
	given := amounts(foldProse(item.Conditions))
	all, from := []Rule{}, 0
	for from < len(bare) {
		end, next := len(bare), len(bare)
		if m := clause().FindStringIndex(bare[from:]); m != nil && m[1] > 0 {
			end, next = from+m[0], from+m[1]
		}
		part, own := bare[from:end], around.with(item.Text[from:end], 1)
		role := roleOf(part)
		for _, m := range flag().FindAllStringIndex(part, -1) {
			if name := settingOf(item.Text, from+m[0]); name != "" {
				all = append(all, Rule{Kind: Flag, Flag: strings.ToLower(part[m[0]:m[1]]), setting: name, said: own})
			}
		}
		folded := foldProse(part)
		for _, q := range amounts(folded) {
			r := Rule{Kind: Number, Amount: q.Quantity, role: role, said: own}
			if len(folded) == len(part) { // places in both are the same
				r.setting = settingOf(item.Text, from+q.start)
			}
			if item.Step == spec.Then && slices.ContainsFunc(given, func(g found) bool { return g.same(q.Quantity) }) {
				continue // what the condition brings in
			}
			switch unitless := q.Dim == "" || q.Dim == "count"; {
			case unitless && isStatus(q.Quantity) && failing().MatchString(item.Text):
				if r.Kind, r.Status = Status, int(q.Raw); r.Status < 400 {
					continue
				}
				if m := phrase().FindStringSubmatch(folded[q.end:]); m != nil {
					r.reason = code.Status(strings.ReplaceAll(m[1], " ", ""))
				}
			}
			all = append(all, r)
		}
		from = next
	}
	return all
}

// isStatus reports whether a number may be an HTTP status.
func isStatus(q Quantity) bool {
	return 100 <= q.Raw && q.Raw < 600 && q.Raw == float64(int(q.Raw)) && (q.Dim == "" || q.Dim == "count")
}
