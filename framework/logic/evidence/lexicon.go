package evidence

import (
	"path"
	"strings"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/framework/corpus/repo"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
)

// lexicon is what a snapshot of a repository knows of words and files. It holds no
// memory of the snapshot.
type lexicon struct {
	name     string              // of the snapshot
	loans    *loans              // shared with earlier ones
	files    map[string][]string // paths by the name of the file
	scopes   []string            // the patterns that files lie in
	unparsed []string
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
	l := &lexicon{name: snap.Name(), loans: &loans{}, files: map[string][]string{}, unparsed: unparsed(snap)}
	if before != nil {
		l.loans = before.loans
	}
	var all []string
	for f := range snap.Files() {
		if f.Skipped == "" {
			name := strings.Clone(f.Path)
			all = append(all, name)
			l.files[path.Base(name)] = append(l.files[path.Base(name)], name)
		}
	}
	l.scopes = scopes(globs, all)
	return l
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

// sounding are the words of a key in a snapshot.
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
		if s := soundOfEnglish(word); len(s.key) > 1 {
			all[s.key] = append(all[s.key], loan{strings.Clone(word), s.vowels})
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

// named are the files that a path in prose may mean: those that end with it, or, where
// it starts above the root, that it ends with.
func (l *lexicon) named(mention string) []string {
	mention = strings.Trim(path.Clean("/"+mention), "/")
	var all []string
	for _, name := range l.files[path.Base(mention)] {
		if name == mention || strings.HasSuffix(name, "/"+mention) || strings.HasSuffix(mention, "/"+name) {
			all = append(all, name)
		}
	}
	return all
}
