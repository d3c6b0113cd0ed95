package lexical

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// anyOf is a list of alternative terms. A section matches if it has one of them.
type anyOf []string

// Containing returns the sections that have the tokens of s, a normalised text, and a field that contains s verbatim,
// so for abl not those with able. If ctx ends, the sections that were not yet examined are missing.
func Containing(ctx context.Context, snap *snapshot.Snapshot, s string) *roaring.Bitmap {
	out := roaring.New()
	for _, seg := range snap.Segments() {
		out.Or(seg.Alive(ContainingIn(ctx, seg, s)))
	}
	return out
}

// ContainingIn is like [Containing], but returns the local ids of sections of one segment. It includes deleted
// sections, so that the result stays valid as long as the segment is in use.
func ContainingIn(ctx context.Context, seg *snapshot.Segment, s string) *roaring.Bitmap {
	out := roaring.New()
	if s == "" {
		return out
	}
	docs, f := mayContain(seg, s), Finder{}
	held := docs[:0]
	for n, doc := range docs {
		if n%1024 == 0 && ctx.Err() != nil {
			break
		}
		if n == 0 {
			f = NewFinder(s, sample(seg, doc))
		}
		if f.holds(seg, doc) {
			held = append(held, doc)
		}
	}
	out.AddMany(held)
	return out
}

// mayContain returns the local ids of the sections that have every counting token of s or, if none counts as in how-to,
// every token.
func mayContain(seg *snapshot.Segment, s string) []uint32 {
	all := tokens(s)
	if len(all) == 0 { // punctuation, such as an arrow, has no postings
		docs := make([]uint32, seg.Len())
		for i := range docs {
			docs[i] = uint32(i)
		}
		return docs
	}
	var terms []anyOf
	for _, tok := range all {
		if tok.counts {
			terms = append(terms, anyOf{tok.Term})
		}
	}
	if len(terms) == 0 {
		for _, tok := range all {
			terms = append(terms, anyOf{tok.Term})
		}
	}
	var p snapshot.Postings
	rarestFirst(terms, func(t anyOf) int {
		if !seg.Postings(t[0], &p) {
			return 0
		}
		return p.Len()
	})
	return intersection(seg, terms)
}

// ContainingLoose returns the sections that contain s when separators are ignored on both sides:
// マイ・ナンバー for マイナンバー, foo-bar for foobar, but not 10 for 1.0 (see [LooseForm]). s is normalised. If s
// consists of separators only, they are not ignored.
func ContainingLoose(ctx context.Context, snap *snapshot.Snapshot, s string) *roaring.Bitmap {
	needle := LooseForm(s)
	if needle == "" || len(tokens(needle)) == 0 {
		return Containing(ctx, snap, cmp.Or(needle, s))
	}
	var plain Finder
	numeric := strings.ContainsAny(needle, "0123456789")
	found := func(id uint32) bool {
		if numeric {
			return containsApart(snap, id, needle)
		}
		if plain.needle == "" {
			plain = NewFinder(needle, sample(snap, id))
		}
		return plain.holds(snap, id) || containsApart(snap, id, needle)
	}
	if terms := characters(needle); len(terms) > 0 {
		if proven(needle, terms) {
			found = nil
		}
		return verified(ctx, snap, terms, found)
	}
	holders := verified(ctx, snap, joined(needle), nil)
	out := provenByTerms(ctx, snap, needle, holders)
	addPassing(ctx, out, holders, found)
	for _, pair := range splits(snap, needle) {
		addPassing(ctx, out, verified(ctx, snap, pair, nil), found)
	}
	return out
}

// addPassing adds to out the members of sections that pass check. Sections already in out are not checked.
func addPassing(ctx context.Context, out, sections *roaring.Bitmap, check func(uint32) bool) {
	var held []uint32
	for n, it := 0, roaring.AndNot(sections, out).Iterator(); it.HasNext() && (n%1024 != 0 || ctx.Err() == nil); n++ {
		if id := it.Next(); check(id) {
			held = append(held, id)
		}
	}
	out.AddMany(held)
}

// proven reports whether a section that has the terms is sure to contain the needle, which is true
// for a single character or pair.
func proven(needle string, terms []anyOf) bool {
	return len(terms) == 1 && utf8.RuneCountInString(needle) == utf8.RuneCountInString(terms[0][0])
}

// containsApart reports whether a field of the section contains needle, which is in loose form,
// with separators in between.
func containsApart(snap *snapshot.Snapshot, section uint32, needle string) bool {
	return someField(snap, section, func(norm string) bool { return HoldsLoose(norm, needle) })
}

// characters returns terms that every section with the CJK text s has, wherever it has separators:
// each pair of neighbouring characters, as a bigram or as a bridge, or the character itself if
// there is only one. It leaves out pairs with the prolonged sound mark, since normalisation drops
// the mark where a katakana word is cut.
func characters(s string) []anyOf {
	var pairs, single []anyOf
	var last rune
	for _, r := range s {
		if text.IsCJK(r) && r != 'ー' {
			single = append(single, anyOf{string(r)})
			if last != 0 {
				pairs = append(pairs, anyOf{string(last) + string(r), text.BridgeTerm(last, r)})
			}
			last = r
		} else {
			last = 0
		}
	}
	if len(pairs) > 0 {
		return pairs
	}
	return single
}

// joined returns the terms of a Latin word without separators in it.
func joined(word string) []anyOf {
	var out []anyOf
	for _, tok := range tokens(word) {
		if tok.Class == text.Word {
			out = append(out, anyOf{tok.Term})
		}
	}
	return out
}

const (
	// minPart is the minimum number of letters of each part of a split word.
	minPart = 2
	// longest is the maximum number of letters of a word that is split.
	longest = 48
)

// splits returns the ways to cut a Latin word into two dictionary terms.
func splits(snap *snapshot.Snapshot, word string) [][]anyOf {
	var out [][]anyOf
	if len(word) > longest {
		return nil
	}
	for i := minPart; i <= len(word)-minPart; i++ {
		head, tail := joined(word[:i]), joined(word[i:])
		if len(head) == 1 && len(tail) == 1 && frequency(snap, head[0]) > 0 && frequency(snap, tail[0]) > 0 {
			out = append(out, []anyOf{head[0], tail[0]})
		}
	}
	return out
}

// frequency returns an upper bound of the number of sections that have one of the terms.
func frequency(snap *snapshot.Snapshot, terms anyOf) int {
	n := 0
	for _, t := range terms {
		n += snap.DocFreq(t)
	}
	return n
}

// verified returns the sections that have every term and pass check; nil passes all.
func verified(ctx context.Context, snap *snapshot.Snapshot, terms []anyOf, check func(uint32) bool) *roaring.Bitmap {
	out := roaring.New()
	if len(terms) == 0 {
		return out
	}
	rarestFirst(terms, func(t anyOf) int { return frequency(snap, t) })
	for _, seg := range snap.Segments() {
		docs := intersection(seg, terms)
		held, dead := docs[:0], seg.Deleted()
		for n, doc := range docs {
			if n%1024 == 0 && ctx.Err() != nil {
				break
			}
			if id := seg.Base() + doc; (dead == nil || !dead.Contains(doc)) && (check == nil || check(id)) {
				held = append(held, id)
			}
		}
		out.AddMany(held)
	}
	return out
}

// rarestFirst sorts terms by their number of sections, which it asks for at most once each.
func rarestFirst(terms []anyOf, sections func(anyOf) int) {
	if len(terms) < 2 {
		return
	}
	n := make(map[string]int, len(terms)) // by the first alternative
	for _, t := range terms {
		n[t[0]] = sections(t)
	}
	slices.SortStableFunc(terms, func(a, b anyOf) int { return cmp.Compare(n[a[0]], n[b[0]]) })
}

// intersection returns the local ids of the sections that have every term. It reads the terms in their order, of which
// the rarest should be the first.
func intersection(seg *snapshot.Segment, terms []anyOf) []uint32 {
	var p snapshot.Postings
	var docs []uint32
	for _, t := range terms[0] {
		if seg.Postings(t, &p) {
			docs = append(docs, all(&p)...)
		}
	}
	docs = distinct(docs)
	for _, alternatives := range terms[1:] {
		var kept []uint32
		for _, t := range alternatives {
			if seg.Postings(t, &p) {
				kept = keep(kept, docs, &p)
			}
		}
		docs = distinct(kept)
	}
	return docs
}

// all returns the ids of a postings list.
func all(p *snapshot.Postings) []uint32 {
	docs := make([]uint32, 0, p.Len())
	for p.Next() {
		docs = append(docs, p.Docs...)
	}
	return docs
}

// distinct sorts ids and removes duplicates.
func distinct(docs []uint32) []uint32 {
	slices.Sort(docs)
	return slices.Compact(docs)
}

// keep appends to kept the docs that are in p.
func keep(kept, docs []uint32, p *snapshot.Postings) []uint32 {
	at, more := 0, p.Next()
	for _, doc := range docs {
		if !more {
			break
		}
		if p.Docs[len(p.Docs)-1] < doc {
			if more, at = p.NextAt(doc), 0; !more {
				break
			}
		}
		for p.Docs[at] < doc {
			at++
		}
		if p.Docs[at] == doc {
			kept = append(kept, doc)
		}
	}
	return kept
}

// provenByTerms returns those of holders, the sections with the stem of a Latin word, whose terms
// prove that they contain the word itself. A word that differs from its stem has an exact term. A
// word that is its own stem is contained unless the section has another form of it that does not
// contain it: hoping does not contain hope.
func provenByTerms(ctx context.Context, snap *snapshot.Snapshot, word string, holders *roaring.Bitmap) *roaring.Bitmap {
	stem, ok := stemmed(word)
	switch {
	case !ok:
		return roaring.New()
	case stem != word:
		return verified(ctx, snap, []anyOf{{text.ExactMark + word}}, nil)
	}
	if odd := otherForms(snap, word); len(odd) > 0 {
		return roaring.AndNot(holders, verified(ctx, snap, []anyOf{odd}, nil))
	}
	return holders.Clone()
}

// stemmed returns the term of a word that is a single token.
func stemmed(word string) (string, bool) {
	all := tokens(word)
	if len(word) > longest || len(all) == 0 || all[0].Class != text.Word || all[0].End-all[0].Start != len(word) {
		return "", false
	}
	return all[0].Term, true
}

// otherForms returns the terms of the words that have the stem but do not contain it.
func otherForms(snap *snapshot.Snapshot, stem string) (odd anyOf) {
	for term := range snap.Terms(text.ExactMark + stem[:sharedLetters(stem)]) {
		word := term[len(text.ExactMark):]
		if strings.Contains(word, stem) {
			continue
		}
		for tok := range text.Tokens(&text.Text{Norm: word}) {
			if tok.Term == stem {
				odd = append(odd, strings.Clone(term))
				break
			}
		}
	}
	return odd
}

// sharedLetters returns how many leading letters every word shares with its stem: one for short stems,
// since the stem of dying is die.
func sharedLetters(stem string) int {
	if len(stem) <= 3 {
		return 1
	}
	return 2
}
