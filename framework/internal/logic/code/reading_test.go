package code_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
)

// A file with other line breaks has the same lines in the same units.
func TestLineBreaks(t *testing.T) {
	const src = "MAX = 5\n\ndef login(n):\n    if n > MAX:\n        raise Locked(\"locked\")\n"
	want := code.Read("a.py", []byte(src))
	for _, end := range []string{"\r\n", "\r"} {
		got := code.Read("a.py", []byte(strings.ReplaceAll(src, "\n", end)))
		diff := cmp.Diff([]any{want.Raw, want.Bare, want.Innermost}, []any{got.Raw, got.Bare, got.Innermost})
		if diff != "" {
			t.Errorf("%q: -want +got\n%s", end, diff)
		}
	}
}
