package corpus

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// ordinal is a number that gives a file its place among others, as in 01-install.md. A number followed by a digit is a
// date or a version.
var ordinal = lazyregexp.New(`^\d{1,3}[ ._)-]+(\D)`)

// fileNames are the names of one file as its sections have them.
type fileNames struct{ folders, file string }

// newFileNames returns the names of a file, without its extension, and of its folders, without the words that its title
// contains: headings already count these.
func newFileNames(path, title string) fileNames {
	parts := strings.Split(path, "/")
	last := len(parts) - 1
	parts[last] = fileStem(path)
	for i, part := range parts {
		parts[i] = withoutTitleWords(ordinal().ReplaceAllString(part, "$1"), title)
	}
	if strings.EqualFold(parts[last], "index") { // the page of its folder
		parts[last] = ""
	}
	return fileNames{strings.Join(parts[:last], " "), parts[last]}
}

// of returns the names of section i. Only the first section has those of the folders: a word that many files have would
// count for none of them.
func (n fileNames) of(i int) string {
	if i > 0 {
		return n.file
	}
	return strings.TrimSpace(n.folders + " " + n.file)
}

// longName is the length in bytes from which on a name may be a title that was cut off, even within a word.
const longName = 40

// withoutTitleWords returns a name without the words of a title.
func withoutTitleWords(name, title string) string {
	said, names := words(title), strings.Fields(spaced(name))
	if last := len(names) - 1; last > 0 && len(name) >= longName &&
		strings.Contains(text.Fold(title), " "+text.Fold(names[last])) {
		names = names[:last]
	}
	return strings.Join(slices.DeleteFunc(names, func(word string) bool {
		return !slices.ContainsFunc(words(word), func(w string) bool { return !slices.Contains(said, w) })
	}), " ")
}

// spaced replaces the underscores of a name, and hyphens between letters, with spaces, since phrases are matched letter
// by letter. In 2026-11-23 and ERR-1042, a hyphen stays.
func spaced(name string) string {
	runes := []rune(name)
	for i, r := range runes {
		inner := i > 0 && i+1 < len(runes)
		if r == '_' || r == '-' && inner && unicode.IsLetter(runes[i-1]) && unicode.IsLetter(runes[i+1]) {
			runes[i] = ' '
		}
	}
	return string(runes)
}

// words returns the terms of a text without compound ones.
func words(s string) []string {
	t := text.Normalize(s)
	var out []string
	for token := range text.Tokens(&t) {
		switch token.Class {
		case text.Word, text.Unigram, text.Bigram:
			out = append(out, token.Term)
		}
	}
	return out
}
