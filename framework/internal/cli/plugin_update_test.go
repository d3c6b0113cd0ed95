package cli

import (
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/host/trust"
)

func TestPrintUpdated(t *testing.T) {
	for want, u := range map[string]updated{
		"s 1 is what was installed\n":       {OldVersion: "1", OldSHA256: "a"},
		"updated s from 0 to 1\nsha256 a\n": {OldVersion: "0", OldSHA256: "a"},
		"updated s from 1 to 1\nsha256 a\n": {OldVersion: "1", OldSHA256: "b"},
	} {
		u.Plugin = &trust.Plugin{Name: "s", SHA256: "a"}
		u.Version = "1"
		var out strings.Builder
		if err := printUpdated(&out, &u); err != nil || out.String() != want {
			t.Errorf("%q, %v, want %q", out.String(), err, want)
		}
	}
}
