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
		{ID: "lives", Text: "Again.", Why: "It is stopped.", Broken: "first\nsecond"},
		{ID: "cancel", Text: "It ends.", Why: "Nobody waits.", Broken: "another"},
	}})
	if err != nil && !errors.Is(err, errReported) {
		t.Error(err)
	}
	if want := "  broken  concurrent     Side by side.\n          first\n          second\n          Several agents share it.\n" +
		"  broken  lives          Again.\n          in the same way\n" +
		"  broken  cancel         It ends.\n          another\n          Nobody waits.\n"; !strings.Contains(out.String(), want) {
		t.Errorf("printed\n%s", out.String())
	}
}
