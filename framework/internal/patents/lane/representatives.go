package lane

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// RegisterRequest names publications that stand for what is sought.
type RegisterRequest struct {
	Call
	PubIDs   []string `json:"pub_ids" required:"a list of one or more pub_ids" minItems:"1"`
	Category string   `json:"category" required:"A, B or C" enum:"A,B,C"`
	RunID    string   `json:"run_id" alias:"run_id_lane" filled:"" doc:"Only for the lineage of this run."`
}

// Registered is the answer to a RegisterRequest.
type Registered struct {
	Count    int      `json:"registered_count"`
	Category string   `json:"category"`
	Scope    string   `json:"scope" optional:"" enum:"workspace,lineage"`
	Unknown  []string `json:"unknown" doc:"Ids that the collection does not have."`
}

// Counters implements [toolset.Counter].
func (r *Registered) Counters() []any {
	return []any{"registered", r.Count, "unknown", len(r.Unknown)}
}

// note is one registration as it is kept. Later ones win.
type note struct {
	PubIDs   []string `json:"pub_ids"`
	Category string   `json:"category"`
}

// everywhere is the scope of the whole workspace.
const everywhere = "workspace"

// lineage returns the scope of fusions of the same lanes' runs.
func lineage(runs []string) string {
	distinct := slices.Compact(slices.Sorted(slices.Values(runs)))
	return "lineage-" + digest(distinct...)
}

// Register keeps representatives; every later fusion in their scope favours them.
func (e *Engine) Register(ctx context.Context, req RegisterRequest) (*Registered, error) {
	if len(req.PubIDs) == 0 || slices.Contains(req.PubIDs, "") {
		return nil, wrong("pub_ids", req.PubIDs, "a list of one or more pub_ids")
	}
	scope, out := everywhere, &Registered{Category: req.Category, Scope: everywhere, Unknown: []string{}}
	if req.RunID != "" {
		r, err := e.runs.get("run_id", req.RunID)
		if err != nil {
			return nil, err
		}
		scope, out.Scope = lineage(r.lanes()), "lineage"
	}
	known, err := e.known(ctx, req.PubIDs, out)
	if err != nil || len(known) == 0 {
		return out, err
	}
	out.Count = len(known)
	return out, e.runs.note(scope, note{known, req.Category}, e.now())
}

// known parts the ids that the collection has from the others.
func (e *Engine) known(ctx context.Context, ids []string, out *Registered) (known []string, err error) {
	distinct := slices.Compact(slices.Sorted(slices.Values(ids)))
	pubs, err := e.read(ctx, distinct)
	if err != nil {
		return nil, err
	}
	for i, p := range pubs {
		switch {
		case p == nil:
			out.Unknown = append(out.Unknown, distinct[i])
		case !slices.Contains(known, p.PubID): // runs name it as its record does
			known = append(known, p.PubID)
		}
	}
	return known, nil
}

// lanes returns the runs of lanes that a run goes back to.
func (r *Run) lanes() []string {
	if r.Fusion == nil {
		return []string{r.ID}
	}
	return runIDs(r.Fusion.Inputs)
}

// note keeps a registration. Its key begins with the time, so that keys in their
// order say which is later whatever a file system does to times.
func (s *Runs) note(scope string, n note, now time.Time) error {
	raw, err := json.Marshal(n)
	if err != nil {
		return fmt.Errorf("encode representatives: %w", err)
	}
	return s.notes.Put(scope, fmt.Sprintf("%016x-%s", now.UnixNano(), digest(string(raw))), raw)
}

// representatives returns those in force for fusions of lanes' runs: of the workspace,
// of each of the runs by itself, and of all together.
func (s *Runs) representatives(runs []string) (map[string]string, error) {
	scopes := []string{everywhere}
	for _, id := range runs {
		scopes = append(scopes, lineage([]string{id}))
	}
	scopes = append(scopes, lineage(runs))
	out := map[string]string{}
	for _, scope := range scopes {
		keys, err := s.notes.Newest(scope, maxNotes)
		if err != nil {
			return nil, err
		}
		slices.SortFunc(keys, strings.Compare)
		for _, key := range keys {
			var n note
			raw, err := s.notes.Get(scope, key)
			if err == nil {
				err = json.Unmarshal(raw, &n)
			}
			if err != nil {
				return nil, fmt.Errorf("read representatives: %w", err)
			}
			for _, id := range n.PubIDs {
				out[id] = n.Category
			}
		}
	}
	return out, nil
}
