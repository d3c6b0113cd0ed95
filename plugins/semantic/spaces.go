package semantic

import (
	"context"
	"slices"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/patentquery"
	"github.com/sagasu-search/sagasu/sdk/x/state"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// Extensions of the files in the state directory.
const (
	modelExt   = ".model"
	vectorsExt = ".vectors"
)

// maker gives vectors: learned ones, or those of a service.
type maker interface {
	// encoder gets ready for a snapshot. Its files are kept in the store.
	encoder(ctx context.Context, snap *snapshot.Snapshot, files *state.Store) (encoder, error)
	close() error
}

// encoder makes the vectors of one space: they can be compared with each other.
type encoder interface {
	// id is the same for vectors that can be compared.
	id() string
	// segment returns those of the scope's texts of a segment's sections, by local id.
	segment(
		ctx context.Context, snap *snapshot.Snapshot, seg *snapshot.Segment, scope patentquery.Scope,
	) (*vector.Set, error)
	// query returns that of a query, or why it has none.
	query(ctx context.Context, text string) (v []float32, warning string, err error)
}

// space is what one snapshot is searched with.
type space struct {
	name string // of the snapshot and the scope
	encoder
	segments []string // keys of the vectors
	parts    []vector.Part
}

// spaces are those of the newest snapshots. One is made at a time.
type spaces struct {
	maker maker
	turn  chan []*space // holds the spaces while nobody uses them, oldest first
}

func newSpaces() spaces {
	s := spaces{turn: make(chan []*space, 1)}
	s.turn <- nil
	return s
}

// scopes are those that there are vectors for: of whole fields.
var scopes = []patentquery.Scope{patentquery.Wide, patentquery.TitleAbstClaims, patentquery.ClaimsOnly}

// mostSpaces is how many are kept: searches on the last snapshot may go on while
// the next is prepared.
const mostSpaces = 2 * 3

// get is the space of a snapshot and a scope, made if need be.
func (s *spaces) get(ctx context.Context, snap *snapshot.Snapshot, scope patentquery.Scope) (*space, error) {
	var held []*space
	select {
	case held = <-s.turn:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { s.turn <- held }()
	name := snap.Dir() + "/" + snap.Name() + within(scope)
	if i := slices.IndexFunc(held, func(sp *space) bool { return sp.name == name }); i >= 0 {
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

// prepare makes a space, with the vectors that others or the disk have already.
func (s *spaces) prepare(
	ctx context.Context, snap *snapshot.Snapshot, scope patentquery.Scope, name string, held []*space,
) (*space, error) {
	files, err := state.Open(sdk.StateDir(ctx), snap.Kind(), sdk.Logger(ctx))
	if err != nil {
		return nil, err
	}
	defer files.Close()
	sp := &space{name: name}
	if sp.encoder, err = s.maker.encoder(ctx, snap, files); err != nil {
		return nil, err
	}
	infos := snap.Manifest().Segments
	for i, seg := range snap.Segments() {
		key := state.SegmentKey(sp.id()+within(scope), infos[i])
		set := known(held, key)
		if set == nil {
			set = state.Load(files, key, vectorsExt, vector.Decode)
		}
		if set == nil || set.Len() != int(seg.Len()) {
			if set, err = sp.segment(ctx, snap, seg, scope); err != nil {
				return nil, err
			}
			files.Keep(key, vectorsExt, set)
		}
		sp.segments = append(sp.segments, key)
		sp.parts = append(sp.parts, vector.Part{Base: seg.Base(), Set: set})
	}
	files.Retire(vectorsExt, sp.keys(infos))
	return sp, nil
}

// keys are those of the vectors of segments in all scopes.
func (sp *space) keys(infos []snapshot.SegmentInfo) (keys []string) {
	for _, scope := range scopes {
		for _, info := range infos {
			keys = append(keys, state.SegmentKey(sp.id()+within(scope), info))
		}
	}
	return keys
}

// within tells scopes apart in keys.
func within(scope patentquery.Scope) string {
	if scope == patentquery.Wide {
		return ""
	}
	return " within " + string(scope)
}

// looksAt reports whether a field is one that a scope looks at.
func looksAt(scope patentquery.Scope, field string) bool {
	return scope == patentquery.Wide || slices.Contains(scope.Fields(), patentquery.Field(field))
}

// known finds the vectors of a segment in other spaces.
func known(held []*space, key string) *vector.Set {
	for _, sp := range held {
		if i := slices.Index(sp.segments, key); i >= 0 {
			return sp.parts[i].Set
		}
	}
	return nil
}

// close waits for who prepares a space and ends the maker.
func (s *spaces) close() error {
	s.turn <- (<-s.turn)[:0]
	return s.maker.close()
}
