package weaviate

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"
)

// comparison contains the changes that make a class match a shipment.
type comparison struct {
	*shipment
	byKey   []uint32          // objects of the shipment, sorted by identifier
	hashes  [][hashBytes]byte // hashes of their contents, in the same order
	pending *roaring.Bitmap   // objects to send
	doomed  []string          // identifiers of objects that are no longer in the shipment
	// digests are the concatenated digests of the shipment's parts. A part is all objects whose identifier starts with
	// the same byte.
	digests string
}

// Number of parts in a shipment, and number of characters in a digest.
const (
	parts       = 256
	digestChars = 12
)

// compare compares a shipment with the objects of its class. If the last upload was completed and the class still has
// the same number of objects, it does not read parts whose digest has not changed since.
func (u *upload) compare(ctx context.Context, s *shipment, last string, held int) (*comparison, error) {
	c := &comparison{shipment: s, pending: s.live.Clone()}
	c.byKey = slices.SortedFunc(slices.Values(s.live.ToArray()), func(a, b uint32) int {
		return bytes.Compare(s.keys[a][:], s.keys[b][:])
	})
	c.hashes = make([][hashBytes]byte, len(c.byKey))
	for i, id := range c.byKey {
		if i%page == 0 {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			u.Progress("comparing "+s.name, i, len(c.byKey))
		}
		hex.Decode(c.hashes[i][:], []byte(s.object(id).Properties.Hash))
	}
	for part := range parts {
		c.digests += c.digest(part)
	}
	if len(last) == len(c.digests) {
		if _, written, err := u.nodes.shards(ctx, s.class); err != nil {
			return nil, err
		} else if written != held {
			last = ""
		}
	}
	for part := 0; part < parts; part++ {
		first := part
		for part < parts && !c.same(part, last) {
			part++
		}
		if first < part {
			if err := c.read(ctx, u.nodes, first, part); err != nil {
				return nil, err
			}
		}
		if part < parts {
			for _, id := range c.byKey[c.start(part):c.start(part+1)] {
				c.pending.Remove(id)
			}
		}
	}
	return c, nil
}

// same reports whether a part has the same digest in among; "" has no digests.
func (c *comparison) same(part int, among string) bool {
	at := part * digestChars
	return len(among) == len(c.digests) && among[at:at+digestChars] == c.digests[at:at+digestChars]
}

// read compares the parts from first up to, but not including, end with the contents of the class.
func (c *comparison) read(ctx context.Context, n *nodes, first, end int) error {
	after := ""
	if first > 0 {
		after = uuid{byte(first)}.String()
	}
	for {
		rows, err := n.list(ctx, c.class, after)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if end < parts && row.Additional.ID >= (uuid{byte(end)}).String() {
				return nil
			}
			i, found := slices.BinarySearchFunc(c.byKey, row.Additional.ID, func(id uint32, key string) int {
				return strings.Compare(c.keys[id].String(), key)
			})
			if !found {
				c.doomed = append(c.doomed, row.Additional.ID)
			} else if hex.EncodeToString(c.hashes[i][:]) == row.Hash {
				c.pending.Remove(c.byKey[i])
			}
		}
		if len(rows) < page {
			return nil
		}
		after = rows[len(rows)-1].Additional.ID
	}
}

// start returns the index of a part's first object among the sorted objects.
func (c *comparison) start(part int) int {
	i, _ := slices.BinarySearchFunc(c.byKey, part, func(id uint32, part int) int { return int(c.keys[id][0]) - part })
	return i
}

// digest returns the digest of a part's contents.
func (c *comparison) digest(part int) string {
	sum := sha256.New()
	for i := c.start(part); i < c.start(part+1); i++ {
		sum.Write(c.keys[c.byKey[i]][:])
		sum.Write(c.hashes[i][:])
	}
	return hex.EncodeToString(sum.Sum(nil)[:digestChars/2])
}
