package cli

import (
	"errors"
	"os/exec"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/app"
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

func TestTheNameOfABundledStrategyIsRemarkedOn(t *testing.T) {
	for _, c := range []struct {
		args     []string
		remarked bool
	}{
		{[]string{"loose"}, false},
		{append([]string{binary, "--"}, app.ServeArguments("loose")...), true},
	} {
		cmd := exec.Command(binary, append([]string{"plugin", "check", "--workspace", t.TempDir()}, c.args...)...)
		cmd.Env = environment(t)
		out, err := cmd.CombinedOutput()
		if err != nil || strings.Contains(string(out), "loose is bundled: take another name") != c.remarked {
			t.Errorf("%q: %v\n%s", c.args, err, out)
		}
	}
}
