// Pieces: the parts of JSON files that passages are chosen from and that the judgement reads.

package search

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/passage"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Numbers of first candidates whose JSON files are cut, and of pieces that are kept.
const (
	mostCut    = 10
	mostPieces = judge.MostEvidences
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

// pieces are the parts of JSON files that hold words of the query, best first. They stand for the files: passages are
// chosen from them, and the judgement reads them.
type pieces struct {
	ranked []piece
	words  passage.Words     // worth more the fewer pieces hold them
	files  map[fileName]bool // that have pieces
}

// piece is a part of a JSON file.
type piece struct {
	file     fileName
	section  uint32
	above    string // what applies to it as headings apply to a section
	from, to int
	length   int            // in tokens
	held     map[string]int // how often it has each word of the query
	score    float64
}

// rankPieces cuts the JSON files among sections into pieces and ranks these by BM25, with what stands above each. A file
// is one section, so its rank does not say where in it the answer stands. It returns no pieces if ctx ends.
func (c *cuts) rankPieces(ctx context.Context, p plan, snap *snapshot.Snapshot, sections []uint32) pieces {
	weights := passage.Words{}
	out := pieces{words: passage.Words{}, files: map[fileName]bool{}}
	size, number, tokens, in := 0, 0, 0, map[string]int{}
	for _, id := range sections {
		sec, ok := snap.Section(id)
		if !ok || sec.Node != snapshot.NodeJSON {
			continue
		}
		body := snap.Source(id, snapshot.FieldBody)
		if size+len(body) > mostJSON {
			continue
		}
		if size == 0 {
			for _, t := range lexical.NewBag(snap, &p.query, wordWeights).Terms {
				weights[t.Text] = t.Weight
			}
		}
		size += len(body)
		file, err := c.of(ctx, digestOf(snap, id), body)
		if err != nil {
			return pieces{}
		}
		number += len(file.starts)
		for _, n := range file.lengths {
			tokens += n
		}
		for i, held := range file.holding(weights) {
			for w := range held {
				in[w]++
			}
			out.ranked = append(out.ranked, piece{
				file: fileName{sec.Group, sec.Path}, section: id, above: file.above[i],
				from: file.starts[i], to: file.end(i, len(body)), length: file.lengths[i], held: held,
			})
		}
	}
	for w, n := range in {
		out.words[w] = weights[w] * lexical.IDF(number, n)
	}
	order := slices.Sorted(maps.Keys(in)) // equal pieces have equal scores
	for i := range out.ranked {
		one := &out.ranked[i]
		long := 1 - pieceB + pieceB*float64(one.length*number)/float64(tokens)
		for _, w := range order {
			n := one.held[w]
			one.score += out.words[w] * float64(n) * (pieceK1 + 1) / (float64(n) + pieceK1*long)
		}
	}
	slices.SortStableFunc(out.ranked, func(a, b piece) int { return cmp.Compare(b.score, a.score) })
	out.ranked = out.ranked[:min(mostPieces, len(out.ranked))]
	for i, one := range out.ranked {
		out.files[one.file] = true
		widen(snap.Source(one.section, snapshot.FieldBody), &out.ranked[i], out.ranked[:i])
	}
	return out
}

// widen adds to a piece the text around it that no better one has.
func widen(body string, o *piece, better []piece) {
	from := max(0, o.from-jsonSeam)
	if i := strings.IndexByte(body[from:o.from], '\n'); from > 0 && i >= 0 {
		from += i + 1
	}
	for from < o.from && !utf8.RuneStart(body[from]) {
		from++
	}
	end := o.to + passageEnd(body[o.to:], jsonSeam)
	for _, t := range better {
		switch {
		case t.section != o.section:
		case t.from < o.from:
			from = max(from, t.to)
		default:
			end = min(end, t.from)
		}
	}
	o.from, o.to = from, max(from, end)
}

// places yields what is read for each candidate: itself, with nil, or in the place of a JSON file that has pieces, the
// best piece left of any such file, with its file. The scores of these go from the best one of the files down as those
// of the pieces do. Behind the last candidate, it yields the pieces that are left.
func (p pieces) places(candidates []Candidate) iter.Seq2[Candidate, *piece] {
	return func(yield func(Candidate, *piece) bool) {
		whole, best := map[fileName]Candidate{}, 0.0
		for _, c := range candidates {
			if f := (fileName{c.ManualID, c.Path}); p.files[f] {
				whole[f], best = c, max(best, c.Score)
			}
		}
		left := slices.DeleteFunc(slices.Clone(p.ranked), func(o piece) bool { _, ok := whole[o.file]; return !ok })
		for n, next := 0, 0; n < len(candidates) || next < len(left); n++ {
			var c Candidate
			var part *piece
			if n < len(candidates) {
				c = candidates[n]
			}
			if next < len(left) && (n >= len(candidates) || p.files[fileName{c.ManualID, c.Path}]) {
				c, part, next = whole[left[next].file], &left[next], next+1
				c.Score = best * part.score / left[0].score
			}
			if !yield(c, part) {
				return
			}
		}
	}
}

// text returns the text of a piece, and the line on which it starts.
func (o *piece) text(snap *snapshot.Snapshot) (body string, first int) {
	body = snap.Source(o.section, snapshot.FieldBody)
	return body[o.from:o.to], 1 + strings.Count(body[:o.from], "\n")
}
