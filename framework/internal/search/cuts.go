// Cuts: how JSON files are cut into pieces, whatever the query.

package search

import (
	"context"
	"iter"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/passage"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// cuts keeps how files were cut, since a MB takes 50 ms. It holds files of mostJSON bytes, about as much memory. The
// zero value is ready to use. It is safe for concurrent use.
type cuts struct {
	mu    sync.Mutex
	files map[digest]*cut
	bytes int
}

// cut is a file that is cut into pieces.
type cut struct {
	starts   []int
	above    []string // what applies to each piece as headings apply to a section
	lengths  []int    // in tokens
	postings map[string][]posting
}

// posting is how often a piece has a word, in its text and in what stands above it.
type posting struct{ piece, own, above int32 }

// of returns how a file is cut. It fails when ctx ends.
func (c *cuts) of(ctx context.Context, file digest, body string) (*cut, error) {
	c.mu.Lock()
	known := c.files[file]
	c.mu.Unlock()
	if known != nil {
		return known, nil
	}
	fresh, err := newCut(ctx, body)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.files == nil || c.bytes+len(body) > mostJSON {
		c.files, c.bytes = map[digest]*cut{}, 0
	}
	c.files[file], c.bytes = fresh, c.bytes+len(body)
	return fresh, nil
}

func newCut(ctx context.Context, body string) (*cut, error) {
	c := &cut{postings: map[string][]posting{}}
	for at := 0; at < len(body); at += passageEnd(body[at:], jsonPiece) {
		c.starts = append(c.starts, at)
	}
	c.above = corpus.JSONAbove(body, c.starts)
	for i := range c.starts {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		own, above := count(body[c.starts[i]:c.end(i, len(body))]), count(c.above[i])
		length := 0
		for w, n := range own {
			length += int(n)
			c.add(w, posting{int32(i), n, above[w]})
		}
		for w, n := range above {
			if own[w] == 0 {
				c.add(w, posting{int32(i), 0, n})
			}
		}
		c.lengths = append(c.lengths, length)
	}
	return c, nil
}

func (c *cut) add(word string, p posting) {
	all, known := c.postings[word]
	if !known {
		word = strings.Clone(word) // not the text around it
	}
	c.postings[word] = append(all, p)
}

// end returns where piece i of a file of that size ends.
func (c *cut) end(i, size int) int {
	if i+1 < len(c.starts) {
		return c.starts[i+1]
	}
	return size
}

// holding yields the pieces that have words, with how often they and what stands above them have each.
func (c *cut) holding(words passage.Words) iter.Seq2[int, map[string]int] {
	held := map[int32]map[string]int{}
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
				one[w] = int(p.own + p.above)
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
func count(source string) map[string]int32 {
	words := map[string]int32{}
	norm := text.Normalize(source)
	for tok := range text.Tokens(&norm) {
		words[tok.Term]++
	}
	return words
}
