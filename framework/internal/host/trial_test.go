package host

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/sdk/x/wire"
)

// end closes s. A process with the race detector stays a second longer than it must.
func end(t *testing.T, s *Trial) {
	t.Helper()
	if err := s.Close(); !raceEnabled || !errors.Is(err, errSlowEnd) {
		must(t, err)
	}
}

func TestTrial(t *testing.T) {
	h, snap := start(t, options(t, "one", "printer"))
	for name, strays := range map[string]bool{"one": false, "printer": true} {
		s, err := h.StartTrial(t.Context(), name)
		must(t, err)
		if d, err := s.Describe(t.Context()); err != nil || d.Name != name {
			t.Errorf("it calls itself %q, %v", d.Name, err)
		}
		if res, err := s.Search(t.Context(), request(snap, "find")); err != nil || len(res.Candidates) != 10 {
			t.Errorf("%v, %v", res, err)
		}
		if s.PID() == 0 || s.Took <= 0 || (s.ExtraStdout() > 0) != strays {
			t.Errorf("%s: process %d after %v printed %d bytes", name, s.PID(), s.Took, s.ExtraStdout())
		}
		end(t, s)
	}
	if running := h.Status()[0].PID; running != 0 {
		t.Errorf("the host uses process %d", running)
	}
}

func TestTrialThatDies(t *testing.T) {
	h, snap := start(t, options(t, "one"))
	s, err := h.StartTrial(t.Context(), "one")
	must(t, err)
	if _, err := s.Search(t.Context(), request(snap, "exit")); !errors.Is(err, wire.ErrGone) || !strings.Contains(err.Error(), "exit status 7") {
		t.Errorf("error %v", err)
	}
	end(t, s)
}

func TestTrialThatDoesNotStart(t *testing.T) {
	h, _ := start(t, options(t, "quitter"))
	if _, err := h.StartTrial(t.Context(), "quitter"); err == nil || !strings.Contains(err.Error(), "cannot find my model") {
		t.Errorf("error %v", err)
	}
	if _, err := h.StartTrial(t.Context(), "other"); !errors.Is(err, ErrUnknown) {
		t.Errorf("error %v", err)
	}
}

func TestAbandoned(t *testing.T) {
	h, _ := start(t, options(t, "one", "clinger"))
	for name, ends := range map[string]bool{"one": true, "clinger": false} {
		s, err := h.StartTrial(t.Context(), name)
		must(t, err)
		wait := time.Minute
		if !ends {
			wait = 300 * time.Millisecond
		}
		ctx, cancel := context.WithTimeout(t.Context(), wait)
		if err := s.Abandon(ctx); (err == nil) != ends {
			t.Errorf("%s: %v", name, err)
		}
		cancel()
		end(t, s)
	}
}
