package doctor

import (
	"fmt"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/host"
)

func TestRemedies(t *testing.T) {
	for err, want := range map[error]string{
		fmt.Errorf("x: %w", host.ErrNotInstalled): "[strategies.sick] enabled = false",
		fmt.Errorf("x: %w", host.ErrUnpinned):     "sagasu plugin rm sick",
		host.ErrBackoff:                           "the other strategies still answer",
	} {
		if got := remedy(host.Failure{Name: "sick", Err: err}); !strings.Contains(got, want) {
			t.Errorf("%v: %q", err, got)
		}
	}
}

func TestNothingConfines(t *testing.T) {
	for _, r := range []Report{
		{Strategies: []host.Status{{Path: "/x"}}},
		{Strategies: []host.Status{{}}},
		{Strategies: []host.Status{{Path: "/x"}}, Sandbox: host.Sandbox{ABI: 7}},
	} {
		free := r.Sandbox.ABI == 0 && r.Strategies[0].Path != ""
		if r.confinement(); (len(r.Hints) == 1) != free {
			t.Errorf("%+v", r)
		}
	}
}
