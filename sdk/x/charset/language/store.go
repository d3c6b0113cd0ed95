package language

import (
	"encoding/binary"
	"errors"
	"maps"
	"slices"

	"github.com/sagasu-search/sagasu/sdk/x/guard"
)

// Append appends the encoded model to out.
func (m *Model) Append(out []byte) []byte {
	out = append(out, byte(len(m.Code)))
	out = append(out, m.Code...)
	out = appendRunes(out, slices.Sorted(maps.Keys(m.letters)))
	out = append(out, m.after...)
	for _, row := range m.capital {
		out = append(out, row[:]...)
	}
	costing := map[unit][]rune{}
	for r, u := range m.within {
		costing[u] = append(costing[u], r)
	}
	for u := range unit(mostUnits) + 1 {
		slices.Sort(costing[u])
		out = appendRunes(out, costing[u])
	}
	return out
}

// Read decodes models that were appended one after another.
func Read(in []byte) (models []*Model, err error) {
	if err := guard.Call(func() error { models = read(in); return nil }); err != nil {
		return nil, errors.New("the models of languages are damaged")
	}
	return models, nil
}

// read is like Read, but panics if the bytes are damaged.
func read(in []byte) (models []*Model) {
	for len(in) > 0 {
		n := int(in[0])
		m := &Model{Code: string(in[1 : 1+n]), letters: map[rune]class{}, within: map[rune]unit{}}
		var runes []rune
		runes, in = readRunes(in[1+n:])
		for i, r := range runes {
			m.letters[r] = firstLetter + class(i)
		}
		m.width = int(firstLetter) + len(runes)
		m.after, in = in[:m.width*m.width], in[m.width*m.width:]
		for i := range m.capital {
			in = in[copy(m.capital[i][:], in):]
		}
		for u := range unit(mostUnits) + 1 {
			runes, in = readRunes(in)
			for _, r := range runes {
				m.within[r] = u
			}
		}
		models = append(models, m)
	}
	return models
}

// appendRunes appends sorted characters.
func appendRunes(out []byte, runes []rune) []byte {
	out = binary.AppendUvarint(out, uint64(len(runes)))
	before := rune(0)
	for _, r := range runes {
		out = binary.AppendUvarint(out, uint64(r-before))
		before = r
	}
	return out
}

func readRunes(in []byte) (runes []rune, rest []byte) {
	next := func() rune {
		v, n := binary.Uvarint(in)
		in = in[n:]
		return rune(v)
	}
	n, r := next(), rune(0)
	for range n {
		r += next()
		runes = append(runes, r)
	}
	return runes, in
}
