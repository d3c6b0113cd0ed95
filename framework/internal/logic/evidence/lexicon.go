package evidence

import (
	"iter"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/logic/loanword"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/unit"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// lexicon is what a snapshot of a repository knows of words and files. It holds no
// memory of the snapshot.
type lexicon struct {
	name     string   // of the snapshot
	loans    *loans   // shared with earlier ones
	scopes   []string // the patterns that files lie in
	unparsed []string

	once  sync.Once
	files map[string][]string // paths by the name of the file, when a path is looked up first
}

// loan is a word of the dictionary that a Japanese loanword may stand for.
type loan struct {
	word   string
	vowels string
}

// Bounds of the words that loanwords are led to, in letters.
const (
	shortestLoan = 3
	longestLoan  = 20
)

// newLexicon lists the files of a snapshot; words are gathered when they are asked for,
// or kept from the lexicon of an earlier snapshot, which may be nil.
func newLexicon(snap *snapshot.Snapshot, globs repo.Globs, before *lexicon) *lexicon {
	l := &lexicon{name: snap.Name(), loans: &loans{}}
	if before != nil {
		l.loans = before.loans
	}
	scopes := newScopes(globs)
	for f := range files(snap) {
		if f.Skipped != "" {
			l.unparsed = append(l.unparsed, strings.Clone(f.Path))
		} else {
			scopes.add(f.Path)
		}
	}
	l.scopes, l.unparsed = scopes.list(), append(l.unparsed, broken(snap)...)
	slices.Sort(l.unparsed)
	return l
}

// files returns the files of a snapshot in no order, which takes less time than in one.
func files(snap *snapshot.Snapshot) iter.Seq[snapshot.File] {
	return func(yield func(snapshot.File) bool) {
		for _, g := range snap.Segments() {
			for f := range g.Files() {
				if !yield(f) {
					return
				}
			}
		}
	}
}

// broken returns the files whose syntax could not be followed to its end.
func broken(snap *snapshot.Snapshot) []string {
	var all []string
	for it := snap.Keyword(unit.Broken).Iterator(); it.HasNext(); {
		if s, ok := snap.Section(it.Next()); ok && !slices.Contains(all, s.Path) {
			all = append(all, strings.Clone(s.Path))
		}
	}
	return all
}

// loans are the words of a repository's dictionary by their sound.
type loans struct {
	mu   sync.Mutex
	name string    // of the snapshot that they were read from
	read time.Time // and when
	of   map[string][]loan
}

// wordsStay is how long the words of an earlier snapshot do: few edits bring new ones, and
// a large dictionary takes a while.
const wordsStay = time.Minute

// sounding returns the words of a key in a snapshot.
func (l *loans) sounding(snap *snapshot.Snapshot, key string) []loan {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.of == nil || l.name != snap.Name() && time.Since(l.read) > wordsStay {
		l.name, l.read, l.of = snap.Name(), time.Now(), readLoans(snap)
	}
	return l.of[key]
}

func readLoans(snap *snapshot.Snapshot) map[string][]loan {
	all := map[string][]loan{}
	for term, df := range snap.Terms("") {
		word := strings.TrimPrefix(term, text.ExactMark)
		if df == 0 || len(word) < shortestLoan || len(word) > longestLoan || !plainLetters(word) {
			continue
		}
		if s := loanword.OfEnglish(word); len(s.Key) > 1 {
			all[s.Key] = append(all[s.Key], loan{strings.Clone(word), s.Vowels})
		}
	}
	return all
}

func plainLetters(word string) bool {
	for i := range len(word) {
		if word[i] < 'a' || word[i] > 'z' {
			return false
		}
	}
	return true
}

// named returns the files that a path in prose may mean: those that end with it, or, where
// it starts above the root, that it ends with.
func (l *lexicon) named(snap *snapshot.Snapshot, mention string) []string {
	l.once.Do(func() {
		l.files = map[string][]string{}
		for f := range files(snap) {
			name := strings.Clone(f.Path)
			l.files[path.Base(name)] = append(l.files[path.Base(name)], name)
		}
	})
	mention = strings.Trim(path.Clean("/"+mention), "/")
	var all []string
	for _, name := range l.files[path.Base(mention)] {
		if name == mention || strings.HasSuffix(name, "/"+mention) || strings.HasSuffix(mention, "/"+name) {
			all = append(all, name)
		}
	}
	return all
}
