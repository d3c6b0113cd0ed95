package lane

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/store"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

const (
	runTTL   = 12 * time.Hour // docs/rrf.md
	maxRuns  = 20_000         // of all clients
	maxNotes = 100_000        // registrations of representatives
	newest   = 5              // how many run ids an error names

	allRuns  = "runs"
	madeRuns = "made" // the ids of runs in the order in which they were made
)

// Runs keeps runs for 12 hours, and representatives for good, in stores that several processes share.
type Runs struct {
	runs  store.Store
	notes store.Store

	mu     sync.Mutex
	recent []*Run // oldest first; decoding a run takes longer than fusing it
}

// maxRecent is the number of runs kept in memory.
const maxRecent = 16

// OpenRuns opens the stores of runs.
func OpenRuns(open store.Opener) *Runs {
	return &Runs{
		runs:  open("rrf/runs", maxRuns, runTTL),
		notes: open("rrf/representatives", maxNotes, store.Forever),
	}
}

// put keeps a run. Its warnings say what the store did not take: then only this process knows the run.
func (s *Runs) put(ctx context.Context, r *Run) (warnings []string, err error) {
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encode run: %w", err)
	}
	s.remember(r)
	if err = s.runs.Put(ctx, allRuns, r.ID, raw); err == nil {
		err = s.runs.Put(ctx, madeRuns, r.ID, nil)
	}
	if err != nil {
		warnings = append(warnings, fmt.Sprintf("the run could not be kept in %s: %v; only this process knows it, "+
			"as one of its last %d", s.runs, rootfs.Cause(err), maxRecent))
	}
	return warnings, ctx.Err()
}

// stranded returns the error of what cannot be read in a store, or written.
func stranded(what string, in store.Store, err error) error {
	return toolset.Errorf(toolset.BackendError, "%s in %s now: %w; try again", what, in, rootfs.Cause(err)).
		With("backend", "store")
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:12])
}

// get finds a run. parameter names the argument that id came from.
func (s *Runs) get(ctx context.Context, parameter, id string) (*Run, error) {
	if r := s.remembered(id); r != nil && time.Since(r.Created) <= runTTL {
		return r, nil
	}
	raw, err := s.runs.Get(ctx, allRuns, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, s.absent(ctx, parameter, id)
	}
	if err != nil {
		return nil, stranded(fmt.Sprintf("the run %q cannot be read", id), s.runs, err)
	}
	r := new(Run)
	if err := json.Unmarshal(raw, r); err != nil {
		return nil, fmt.Errorf("decode run %s: %w", id, err)
	}
	if len(r.Docs) != len(r.Scores) || (r.Request == nil) == (r.Fusion == nil) {
		return nil, fmt.Errorf("decode run %s: it is not whole", id)
	}
	s.remember(r)
	return r, nil
}

func (s *Runs) remember(r *Run) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.recent = slices.DeleteFunc(s.recent, func(o *Run) bool { return o.ID == r.ID })
	s.recent = append(s.recent, r)
	if len(s.recent) > maxRecent {
		s.recent = slices.Delete(s.recent, 0, 1)
	}
}

func (s *Runs) remembered(id string) *Run {
	s.mu.Lock()
	defer s.mu.Unlock()
	if i := slices.IndexFunc(s.recent, func(r *Run) bool { return r.ID == id }); i >= 0 {
		return s.recent[i]
	}
	return nil
}

func (s *Runs) absent(ctx context.Context, parameter, id string) error {
	made, err := s.runs.Newest(ctx, madeRuns, newest)
	if err != nil {
		return stranded("runs cannot be read", s.runs, err)
	}
	recent := []string{}
	for _, e := range made {
		recent = append(recent, e.Key)
	}
	id = toolset.First(id, 100)
	return near(toolset.Errorf(toolset.RunNotFound,
		"there is no run %q, or it is older than 12 hours; use one of newest_runs or search again", id).
		Argument(parameter, id, "the run_id of a search or a fusion").With("newest_runs", recent), id, recent)
}
