package publication

import (
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// FI is a code of the Japanese File Index, in its parts. What is not written is
// "". The group is there whole or not at all: a bare subclass is a code as well.
type FI struct {
	Subclass  string // "G06V"
	MainGroup string // "10"
	Subgroup  string // "82"
	Expansion string // 展開記号, "330" of G06F3/041,330
	Edition   string // the letter behind the digits, "A" of G06V10/82A
	Split     string // 分冊識別記号, "Z" of H04N5/232@Z
}

// form is the grammar of an FI code in capitals; white space may part it.
var form = lazyregexp.New(`^([A-H][0-9]{2}[A-Z])(?: *([0-9]{1,4})/([0-9]{2,6})(?:(?: *, *| +)([0-9]{3}))?([A-Z])?(?: *@ *([A-Z])| +([A-Z]))?)?$`)

// ParseFI reads an FI code in any width and case; ok is false for anything else.
func ParseFI(code string) (fi FI, ok bool) {
	m := form().FindStringSubmatch(plain(code))
	if m == nil {
		return FI{}, false
	}
	return FI{Subclass: m[1], MainGroup: m[2], Subgroup: m[3], Expansion: m[4], Edition: m[5], Split: m[6] + m[7]}, true
}

// plain folds width, case and runs of white space.
func plain(code string) string {
	return strings.ToUpper(strings.Join(strings.Fields(norm.NFKC.String(code)), " "))
}

// Norm is the code without edition letter and 分冊識別記号: the fi_norm.
func (f FI) Norm() string {
	if f.MainGroup == "" {
		return f.Subclass
	}
	s := f.Subclass + f.MainGroup + "/" + f.Subgroup
	if f.Expansion != "" {
		s += "," + f.Expansion
	}
	return s
}

// String is the one way to write the whole code.
func (f FI) String() string {
	s := f.Norm() + f.Edition
	if f.Split != "" {
		s += "@" + f.Split
	}
	return s
}

// NormFI is the fi_norm of a code, and the code itself in its one writing. What
// is no FI code stays whole in both.
func NormFI(code string) (norm, full string) {
	if fi, ok := ParseFI(code); ok {
		return fi.Norm(), fi.String()
	}
	code = plain(code)
	return code, code
}
