// Package engine stands for an engine that holds a collection: a gatherer over a local index that ranks as plainly as
// most engines can, by the sum of the weights of the terms that a section holds.
package engine

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Engine is the gatherer. It may be told to misbehave.
type Engine struct {
	Snapshot   *snapshot.Snapshot
	Generation string                                            // "1" when empty
	Answered   int                                               // of 3 shards
	Before     func(context.Context, *sdk.GatherRequest) error   // runs first
	After      func(req *sdk.GatherRequest, found *sdk.Gathered) // changes what was found
}

var (
	_ sdk.Gatherer   = (*Engine)(nil)
	_ sdk.Configurer = (*Engine)(nil)
)

// New returns an engine that is to be configured.
func New() *Engine { return &Engine{Answered: 3} }

// Describe implements [sdk.Strategy].
func (*Engine) Describe() sdk.Description {
	return sdk.Description{
		Name: "engine", Version: "1", Stage: sdk.StageGather, Corpora: []snapshot.Kind{snapshot.KindManual},
		ConfigSchema: json.RawMessage(`{"type":"object","properties":{"url":{"type":"string"}}}`),
	}
}

// Configure implements [sdk.Configurer]: the path of the URL is an index directory.
func (e *Engine) Configure(_ context.Context, config json.RawMessage) error {
	var c struct{ URL string }
	if err := sdk.DecodeConfig(config, &c); err != nil {
		return err
	}
	at, err := url.Parse(c.URL)
	if err != nil {
		return err
	}
	if os.Getenv("COLLECTION_API_KEY") == "wrong" {
		return errors.New("the key of COLLECTION_API_KEY is refused")
	}
	name, err := snapshot.Current(at.Path, snapshot.KindManual)
	if err != nil {
		return fmt.Errorf("there is no collection at %s", c.URL)
	}
	e.Snapshot, err = snapshot.Open(at.Path, name, false)
	return err
}

// Close implements io.Closer.
func (e *Engine) Close() error {
	if e.Snapshot == nil {
		return nil
	}
	return e.Snapshot.Close()
}

// Search implements [sdk.Strategy].
func (*Engine) Search(context.Context, *sdk.Request) (*sdk.Result, error) {
	return &sdk.Result{Finished: true}, nil
}

// Gather implements [sdk.Gatherer].
func (e *Engine) Gather(ctx context.Context, req *sdk.GatherRequest) (*sdk.Gathered, error) {
	if e.Snapshot == nil {
		return nil, errors.New("it is not configured")
	}
	if e.Before != nil {
		if err := e.Before(ctx, req); err != nil {
			return nil, err
		}
	}
	snap := e.Snapshot
	scope := e.scope(req.Filter)
	scores := make([]float64, snap.Bound())
	out := &sdk.Gathered{
		Exact: true, Answered: e.Answered, Expected: 3, Generation: cmp.Or(e.Generation, "1"),
		Statistics: snapshot.Statistics{Sections: snap.Population(), DocFreqs: map[string]int{}},
	}
	for f := range snap.Fields() {
		out.Statistics.Lengths = append(out.Statistics.Lengths, snap.AvgLen(f))
	}
	for _, t := range req.Terms {
		df := snap.DocFreq(t.Text)
		out.Statistics.DocFreqs[t.Text] = df
		add(snap, t.Text, t.Weight*lexical.IDF(snap.Population(), df), scores)
	}
	var ids []uint32
	for it := scope.Iterator(); it.HasNext(); {
		if id := it.Next(); scores[id] > 0 || len(req.Terms) == 0 {
			ids = append(ids, id)
		}
	}
	if len(req.Terms) > 0 {
		slices.SortStableFunc(ids, func(a, b uint32) int { return cmp.Compare(scores[b], scores[a]) })
	} else {
		slices.SortFunc(ids, func(a, b uint32) int {
			x, _ := snap.Section(a)
			y, _ := snap.Section(b)
			return cmp.Or(cmp.Compare(x.Group, y.Group), cmp.Compare(x.Path, y.Path), cmp.Compare(x.Start, y.Start))
		})
	}
	if req.Sample {
		ids = spread(ids, req.Limit)
	}
	from, _ := strconv.Atoi(req.Cursor)
	from = min(from, len(ids))
	out.Total, ids = len(ids), ids[from:]
	if len(ids) > req.Limit {
		ids, out.Cursor = ids[:req.Limit], strconv.Itoa(from+req.Limit)
	}
	for _, id := range ids {
		out.Sections = append(out.Sections, e.row(id, scores[id]))
	}
	if e.After != nil {
		e.After(req, out)
	}
	return out, nil
}

// spread returns about so many ids at even distances.
func spread(ids []uint32, most int) (out []uint32) {
	for i := 0; i < len(ids); i += len(ids)/most + 1 {
		out = append(out, ids[i])
	}
	return out
}

// scope holds the sections that pass a filter.
func (e *Engine) scope(f sdk.GatherFilter) *roaring.Bitmap {
	out := e.Snapshot.Live().Clone()
	if len(f.Groups) > 0 {
		in := roaring.New()
		for _, group := range f.Groups {
			in.Or(e.Snapshot.Keyword("group:" + group))
		}
		out.And(in)
	}
	if f.Path == "" {
		return out
	}
	for _, id := range out.ToArray() {
		sec, _ := e.Snapshot.Section(id)
		if sec.Path != f.Path && !(strings.HasSuffix(f.Path, "/") && strings.HasPrefix(sec.Path, f.Path)) {
			out.Remove(id)
		}
	}
	return out
}

// add adds a weight to the sections that hold a term.
func add(snap *snapshot.Snapshot, term string, weight float64, scores []float64) {
	var p snapshot.Postings
	for _, seg := range snap.Segments() {
		for ok := seg.Postings(term, &p); ok && p.Next(); {
			for _, doc := range p.Docs {
				scores[seg.Base()+doc] += math.Max(weight, 0)
			}
		}
	}
}

// row is a section as it was indexed.
func (e *Engine) row(id uint32, score float64) sdk.GatheredSection {
	sec, _ := e.Snapshot.Section(id)
	out := sdk.GatheredSection{Key: strconv.Itoa(int(id)), Section: sec, Score: score}
	for f := range e.Snapshot.Fields() {
		out.Fields = append(out.Fields, e.Snapshot.Source(id, f))
	}
	return out
}
