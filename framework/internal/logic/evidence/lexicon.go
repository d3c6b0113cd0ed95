package evidence

import (
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/unit"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
	"github.com/sagasu-search/sagasu/sdk/x/loanword"
)

// lexicon contains the words and files of a repository's snapshot. It refers to no memory of the snapshot.
type lexicon struct {
	name     string   // of the snapshot
	scopes   []string // patterns of the paths that were searched
	unparsed []string
	files    map[string][]string // paths by base name

	wholes *wholes

	once  sync.Once
	loans map[string][]string // words by sound, filled at the first use
}

// newLexicon lists the files of a snapshot. Loanwords are collected at the first use.
func newLexicon(snap *snapshot.Snapshot, globs repo.Globs) *lexicon {
	l := &lexicon{name: snap.Name(), files: map[string][]string{}, wholes: newWholes(snap)}
	read := []string{}
	for f := range snap.Files() {
		name := strings.Clone(f.Path)
		l.files[path.Base(name)] = append(l.files[path.Base(name)], name)
		if f.Skipped != "" {
			l.unparsed = append(l.unparsed, name)
		} else {
			read = append(read, name)
		}
	}
	l.scopes, l.unparsed = scopes(globs, read), append(l.unparsed, broken(snap)...)
	slices.Sort(l.unparsed)
	return l
}

// broken returns the files whose syntax could not be followed to the end.
func broken(snap *snapshot.Snapshot) []string {
	var all []string
	for it := snap.Keyword(unit.Broken).Iterator(); it.HasNext(); {
		if s, ok := snap.Section(it.Next()); ok && !slices.Contains(all, s.Path) {
			all = append(all, strings.Clone(s.Path))
		}
	}
	return all
}

// sounding returns the words of the snapshot's dictionary with this key of their sound.
func (l *lexicon) sounding(snap *snapshot.Snapshot, key string) []string {
	l.once.Do(func() {
		l.loans = map[string][]string{}
		for term, df := range snap.Terms("") {
			word := strings.TrimPrefix(term, text.ExactMark)
			if df == 0 || !origin().MatchString(word) {
				continue
			}
			if s := loanword.OfEnglish(word); len(s.Key) > 1 {
				l.loans[s.Key] = append(l.loans[s.Key], strings.Clone(word))
			}
		}
	})
	return l.loans[key]
}

// origin matches a word that a loanword may come from.
var origin = lazyregexp.New(`^[a-z]{3,20}$`)

// named returns the file that a path in prose means: the only one that ends with the path or, if it starts above the
// root, that the path ends with. Of mod.rs or __init__.py there are many, so these mean none.
func (l *lexicon) named(mention string) (file string, ok bool) {
	mention = strings.Trim(path.Clean("/"+mention), "/")
	for _, name := range l.files[path.Base(mention)] {
		if name == mention || strings.HasSuffix(name, "/"+mention) || strings.HasSuffix(mention, "/"+name) {
			if ok {
				return "", false
			}
			file, ok = name, true
		}
	}
	return file, ok
}

// mostScopes is the maximum number of paths in a search scope.
const mostScopes = 100

// scopes returns the patterns of the globs with stars replaced by the folders they match, such as
// openspec/changes/limits/specs/** for openspec/changes/*/specs/**.
func scopes(globs repo.Globs, files []string) (all []string) {
	for _, glob := range globs.All() {
		before, _, _ := strings.Cut(glob, "**")
		depth := strings.Count(before, "/") // number of folders before the first ** or before the file name
		rest, from := path.Join(strings.Split(glob, "/")[depth:]...), len(all)
		for _, file := range files {
			if doublestar.MatchUnvalidated(glob, file) {
				parts := strings.SplitAfterN(file, "/", depth+1)
				all = append(all, strings.Join(parts[:min(depth, len(parts)-1)], "")+rest)
			}
		}
		slices.Sort(all[from:])
		all = append(all[:from], slices.Compact(all[from:])...)
	}
	return all[:min(len(all), mostScopes)]
}
