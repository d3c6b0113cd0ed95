package snapshot

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"hash/maphash"
	"runtime"
	"slices"

	"github.com/blevesearch/vellum"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// vocabulary combines the terms of all batches.
type vocabulary struct {
	terms *interner
	order []uint32 // term ids in the order of the terms
	// The occurrences of term t in batches are [starts[t], starts[t+1]), in the order of the batches.
	starts      []uint32
	occurrences []occurrence
}

// occurrence is a term's number in a batch.
type occurrence struct{ batch, term uint32 }

func newVocabulary(seed maphash.Seed, batches []*batch) *vocabulary {
	v := &vocabulary{terms: newInterner(seed)}
	var ids []uint32
	for _, b := range batches {
		for local, hash := range b.terms.hashes {
			ids = append(ids, v.terms.hashed(viewString(b.terms.at(uint32(local))), hash))
		}
	}
	v.group(ids, batches)
	v.sort()
	return v
}

// group sets the occurrences; ids are the terms of the batches in turn.
func (v *vocabulary) group(ids []uint32, batches []*batch) {
	v.starts = make([]uint32, v.terms.len()+1)
	for _, id := range ids {
		v.starts[id+1]++
	}
	for id := range v.terms.len() {
		v.starts[id+1] += v.starts[id]
	}
	next := slices.Clone(v.starts)
	v.occurrences = make([]occurrence, len(ids))
	for i, b := range batches {
		for local := range b.terms.len() {
			id := ids[local]
			v.occurrences[next[id]] = occurrence{uint32(i), uint32(local)}
			next[id]++
		}
		ids = ids[b.terms.len():]
	}
}

// sort orders the terms by their bytes. The first eight bytes decide most comparisons without access to the arena.
func (v *vocabulary) sort() {
	type key struct {
		start uint64
		id    uint32
	}
	keys := make([]key, v.terms.len())
	for id := range keys {
		var start [8]byte
		copy(start[:], v.terms.at(uint32(id)))
		keys[id] = key{binary.BigEndian.Uint64(start[:]), uint32(id)}
	}
	slices.SortFunc(keys, func(a, b key) int {
		if c := cmp.Compare(a.start, b.start); c != 0 {
			return c
		}
		return bytes.Compare(v.terms.at(a.id), v.terms.at(b.id))
	})
	v.order = make([]uint32, len(keys))
	for i, k := range keys {
		v.order[i] = k.id
	}
}

// postings encodes all lists in the order of the terms, and their offsets, on GOMAXPROCS goroutines.
func (v *vocabulary) postings(batches []*batch, fields int) (lists []byte, offsets []uint64, err error) {
	offsets = make([]uint64, len(v.order))
	runs := v.runs(runtime.GOMAXPROCS(0))
	encoded := make([][]byte, len(runs))
	err = errors.Join(guard.Each(len(runs), func(i int) error {
		from, to := runs[i][0], runs[i][1]
		encoded[i] = v.encode(v.order[from:to], offsets[from:to], batches, fields)
		return nil
	})...)
	for i, r := range runs {
		for at := r[0]; at < r[1]; at++ {
			offsets[at] += uint64(len(lists))
		}
		lists = append(lists, encoded[i]...)
	}
	return append(lists, make([]byte, slack)...), offsets, err
}

// runs splits the order of the terms into n runs with about the same number of occurrences.
func (v *vocabulary) runs(n int) [][2]int {
	var out [][2]int
	from, seen := 0, 0
	for i, id := range v.order {
		seen += int(v.starts[id+1] - v.starts[id])
		if last := i+1 == len(v.order); last || seen >= (len(out)+1)*len(v.occurrences)/n {
			out = append(out, [2]int{from, i + 1})
			from = i + 1
		}
	}
	return out
}

// encode encodes the lists of terms; offsets count from the first of them.
func (v *vocabulary) encode(terms []uint32, offsets []uint64, batches []*batch, fields int) (lists []byte) {
	e := newListEncoder(fields)
	for i, id := range terms {
		for _, o := range v.occurrences[v.starts[id]:v.starts[id+1]] {
			b := batches[o.batch]
			from, to := int(b.starts[o.term]), int(b.starts[o.term+1])
			e.add(b.docs[from:to], b.freqs[from*b.fields:to*b.fields])
		}
		offsets[i] = uint64(len(lists))
		lists = e.appendList(lists)
	}
	return lists
}

// dictionary builds the FST from the terms to their offsets.
func (v *vocabulary) dictionary(offsets []uint64) ([]byte, error) {
	return buildFST(len(offsets), func(i int) ([]byte, uint64) {
		return v.terms.at(v.order[i]), offsets[i]
	})
}

// buildFST builds an FST of n entries in the order of their keys.
func buildFST(n int, at func(i int) ([]byte, uint64)) ([]byte, error) {
	var out bytes.Buffer
	b, err := vellum.New(&out, nil)
	if err != nil {
		return nil, err
	}
	for i := range n {
		key, value := at(i)
		if err := b.Insert(key, value); err != nil {
			return nil, err
		}
	}
	if err := b.Close(); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
