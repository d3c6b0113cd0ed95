package lane

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/store"
)

// defaultTopic is the topic of those who name none.
const defaultTopic = "default"

// Whose says whose representatives are meant: of the lineage of a run or of a topic, never both.
type Whose struct {
	RunID string `json:"run_id" alias:"run_id_lane" filled:"" doc:"The lineage of this run: every fusion of its lanes."`
	Topic string `json:"topic" filled:"" maxLength:"200" doc:"A topic of the workspace; when neither is given, default, and in a list all. Fusions name the topic that they use."`
}

// RegisterRequest names publications that represent what is sought.
type RegisterRequest struct {
	Call
	PubIDs   []string `json:"pub_ids" alias:"ids" required:"a list of one or more pub_ids" minItems:"1"`
	Category string   `json:"category" required:"A, B or C" enum:"A,B,C" doc:"How much they stand for what is sought: A most, C least."`
	Whose
}

// Registered is the answer to a RegisterRequest.
type Registered struct {
	Traced
	Count    int    `json:"registered_count"`
	Category string `json:"category"`
	Set
	Unknown []string `json:"unknown" doc:"Ids that the collection does not have."`
}

// Counters implements [toolset.Counter].
func (r *Registered) Counters() []any {
	return []any{"registered", r.Count, "unknown", len(r.Unknown)}
}

// RemoveRequest names representatives to remove.
type RemoveRequest struct {
	Call
	PubIDs []string `json:"pub_ids" alias:"ids" doc:"Which, in any writing of their numbers."`
	All    bool     `json:"all" doc:"Instead of pub_ids: all of the topic or the lineage."`
	Whose
}

// Removed is the answer to a RemoveRequest.
type Removed struct {
	Traced
	Count int `json:"removed_count"`
	Set
	Unknown []string `json:"unknown" doc:"Ids that were not registered there."`
}

// Counters implements [toolset.Counter].
func (r *Removed) Counters() []any { return []any{"removed", r.Count, "unknown", len(r.Unknown)} }

// ListRequest asks for representatives: of one run or topic, or of all.
type ListRequest struct {
	Call
	Whose
}

// Representatives are the registered representatives, set by set.
type Representatives struct {
	Traced
	Representatives []Representative `json:"representatives"`
}

// Counters implements [toolset.Counter].
func (r *Representatives) Counters() []any { return []any{"items", len(r.Representatives)} }

// Representative is a publication with its category, and whose it is.
type Representative struct {
	PubID    string `json:"pub_id"`
	Category string `json:"category"`
	Set
}

// Set is a set of representatives.
type Set struct {
	Scope string   `json:"scope" enum:"topic,lineage"`
	Topic string   `json:"topic,omitempty"`
	Runs  []string `json:"runs,omitempty" doc:"Of a lineage: the runs of its lanes."`
}

func topicSet(topic string) Set { return Set{Scope: "topic", Topic: topic} }

// lineageSet returns the set for fusions of the same lanes' runs.
func lineageSet(runs []string) Set {
	return Set{Scope: "lineage", Runs: slices.Compact(slices.Sorted(slices.Values(runs)))}
}

// key names the set where it is kept.
func (s Set) key() string { return s.Scope + "-" + digest(append(slices.Clone(s.Runs), s.Topic)...) }

// set returns the one set that a caller means.
func (e *Engine) set(ctx context.Context, w Whose) (Set, error) {
	if w.RunID == "" {
		return topicSet(cmp.Or(w.Topic, defaultTopic)), nil
	}
	if w.Topic != "" {
		return Set{}, wrong("topic", w.Topic, "left out when run_id is given: representatives belong to one of both")
	}
	r, err := e.runs.get(ctx, "run_id", w.RunID)
	if err != nil {
		return Set{}, err
	}
	return lineageSet(r.lanes()), nil
}

// note is one registration as it is kept. Later ones win; one without category takes away.
type note struct {
	PubIDs   []string `json:"pub_ids"`
	Category string   `json:"category"`
}

// Register keeps representatives; later fusions of their lineage or topic favour them.
func (e *Engine) Register(ctx context.Context, req RegisterRequest) (*Registered, error) {
	if len(req.PubIDs) == 0 || slices.Contains(req.PubIDs, "") {
		return nil, wrong("pub_ids", req.PubIDs, "a list of one or more pub_ids")
	}
	set, err := e.set(ctx, req.Whose)
	if err != nil {
		return nil, err
	}
	out := &Registered{Category: req.Category, Set: set, Unknown: []string{}}
	known, err := e.known(ctx, req.PubIDs, out)
	if err != nil || len(known) == 0 {
		return out, err
	}
	out.Count = len(known)
	return out, e.runs.note(ctx, set, note{known, req.Category}, e.now())
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

// Remove takes representatives out of a lineage or a topic. Runs that were fused with them stay.
func (e *Engine) Remove(ctx context.Context, req RemoveRequest) (*Removed, error) {
	if req.All == (len(req.PubIDs) > 0) {
		return nil, wrong("pub_ids", req.PubIDs, "a list of one or more pub_ids, or left out for all: true")
	}
	set, err := e.set(ctx, req.Whose)
	if err != nil {
		return nil, err
	}
	registered, err := e.runs.representatives(ctx, set)
	if err != nil {
		return nil, err
	}
	out := &Removed{Set: set, Unknown: []string{}}
	var gone []string
	byNumber := map[string]string{}
	for id := range registered {
		byNumber[publication.NumberOf(id)] = id
		if req.All {
			gone = append(gone, id)
		}
	}
	for _, asked := range req.PubIDs {
		id, ok := byNumber[publication.NumberOf(asked)]
		if !ok { // nor by a number that is written in part
			pubs, err := e.read(ctx, []string{asked})
			if err != nil {
				return nil, err
			}
			if pubs[0] != nil {
				id, ok = byNumber[publication.NumberOf(pubs[0].PubID)]
			}
		}
		if !ok {
			out.Unknown = append(out.Unknown, asked)
		} else if !slices.Contains(gone, id) {
			gone = append(gone, id)
		}
	}
	if out.Count = len(gone); out.Count == 0 {
		return out, nil
	}
	slices.Sort(gone)
	return out, e.runs.note(ctx, set, note{PubIDs: gone}, e.now())
}

// List returns the representatives of a topic, those in force for a run's lineage, or all.
func (e *Engine) List(ctx context.Context, req ListRequest) (*Representatives, error) {
	sets, err := e.listed(ctx, req.Whose)
	if err != nil {
		return nil, err
	}
	out := &Representatives{Representatives: []Representative{}}
	for _, set := range sets {
		of, err := e.runs.representatives(ctx, set)
		if err != nil {
			return nil, err
		}
		at := len(out.Representatives)
		for id, category := range of {
			out.Representatives = append(out.Representatives, Representative{id, category, set})
		}
		slices.SortFunc(out.Representatives[at:], func(a, b Representative) int {
			return cmp.Or(strings.Compare(a.Category, b.Category), strings.Compare(a.PubID, b.PubID))
		})
	}
	return out, nil
}

// listed returns the sets that a list shows.
func (e *Engine) listed(ctx context.Context, w Whose) ([]Set, error) {
	if w == (Whose{}) {
		return e.runs.sets(ctx)
	}
	set, err := e.set(ctx, w)
	if len(set.Runs) > 0 {
		return lineageSets(set.Runs), err
	}
	return []Set{set}, err
}

// lineageSets returns the sets of each run by itself, and of all runs together.
func lineageSets(runs []string) (sets []Set) {
	all := lineageSet(runs)
	for _, id := range all.Runs {
		sets = append(sets, lineageSet([]string{id}))
	}
	if len(sets) == 1 {
		return sets
	}
	return append(sets, all)
}

// lanes returns the runs of lanes that a run goes back to.
func (r *Run) lanes() []string {
	if r.Fusion == nil {
		return []string{r.ID}
	}
	return runIDs(r.Fusion.Inputs)
}

// knownSets is the name under which the list of non-empty sets is stored.
const knownSets = "sets"

// note keeps a registration. Its key begins with the time, so that keys in their
// order say which is later whatever a file system does to times.
func (s *Runs) note(ctx context.Context, set Set, n note, now time.Time) error {
	raw, _ := json.Marshal(n) // texts, as is the set
	name, _ := json.Marshal(set)
	err := s.notes.Put(ctx, set.key(), fmt.Sprintf("%016x-%s", now.UnixNano(), digest(string(raw))), raw)
	if err == nil {
		err = s.notes.Put(ctx, knownSets, set.key(), name)
	}
	if err != nil {
		return stranded("representatives cannot be kept", s.notes, err)
	}
	return nil
}

// sets returns all that have, or had, representatives: topics before lineages.
func (s *Runs) sets(ctx context.Context) (sets []Set, err error) {
	kept, err := s.notes.Newest(ctx, knownSets, maxNotes)
	if err != nil {
		return nil, stranded("representatives cannot be read", s.notes, err)
	}
	for _, e := range kept {
		var set Set
		if err := json.Unmarshal(e.Value, &set); err != nil {
			return nil, fmt.Errorf("read representatives: %w", err)
		}
		sets = append(sets, set)
	}
	slices.SortFunc(sets, func(a, b Set) int {
		return cmp.Or(strings.Compare(b.Scope, a.Scope), strings.Compare(a.Topic, b.Topic),
			slices.Compare(a.Runs, b.Runs))
	})
	return sets, nil
}

// representatives returns the categories of a set's publications.
func (s *Runs) representatives(ctx context.Context, set Set) (map[string]string, error) {
	kept, err := s.notes.Newest(ctx, set.key(), maxNotes)
	if err != nil {
		return nil, stranded("representatives cannot be read", s.notes, err)
	}
	slices.SortFunc(kept, func(a, b store.Entry) int { return strings.Compare(a.Key, b.Key) })
	out := map[string]string{}
	for _, e := range kept {
		var n note
		if err := json.Unmarshal(e.Value, &n); err != nil {
			return nil, fmt.Errorf("read representatives: %w", err)
		}
		for _, id := range n.PubIDs {
			if out[id] = n.Category; n.Category == "" {
				delete(out, id)
			}
		}
	}
	return out, nil
}

// inForce returns the representatives of a topic, and those of each of some runs by itself and of all
// together; the later of the latter counts.
func (s *Runs) inForce(ctx context.Context, topic string, runs []string) (
	ofTopic, ofLineage map[string]string, err error,
) {
	if ofTopic, err = s.representatives(ctx, topicSet(topic)); err != nil {
		return nil, nil, err
	}
	ofLineage = map[string]string{}
	for _, set := range lineageSets(runs) {
		of, err := s.representatives(ctx, set)
		if err != nil {
			return nil, nil, err
		}
		maps.Copy(ofLineage, of)
	}
	return ofTopic, ofLineage, nil
}

// Used says which representatives raised publications of a fusion.
type Used struct {
	Topic     string `json:"topic"`
	OfTopic   int    `json:"of_topic"`
	OfLineage int    `json:"of_lineage"` // one of both counts here
}
