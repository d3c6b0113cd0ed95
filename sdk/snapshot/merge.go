package snapshot

import "iter"

// mergeKeys walks the dictionaries of several segments in key order and yields each key with the
// sum of count over its entries.
func mergeKeys(
	segments []*Segment, prefix string,
	pick func(*Segment) *dictionary, count func(*Segment, uint64) int,
) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		var heads []*head
		for _, g := range segments {
			h := &head{seg: g, cursor: cursor{dictionary: pick(g)}}
			if h.seek(prefix) && h.read() {
				heads = append(heads, h)
			}
		}
		for len(heads) > 0 {
			key, total := lowest(heads), 0
			rest := heads[:0]
			for _, h := range heads {
				if h.key == key {
					total += count(h.seg, h.value)
					if !h.next() || !h.read() {
						continue
					}
				}
				rest = append(rest, h)
			}
			heads = rest
			if !yield(key, total) {
				return
			}
		}
	}
}

// head is the current entry of one segment's dictionary.
type head struct {
	cursor
	seg   *Segment
	key   string
	value uint64
}

func (h *head) read() bool {
	key, value, ok := h.current()
	h.key, h.value = string(key), value
	return ok
}

func lowest(heads []*head) string {
	key := heads[0].key
	for _, h := range heads[1:] {
		key = min(key, h.key)
	}
	return key
}
