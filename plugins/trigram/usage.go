package trigram

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/state"
)

// usage is the number of sections that contain each trigram, among a sample of a snapshot's sections.
type usage struct {
	of       string // the snapshot
	sections int
	parts    []*sample // for each of its segments
	held     state.Parts[sample]
}

// holders returns the number of sampled sections that contain a trigram.
func (u *usage) holders(g gram) (n int) {
	for _, p := range u.parts {
		if at, ok := slices.BinarySearch(p.grams, g); ok {
			n += int(p.holders[at])
		}
	}
	return n
}

func (u *usage) idfs(grams []gram) []float64 {
	out := make([]float64, len(grams))
	for i, g := range grams {
		out[i] = idf(float64(u.holders(g)), float64(u.sections))
	}
	return out
}

// sample is the number of sections that contain each trigram, among some sections of a segment.
type sample struct {
	sections int
	grams    []gram // ascending
	holders  []uint16
}

// usageOf returns the usage in a snapshot, from a sample at a fixed step of section ids. Gathered sections are no
// sample, since the trigrams of the query are common among them. For these it reads the sample beside them.
func (s *Strategy) usageOf(ctx context.Context, snap *snapshot.Snapshot) (*usage, error) {
	s.mu.Lock()
	last, id := s.usage[snap.Kind()], filepath.Join(snap.Dir(), cmp.Or(snap.Manifest().Sample, snap.Name()))
	s.mu.Unlock()
	if last != nil && last.of == id {
		return last, nil
	}
	var held state.Parts[sample]
	if last != nil {
		held = last.held
	}
	if beside := snap.Manifest().Sample; beside != "" {
		sample, err := snapshot.Open(snap.Dir(), beside, false)
		if err != nil {
			return nil, err
		}
		defer sample.Close()
		snap = sample
	}
	step := snap.Bound()/sampled + 1
	first := func(seg *snapshot.Segment) uint32 { return (step - seg.Base()%step) % step }
	c := state.Computation[sample]{
		Ext:     ".trigrams",
		Of:      func(seg *snapshot.Segment) string { return fmt.Sprintf("trigrams 1 %d %d", first(seg), step) },
		Compute: func(seg *snapshot.Segment) (*sample, error) { return sampleOf(seg, first(seg), step), nil },
		Encode:  (*sample).encode,
		Decode:  func(_ *snapshot.Segment, data []byte) (*sample, error) { return decode(data) },
	}
	u := &usage{of: id}
	var err error
	if u.parts, u.held, err = c.Segments(sdk.StateDir(ctx), sdk.Logger(ctx), snap, held); err != nil {
		return nil, err
	}
	for _, p := range u.parts {
		u.sections += p.sections
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.usage[snap.Kind()] = u
	return u, nil
}

// sampleOf reads every step-th section of a segment, starting with first.
func sampleOf(seg *snapshot.Segment, first, step uint32) *sample {
	out := &sample{}
	type count struct {
		holders uint16
		latest  uint32 // number of the latest of them, from 1
	}
	counts := map[gram]count{}
	for id := uint64(first); id < uint64(seg.Len()); id += uint64(step) {
		out.sections++
		hold := func(g gram) {
			if c := counts[g]; c.latest != uint32(out.sections) {
				counts[g] = count{c.holders + 1, uint32(out.sections)}
			}
		}
		each(seg.Normalized(uint32(id), snapshot.FieldHeading), hold)
		each(beginning(seg.Normalized(uint32(id), snapshot.FieldBody)), hold)
	}
	out.grams = slices.Sorted(maps.Keys(counts))
	out.holders = make([]uint16, len(out.grams))
	for i, g := range out.grams {
		out.holders[i] = counts[g].holders
	}
	return out
}

// encode returns the numbers of sections and of trigrams, and for each trigram its difference from the previous one and
// its number of sections.
func (p *sample) encode() ([]byte, error) {
	out := binary.AppendUvarint(nil, uint64(p.sections))
	out = binary.AppendUvarint(out, uint64(len(p.grams)))
	last := gram(0)
	for i, g := range p.grams {
		out = binary.AppendUvarint(out, uint64(g-last))
		out = binary.AppendUvarint(out, uint64(p.holders[i]))
		last = g
	}
	return out, nil
}

var errDamaged = errors.New("it is not what was written")

// decode decodes the result of encode.
func decode(data []byte) (*sample, error) {
	var failed bool
	next := func() uint64 {
		n, size := binary.Uvarint(data)
		if size <= 0 {
			failed, size = true, 0
		}
		data = data[size:]
		return n
	}
	p := &sample{sections: int(next())}
	n := next()
	if n > uint64(len(data)) {
		return nil, errDamaged
	}
	p.grams, p.holders = make([]gram, n), make([]uint16, n)
	last := gram(0)
	for i := range p.grams {
		last += gram(next())
		p.grams[i], p.holders[i] = last, uint16(next())
	}
	if failed || len(data) > 0 || !slices.IsSortedFunc(p.grams, cmp.Compare[gram]) {
		return nil, errDamaged
	}
	return p, nil
}
