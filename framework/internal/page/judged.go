package page

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// thumbs adds the verdicts to hits. If they cannot be read, the search is shown without them; the page of judgements
// reports why.
func (q *request) thumbs(r *run) {
	all, err := q.judged.read()
	if err != nil {
		q.Logger.Warn("judged queries", "error", err)
	}
	i := slices.IndexFunc(all, func(j judgedQuery) bool { return j.Query == r.Query && j.ManualID == r.Manual })
	if i < 0 {
		return
	}
	place, release := q.placing()
	defer release()
	judged := all[i].placed(place)
	for n := range r.Hits {
		ref := r.Hits[n].Ref
		at := eval.Target{ManualID: ref.ManualID, Path: ref.Path, StartLine: ref.StartLine, Heading: ref.Title}
		r.Hits[n].Thumb = judged.of(placed(place, at))
	}
}

// placer returns the current place of a section, and whether the manuals still contain it.
type placer func(eval.Target) (now eval.Target, ok bool)

// placing returns a function to find judged sections, whose files may have changed since. It may be used until release
// is called. Without an index of files, sections stay where they were.
func (q *request) placing() (place placer, release func()) {
	view, err := q.Manuals.View(q.r.Context(), 0) // does not wait for edits
	if err != nil {
		return func(t eval.Target) (eval.Target, bool) { return t, true }, func() {}
	}
	return func(t eval.Target) (eval.Target, bool) { return t.Present(view.Snapshot) }, view.Release
}

func placed(place placer, t eval.Target) eval.Target {
	t, _ = place(t)
	return t
}

// judgedHit is a hit with the verdict that was just given.
type judgedHit struct {
	run
	hit
}

// judge stores a verdict on a hit.
func (q *request) judge() error {
	if q.judged.path == "" {
		return q.missing()
	}
	verdict := verdict(q.value("verdict"))
	if !slices.Contains([]string{"up", "down", ""}, string(verdict)) {
		return toolset.Invalid("verdict", verdict, "up, down or nothing")
	}
	t, err := q.kept()
	if err != nil {
		return err
	}
	rank, err := q.number("rank", 0, 1, len(t.Candidates))
	switch {
	case err != nil:
		return err
	case rank == 0:
		return toolset.Invalid("rank", q.value("rank"), "the number of a hit")
	}
	c := t.Candidates[rank-1]
	at := eval.Target{
		ManualID: c.ManualID, Path: c.Path, Heading: c.Title, StartLine: c.Line, EndLine: c.EndLine, Grade: 1,
	}
	place, release := q.placing()
	defer release()
	if err := q.judged.judge(q.r.Context(), t.Request.Query, t.Request.ManualID, at, verdict, place); err != nil {
		return err
	}
	out := judgedHit{run: run{Trace: t.ID, Query: t.Request.Query, Manual: t.Request.ManualID}}
	ref := toolset.Ref{ManualID: c.ManualID, Path: c.Path, StartLine: c.Line}
	out.hit = hit{Row: search.Row{Ref: &search.HitRef{Ref: ref, Title: c.Title}}, Rank: rank, Thumb: verdict}
	return q.show("judge", q.name("judged"), out)
}

// judgements are the judged queries, and their results with other weights.
type judgements struct {
	Queries  []judgedQuery
	Command  string
	Trace    string // of the search that the weights were tried on
	Weights  []weight
	Settings []string     // lines of configuration with these weights
	Now      *eval.Report // nil if nothing was measured
	Figures  []eval.Figure
	Rows     []measured
	Better   int
	Worse    int

	gone map[eval.Target]bool
}

// Gone reports whether the manuals no longer contain a judged section.
func (j *judgements) Gone(t eval.Target) bool { return j.gone[t] }

// measured is one query with the weights of the configuration and with others.
type measured struct{ Before, Now eval.Outcome }

// Change returns the change in nDCG.
func (m measured) Change() float64 { return m.Now.NDCG - m.Before.NDCG }

// judgements lists the judged queries, and measures them on request.
func (q *request) judgements() error {
	all, err := q.judged.read()
	if err != nil {
		return err
	}
	weights, err := q.weights()
	if err != nil {
		return err
	}
	out := &judgements{Command: q.Command, Trace: q.value("trace"), gone: map[eval.Target]bool{}}
	place, release := q.placing()
	for _, j := range all {
		out.Queries = append(out.Queries, j.placed(func(t eval.Target) (eval.Target, bool) {
			t, ok := place(t)
			out.gone[t] = !ok
			return t, ok
		}))
	}
	release()
	if out.Weights, err = q.changed(weights); err != nil {
		return err
	}
	out.Settings = settingsOf(out.Weights)
	if q.value("measure") != "" && q.Measure != nil {
		if err := q.measure(out); err != nil {
			return err
		}
	}
	return q.show("judged", q.name("judged"), out)
}

// changed returns the weights that differ from those of the search that the request names, or all of them if that
// search is gone.
func (q *request) changed(weights map[string]float64) (out []weight, err error) {
	was := map[string]float64{}
	if trace := q.value("trace"); trace != "" && len(weights) > 0 {
		kept, err := q.weighed(trace)
		if err != nil && toolset.AsError(err).Code != toolset.NotFound {
			return nil, err
		}
		for _, w := range kept {
			was[w.Source] = w.Was
		}
	}
	for _, name := range slices.Sorted(maps.Keys(weights)) {
		before, known := was[name]
		if !known {
			before = -1 // differs from every weight
		}
		if !sameWeight(weights[name], before) {
			out = append(out, weight{Source: name, Weight: weights[name], Was: before})
		}
	}
	return out, nil
}

// measure evaluates the judged queries with the weights of the configuration and with others.
func (q *request) measure(out *judgements) error {
	queries, err := q.judged.queries()
	if err != nil || len(queries) == 0 {
		return err
	}
	ctx, before := q.r.Context(), (*eval.Report)(nil)
	err = q.alone(ctx, func() (err error) {
		if before, err = q.Measure(ctx, queries, nil); err == nil {
			out.Now, err = q.Measure(ctx, queries, byName(out.Weights))
		}
		return err
	})
	if err != nil {
		return err
	}
	set, err := eval.Compare(out.Now, before)
	if err != nil {
		return err
	}
	out.Figures = set.Figures
	for i, now := range out.Now.PerQuery {
		m := measured{before.PerQuery[i], now}
		switch change := m.Change(); {
		case change > 0:
			out.Better++
		case change < 0:
			out.Worse++
		}
		out.Rows = append(out.Rows, m)
	}
	return nil
}

// verdict is a reader's judgement of a hit.
type verdict string

const (
	up   verdict = "up"   // it answers the query
	down verdict = "down" // it does not
	none verdict = ""     // takes back a verdict
)

// judgedQuery is a query with its judged sections, a line of the file.
type judgedQuery struct {
	ID         string        `json:"id"`
	Query      string        `json:"query"`
	ManualID   string        `json:"scope_manual_id,omitempty"`
	Relevant   []eval.Target `json:"relevant,omitempty"`
	Irrelevant []eval.Target `json:"irrelevant,omitempty"`

	line map[string]json.RawMessage // as read, with what only sagasu eval knows
}

// placed returns the query with the current places of its sections.
func (q judgedQuery) placed(place placer) judgedQuery {
	for _, targets := range []*[]eval.Target{&q.Relevant, &q.Irrelevant} {
		*targets = slices.Clone(*targets)
		for i, t := range *targets {
			(*targets)[i] = placed(place, t)
		}
	}
	return q
}

// encode returns the query's line of the file, with the other members of the line that was read.
func (q judgedQuery) encode() ([]byte, error) {
	line, err := toolset.Marshal(q)
	others := maps.Clone(q.line)
	maps.DeleteFunc(others, func(name string, _ json.RawMessage) bool {
		return slices.Contains([]string{"id", "query", "scope_manual_id", "relevant", "irrelevant"}, name)
	})
	if err != nil || len(others) == 0 {
		return line, err
	}
	more, err := toolset.Marshal(others)
	return slices.Concat(line[:len(line)-1], []byte(","), more[1:]), err
}

// judgedFile stores judged queries in the form that sagasu eval reads. Several processes may share it.
type judgedFile struct{ path string }

// lockRetry is the time between two attempts to take a lock.
const lockRetry = 10 * time.Millisecond

// raw returns the text of the file, or nothing if there is no file.
func (f judgedFile) raw() ([]byte, error) {
	if f.path == "" {
		return nil, nil
	}
	raw, err := os.ReadFile(f.path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("read judged queries: %w", err)
	}
	return raw, nil
}

func (f judgedFile) read() ([]judgedQuery, error) {
	raw, err := f.raw()
	if err != nil {
		return nil, err
	}
	all, err := parseJudged(raw)
	if err != nil {
		return nil, toolset.Errorf(toolset.NotAvailable, "the judged queries in %s cannot be read: %w; correct or "+
			"remove that line", f.path, err)
	}
	return all, nil
}

// parseJudged reads the lines of a file of judged queries.
func parseJudged(raw []byte) (out []judgedQuery, err error) {
	n := 0
	for line := range bytes.Lines(bytes.TrimPrefix(raw, []byte("\ufeff"))) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var q judgedQuery
		if err := cmp.Or(json.Unmarshal(line, &q), json.Unmarshal(line, &q.line)); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, q)
	}
	return out, nil
}

// queries returns the judged queries that can be measured.
func (f judgedFile) queries() ([]eval.Query, error) {
	raw, err := f.raw()
	if err != nil || len(raw) == 0 {
		return nil, err
	}
	return eval.ReadQueries(bytes.NewReader(raw))
}

// judge stores a reader's verdict on a section as an answer to a query. It replaces the whole file under a lock.
func (f judgedFile) judge(
	ctx context.Context, query, manual string, at eval.Target, said verdict, place placer,
) (err error) {
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		return fmt.Errorf("keep judged queries: %w", err)
	}
	lock := flock.New(f.path + ".lock")
	if _, err := lock.TryLockContext(ctx, lockRetry); err != nil {
		return fmt.Errorf("lock judged queries: %w", err)
	}
	defer func() { err = errors.Join(err, lock.Close()) }()
	all, err := f.read()
	if err != nil {
		return err
	}
	all = judged(all, query, manual, at, said, place)
	var out bytes.Buffer
	for _, q := range all {
		line, err := q.encode()
		if err != nil {
			return fmt.Errorf("keep judged queries: %w", err)
		}
		out.Write(line)
		out.WriteByte('\n')
	}
	if err := store.Replace(f.path, out.Bytes(), 0o600); err != nil {
		return fmt.Errorf("keep judged queries: %w", err)
	}
	return nil
}

// judged returns the queries with one more verdict, and without the query if it has no verdict left.
func judged(
	all []judgedQuery, query, manual string, at eval.Target, said verdict, place placer,
) []judgedQuery {
	i := slices.IndexFunc(all, func(q judgedQuery) bool { return q.Query == query && q.ManualID == manual })
	if i < 0 {
		sum := sha256.Sum256([]byte(manual + "\x00" + query))
		i, all = len(all), append(all, judgedQuery{ID: hex.EncodeToString(sum[:6]), Query: query, ManualID: manual})
	}
	q := &all[i]
	*q, at = q.placed(place), placed(place, at)
	q.Relevant, q.Irrelevant = slices.DeleteFunc(q.Relevant, at.Is), slices.DeleteFunc(q.Irrelevant, at.Is)
	switch said {
	case up:
		q.Relevant = append(q.Relevant, at)
	case down:
		at.Grade = 0
		q.Irrelevant = append(q.Irrelevant, at)
	}
	if len(q.Relevant)+len(q.Irrelevant) == 0 {
		all = slices.Delete(all, i, i+1)
	}
	return all
}

func (q judgedQuery) of(at eval.Target) verdict {
	switch {
	case slices.ContainsFunc(q.Relevant, at.Is):
		return up
	case slices.ContainsFunc(q.Irrelevant, at.Is):
		return down
	}
	return none
}
