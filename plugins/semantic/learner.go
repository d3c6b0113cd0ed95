package semantic

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/lsa"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
	"github.com/sagasu-search/sagasu/sdk/x/space"
	"github.com/sagasu-search/sagasu/sdk/x/state"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// learner learns vectors from the collection.
type learner struct{ config Config }

func (l learner) close() error { return nil }

// encoder implements maker. It uses the stored model, unless the collection has outgrown it.
func (l learner) encoder(ctx context.Context, snap *snapshot.Snapshot, files *state.Store) (encoder, error) {
	weights := l.config.weights(snap.Fields())
	key := state.Key(fmt.Sprint("lsa 1 ", snap.Dir(), snap.Fields(), weights, l.config.Dimensions))
	m := state.Load(files, key, modelExt, lsa.Decode)
	if m != nil && !l.outgrown(m, int(snap.Live().GetCardinality())) {
		return learned{m, m.ID(), weights}, nil
	}
	began := time.Now()
	m, err := lsa.Learn(ctx, snap, lsa.Params{Dim: l.config.Dimensions, Fields: weights})
	if errors.Is(err, lsa.ErrTooSmall) {
		return unlearned{}, nil
	}
	if err != nil {
		return nil, err
	}
	sdk.Logger(ctx).Info("learned from the collection",
		"sections", m.Docs, "terms", m.Terms(), "dimensions", m.Dim, "elapsed_ms", time.Since(began).Milliseconds())
	files.Keep(key, modelExt, bytes.NewReader(m.Encode()))
	return learned{m, m.ID(), weights}, nil
}

// outgrown reports whether this number of sections requires a new model.
func (l learner) outgrown(m *lsa.Model, sections int) bool {
	then, now := float64(m.Docs), float64(sections)
	return now > then*l.config.Growth || now*l.config.Growth < then
}

// learned implements encoder with a model.
type learned struct {
	model   *lsa.Model
	name    string
	weights []float64
}

// within implements encoder.
func (l learned) within(scope patentquery.Scope) space.Encoder { return folded{l, scope} }

// folded computes the vectors of a scope with a learned model.
type folded struct {
	learned
	scope patentquery.Scope
}

// ID implements [space.Encoder].
func (f folded) ID() string { return "lsa " + f.name + within(f.scope) }

// Segment implements [space.Encoder].
func (f folded) Segment(
	ctx context.Context, snap *snapshot.Snapshot, seg *snapshot.Segment, _ func(vector.Part),
) (vector.Part, error) {
	weights := slices.Clone(f.weights)
	for i, field := range snap.Fields() {
		if !looksAt(f.scope, field) {
			weights[i] = 0
		}
	}
	set, err := f.model.Fold(ctx, snap, seg, weights)
	return vector.Part{Set: set}, err
}

// noTerms is the warning for a query without a term in the model, see [lsa.Params].
const noTerms = "semantic: each word of the query stands in fewer than three texts or in more than half of them, " +
	"which tells nothing of a text; describe the matter in a sentence with more particular words"

func (l learned) query(_ context.Context, text string) ([]float32, string, error) {
	v, _ := l.model.Vector(text)
	return v, noTerms, nil
}

// unlearned implements encoder and [space.Encoder] if there was too little to learn from.
type unlearned struct{}

func (unlearned) within(patentquery.Scope) space.Encoder { return unlearned{} }

// ID implements [space.Encoder].
func (unlearned) ID() string { return "none" }

// Segment implements [space.Encoder].
func (unlearned) Segment(
	_ context.Context, _ *snapshot.Snapshot, seg *snapshot.Segment, _ func(vector.Part),
) (vector.Part, error) {
	return vector.Part{Set: vector.NewSet(0, int(seg.Len()))}, nil
}

func (unlearned) query(context.Context, string) ([]float32, string, error) {
	return nil, "semantic: " + lsa.ErrTooSmall.Error(), nil
}
