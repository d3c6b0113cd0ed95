package semantic

import (
	"context"
	"slices"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
	"github.com/sagasu-search/sagasu/sdk/x/space"
	"github.com/sagasu-search/sagasu/sdk/x/state"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// modelExt is the extension of models in the state directory.
const modelExt = ".model"

// maker provides encoders, with a learned model or a service.
type maker interface {
	// encoder returns the encoder for a snapshot. It keeps its files in the store.
	encoder(ctx context.Context, snap *snapshot.Snapshot, files *state.Store) (encoder, error)
	close() error
}

// encoder computes the vectors of one model. Vectors of the same scope are comparable.
type encoder interface {
	// within returns the encoder for the texts of a scope.
	within(scope patentquery.Scope) space.Encoder
	// query returns the vector of a query, or why there is none.
	query(ctx context.Context, text string) (v []float32, warning string, err error)
}

// prepared contains the vectors for searching one snapshot.
type prepared struct {
	name string // of the snapshot and the scope
	encoder
	segments []space.Segment
}

// spaces contains the vector spaces of the newest snapshots. It prepares one at a time.
type spaces struct {
	maker maker
	turn  chan []*prepared // contains the spaces while nobody uses them, oldest first
}

// scopes are the scopes that have vectors: those of whole fields.
var scopes = []patentquery.Scope{patentquery.Wide, patentquery.TitleAbstClaims, patentquery.ClaimsOnly}

// mostSpaces is the maximum number of spaces that are kept. Searches on the current snapshot may continue while the
// next is prepared.
const mostSpaces = 2 * 3

// get returns the space of a snapshot and a scope, and prepares it if necessary.
func (s *spaces) get(ctx context.Context, snap *snapshot.Snapshot, scope patentquery.Scope) (*prepared, error) {
	var held []*prepared
	select {
	case held = <-s.turn:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { s.turn <- held }()
	name := snap.Dir() + "/" + snap.Name() + within(scope)
	if i := slices.IndexFunc(held, func(sp *prepared) bool { return sp.name == name }); i >= 0 {
		return held[i], nil
	}
	sp, err := s.prepare(ctx, snap, scope, name, held)
	if err != nil {
		return nil, err
	}
	held = append(held, sp)
	held = held[max(0, len(held)-mostSpaces):]
	return sp, nil
}

// prepare prepares a space. It reuses vectors from other spaces and from disk.
func (s *spaces) prepare(
	ctx context.Context, snap *snapshot.Snapshot, scope patentquery.Scope, name string, held []*prepared,
) (*prepared, error) {
	files, err := state.Open(sdk.StateDir(ctx), snap.Kind(), sdk.Logger(ctx))
	if err != nil {
		return nil, err
	}
	defer files.Close()
	sp := &prepared{name: name}
	if sp.encoder, err = s.maker.encoder(ctx, snap, files); err != nil {
		return nil, err
	}
	var known []space.Segment
	for _, other := range held {
		known = append(known, other.segments...)
	}
	sp.segments, err = space.Segments(ctx, snap, files, sp.within(scope), known, func(vector.Part) {})
	if err != nil {
		return nil, err
	}
	var keys []string
	for _, scope := range scopes {
		keys = append(keys, space.Keys(snap, sp.within(scope).ID())...)
	}
	files.Retire(space.Ext, keys)
	return sp, nil
}

// within returns a part of a key that distinguishes scopes.
func within(scope patentquery.Scope) string {
	if scope == patentquery.Wide {
		return ""
	}
	return " within " + string(scope)
}

func looksAt(scope patentquery.Scope, field string) bool {
	return scope == patentquery.Wide || slices.Contains(scope.Fields(), patentquery.Field(field))
}

// close waits until no space is being prepared, and closes the maker.
func (s *spaces) close() error {
	s.turn <- (<-s.turn)[:0]
	return s.maker.close()
}
