package doctor

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// trials is how often a strategy is tried, so that its median does not depend on the first search, which is slower.
const trials = 5

const switchedOff = "switch one on: the settings strategies.NAME.enabled say where that was done"

// strategies starts every strategy and, if there is an index, searches with it. For converters, it only verifies the
// executables.
func (r *Report) strategies(ctx context.Context, h *host.Host) {
	described, failures := h.Start(ctx)
	if snap, err := snapshot.Open(r.tried.Dir, r.tried.Snapshot, false); r.tried.Snapshot != "" && err == nil {
		failures = append(failures, try(ctx, h, described, snap)...)
		_ = snap.Close() // read only
	}
	homeless := func(f host.Failure) bool { return errors.Is(f, host.ErrLongTemp) }
	if i := slices.IndexFunc(failures, homeless); i >= 0 { // nothing starts
		r.Fail("no strategy starts: "+failures[i].Err.Error(), "")
	}
	for _, f := range slices.Concat(failures, h.VerifyConverters()) {
		if !homeless(f) {
			r.Fail(f.Error(), remedy(f))
		}
	}
	own := h.Status()
	r.Strategies = slices.Concat(own, r.Strategies)
	searches := func(d sdk.Description) bool { return d.Stage == sdk.StageRetrieve && d.Admits() }
	switch {
	case len(own) == 0:
		r.Fail("every strategy is switched off", switchedOff)
	case len(failures) == 0 && !slices.ContainsFunc(described, searches):
		r.Fail("no strategy is on that searches texts", switchedOff)
	}
}

// try searches with all strategies at once, as a query does, and returns the failure of each that failed.
func try(ctx context.Context, h *host.Host, described []sdk.Description, snap *snapshot.Snapshot) []host.Failure {
	errs := guard.Each(len(described), func(i int) error {
		d := described[i]
		if len(d.Corpora) > 0 && !slices.Contains(d.Corpora, snap.Kind()) {
			return nil
		}
		req := trial(snap, d.Stage)
		for range trials {
			if _, err := h.Search(ctx, d.Name, req); err != nil {
				return err
			}
		}
		return nil
	})
	var failures []host.Failure
	for i, err := range errs {
		if f, ok := errors.AsType[host.Failure](err); ok {
			failures = append(failures, f)
		} else if err != nil {
			failures = append(failures, host.Failure{Name: described[i].Name, Stage: described[i].Stage, Err: err})
		}
	}
	return failures
}

// trial returns a request for the title of the corpus's first section, which the corpus can answer.
func trial(snap *snapshot.Snapshot, stage sdk.Stage) *sdk.Request {
	req := &sdk.Request{Corpus: snap, Limit: 10}
	title := "a"
	live := snap.Live().Iterator()
	if live.HasNext() {
		first, _ := snap.Section(live.PeekNext())
		title = first.Title
	}
	req.Query = search.Plan(title, search.DefaultSettings().MatchThreshold)
	if stage == sdk.StageRetrieve {
		return req
	}
	req.Pool = []sdk.Candidate{}
	for live.HasNext() && len(req.Pool) < req.Limit {
		req.Pool = append(req.Pool, sdk.Candidate{Section: live.Next(), Score: 1})
	}
	if stage == sdk.StageJudge {
		req.Passages = sdk.Passages(snap, req.Pool)
	}
	return req
}

// remedy returns what to do about a strategy that does not take part.
func remedy(f host.Failure) string {
	switch {
	case errors.Is(f, host.ErrNotInstalled):
		return "nothing runs it until you do; or switch it off: [strategies." + f.Name + "] enabled = false"
	case errors.Is(f, host.ErrUnpinned):
		return "it does not run; if the change was yours, sagasu plugin install it again, else sagasu plugin rm " +
			f.Name
	case errors.Is(f, fs.ErrNotExist):
		return "put the file back, or install the strategy again, or sagasu plugin rm " + f.Name
	}
	return "the other strategies still answer; --log-level debug says more"
}

// confinement adds a note if installed strategies are not confined.
func (r *Report) confinement() {
	installed := func(s host.Status) bool { return s.Path != "" }
	if r.Sandbox.ABI == 0 && slices.ContainsFunc(r.Strategies, installed) {
		r.Note("nothing confines strategies on this system: an installed one can do what you can",
			"install only what you would also run by hand")
	}
}
