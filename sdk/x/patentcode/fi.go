package patentcode

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// form is the grammar of an FI code in capitals: subclass, main group and subgroup, expansion (展開記号), the letter of the
// edition, and 分冊識別記号 in either notation. White space may separate them. The group is complete or missing, since a bare
// subclass is a code as well.
var form = lazyregexp.New(`^([A-H][0-9]{2}[A-Z])` +
	`(?: *([0-9]{1,4}/[0-9]{2,6})(?:(?: *, *| +)([0-9]{3}))?([A-Z])?(?: *@ *([A-Z])| +([A-Z]))?)?$`)

// Plain folds width, case and runs of white space. Bytes that are not UTF-8 become U+FFFD.
func Plain(code string) string {
	return strings.ToUpper(strings.Join(strings.Fields(norm.NFKC.String(strings.ToValidUTF8(code, "\uFFFD"))), " "))
}

// NormFI returns the fi_norm of a code of the Japanese File Index, which has neither edition letter nor
// 分冊識別記号 ("G06F3/041,330"), and the whole code in normal form ("G06F3/041,330A@Z"). Other text is returned
// for both.
func NormFI(code string) (norm, full string) {
	code = Plain(code)
	m := form().FindStringSubmatch(code)
	if m == nil {
		return code, code
	}
	norm = m[1] + m[2]
	if m[3] != "" {
		norm += "," + m[3]
	}
	full = norm + m[4]
	if split := m[5] + m[6]; split != "" {
		full += "@" + split
	}
	return norm, full
}

// TwinFI returns the other form of an FI code in normal form that ends in one letter: offices mark 分冊識別記号
// with @, but print it without. It returns "" for any other code.
func TwinFI(code string) string {
	m := form().FindStringSubmatch(code)
	switch {
	case m == nil || (m[4] == "") == (m[5] == ""):
		return ""
	case m[4] != "":
		return code[:len(code)-1] + "@" + m[4]
	}
	return strings.Replace(code, "@", "", 1)
}
