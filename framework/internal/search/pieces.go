// Pieces: the parts of JSON files and long sections that passages are chosen from. The judgement reads those of JSON.

package search

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/passage"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Numbers of first candidates whose JSON files are cut, of those whose long sections are cut, and of pieces that are
// kept.
const (
	mostCut    = 10
	mostLong   = 3
	mostPieces = judge.MostEvidences
)

// Sizes in bytes: of a piece, which is about a passage; of the text on each side that its passage may take; of a
// section that is not cut; and of all sections that are, which takes about half a second.
const (
	pieceSize   = 1 << 10
	pieceMargin = 1 << 9
	uncutBytes  = 8 << 10
	cutBytes    = 8 << 20
)

// The usual parameters of BM25.
const (
	pieceK1 = 0.9
	pieceB  = 0.4
)

// pieces are the parts of sections that hold words of the query, best first. They stand for these sections.
type pieces struct {
	ranked []piece
	words  passage.Words       // worth more the fewer pieces hold them
	have   map[sectionKey]bool // sections that have pieces
}

// sectionKey identifies a section. The line of a JSON file is 0.
type sectionKey struct {
	fileName
	line int
}

func keyOf(c Candidate) sectionKey {
	if corpus.IsJSON(c.Path) {
		c.Line = 0 // of the best match
	}
	return sectionKey{fileName{c.ManualID, c.Path}, c.Line}
}

// piece is a part of a section.
type piece struct {
	key      sectionKey
	section  snapshot.Section
	above    string // what applies to it as headings apply to a section
	from, to int
	length   int            // in tokens
	held     map[string]int // how often it has each word of the query
	score    float64
}

// rankPieces cuts JSON files and long sections into pieces and ranks these by BM25, with what stands above each: the
// rank of such a section does not say where in it the answer stands. It returns no pieces if ctx ends.
func (c *cuts) rankPieces(ctx context.Context, p plan, snap *snapshot.Snapshot, sections []uint32) pieces {
	weights := passage.Words{}
	out := pieces{words: passage.Words{}, have: map[sectionKey]bool{}}
	size, number, tokens, in := 0, 0, 0, map[string]int{}
	for _, id := range sections {
		sec, _ := snap.Section(id)
		body, _ := bodyOf(snap, sec)
		if sec.Node != snapshot.NodeJSON && len(body) <= uncutBytes || size+len(body) > cutBytes {
			continue
		}
		if size == 0 {
			for _, t := range lexical.NewBag(snap, &p.query, wordWeights).Terms {
				weights[t.Text] = t.Weight
			}
		}
		size += len(body)
		whole, err := c.of(ctx, snap, sec)
		if err != nil {
			return pieces{}
		}
		number += len(whole.starts)
		for _, n := range whole.lengths {
			tokens += n
		}
		for i, held := range whole.holding(weights) {
			for w := range held {
				in[w]++
			}
			out.ranked = append(out.ranked, piece{
				key:     keyOf(Candidate{ManualID: sec.Group, Path: sec.Path, Line: sec.Start}),
				section: sec, above: whole.above[i],
				from: whole.starts[i], to: whole.end(i, len(body)), length: whole.lengths[i], held: held,
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
	out.ranked = slices.DeleteFunc(out.ranked, func(one piece) bool { return one.score == 0 }) // words of no weight
	slices.SortStableFunc(out.ranked, func(a, b piece) int { return cmp.Compare(b.score, a.score) })
	out.ranked = out.ranked[:min(mostPieces, len(out.ranked))]
	for i, one := range out.ranked {
		out.have[one.key] = true
		body, _ := bodyOf(snap, one.section)
		extend(body, &out.ranked[i], out.ranked[:i])
	}
	return out
}

// extend adds to a piece the text around it that no better one has.
func extend(body string, o *piece, better []piece) {
	from := max(0, o.from-pieceMargin)
	if i := strings.IndexByte(body[from:o.from], '\n'); from > 0 && i >= 0 {
		from += i + 1
	}
	for from < o.from && !utf8.RuneStart(body[from]) {
		from++
	}
	end := o.to + lineEnd(body[o.to:], pieceMargin)
	for _, t := range better {
		switch {
		case t.key != o.key:
		case t.from < o.from:
			from = max(from, t.to)
		default:
			end = min(end, t.from)
		}
	}
	o.from, o.to = from, max(from, end)
}

// inPlaces yields what is read in the place of each candidate: the candidate itself, with nil, or if it has pieces, the
// best piece of any candidate that was not yielded yet, with the candidate that it is from. The best piece gets the
// best score of these candidates, the others less in proportion to theirs. The pieces that are left follow at the end.
func (p pieces) inPlaces(candidates []Candidate) iter.Seq2[Candidate, *piece] {
	return func(yield func(Candidate, *piece) bool) {
		whole, best := map[sectionKey]Candidate{}, 0.0
		for _, c := range candidates {
			if at := keyOf(c); p.have[at] {
				whole[at], best = c, max(best, c.Score)
			}
		}
		left := slices.DeleteFunc(slices.Clone(p.ranked), func(o piece) bool { _, ok := whole[o.key]; return !ok })
		for n, next := 0, 0; n < len(candidates) || next < len(left); n++ {
			var c Candidate
			var part *piece
			if n < len(candidates) {
				c = candidates[n]
			}
			if next < len(left) && (n >= len(candidates) || p.have[keyOf(c)]) {
				c, part, next = whole[left[next].key], &left[next], next+1
				c.Score = best * part.score / left[0].score
			}
			if !yield(c, part) {
				return
			}
		}
	}
}

// text returns the text of a piece, and the line on which it starts.
func (o *piece) text(snap *snapshot.Snapshot) (text string, first int) {
	body, line := bodyOf(snap, o.section)
	return body[o.from:o.to], line + strings.Count(body[:o.from], "\n")
}

// read returns the text of a piece to choose passages from. Those of a long section begin as in the whole section, with
// the header of a table, for example.
func (o *piece) read(snap *snapshot.Snapshot, words passage.Words) *passage.Text {
	body, _ := bodyOf(snap, o.section)
	if o.section.Node == snapshot.NodeJSON {
		return passage.Read(body[o.from:o.to], words)
	}
	return passage.Cut(body).Part(o.from, o.to, words)
}

// bodyOf returns the text of a section without front matter, and the line on which it starts.
func bodyOf(snap *snapshot.Snapshot, sec snapshot.Section) (body string, line int) {
	body = snap.Source(sec.ID, snapshot.FieldBody)
	front := frontMatter(sec, body)
	return body[front:], sec.Body + strings.Count(body[:front], "\n")
}
