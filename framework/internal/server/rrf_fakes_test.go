package server

import (
	"context"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/patents/lane"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// fakeLanes answers with nothing found and keeps what it was asked.
type fakeLanes struct {
	asked  any
	err    error
	failed map[string]*toolset.Error // by lane_name
}

func (l *fakeLanes) Search(_ context.Context, _ string, ask lane.Ask) (*lane.Handle, error) {
	l.asked = ask
	return &lane.Handle{Warnings: []string{}}, l.err
}

func (l *fakeLanes) SearchAll(_ context.Context, _ string, asks []lane.Ask) (*lane.Outcomes, error) {
	l.asked = asks
	out := &lane.Outcomes{Runs: make([]lane.Outcome, len(asks))}
	for i, ask := range asks {
		kind, _, _ := strings.Cut(ask.LaneName, "_")
		out.Runs[i] = lane.Outcome{Status: lane.StatusOK, Lane: kind, LaneName: ask.LaneName, Error: l.failed[ask.LaneName]}
		if ask.Refused != nil {
			out.Runs[i].Error = toolset.AsError(ask.Refused)
		}
	}
	return out, l.err
}

func (l *fakeLanes) PubIDs(_ context.Context, _ string, ask lane.Ask) (*lane.PubIDs, error) {
	l.asked = ask
	return &lane.PubIDs{PubIDs: []string{}}, l.err
}

func (l *fakeLanes) Blend(_ context.Context, _ string, req lane.BlendRequest) (*lane.Result, error) {
	l.asked = req
	return &lane.Result{}, l.err
}

func (l *fakeLanes) Mutate(_ context.Context, _ string, req lane.MutateRequest) (*lane.Result, error) {
	l.asked = req
	return &lane.Result{}, l.err
}

func (l *fakeLanes) Provenance(_ context.Context, _, runID string) (*lane.Provenance, error) {
	l.asked = runID
	return &lane.Provenance{}, l.err
}

func (l *fakeLanes) Register(_ context.Context, _ string, req lane.RegisterRequest) (*lane.Registered, error) {
	l.asked = req
	return &lane.Registered{}, l.err
}

func (l *fakeLanes) Peek(_ context.Context, _ string, req lane.PeekRequest) (*lane.Snippets, error) {
	l.asked = req
	return &lane.Snippets{}, l.err
}

func (l *fakeLanes) Snippets(_ context.Context, _ string, req lane.SnippetsRequest) (*lane.Snippets, error) {
	l.asked = req
	return &lane.Snippets{}, l.err
}

func (l *fakeLanes) Publication(_ context.Context, req lane.PublicationRequest) (*lane.Record, error) {
	l.asked = req
	return &lane.Record{}, l.err
}
