package main

import (
	"context"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// posting is a section that holds a morpheme.
type posting struct {
	Local uint32 // the section, counted from the segment's first
	Count uint32 // how often, at least 1
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

// add counts a morpheme of the section local, which no later one follows.
func (p *part) add(term string, local uint32) {
	p.Lengths[local]++
	list := p.Terms[term]
	if n := len(list); n > 0 && list[n-1].Local == local {
		list[n-1].Count++
		return
	}
	// A term may be a piece of mapped memory, and a map takes the key of every assignment.
	p.Terms[strings.Clone(term)] = append(list, posting{local, 1})
}
