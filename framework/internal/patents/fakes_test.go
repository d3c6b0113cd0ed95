package patents

import (
	"context"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/server"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// fakeEngine answers with nothing found and keeps what it was asked.
type fakeEngine struct {
	asked  any
	err    error
	failed map[string]*toolset.Error // by lane_name
}

func (e *fakeEngine) Search(_ context.Context, ask lane.Ask) (*lane.Handle, error) {
	e.asked = ask
	return &lane.Handle{Warnings: []string{}}, e.err
}

func (e *fakeEngine) SearchAll(_ context.Context, asks []lane.Ask) (*lane.Outcomes, error) {
	e.asked = asks
	out := &lane.Outcomes{Runs: make([]lane.Outcome, len(asks))}
	for i, ask := range asks {
		kind, _, _ := strings.Cut(ask.LaneName, "_")
		out.Runs[i] = lane.Outcome{Status: lane.StatusOK, Lane: kind, LaneName: ask.LaneName, Error: e.failed[ask.LaneName]}
		if ask.Refused != nil {
			out.Runs[i].Error = toolset.AsError(ask.Refused)
		}
	}
	return out, e.err
}

func (e *fakeEngine) PubIDs(_ context.Context, ask lane.Ask) (*lane.PubIDs, error) {
	e.asked = ask
	return &lane.PubIDs{PubIDs: []string{}}, e.err
}

func (e *fakeEngine) Blend(_ context.Context, req lane.BlendRequest) (*lane.Result, error) {
	e.asked = req
	return &lane.Result{}, e.err
}

func (e *fakeEngine) Mutate(_ context.Context, req lane.MutateRequest) (*lane.Result, error) {
	e.asked = req
	return &lane.Result{}, e.err
}

func (e *fakeEngine) Provenance(_ context.Context, req lane.RunRequest) (*lane.Provenance, error) {
	e.asked = req
	return &lane.Provenance{}, e.err
}

func (e *fakeEngine) Register(_ context.Context, req lane.RegisterRequest) (*lane.Registered, error) {
	e.asked = req
	return &lane.Registered{}, e.err
}

func (e *fakeEngine) List(_ context.Context, req lane.ListRequest) (*lane.Representatives, error) {
	e.asked = req
	return &lane.Representatives{}, e.err
}

func (e *fakeEngine) Remove(_ context.Context, req lane.RemoveRequest) (*lane.Removed, error) {
	e.asked = req
	return &lane.Removed{}, e.err
}

func (e *fakeEngine) Peek(_ context.Context, req lane.PeekRequest) (*lane.Snippets, error) {
	e.asked = req
	return &lane.Snippets{}, e.err
}

func (e *fakeEngine) Snippets(_ context.Context, req lane.SnippetsRequest) (*lane.Snippets, error) {
	e.asked = req
	return &lane.Snippets{}, e.err
}

func (e *fakeEngine) Publication(_ context.Context, req lane.PublicationRequest) (*lane.Record, error) {
	e.asked = req
	return &lane.Record{}, e.err
}

func (*fakeEngine) Mend(context.Context, map[string]any) bool { return true }

// serve answers calls with an engine.
func serve(e *fakeEngine) *server.Server {
	return server.New(server.Options{Sets: []toolset.Toolset{toolsetOf(e)}})
}
