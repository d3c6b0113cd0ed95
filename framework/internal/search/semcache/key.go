package semcache

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// Key is what a query is looked up by. It holds no text of the query.
type Key struct {
	// Exact is shared by queries that are planned alike: the same normalised
	// text with the same phrases, exclusions and intent.
	Exact [sha256.Size]byte
	// Meaning is shared by queries that ask the same; see [KeyOf].
	Meaning [sha256.Size]byte
}

// mostWorded is the length in bytes up to which a query is read for its meaning;
// a text that is pasted as a query is only ever the same letter for letter.
const mostWorded = 2048

// KeyOf returns the key of a planned query.
//
// The rule for a server without embeddings is "the same multiset of
// content terms after stop patterns and folding", and no wrong hit. A multiset
// alone would take 「AからBへ」 for 「BからAへ」, so Meaning keeps the words of
// the query with their particles and in their order. It gives up only what
// cannot carry a meaning: the frame of the question (とは, について, を教えて,
// ですか, how do I, please), politeness, articles, punctuation at the end, and
// the place of a word such as 手順 in a list of keywords. Numbers, codes,
// negations, must and excluded terms, phrases and the intent all have to agree.
func KeyOf(q sdk.Query) Key {
	norm := text.Fold(q.Raw)
	k := Key{Exact: exact(q, norm)}
	if len(norm) > mostWorded {
		k.Meaning = k.Exact
		return k
	}
	h := sha256.New()
	field(h, form(norm), string(q.Intent), fmt.Sprint(q.MatchThreshold))
	terms(h, binding(q.Terms))
	h.Sum(k.Meaning[:0])
	return k
}

func exact(q sdk.Query, norm string) (sum [sha256.Size]byte) {
	h := sha256.New()
	field(h, norm, q.Text, string(q.Intent), fmt.Sprint(q.MatchThreshold))
	terms(h, q.Terms)
	h.Sum(sum[:0])
	return sum
}

// binding are the terms that a search may not exchange, in an order of their own.
func binding(all []sdk.Term) []sdk.Term {
	out := slices.DeleteFunc(slices.Clone(all), func(t sdk.Term) bool { return t.Kind == sdk.TermSoft })
	slices.SortFunc(out, func(a, b sdk.Term) int {
		return cmp.Or(cmp.Compare(a.Kind, b.Kind), strings.Compare(a.Text, b.Text), cmp.Compare(a.Weight, b.Weight))
	})
	return out
}

func terms(h hash.Hash, all []sdk.Term) {
	for _, t := range all {
		field(h, t.Text, string(t.Kind), fmt.Sprint(t.Phrase, t.Weight))
	}
}

// field hashes values so that no two lists of values run into each other.
func field(h hash.Hash, values ...string) {
	for _, v := range values {
		fmt.Fprintf(h, "%d:%s", len(v), v)
	}
}

// form is a normalised query without its frame; the query itself when nothing
// else would be left.
func form(norm string) string {
	bare := unpunctuated(norm, "?。、., ")
	out := ""
	if text.HasCJK(bare) {
		out = japanese(bare)
	} else {
		out = english(bare)
	}
	if out == "" {
		return norm
	}
	return out
}

// unpunctuated is s without the marks at its end, unless they belong to what
// stands before them, as in $? or a sign of its own.
func unpunctuated(s, marks string) string {
	bare := strings.TrimRight(s, marks)
	last, _ := utf8.DecodeLastRuneInString(bare)
	if bare != "" && (unicode.IsLetter(last) || unicode.IsNumber(last) || unicode.IsMark(last) ||
		strings.ContainsRune("ー)%'", last)) {
		return bare
	}
	return s
}

// Scope is what an answer is valid for. An answer is served only where all of
// it agrees.
type Scope struct {
	// ManualID is the manual as the search resolved it, "" for all.
	ManualID    string
	ExpandScope bool
	// MaxCandidates and TimeMS are the budget.
	MaxCandidates, TimeMS int
	// Strategies identifies the strategies and the settings of the search; see [Recipe].
	Strategies string
	// Fingerprint is of the content of all manuals, not of times: an edit to any
	// of them changes the statistics that every answer is ranked by.
	Fingerprint string
}

// Recipe identifies the strategies that can be called, with their versions and
// weights, and whatever settings change what a search finds. settings is
// encoded as JSON; what does not encode is an error of the program.
func Recipe(strategies []sdk.Description, settings any) (string, error) {
	type part struct {
		Name, Version string
		Stage         sdk.Stage
		Weight        float64
	}
	parts := make([]part, len(strategies))
	for i, d := range strategies {
		parts[i] = part{d.Name, d.Version, d.Stage, d.Weight}
	}
	data, err := json.Marshal([]any{parts, settings})
	if err != nil {
		return "", fmt.Errorf("identify the settings of a search: %w", err)
	}
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:]), nil
}
