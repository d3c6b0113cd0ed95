package main

import (
	"context"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// posting is a section that contains a morpheme.
type posting struct {
	Local uint32 // section number within the segment
	Count uint32 // number of occurrences, at least 1
}

// part is the index of one segment.
type part struct {
	Lengths []uint32             // morphemes by section
	Terms   map[string][]posting // sections ascending
}

// analyse indexes heading path and own text of the sections of a segment.
func (a *analyser) analyse(ctx context.Context, snap *snapshot.Snapshot, segment *snapshot.Segment) (*part, error) {
	p := &part{Lengths: make([]uint32, segment.Len()), Terms: map[string][]posting{}}
	for local := range segment.Len() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for field := range snap.Fields() {
			for _, term := range a.morphemes(snap.Normalized(segment.Base()+local, field)) {
				p.add(term, local)
			}
		}
	}
	return p, nil
}

// add counts a morpheme of the section local. Sections must be added in ascending order.
func (p *part) add(term string, local uint32) {
	p.Lengths[local]++
	list := p.Terms[term]
	if n := len(list); n > 0 && list[n-1].Local == local {
		list[n-1].Count++
		return
	}
	// A term may point into mapped memory, and assigning to a map may keep the new key.
	p.Terms[strings.Clone(term)] = append(list, posting{local, 1})
}
