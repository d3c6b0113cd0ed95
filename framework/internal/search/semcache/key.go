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

// Key is the lookup key of a query. It contains no text of the query.
type Key struct {
	// Exact is equal for queries with equal plans: the same normalised text with the same
	// phrases, exclusions and intent.
	Exact [sha256.Size]byte
	// Meaning is equal for queries that ask the same; see [KeyOf]. [Entry.Alike] decides whether their intents
	// may differ.
	Meaning [sha256.Size]byte
	Intent  sdk.Intent
}

// maxWorded is the maximum length in bytes of a query whose meaning is analysed. Longer queries,
// such as pasted texts, only match themselves.
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

// hash returns a hash of values, which must not contain pointers.
func hash(values ...any) [sha256.Size]byte {
	return sha256.Sum256(fmt.Appendf(nil, "%#v", values))
}

// binding returns the terms that must agree, sorted.
func binding(all []sdk.Term) []sdk.Term {
	out := slices.DeleteFunc(slices.Clone(all), func(t sdk.Term) bool { return t.Kind == sdk.TermSoft })
	slices.SortFunc(out, func(a, b sdk.Term) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Text, b.Text), cmp.Compare(a.Weight, b.Weight))
	})
	return out
}

// Name returns a hexadecimal name that is the same, on every server, for queries that ask the same in a scope.
func (k Key) Name(s Scope) string { return fmt.Sprintf("%x", hash(s, k.Meaning)) }

// Scope is the scope in which an answer is valid. An answer is served only if all fields are equal.
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

// Recipe identifies the strategies that can be called, with their versions and weights, and the
// settings that affect results, which must not contain pointers.
func Recipe(strategies []sdk.Description, settings any) [sha256.Size]byte {
	values := []any{settings}
	for _, d := range strategies {
		values = append(values, d.Name, d.Version, d.Stage, d.Weight)
	}
	return hash(values...)
}
