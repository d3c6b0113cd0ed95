package semcache

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Key is what a query is looked up by. It holds no text of the query.
type Key struct {
	// Exact is shared by queries that are planned alike: the same normalised
	// text with the same phrases, exclusions and intent.
	Exact [sha256.Size]byte
	// Meaning is shared by queries that ask the same, where [Entry.Alike] lets their intents differ; see [KeyOf].
	Meaning [sha256.Size]byte
	Intent  sdk.Intent
}

// maxWorded is the length in bytes up to which a query is read for its meaning;
// a text that is pasted as a query is only ever the same letter for letter.
const maxWorded = 2048

// KeyOf returns the key of a planned query.
//
// The rule for a server without embeddings is "the same multiset of
// content terms after stop patterns and folding", and no wrong hit. A multiset
// alone would take 「AからBへ」 for 「BからAへ」, so Meaning keeps the words of
// the query with their particles and in their order. It gives up only what
// cannot carry a meaning: the frame of the question (とは, について, を教えて,
// ですか, how do I, please), politeness, "the", and punctuation at the end. Numbers, codes,
// negations, must and excluded terms and phrases all have to agree. So does the intent, unless
// the answer is known to be the same.
func KeyOf(q sdk.Query) Key {
	norm := text.Fold(q.Raw)
	k := Key{Exact: hash(norm, q.Text, q.Intent, q.MatchThreshold, q.Terms), Intent: q.Intent}
	if k.Meaning = k.Exact; len(norm) <= maxWorded {
		k.Meaning = hash(form(norm), q.MatchThreshold, binding(q.Terms))
	}
	return k
}

// hash is different for different values, which hold no pointers.
func hash(values ...any) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%#v", values))
}

// binding returns the terms that a search may not exchange, in an order of their own.
func binding(all []sdk.Term) []sdk.Term {
	out := slices.DeleteFunc(slices.Clone(all), func(t sdk.Term) bool { return t.Kind == sdk.TermSoft })
	slices.SortFunc(out, func(a, b sdk.Term) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Text, b.Text), cmp.Compare(a.Weight, b.Weight))
	})
	return out
}

// Name returns the same for queries that ask the same in a scope, on every server. It is hexadecimal.
func (k Key) Name(s Scope) string { return fmt.Sprintf("%x", hash(s, k.Meaning)) }

// Scope is what an answer is valid for. An answer is served only where all of
// it agrees.
type Scope struct {
	// ManualID is the manual as the search resolved it, "" for all.
	ManualID    string
	ExpandScope bool
	// MaxCandidates and TimeMS are the budget.
	MaxCandidates, TimeMS int
	// Recipe identifies the strategies and the settings of the search; see [Recipe].
	Recipe [sha256.Size]byte
	// Fingerprint is of the content of all manuals, not of times: an edit to any
	// of them changes the statistics that every answer is ranked by.
	Fingerprint string
}

// Recipe identifies the strategies that can be called, with their versions and
// weights, and whatever settings change what a search finds; these hold no pointers.
func Recipe(strategies []sdk.Description, settings any) [sha256.Size]byte {
	values := []any{settings}
	for _, d := range strategies {
		values = append(values, d.Name, d.Version, d.Stage, d.Weight)
	}
	return hash(values...)
}
