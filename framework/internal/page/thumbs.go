package page

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/gofrs/flock"

	"github.com/sagasu-search/sagasu/framework/internal/eval"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// verdict is what a reader says of a hit.
type verdict string

const (
	up   verdict = "up"   // it answers the query
	down verdict = "down" // it does not
	none verdict = ""     // a verdict is taken back
)

// judgedQuery is a query with the sections that were judged for it, a line of the file.
type judgedQuery struct {
	ID         string        `json:"id"`
	Query      string        `json:"query"`
	ManualID   string        `json:"scope_manual_id,omitempty"`
	Relevant   []eval.Target `json:"relevant,omitempty"`
	Irrelevant []eval.Target `json:"irrelevant,omitempty"`
}

// judgedFile keeps judged queries in the form that sagasu eval reads. Several processes may share it.
type judgedFile struct{ path string }

// lockRetry is how often a lock that another process holds is tried again.
const lockRetry = 10 * time.Millisecond

// raw returns the text of the file, none where there is no file.
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

// read returns all judged queries.
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
	for line := range bytes.Lines(raw) {
		n++
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		var q judgedQuery
		if err := json.Unmarshal(line, &q); err != nil {
			return nil, fmt.Errorf("line %d: %w", n, err)
		}
		out = append(out, q)
	}
	return out, nil
}

// queries are those that can be measured.
func (f judgedFile) queries() ([]eval.Query, error) {
	raw, err := f.raw()
	if err != nil || len(raw) == 0 {
		return nil, err
	}
	return eval.ReadQueries(bytes.NewReader(raw))
}

// judge keeps what a reader says of a section as an answer to a query. The file is replaced as a whole, while no
// other process does so.
func (f judgedFile) judge(ctx context.Context, query, manual string, at eval.Target, said verdict) (err error) {
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
	all = judged(all, query, manual, at, said)
	var out bytes.Buffer
	lines := json.NewEncoder(&out)
	lines.SetEscapeHTML(false)
	for _, q := range all {
		if err := lines.Encode(q); err != nil {
			return fmt.Errorf("keep judged queries: %w", err)
		}
	}
	if err := store.Replace(f.path, out.Bytes(), 0o600); err != nil {
		return fmt.Errorf("keep judged queries: %w", err)
	}
	return nil
}

// judged returns the queries with one more verdict, and without a query that none is left of.
func judged(all []judgedQuery, query, manual string, at eval.Target, said verdict) []judgedQuery {
	i := slices.IndexFunc(all, func(q judgedQuery) bool { return q.Query == query && q.ManualID == manual })
	if i < 0 {
		sum := sha256.Sum256([]byte(manual + "\x00" + query))
		i, all = len(all), append(all, judgedQuery{ID: hex.EncodeToString(sum[:6]), Query: query, ManualID: manual})
	}
	q := &all[i]
	q.Relevant, q.Irrelevant = slices.DeleteFunc(q.Relevant, same(at)), slices.DeleteFunc(q.Irrelevant, same(at))
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

// same reports whether a target is the section of another.
func same(at eval.Target) func(eval.Target) bool {
	return func(x eval.Target) bool {
		return x.ManualID == at.ManualID && x.Path == at.Path && x.StartLine == at.StartLine
	}
}

// of returns the verdict on a section.
func (q judgedQuery) of(at eval.Target) verdict {
	switch {
	case slices.ContainsFunc(q.Relevant, same(at)):
		return up
	case slices.ContainsFunc(q.Irrelevant, same(at)):
		return down
	}
	return none
}
