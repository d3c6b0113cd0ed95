package rule

import (
	"cmp"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// A setting is a name of two words or more, such as poll_interval or pollInterval, to which both sides give a default.
// Such a name rarely means two things.
var (
	compound = lazyregexp.New(`[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+|` +
		`[a-z]+(?:[A-Z][a-z0-9]+)+|[A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+`)
	// leading is the name that an item begins with.
	leading = lazyregexp.New("^\\s*[-*+|]\\s*[*_]{0,2}`(?:\\w+\\.)?(\\w+)`")
	// byDefault ends before a default in prose.
	byDefault = lazyregexp.New("(?i)\\bdefault(?:s|ing)?\\b(?:\\s+(?:value|to|of|is))*[\\s:=`'\"(]*$|(?:既定値?|デフォルト値?|初期値)[はが:：=\\s`(（「]*$")
	// given ends before a literal that is assigned to a name: X = 5, "x", 5, x ?? 5, :x, default: 5, X = seconds(5).
	given = lazyregexp.New("([A-Za-z]\\w{3,})[\"'`]?\\]?\\)?\\s*(?:[:=]=?|=>|,|\\?\\?|\\|\\|)\\s*(?:[\\w.:]+\\()?(?:[\\w.]+\\s*[:=]\\s*)?[\"'`]?$")
	// compared ends before a literal that a name is compared with.
	compared = lazyregexp.New(`([A-Za-z]\w+)(?:\(\))?\s*(?:[<>]=?|[=!]==?)\s*$`)
	// configures matches a line, unit or path that gives defaults.
	configures = lazyregexp.New(`(?i)default|config|setting|option|env\b`)
	flag       = lazyregexp.New("(?i:\\b(true|false)\\b)")
)

// settingOf returns the setting whose default is at a position of an item, or "".
func settingOf(item string, at int) string {
	if !byDefault().MatchString(item[:at]) {
		return ""
	}
	if m := leading().FindStringSubmatch(item); m != nil {
		return foldName(compound().FindString(m[1]))
	}
	names := compound().FindAllStringIndex(item[:at], -1)
	if len(names) == 0 {
		return ""
	}
	last := names[len(names)-1]
	if between := item[last[1]:at]; len(between) > defaultDistance || strings.Contains(between, ". ") {
		return ""
	}
	return foldName(item[last[0]:last[1]])
}

// defaultDistance is the maximum distance in bytes between a name in a sentence and its default.
const defaultDistance = 60

// givenTo returns the name of two words or more that a literal is assigned to, from the line before it, or "".
func givenTo(before string) string {
	m := given().FindStringSubmatch(before)
	if m == nil || !compound().MatchString(m[1]) {
		return ""
	}
	return m[1]
}

// foldName unifies the spellings of a name.
func foldName(name string) string {
	name = strings.ReplaceAll(strings.ToLower(name), "_", "")
	return cmp.Or(strings.TrimPrefix(name, "default"), name)
}

// flags returns the flags on a line of code.
func flags(line string) (all []Rule) {
	for _, at := range flag().FindAllStringIndex(line, -1) {
		if name := givenTo(line[max(0, at[0]-contextBefore):at[0]]); name != "" {
			all = append(all, Rule{Kind: Flag, Flag: strings.ToLower(line[at[0]:at[1]]), setting: foldName(name),
				subject: Read(name)})
		}
	}
	return all
}

// otherDefault returns the first rule that gives the setting another default than w. It returns nil if there is none or
// if a rule gives the same default.
func (w *Rule) otherDefault(has []*Rule) (other *Rule) {
	for _, h := range has {
		if h.same(w) {
			return nil
		}
		if other == nil && h.Kind == w.Kind && configures().MatchString(h.Text+" "+h.Name+" "+h.Path) &&
			(w.Kind == Flag || h.Amount.Dimension == "" || w.Amount.Dimension == "" ||
				commensurable(&h.Amount, &w.Amount)) {
			other = h
		}
	}
	return other
}
