package embedding

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/state"
	"github.com/sagasu-search/sagasu/sdk/x/vector"
)

// mostStored is the maximum number of bytes of a section's vectors that a collection keeps. A search reads those of
// 1,000 sections in one message.
const mostStored = 16 << 10

// storedName returns the name of the stored field for vectors of a space.
func storedName(space string) string {
	return snapshot.StoredField + "vectors " + state.Key(fmt.Sprintf("%d %s", mostStored, space))
}

// reportEvery is how often the progress of vectors is reported.
const reportEvery = 200 * time.Millisecond

// stored computes the vectors of all sections of a corpus, to be kept in a collection. See [sdk.Entry.Stored].
func stored(
	ctx context.Context, config json.RawMessage, corpus *snapshot.Snapshot, progress func(done, total int),
) (out sdk.StoredField, err error) {
	s := New()
	defer func() { err = errors.Join(err, s.Close()) }()
	if err := s.Configure(ctx, config); err != nil {
		return out, err
	}
	b := s.building(ctx, corpus)
	tick := time.NewTicker(reportEvery)
	defer tick.Stop()
	for made := false; !made; {
		select {
		case <-tick.C:
		case <-b.done:
			made = true
		case <-ctx.Done():
			return out, ctx.Err()
		}
		parts, _, _ := b.view()
		progress(int(bound(parts)), int(corpus.Bound()))
	}
	parts, _, err := b.view()
	if err != nil {
		return out, errors.New("vectors for the collection: " + s.model.Reason(err))
	}
	space, err := s.space()
	if err != nil {
		return out, err
	}
	return sdk.StoredField{Name: storedName(space), Text: func(section uint32) string {
		at := slices.IndexFunc(parts, func(p vector.Part) bool { return section-p.Base < uint32(p.Sections()) })
		var data bytes.Buffer
		_, _ = parts[at].Section(section-parts[at].Base, mostStored).WriteTo(&data) // writing to memory does not fail
		return base64.StdEncoding.EncodeToString(data.Bytes())
	}}, nil
}

// space identifies a set of vectors that are comparable.
func (s *Strategy) space() (string, error) {
	p, err := s.model.Queries()
	if err != nil {
		return "", err
	}
	return p.ID() + " " + s.form(), nil
}

// errNotStored means that gathered sections have no vectors from the model.
var errNotStored = errors.New("the collection holds no vectors of this model: upload it with the same settings")

// gathered returns the vectors of gathered sections, as kept in the collection.
func (s *Strategy) gathered(snap *snapshot.Snapshot) ([]vector.Part, error) {
	space, err := s.space()
	if err != nil {
		return nil, err
	}
	field := slices.Index(snap.Fields(), storedName(space))
	if field < 0 {
		return nil, errNotStored
	}
	var parts []vector.Part
	for id := range snap.Bound() {
		data, _ := base64.StdEncoding.DecodeString(snap.Source(id, field)) // decoding the part reports truncated data
		p, err := vector.DecodePart(data)
		if err == nil && p.Sections() != 1 {
			err = vector.ErrDamaged
		}
		if err != nil {
			return nil, fmt.Errorf("vectors of the collection: %w", err)
		}
		parts = append(parts, *p)
	}
	return []vector.Part{vector.Join(parts)}, nil
}
