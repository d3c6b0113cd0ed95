package snapshot

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"iter"
	"sync"

	"github.com/blevesearch/vellum"
)

// dictionaryKey returns the key of a term in the dictionary: the term itself, or its start and a
// digest if it is very long.
func dictionaryKey(term string) string {
	if len(term) <= maxTerm {
		return term
	}
	sum := sha256.Sum256([]byte(term))
	return term[:maxTerm-hex.EncodedLen(len(sum))] + hex.EncodeToString(sum[:])
}

// dictionary is a sorted map from strings to numbers in mapped memory. The underlying library
// panics on damaged bytes, so every call of it is guarded.
type dictionary struct {
	fst    *vellum.FST
	part   string
	depth  int // longest key
	damage *damage
	idle   sync.Pool // of *vellum.Reader, to reuse the memory of lookups
}

// openDictionary opens a dictionary whose values are offsets in target. Every entry takes at least
// one byte of target.
func openDictionary(p *parts, id partID, depth int, target []byte) *dictionary {
	d := &dictionary{part: id.String(), depth: depth, damage: p.damage}
	d.load(p.get(id))
	if d.fst == nil || d.fst.Len() < 0 || d.fst.Len() > len(target) {
		p.fail(id, "not a dictionary")
	}
	return d
}

func (d *dictionary) load(data []byte) {
	defer d.damage.guard(d.part)
	if fst, err := vellum.Load(data); err == nil {
		d.fst = fst
	}
}

// get looks up a key.
func (d *dictionary) get(key string) (value uint64, ok bool) {
	defer d.damage.guard(d.part)
	r, _ := d.idle.Get().(*vellum.Reader)
	if r == nil {
		r, _ = d.fst.Reader() // never fails
	}
	value, ok, err := r.Get(viewBytes(key))
	d.idle.Put(r)
	if err != nil {
		d.damage.note(d.part, "%v", err)
		return 0, false
	}
	return value, ok
}

// entries yields the entries whose keys start with prefix, in order. A key is valid until the next step.
func (d *dictionary) entries(prefix string) iter.Seq2[[]byte, uint64] {
	return func(yield func([]byte, uint64) bool) {
		c := cursor{dictionary: d}
		for ok := c.seek(prefix); ok; ok = c.next() {
			if key, value, ok := c.current(); !ok || !yield(key, value) {
				return
			}
		}
	}
}

// cursor walks a part of a dictionary. It is also the automaton that limits the walk, since a
// damaged dictionary may have cycles: its states are depths, and it matches everything until it has
// taken more steps than two successive keys can be apart.
type cursor struct {
	*dictionary
	vellum.AlwaysMatch
	it    *vellum.FSTIterator
	seen  int // number of keys
	steps int // since the last key
}

// Accept implements vellum.Automaton.
func (c *cursor) Accept(depth int, _ byte) int { c.steps++; return depth + 1 }

// CanMatch implements vellum.Automaton.
func (c *cursor) CanMatch(depth int) bool { return depth <= c.depth && c.steps <= 2*c.depth }

// seek moves the cursor to the first key with the prefix and reports whether there is one.
func (c *cursor) seek(prefix string) (ok bool) {
	defer c.damage.guard(c.part)
	it, err := c.fst.Search(c, []byte(prefix), prefixEnd(prefix))
	c.it = it
	return c.more(err)
}

func (c *cursor) next() (ok bool) {
	defer c.damage.guard(c.part)
	c.seen, c.steps = c.seen+1, 0
	return c.seen < c.fst.Len() && c.more(c.it.Next())
}

func (c *cursor) current() (key []byte, value uint64, ok bool) {
	defer c.damage.guard(c.part)
	key, value = c.it.Current()
	return key, value, key != nil
}

func (c *cursor) more(err error) bool {
	if err != nil && !errors.Is(err, vellum.ErrIteratorDone) {
		c.damage.note(c.part, "%v", err)
	}
	if c.steps > 2*c.depth {
		c.damage.note(c.part, "no key after %d steps", c.steps)
	}
	return err == nil
}

// prefixEnd returns the smallest key greater than all keys that start with prefix, or nil if there
// is none.
func prefixEnd(prefix string) []byte {
	end := []byte(prefix)
	for len(end) > 0 {
		last := len(end) - 1
		if end[last] < 0xff {
			end[last]++
			return end
		}
		end = end[:last]
	}
	return nil
}
