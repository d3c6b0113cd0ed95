package search

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
)

func TestFindFaults(t *testing.T) {
	e := engine(t, manyRows(6), fakes{list: []words{exact}})
	blank, unknown, expired := request(" "), request("disk"), request("disk")
	unknown.ManualID = "m01"
	expired.OnlyUnscanned = "00000000-0000000000000000"
	for name, tc := range map[string]struct {
		req  Request
		code toolset.Code
	}{
		"empty query":    {blank, toolset.InvalidParameter},
		"unknown manual": {unknown, toolset.NotFound},
		"unknown trace":  {expired, toolset.NotFound},
	} {
		_, err := find(t, e, tc.req)
		if f := toolset.AsError(err); err == nil || f.Code != tc.code || f.Details["parameter"] == "" {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := find(t, e, unknown)
	if near := toolset.AsError(err).Details["did_you_mean"]; !cmp.Equal(near, []string{"m0", "m1"}) {
		t.Errorf("did you mean %v", near)
	}
}

// An agent must not mistake a strategy's words for the host's.
func TestWarningsNameTheirStrategy(t *testing.T) {
	answer, err := find(t, engine(t, manyRows(1), borrower{}), request("disk"))
	if err != nil || len(answer.Warnings) != 1 || !strings.HasPrefix(answer.Warnings[0], exact.name+": ") {
		t.Errorf("warnings %q, %v", answer.Warnings, err)
	}
}

func TestFailedStrategiesAreNamed(t *testing.T) {
	other := words{name: "other", stage: sdk.StageRetrieve, signals: []string{sdk.SignalLoose}}
	late := words{name: "late", stage: sdk.StageRetrieve, signals: []string{sdk.SignalLoose}}
	e := engine(t, manyRows(9), fakes{list: []words{exact, other, late}, fail: map[string]error{
		"other": errors.New("/secret/path broke"), "late": context.DeadlineExceeded,
	}})
	answer, err := find(t, e, request("disk"))
	if err != nil {
		t.Fatal(err)
	}
	all := strings.Join(answer.Warnings, "\n")
	if answer.Summary.Candidates != 3 || !strings.Contains(all, "other did not contribute") || !strings.Contains(all, "late did not finish in time") {
		t.Errorf("%d candidates, warnings %q", answer.Summary.Candidates, all)
	}
	if strings.Contains(all, "secret") {
		t.Errorf("a warning tells inner reasons: %q", all)
	}
}

func TestNoStrategyAtAllIsAnError(t *testing.T) {
	e := engine(t, manyRows(9), fakes{list: []words{exact}, fail: map[string]error{"exact": errors.New("broken")}})
	_, err := find(t, e, request("disk"))
	if f := toolset.AsError(err); err == nil || f.Code != toolset.NotAvailable {
		t.Errorf("a search without strategies gave %v", err)
	}
}

func TestACallerThatGaveUpGetsNoAnswer(t *testing.T) {
	e := engine(t, manyRows(9), fakes{list: []words{exact}})
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := e.Find(ctx, request("disk")); !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled search gave %v", err)
	}
}

// leaving is a strategy whose caller gives up while it searches.
type leaving struct {
	fakes
	leave context.CancelFunc
}

func (l leaving) Search(ctx context.Context, _ string, _ *sdk.Request) (*sdk.Result, error) {
	l.leave()
	return nil, ctx.Err()
}

func TestACallerThatGaveUpIsNoFaultOfAStrategy(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	e := engine(t, manyRows(9), leaving{fakes{list: []words{exact}}, cancel})
	var log bytes.Buffer
	e.Logger = hclog.New(&hclog.LoggerOptions{Output: &log})
	_, err := e.Find(ctx, request("disk"))
	if told := toolset.Explain(err); !errors.Is(told, context.Canceled) || log.Len() > 0 {
		t.Errorf("error %v, log %s", told, &log)
	}
}
