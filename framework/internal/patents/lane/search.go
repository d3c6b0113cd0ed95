package lane

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// Search runs one lane.
func (e *Engine) Search(ctx context.Context, ask Ask) (*Handle, error) {
	s, err := ask.check()
	if err != nil {
		return nil, err
	}
	v, err := e.collection.view(ctx)
	if err != nil {
		return nil, backend(ctx, err)
	}
	defer v.Release()
	return e.searchView(ctx, s, v)
}

// PubIDs are the ids of the publications that a lane found.
type PubIDs struct {
	Traced
	PubIDs []string `json:"pub_ids" doc:"Best first."`
}

// Counters implements [toolset.Counter].
func (p *PubIDs) Counters() []any { return []any{"items", len(p.PubIDs)} }

// PubIDs runs one lane and lists the publications that it found.
func (e *Engine) PubIDs(ctx context.Context, ask Ask) (*PubIDs, error) {
	if ask.Include != nil || ask.Fields != nil {
		return nil, wrong("include", "include or fields", "left out: this tool lists ids alone")
	}
	h, err := e.Search(ctx, ask)
	if err != nil {
		return nil, err
	}
	run, err := e.Run(ctx, h.RunID)
	if err != nil {
		return nil, err
	}
	return &PubIDs{PubIDs: run.Docs}, nil
}

// Status of a lane.
const (
	StatusOK    = "ok"
	StatusError = "error"
)

// Outcome is the outcome of one of several lanes: a run or an error.
type Outcome struct {
	Status   string `json:"status" enum:"ok,error"`
	Lane     string `json:"lane"`
	LaneName string `json:"lane_name"`
	*Handle
	Error *toolset.Error `json:"error,omitempty" schema:"object" doc:"code, message and details, with status error."`
}

// Outcomes are the outcomes of lanes, in the order of the request.
type Outcomes struct {
	Traced
	Runs []Outcome `json:"runs" doc:"One per lane, in their order."`
}

// Counters implements [toolset.Counter].
func (o *Outcomes) Counters() []any { return []any{"lanes", len(o.Runs)} }

// SearchAll runs lanes in parallel over one snapshot. A lane that fails costs the others
// nothing.
func (e *Engine) SearchAll(ctx context.Context, asks []Ask) (*Outcomes, error) {
	v, err := e.collection.view(ctx)
	if err != nil {
		return nil, backend(ctx, err)
	}
	defer v.Release()
	out := &Outcomes{Runs: make([]Outcome, len(asks))}
	_ = guard.Each(len(asks), func(i int) error { out.Runs[i] = e.outcome(ctx, asks[i], v); return nil })
	return out, ctx.Err()
}

func (e *Engine) outcome(ctx context.Context, ask Ask, v index.View) (out Outcome) {
	s, err := ask.check()
	if err == nil {
		err = guard.Call(func() (err error) { out.Handle, err = e.searchView(ctx, s, v); return err })
	}
	if err != nil {
		kind, _ := ask.kind() // "" where that is what is wrong
		return Outcome{Status: StatusError, Lane: cmp.Or(kind, ask.Lane),
			LaneName: cmp.Or(ask.LaneName, ask.Lane, kind),
			Error:    toolset.AsError(err)}
	}
	out.Status, out.Lane, out.LaneName = StatusOK, out.Handle.Lane, out.Handle.LaneName
	return out
}

// searchView runs a lane on a view and keeps its run.
func (e *Engine) searchView(ctx context.Context, s *search, v index.View) (*Handle, error) {
	run, warnings, err := e.find(ctx, s, v)
	if err != nil {
		return nil, backend(ctx, err)
	}
	lost, err := e.runs.put(ctx, run.seal(e.now()))
	if err != nil {
		return nil, err
	}
	h := run.Handle()
	h.Warnings = append(append(h.Warnings, warnings...), lost...)
	h.TraceID = s.trace
	return &h, e.show(ctx, s, run, &h)
}

// show adds to a handle what the caller wants to see of the run.
func (e *Engine) show(ctx context.Context, s *search, run *Run, h *Handle) error {
	if s.include.CodeFreqs {
		counts, err := e.counts(ctx, run)
		if err != nil {
			return err
		}
		h.CodeFreqs = new(codeFreqs(counts))
	}
	if s.fields == nil {
		return nil
	}
	best, err := e.Peek(ctx, PeekRequest{RunID: run.ID, Limit: defaultPeek, Cutting: Cutting{Fields: s.fields}})
	if err != nil {
		return err
	}
	h.Items = best.Snippets
	for i := range h.Items {
		if !s.include.Scores {
			h.Items[i].Score = nil
		}
		if date := h.Items[i].Metadata.PublicationDate; !s.include.Codes {
			h.Items[i].Metadata = metadata{PublicationDate: date}
		}
	}
	return nil
}

// find asks the lane's strategy. The run that it returns has no id yet.
func (e *Engine) find(ctx context.Context, s *search, v index.View) (run *Run, warnings []string, err error) {
	snap := v.Snapshot
	err = snap.Guard(func() error {
		warnings = s.warnings(v)
		req := s.strategyRequest(snap)
		if req.Scope != nil && req.Scope.IsEmpty() {
			warnings = append(warnings, "no publication passes the filters")
			run = e.name(snap, s, &sdk.Result{})
			return nil
		}
		// A strategy that has not prepared for the snapshot gets the time for it.
		if err := e.strategies.OpenOne(ctx, s.request.Lane, req.Corpus); err != nil {
			return failed(ctx, s.request.Lane, err)
		}
		res, err := e.strategies.Search(ctx, s.request.Lane, req)
		if err := failed(ctx, s.request.Lane, err); err != nil {
			return err
		}
		for _, warning := range res.Warnings {
			warnings = append(warnings, snap.Outlive(warning))
		}
		if !res.Finished {
			warnings = append(warnings, fmt.Sprintf("the lane ran out of time, so that hit_count is too low; "+
				"publications it looked at: %d", res.Examined))
		}
		run = e.name(snap, s, res)
		if run.HitCount == 0 && res.Finished && len(res.Warnings) == 0 {
			warnings = append(warnings, s.nothing())
		}
		return nil
	})
	return run, warnings, err
}

// strategyRequest returns the search as its strategy gets it.
func (s *search) strategyRequest(snap *snapshot.Snapshot) *sdk.Request {
	params, _ := json.Marshal(s.params) // texts and finite numbers
	req := &sdk.Request{
		Corpus: snap, Query: sdk.Query{Raw: cmp.Or(s.request.Query, s.request.Text)},
		Limit: s.request.TopK, Params: params,
	}
	if len(s.request.Filters) > 0 {
		req.Scope = s.request.Filters.Sections(snap)
	}
	if s.byDate() && s.request.Lane == Fulltext { // the newest may be the worst
		req.Limit = max(int(snap.Live().GetCardinality()), 1)
	}
	return req
}

func (s *search) byDate() bool { return s.request.Sort != sortScore }

// failed reports a strategy that gave no answer.
func failed(ctx context.Context, name string, err error) error {
	if err == nil || ctx.Err() != nil {
		return errors.Join(err, ctx.Err())
	}
	return toolset.Errorf(toolset.BackendError,
		"the lane %s failed: %w; try again, and run sagasu doctor if this goes on", name, err).
		With("backend", "lane").With("lane", name)
}

// name turns sections into publications, in the order that was asked for.
func (e *Engine) name(snap *snapshot.Snapshot, s *search, res *sdk.Result) *Run {
	rows := res.Candidates
	if s.byDate() {
		rows = ordered(snap, rows, s.request.Sort == sortNew)
	}
	hits := len(rows)
	if res.Matched != nil {
		hits = int(res.Matched.GetCardinality())
	}
	rows = rows[:min(len(rows), s.request.TopK)]
	run := &Run{
		Collection: snap.Fingerprint(), Request: new(s.request), HitCount: max(hits, len(rows)),
		Docs: make([]string, len(rows)), Scores: make([]float64, len(rows)),
	}
	sections := make([]uint32, len(rows))
	for i, c := range rows {
		sections[i], run.Docs[i], run.Scores[i] = c.Section, pubIDOf(snap, c.Section), c.Score
	}
	e.collection.remember(snap, run.Docs, sections)
	return run
}

// ordered puts rows in the order of publication, those of a day as they were and those
// without a date last.
func ordered(snap *snapshot.Snapshot, rows []sdk.Candidate, newest bool) []sdk.Candidate {
	all := roaring.New()
	for _, c := range rows {
		all.Add(c.Section)
	}
	rank, at := map[uint32]int{}, 1
	for key := range snap.Keywords("date:") { // years, each before its days
		if len(key) < len("date:20060102") {
			continue
		}
		for it := roaring.And(snap.Keyword(key), all).Iterator(); it.HasNext(); {
			rank[it.Next()] = at
		}
		at++
	}
	place := func(c sdk.Candidate) int {
		switch day := rank[c.Section]; {
		case day == 0:
			return at
		case newest:
			return at - day
		default:
			return day
		}
	}
	return slices.SortedStableFunc(slices.Values(rows),
		func(a, b sdk.Candidate) int { return cmp.Compare(place(a), place(b)) })
}
