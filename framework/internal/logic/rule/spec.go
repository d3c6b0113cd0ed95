package rule

import (
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Spec reads the rules of a unit of specification; one that obliges nobody has none.
func Spec(file string, u spec.Unit) Source {
	s := Source{Path: file, Name: u.Name, First: u.First, Last: u.Last, Names: Read(u.Name), text: u.Text}
	s.Topic = s.Names.with(Read(u.HeadingPath), Read(path.Base(path.Dir(file))))
	if !u.Obliges() {
		return s
	}
	for _, statement := range u.Statements {
		s.Rules = append(s.Rules, obligations(statement)...)
	}
	for i := range s.Rules {
		one := &s.Rules[i]
		one.wanted = one.measured(one.About.with(s.Names))
	}
	return s
}

// ticked are the values that a statement writes as code or in brackets.
var ticked = lazyregexp.New("`([^`\\s]{1,60})`|「([A-Za-z_][\\w-]{0,59})」|\"([A-Za-z_][\\w-]{0,59})\"")

func values(sentence string) []string {
	all := []string{}
	for _, m := range ticked().FindAllStringSubmatch(sentence, -1) {
		all = append(all, m[1]+m[2]+m[3])
	}
	return all
}

// obligations reads the rules of one statement.
func obligations(s spec.Statement) []Rule {
	prose := foldProse(s.Text)
	base := Rule{Line: s.Line, Text: s.Text, About: Read(s.Text)}
	rules := append(boundRules(base, s, prose), statusRules(base, prose)...)
	if r, ok := presence(base, s, prose); ok {
		return append(rules, r)
	}
	if r, ok := order(base, prose); ok && !s.Negated && !timed(prose) {
		return append(rules, r)
	}
	if rules = append(rules, valueRules(base, s)...); len(rules) > 0 {
		return rules
	}
	return []Rule{effect(base, s, prose)}
}

// boundRules reads the numbers of a statement.
func boundRules(base Rule, s spec.Statement, prose string) []Rule {
	rules := []Rule{}
	for _, q := range amounts(prose) {
		if isStatus(prose, q) {
			continue
		}
		r := base
		r.Kind, r.Amount, r.Outcome = Amount, q.Quantity, base.About
		op, start, end := boundOf(prose, q)
		r.Op = op
		for _, v := range values(s.Text) {
			r.Outcome = r.Outcome.with(Words{"=" + v: true})
		}
		r.Sign = signOf(s, prose, start, end)
		r.role = roleOf(prose, op, r.Sign)
		rules = append(rules, r)
	}
	return rules
}

// signOf tells what a statement wants on the side of its bound: good where it
// is the bound that is wanted, bad where something is refused or forbidden there.
func signOf(s spec.Statement, prose string, start, end int) int {
	refused := refuses(prose)
	switch {
	case s.Negated && strings.Contains(prose[max(0, start-12):end], "not") && refused:
		return 0
	case refused && s.Negated:
		return 1
	case refused || s.Negated && !strings.Contains(prose[start:end], "not "):
		return -1
	case s.Strength == spec.May, obliged(prose[:start]), wantedBehind().MatchString(prose[end:]):
		return 1
	}
	return 0
}

var (
	must    = lazyregexp.New(`\b(?:is|are|be) required\b|\bmust be (?:present|given|provided|supplied|specified|set)\b|\brequired (?:field|parameter)|は必須|が必須|を必須|入力(?:し|が必要)|指定しなければ|省略(?:し|でき)(?:ては|ない)`)
	mayLack = lazyregexp.New(`\boptional\b|\bmay be (?:omitted|empty|absent|left out|missing|null)|\b(?:not|never) be (?:required|mandatory)|\bcan be omitted|は任意|を任意|省略(?:して|でき|可)`)
)

// presence reads whether a field is required or optional.
func presence(base Rule, s spec.Statement, prose string) (Rule, bool) {
	r := base
	r.Kind = Presence
	r.Values = values(s.Text)
	switch {
	case mayLack().MatchString(prose):
		return r, true
	case must().MatchString(prose):
		r.Must = true
		return r, true
	}
	return r, false
}

var statusNear = lazyregexp.New(`(?:status(?: code)?|http|respond(?: with)?|response|return(?:s|ed)?|answer(?:ed)?(?: with)?|ステータス(?:コード)?|エラー|コード)\s*$`)
var statusBehind = lazyregexp.New(`^\s*(?:を(?:返|応答)|で(?:応答|返|拒否)|エラー|(?:not found|conflict|bad request|forbidden|unauthorized|gone|created|ok|too many)\b|error|response|status)`)

// isStatus reports whether a number of a statement is an HTTP status.
func isStatus(prose string, q found) bool {
	return q.Raw >= 100 && q.Raw < 600 && q.Raw == float64(int(q.Raw)) && (q.Dim == "" || q.Dim == "count") &&
		(statusNear().MatchString(prose[:q.start]) || statusBehind().MatchString(prose[q.end:]))
}

func statusRules(base Rule, prose string) []Rule {
	rules := []Rule{}
	for _, q := range amounts(prose) {
		if isStatus(prose, q) {
			r := base
			r.Kind, r.Status, r.Excess = Status, int(q.Raw), excess(prose)
			rules = append(rules, r)
		}
	}
	return rules
}

var (
	listing  = lazyregexp.New(`(?i)\bone of\b|\beither\b|\bonly\b|\bthe values?\b|いずれか|のみ|次の|だけ|に限`)
	becoming = lazyregexp.New("(?i)\\b(?:status|state|stage|phase|rank|role|level|grade|tier|priority|become|becomes|set to|marked(?: as)?|to|as|return)\\b[^.`]{0,48}`|\\b(?:get|have|receive)s? (?:(?:the|an?) )?\\w+(?: \\w+)? `|(?:状態|ステータス|ランク|区分|段階|等級)[^`。]{0,12}`|`(?:と(?:し|する|なら|なる|記録)|に(?:し|する|なら|遷移|変更)|を返)")
)

// valueRules reads the values that a statement lists, or the state that it wants.
func valueRules(base Rule, s spec.Statement) []Rule {
	r, all := base, values(s.Text)
	r.Values, r.About = all, Read(ticked().ReplaceAllString(s.Text, " "))
	switch {
	case len(all) >= 2 && listing().MatchString(s.Text) && !s.Negated:
		r.Kind = Members
	case len(all) == 1 && becoming().MatchString(s.Text) && !s.Negated:
		r.Kind, r.goal = State, Read(all[0])
	default:
		return nil
	}
	return []Rule{r}
}

var allowing = lazyregexp.New(`\b(?:be (?:able|allowed|permitted|welcome)|may|can)\b|許可し(?:なければ|てよい|てもよい)|できなければ|できるものと`)

// effect reads whether a statement wants something to be.
func effect(base Rule, s spec.Statement, prose string) Rule {
	r := base
	r.Kind, r.Sign = Effect, 1
	if s.Negated != refuses(prose) {
		r.Sign = -1
	}
	if s.Strength == spec.May && !s.Negated || allowing().MatchString(prose) {
		r.Must = false
	} else {
		r.Must = true
	}
	r.Outcome = Read(prose)
	return r
}

// timed reports whether a statement tells how long before or after, which no line of steps does.
func timed(prose string) bool {
	return slices.ContainsFunc(amounts(prose), func(q found) bool { return q.Dim == "time" })
}

var orders = []struct {
	pattern func() *regexp.Regexp
	turned  bool
}{
	{lazyregexp.New(`(.+?)\b(?:must|shall|should)\b(?: be)? (?:\w+ ){0,3}?(?:before|prior to|ahead of|takes? precedence over|precede) (.+)`), false},
	{lazyregexp.New(`(.+?)\b(?:must|shall|should)\b take precedence over (.+)`), false},
	{lazyregexp.New(`(.+?)\b(?:must|shall|should)\b(?: only)?(?: be)? (?:\w+ ){0,3}?after (\D+)$`), true},
	{lazyregexp.New(`([^、。]+)を([^、。]+?)(?:より(?:も)?(?:先|前)に|の前に|に先立)`), false},
	{lazyregexp.New(`([^、。]+)は([^、。]+?)(?:より(?:も)?(?:先|前)に|より(?:も)?優先|に優先)`), false},
	{lazyregexp.New(`(?:まず|最初に)([^、。]+)、[^。]*?(?:次に|その後|続いて)([^、。]+)`), false},
}

// order reads which of two things comes first.
func order(base Rule, prose string) (Rule, bool) {
	for _, o := range orders {
		m := o.pattern().FindStringSubmatchIndex(prose)
		if m == nil {
			continue
		}
		r := base
		r.Kind = Order
		r.First, r.Then = Read(prose[m[2]:m[4]]), Read(prose[m[4]:m[5]]) // the verb behind the first is its own
		if o.turned {
			r.First, r.Then = r.Then, r.First
		}
		return r, len(r.First) > 0 && len(r.Then) > 0
	}
	return base, false
}
