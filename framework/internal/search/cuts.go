// Cuts: how JSON files and long sections are cut into pieces, whatever the query.

package search

import (
	"context"
	"hash/maphash"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/passage"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// cuts keeps how sections were cut, since a MB takes 50 ms. It holds sections of cutBytes, about as much memory. The
// zero value is ready to use. It is safe for concurrent use.
type cuts struct {
	mu       sync.Mutex
	seed     maphash.Seed
	sections map[cutKey]*cut
	bytes    int
}

// cutKey identifies what a section says: the digest of its file does not where only sections of it were gathered.
type cutKey struct {
	json bool
	size int
	hash uint64 // of heading and text
}

// cut is a section that is cut into pieces.
type cut struct {
	starts   []int
	above    []string // what applies to each piece as headings apply to a section
	lengths  []int    // in tokens
	postings map[string][]posting
}

// posting is how often a piece has a word, in its text and in what stands above it, at most 255 times. Two pieces in a
// row are longer than one may be, so that cutBytes has fewer than 1<<16.
type posting struct {
	piece      uint16
	own, above uint8
}

// of returns how a section is cut. It fails when ctx ends.
func (c *cuts) of(ctx context.Context, snap *snapshot.Snapshot, sec snapshot.Section) (*cut, error) {
	heading := snap.Source(sec.ID, snapshot.FieldHeading)
	body, _ := bodyOf(snap, sec)
	key, known := c.get(sec.Node == snapshot.NodeJSON, heading, body)
	if known != nil {
		return known, nil
	}
	fresh, err := newCut(ctx, key.json, heading, body)
	if err == nil {
		c.put(key, fresh)
	}
	return fresh, err
}

func (c *cuts) get(json bool, heading, body string) (cutKey, *cut) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sections == nil {
		c.seed, c.sections = maphash.MakeSeed(), map[cutKey]*cut{}
	}
	key := cutKey{json, len(body), maphash.Comparable(c.seed, [2]string{heading, body})}
	return key, c.sections[key]
}

func (c *cuts) put(key cutKey, one *cut) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sections[key] != nil {
		return // another search was faster
	}
	if c.bytes+key.size > cutBytes {
		clear(c.sections)
		c.bytes = 0
	}
	c.sections[key], c.bytes = one, c.bytes+key.size
}

func newCut(ctx context.Context, json bool, heading, body string) (*cut, error) {
	c := &cut{postings: map[string][]posting{}}
	if json {
		for at := 0; at < len(body); at += lineEnd(body[at:], pieceSize) {
			c.starts = append(c.starts, at)
		}
		c.above = corpus.JSONAbove(body, c.starts)
	} else {
		c.starts = passage.Cut(body).Starts(pieceSize)
		c.above = slices.Repeat([]string{strings.Clone(heading)}, len(c.starts))
	}
	for i := range c.starts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		own, above := count(body[c.starts[i]:c.end(i, len(body))]), count(c.above[i])
		length := 0
		for w, n := range own {
			length += n
			c.add(w, i, n, above[w])
		}
		for w, n := range above {
			if own[w] == 0 {
				c.add(w, i, 0, n)
			}
		}
		c.lengths = append(c.lengths, length)
	}
	return c, nil
}

func (c *cut) add(word string, piece, own, above int) {
	all, known := c.postings[word]
	if !known {
		word = strings.Clone(word) // not the text around it
	}
	c.postings[word] = append(all, posting{uint16(piece), uint8(min(own, 255)), uint8(min(above, 255))})
}

// end returns where piece i of a text of that size ends.
func (c *cut) end(i, size int) int {
	if i+1 < len(c.starts) {
		return c.starts[i+1]
	}
	return size
}

// holding yields the pieces that have words, with how often they and what stands above them have each.
func (c *cut) holding(words passage.Words) iter.Seq2[int, map[string]int] {
	held := map[uint16]map[string]int{}
	for w := range words {
		for _, p := range c.postings[w] {
			if p.own > 0 && held[p.piece] == nil {
				held[p.piece] = map[string]int{}
			}
		}
	}
	for w := range words {
		for _, p := range c.postings[w] {
			if one := held[p.piece]; one != nil {
				one[w] = int(p.own) + int(p.above)
			}
		}
	}
	return func(yield func(int, map[string]int) bool) {
		for _, i := range slices.Sorted(maps.Keys(held)) {
			if !yield(int(i), held[i]) {
				return
			}
		}
	}
}

// count returns how often a text has each of its words.
func count(source string) map[string]int {
	words := map[string]int{}
	norm := text.Normalize(source)
	for tok := range text.Tokens(&norm) {
		words[tok.Term]++
	}
	return words
}
