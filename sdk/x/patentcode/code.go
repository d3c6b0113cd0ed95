package patentcode

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// symbol is an IPC or CPC code in capitals: a section, class, subclass, group, or the fixed-width form of databases
// (G06V0010820000). An edition may follow in brackets or after spaces.
var symbol = lazyregexp.New(`^([A-HY](?:[0-9]{2}(?:[A-Z])?)?)(?: *([0-9]{1,4}) ?(?:/ ?([0-9]{2,6}))?)?(?: *\(.*\)| +[0-9]{4}.*)?$`)

var fixedWidth = lazyregexp.New(`^([A-HY][0-9]{2}[A-Z])([0-9]{4})([0-9]{6})$`)

// NormIPC returns an IPC or CPC code in normal form, such as G06V10/82, or a part of the hierarchy
// such as G06V. Other text is returned in capitals.
func NormIPC(code string) string {
	code = Plain(code)
	if m := fixedWidth().FindStringSubmatch(code); m != nil {
		sub := strings.TrimRight(m[3], "0")
		for len(sub) < 2 {
			sub += "0"
		}
		return m[1] + strings.TrimLeft(m[2], "0") + "/" + sub
	}
	m := symbol().FindStringSubmatch(code)
	switch {
	case m == nil || m[2] != "" && len(m[1]) != 4:
		return code
	case m[2] == "":
		return m[1]
	}
	group := strings.TrimLeft(m[2], "0")
	if m[3] == "" {
		return m[1] + group
	}
	return m[1] + group + "/" + m[3]
}

var fterm = lazyregexp.New(`^([0-9][A-Z][0-9]{3})(?:[ /]*([A-Z]{2})(?:[ /]*([0-9]{2})(?:[ ./]*([A-Z]))?)?)?$`)

// NormFTerm returns an F-term, or the start of one, in normal form: theme, viewpoint, figure and
// the additional code, such as 5B089AA01 or 5B089AA01A. Other text is returned in capitals.
func NormFTerm(code string) string {
	code = Plain(code)
	m := fterm().FindStringSubmatch(code)
	if m == nil {
		return code
	}
	return m[1] + m[2] + m[3] + m[4]
}

var mainGroup = lazyregexp.New(`^[A-HY][0-9]{2}[A-Z][0-9]+$`)

// Under reports whether a code is at or below another in its hierarchy. Both must be in normal
// form. A main group /00 includes its subgroups, as the group without a subgroup does. Digits of
// subgroups are compared one by one, so 3/01 includes 3/017.
func Under(code, above string) bool {
	start, whole := stem(above)
	return code == whole || start != "" && strings.HasPrefix(code, start)
}

// stem returns the prefix of the codes below a code, and the code itself.
func stem(code string) (start, whole string) {
	group := strings.TrimSuffix(code, "/00")
	if mainGroup().MatchString(group) {
		return group + "/", group
	}
	return code, code
}
