package cli

import (
	"errors"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/host/check"
)

func TestEachBreachHasALine(t *testing.T) {
	var out strings.Builder
	err := printExamination(&out, &check.Report{Path: "mine", Findings: []check.Finding{
		{ID: "concurrent", Text: "Side by side.", Why: "Several agents share it.", Broken: "first\nsecond"},
	}})
	if err != nil && !errors.Is(err, errReported) {
		t.Error(err)
	}
	if want := "  broken  concurrent     Side by side.\n          first\n          second\n          Several agents share it.\n"; !strings.Contains(out.String(), want) {
		t.Errorf("printed\n%s", out.String())
	}
}
