package static

import (
	"encoding/base64"
	"encoding/binary"
	"maps"
	"slices"
)

// charsmap returns the map of a Precompiled normalizer: a double array in which every node has its own block of 256
// units.
func charsmap(keys map[string]string) string {
	type node struct {
		children map[byte]*node
		value    int // offset of the replacement, or -1
	}
	root, texts := &node{children: map[byte]*node{}, value: -1}, ""
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		at := root
		for _, b := range []byte(key) {
			if at.children[b] == nil {
				at.children[b] = &node{children: map[byte]*node{}, value: -1}
			}
			at = at.children[b]
		}
		at.value = len(texts)
		texts += keys[key] + "\x00"
	}
	units := make([]uint32, 512)
	var fill func(n *node, at uint32)
	// The children of the unit at are at at ^ offset ^ label, and its value is at at ^ offset.
	fill = func(n *node, at uint32) {
		block := uint32(len(units))
		units = append(units, make([]uint32, 256)...)
		offset := at ^ block
		units[at] |= offset << 10
		if n.value >= 0 {
			units[at] |= 1 << 8
			units[block] = uint32(n.value) | 1<<31
		}
		for b, child := range n.children {
			units[block^uint32(b)] = uint32(b)
			fill(child, block^uint32(b))
		}
	}
	fill(root, 0)
	var out []byte
	out = binary.LittleEndian.AppendUint32(out, uint32(4*len(units)))
	for _, u := range units {
		out = binary.LittleEndian.AppendUint32(out, u)
	}
	return base64.StdEncoding.EncodeToString(append(out, texts...))
}
