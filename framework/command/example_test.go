package command_test

import (
	"context"
	"os"

	"github.com/sagasu-search/sagasu/framework/command"
	"github.com/sagasu-search/sagasu/plugins/loose"
	"github.com/sagasu-search/sagasu/plugins/normalized"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// first finds the first section that is searched, whatever the query.
type first struct{}

func (first) Describe() sdk.Description {
	return sdk.Description{
		Name: "first", Version: "1", Stage: sdk.StageRetrieve, Weight: 0.1,
		Signals: []string{sdk.SignalNormalized}, Corpora: []snapshot.Kind{snapshot.KindManual},
	}
}

func (first) Search(_ context.Context, req *sdk.Request) (*sdk.Result, error) {
	out := &sdk.Result{Finished: true}
	if searched := req.Sections(); !searched.IsEmpty() {
		out.Candidates = []sdk.Candidate{{
			Section: searched.Minimum(), Score: 1, Signals: []string{sdk.SignalNormalized},
		}}
	}
	return out, nil
}

// The whole main of a sagasu with a strategy of one's own compiled in.
func ExampleMain() {
	os.Exit(command.Main(
		normalized.Entry(), loose.Entry(),
		sdk.Entry{Name: "first", New: func() sdk.Strategy { return first{} }},
	))
}
