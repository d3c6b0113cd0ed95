package lexical

import (
	"context"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// evident are those of holders, which have the term of a Latin word in loose form, that
// hold the word itself for all that terms tell: its own form is a term too where it is not
// its stem, and where it is, only few words with that stem do not hold it, as hoping does
// not hold hope.
func evident(ctx context.Context, snap *snapshot.Snapshot, word string, holders *roaring.Bitmap) *roaring.Bitmap {
	stem, ok := stemmed(word)
	switch {
	case !ok:
		return roaring.New()
	case stem != word:
		return verified(ctx, snap, []anyOf{{text.ExactMark + word}}, nil)
	}
	if odd := oddForms(snap, word); len(odd) > 0 {
		return roaring.AndNot(holders, verified(ctx, snap, []anyOf{odd}, nil))
	}
	return holders.Clone()
}

// stemmed is the only term of a word that is one token as a whole.
func stemmed(word string) (string, bool) {
	all := tokens(word)
	if len(word) > longest || len(all) == 0 || all[0].Class != text.Word || all[0].End-all[0].Start != len(word) {
		return "", false
	}
	return all[0].Term, true
}

// oddForms are the terms of the words with a stem that do not hold it.
func oddForms(snap *snapshot.Snapshot, stem string) (odd anyOf) {
	var z text.Tokenizer
	for term := range snap.Terms(text.ExactMark + stem[:sharedLetters(stem)]) {
		word := term[len(text.ExactMark):]
		if strings.Contains(word, stem) {
			continue
		}
		for tok := range z.Tokens(&text.Text{Norm: word}) {
			if tok.Term == stem {
				odd = append(odd, strings.Clone(term))
				break
			}
		}
	}
	return odd
}

// sharedLetters is how many letters every word has in common with its stem at their
// starts: dying is one of die.
func sharedLetters(stem string) int {
	if len(stem) <= 3 {
		return 1
	}
	return 2
}
