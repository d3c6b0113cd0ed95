package search

import (
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Models read rows, and an escaped sign costs them more tokens.
func TestRowsEscapeNoSigns(t *testing.T) {
	for _, row := range []Row{{Breadcrumb: "A > B & C"}, {Lines: "1-2", Part: judge.Claim{Text: "a > b & c"}}} {
		got, err := toolset.Marshal([]Row{row})
		if err != nil || strings.Contains(string(got), `\u00`) {
			t.Errorf("%s, %v", got, err)
		}
	}
}
