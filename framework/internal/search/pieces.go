// Pieces: the parts of JSON files that passages are chosen from.

package search

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/passage"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Sizes in bytes: of a piece, which is about a passage; of the text on each side that its passage may take; and of all
// files that are cut, which takes about 0.3 s.
const (
	jsonPiece = 1 << 10
	jsonSeam  = 1 << 9
	mostJSON  = 8 << 20
)

// The usual parameters of BM25.
const (
	pieceK1 = 0.9
	pieceB  = 0.4
)

// pieces are the parts of JSON files that hold words of the query, best first.
type pieces struct {
	ranked []piece
	words  passage.Words      // worth more the fewer pieces hold them
	files  map[uint32]bool    // sections that have pieces
	taken  map[uint32][]piece // what passages are chosen from, by section
}

// piece is a part of the JSON file of a candidate.
type piece struct {
	candidate Candidate
	from, to  int
	length    int            // in tokens
	held      map[string]int // how often it has each word of the query
	score     float64
}

// cutJSON cuts the JSON files of candidates into pieces and ranks these by BM25, with what stands above each. A file is
// one section, so its rank does not say where in it the answer stands. It returns no pieces if ctx ends.
func cutJSON(ctx context.Context, p plan, snap *snapshot.Snapshot, candidates []Candidate) pieces {
	weights := passage.Words{}
	for _, t := range lexical.NewBag(snap, &p.query, wordWeights).Terms {
		weights[t.Text] = t.Weight
	}
	out := pieces{words: passage.Words{}, files: map[uint32]bool{}, taken: map[uint32][]piece{}}
	size, tokens, in := 0, 0, map[string]int{}
	for _, c := range candidates {
		id, ok := Locate(snap, c.ManualID, c.Path, c.Line)
		sec, _ := snap.Section(id)
		body := snap.Source(id, snapshot.FieldBody)
		if !ok || sec.Node != snapshot.NodeJSON || size+len(body) > mostJSON {
			continue
		}
		c.Section = sec
		size += len(body)
		var starts []int
		for at := 0; at < len(body); at += passageEnd(body[at:], jsonPiece) {
			starts = append(starts, at)
		}
		above := corpus.JSONAbove(body, starts)
		for i, from := range starts {
			if ctx.Err() != nil {
				return pieces{}
			}
			one := piece{candidate: c, from: from, to: len(body), held: map[string]int{}}
			if i+1 < len(starts) {
				one.to = starts[i+1]
			}
			one.length = count(body[from:one.to], weights, one.held)
			if len(one.held) > 0 {
				count(above[i], weights, one.held)
			}
			for w := range one.held {
				in[w]++
			}
			tokens += one.length
			out.ranked = append(out.ranked, one)
		}
	}
	for w, n := range in {
		out.words[w] = weights[w] * lexical.IDF(len(out.ranked), n)
	}
	order := slices.Sorted(maps.Keys(in)) // equal pieces have equal scores
	for i := range out.ranked {
		one := &out.ranked[i]
		long := 1 - pieceB + pieceB*float64(one.length*len(out.ranked))/float64(tokens)
		for _, w := range order {
			n := one.held[w]
			one.score += out.words[w] * float64(n) * (pieceK1 + 1) / (float64(n) + pieceK1*long)
		}
	}
	out.ranked = slices.DeleteFunc(out.ranked, func(one piece) bool { return one.score == 0 })
	for _, one := range out.ranked {
		out.files[one.candidate.Section.ID] = true
	}
	slices.SortStableFunc(out.ranked, func(a, b piece) int { return cmp.Compare(b.score, a.score) })
	return out
}

// count adds to held how often a text has each of the words, and returns its length in tokens.
func count(source string, words passage.Words, held map[string]int) (length int) {
	norm := text.Normalize(source)
	for tok := range text.Tokens(&norm) {
		if length++; words[tok.Term] > 0 {
			held[tok.Term]++
		}
	}
	return length
}

// take takes the best piece left, of whatever file, for the place of the n-th candidate. It reports false if that is no
// file with pieces. Behind the last candidate, it takes pieces until none is left.
func (p *pieces) take(snap *snapshot.Snapshot, candidates []Candidate, n int) (best piece, ok bool) {
	if len(p.ranked) == 0 {
		return piece{}, false
	}
	if n < len(candidates) {
		c := candidates[n]
		if id, ok := Locate(snap, c.ManualID, c.Path, c.Line); !ok || !p.files[id] {
			return piece{}, false
		}
	}
	best, p.ranked = p.ranked[0], p.ranked[1:]
	return best, true
}

// around returns the text that the passage of a piece is chosen from, the line on which it starts, and the number of
// bytes before it. It does not overlap with those of other pieces.
func (p *pieces) around(snap *snapshot.Snapshot, o piece) (body string, first, from int) {
	body, from = snap.Source(o.candidate.Section.ID, snapshot.FieldBody), max(0, o.from-jsonSeam)
	if i := strings.IndexByte(body[from:o.from], '\n'); from > 0 && i >= 0 {
		from += i + 1
	}
	for from < o.from && !utf8.RuneStart(body[from]) {
		from++
	}
	end := o.to + passageEnd(body[o.to:], jsonSeam)
	for _, t := range p.taken[o.candidate.Section.ID] {
		if t.from < o.from {
			from = max(from, t.to)
		} else {
			end = min(end, t.from)
		}
	}
	end = max(from, end)
	p.taken[o.candidate.Section.ID] = append(p.taken[o.candidate.Section.ID], piece{from: from, to: end})
	return body[from:end], 1 + strings.Count(body[:from], "\n"), from
}
