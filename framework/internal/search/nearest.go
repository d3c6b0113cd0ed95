package search

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/lexical"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
	"github.com/sagasu-search/sagasu/sdk/x/query"
)

// Limits on the words that are corrected. Each takes a walk through the dictionary, and a pasted text has many.
const (
	mostMisspelt = 8
	longestWord  = 32
)

// Minimum lengths of words that may have one typo, or two.
const (
	oneSlip  = 5
	twoSlips = 8
)

// correct adds to each wording, for words that the corpus lacks, the words of the corpus that were probably meant. It
// prefers words of the scope; nil means everything.
func (r *run) correct(ctx context.Context, scope *roaring.Bitmap) {
	r.corrections = make(map[string]string)
	looked := 0
	out := slices.Clone(r.wordings)
	for i := range out {
		out[i] = withJoinedNumbers(r.snap, out[i])
		for _, t := range slices.Clone(out[i].Terms) {
			if t.Kind != sdk.TermSoft || looked == mostMisspelt || !r.isUnknown(t.Text) {
				continue
			}
			looked++
			if meant, ok := r.nearest(ctx, t.Text, scope); ok {
				r.corrections[t.Text] = meant
				query.Add(&out[i], sdk.Term{Text: meant, Kind: sdk.TermSoft, Weight: t.Weight})
				out[i].Text += " " + meant
			}
		}
	}
	r.wordings, r.query = out, query.United(out)
}

// numbered matches a word and a number of four digits. Shorter numbers are joined by [query.Together]; these may be
// years.
var numbered = lazyregexp.New(`\b([a-z]{1,12}) (\d{4})\b`)

// withJoinedNumbers returns a wording in which such words and numbers are joined if sections have only the joined form:
// iso9001 for iso 9001.
func withJoinedNumbers(snap *snapshot.Snapshot, q sdk.Query) sdk.Query {
	q.Terms = slices.Clone(q.Terms)
	q.Text = numbered().ReplaceAllStringFunc(q.Text, func(m string) string {
		word, number, _ := strings.Cut(m, " ")
		if snap.DocFreq(number) > 0 || snap.DocFreq(word+number) == 0 {
			return m
		}
		q.Terms = slices.DeleteFunc(q.Terms, func(t sdk.Term) bool {
			return t.Kind == sdk.TermSoft && (t.Text == word || t.Text == number)
		})
		query.Add(&q, sdk.Term{Text: word + number, Kind: sdk.TermMust, Weight: 1})
		return word + number
	})
	return q
}

// isUnknown reports whether the corpus lacks a word that it should have.
func (r *run) isUnknown(word string) bool {
	return isLatin(word) && len(word) >= len("ab") && len(word) <= longestWord && !known(r.snap, word)
}

// nearest returns the word of the corpus that was probably meant by a word that it lacks: one with the same first
// letter, since few typos affect it, and the fewest edits. Of several, it prefers one that the scope has, and then the
// most frequent.
func (r *run) nearest(ctx context.Context, word string, scope *roaring.Bitmap) (string, bool) {
	slips := 0
	switch {
	case len(word) >= twoSlips:
		slips = 2
	case len(word) >= oneSlip:
		slips = 1
	}
	var near []snapshot.Near
	for _, prefix := range []string{text.ExactMark, ""} {
		found, err := r.snap.Near(prefix, word, slips)
		if err != nil {
			r.logger.Error("dictionary not searched", "error", err)
		}
		near = append(near, found...)
	}
	slices.SortFunc(near, func(a, b snapshot.Near) int {
		byUse := cmp.Compare(b.Sections, a.Sections)
		return cmp.Or(cmp.Compare(a.Edits, b.Edits), byUse, strings.Compare(a.Term, b.Term))
	})
	var best snapshot.Near
	for _, n := range near {
		if best.Term != "" && n.Edits > best.Edits {
			break
		}
		if !isLatin(n.Term) || !isWord(ctx, r.snap, n.Term) {
			continue
		}
		word, params := wordBag(r.snap, n.Term).Query, lexical.DefaultParams(false)
		if scope == nil || lexical.Any(ctx, r.snap, scope, word, params) {
			return n.Term, true
		}
		best = cmp.Or(best, n)
	}
	return best.Term, best.Term != ""
}

// mostHolders is the maximum number of sections that are searched for a word.
const mostHolders = 3

// isWord reports whether a term is a word and not just a stem, that is, whether a section with the term
// spells it this way.
func isWord(ctx context.Context, snap *snapshot.Snapshot, term string) bool {
	if snap.DocFreq(text.ExactMark+term) > 0 {
		return true
	}
	one := lexical.Query{Terms: []lexical.Term{{Text: term, Weight: 1, Slot: -1}}}
	found := lexical.Search(ctx, snap, nil, one, lexical.DefaultParams(false), mostHolders)
	other := func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsNumber(c) }
	return slices.ContainsFunc(found.Hits, func(h lexical.Hit) bool {
		for field := range snap.Fields() {
			for w := range strings.FieldsFuncSeq(snap.Normalized(h.Section, field), other) {
				if w == term {
					return true
				}
			}
		}
		return false
	})
}

const (
	// minPrefix is the minimum number of leading letters, besides two thirds of the word, that
	// a word of the corpus must share with a word of the query that the corpus lacks.
	minPrefix = 4
	// maxVariants is the maximum number of words that are added for one.
	maxVariants = 4
)

// expandedQuery returns the query with its must terms relaxed to soft ones, without weak negative terms,
// and with words of the corpus added that begin like Latin words which no section has.
func expandedQuery(snap *snapshot.Snapshot, q sdk.Query) sdk.Query {
	out := q
	out.Terms = nil
	for _, t := range q.Terms {
		switch {
		case t.Kind == sdk.TermNegative && t.Weight < 1:
			continue
		case t.Kind == sdk.TermMust:
			t.Kind, t.Phrase = sdk.TermSoft, false
		}
		out.Terms = append(out.Terms, t)
		if t.Kind == sdk.TermSoft {
			for _, v := range variants(snap, t.Text) {
				out.Terms = append(out.Terms, sdk.Term{Text: v, Kind: sdk.TermSoft, Weight: t.Weight})
				out.Text += " " + v
			}
		}
	}
	return out
}

// variants returns the most frequent words of the corpus that begin like a word that it lacks.
func variants(snap *snapshot.Snapshot, word string) []string {
	if len(word) <= minPrefix || !isLatin(word) || known(snap, word) {
		return nil
	}
	type variant struct {
		text string
		in   int
	}
	var all []variant
	for term, in := range snap.Terms(text.ExactMark + word[:max(minPrefix, 2*len(word)/3)]) {
		if v := strings.TrimPrefix(term, text.ExactMark); in > 0 && isLatin(v) {
			all = append(all, variant{v, in})
		}
	}
	slices.SortStableFunc(all, func(a, b variant) int { return b.in - a.in })
	var out []string
	for _, v := range all[:min(maxVariants, len(all))] {
		out = append(out, v.text)
	}
	return out
}

// known reports whether a section holds the word or its stem.
func known(snap *snapshot.Snapshot, word string) bool { return len(wordBag(snap, word).Terms) > 0 }

// wordBag returns the query for a word or its stem.
func wordBag(snap *snapshot.Snapshot, word string) *lexical.Bag {
	return lexical.NewBag(snap, &sdk.Query{Text: word}, lexical.Weights{Word: 1, Exact: 1})
}

func isLatin(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < 'a' || r > 'z' })
}
