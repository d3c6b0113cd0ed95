package lane

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
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

// Runs keeps runs for 12 hours, and representatives for good, in plain files
// that several processes share.
type Runs struct {
	runs  *store.Dir
	notes *store.Dir

	mu     sync.Mutex
	recent []*Run // oldest first; decoding a run takes longer than fusing it
}

// maxRecent is how many runs stay in memory.
const maxRecent = 16

// OpenRuns opens the runs below a directory.
func OpenRuns(dir string) *Runs {
	return &Runs{
		runs:  store.Open(filepath.Join(dir, "runs"), maxRuns, runTTL),
		notes: store.Open(filepath.Join(dir, "representatives"), maxNotes, math.MaxInt64),
	}
}

// put keeps a run.
func (s *Runs) put(r *Run) error {
	raw, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("encode run: %w", err)
	}
	if err := s.runs.Put(allRuns, r.ID, raw); err != nil {
		return err
	}
	s.remember(r)
	return s.runs.Put(madeRuns, r.ID, nil)
}

func digest(parts ...string) string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return hex.EncodeToString(sum[:12])
}

// get finds a run. parameter names the argument that id came from.
func (s *Runs) get(parameter, id string) (*Run, error) {
	if r := s.remembered(id); r != nil && s.runs.Has(allRuns, id) {
		return r, nil
	}
	raw, err := s.runs.Get(allRuns, id)
	if errors.Is(err, store.ErrNotFound) {
		return nil, s.absent(parameter, id)
	}
	if err != nil {
		return nil, err
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

func (s *Runs) absent(parameter, id string) error {
	recent, err := s.runs.Newest(madeRuns, newest)
	if err != nil {
		return err
	}
	if recent == nil {
		recent = []string{}
	}
	id = publication.Start(id, 100)
	return near(toolset.Errorf(toolset.RunNotFound,
		"there is no run %q, or it is older than 12 hours; use one of newest_runs or search again", id).
		Argument(parameter, id, "the run_id of a search or a fusion").With("newest_runs", recent), id, recent)
}
