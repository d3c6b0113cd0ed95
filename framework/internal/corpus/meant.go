package corpus

import (
	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// SectionAt is the innermost of a file's sections that holds a line; the first one
// where none does, as in front matter.
func SectionAt(sections []Section, line int) int {
	at := 0
	for i, s := range sections {
		if s.Start <= line {
			at = i
		}
	}
	return at
}

// Meant is the section that a line and a title point at, whether or not the lines of
// the file have moved since: the innermost at the line so titled, else the one of that
// title that begins nearest to it. An empty title is that of any section. Where no
// section bears the title the text is gone, which is a conflict of the parameter "title".
func Meant(sections []Section, line int, title string) (int, *toolset.Error) {
	want := titleKey(title)
	at := SectionAt(sections, line)
	if want == "" {
		return at, nil
	}
	for i := uint32(at); i != snapshot.None; i = sections[i].Parent {
		if titleKey(sections[i].Title) == want {
			return int(i), nil
		}
	}
	near := -1
	for i, s := range sections {
		if titleKey(s.Title) == want && (near < 0 || distance(s.Start, line) < distance(sections[near].Start, line)) {
			near = i
		}
	}
	if near < 0 {
		return 0, untitled(sections, at, title)
	}
	return near, nil
}

// titleKey is what two writings of one title share.
func titleKey(title string) string { return norm.NFC.String(title) }

func distance(a, b int) int { return max(a-b, b-a) }

func untitled(sections []Section, at int, title string) *toolset.Error {
	titles := make([]string, len(sections))
	for i, s := range sections {
		titles[i] = s.Title
	}
	return toolset.Errorf(toolset.Conflict, "the file has no section titled %q any more: it was changed since the "+
		"ref was made; search again, or look at its headings with manual_toc", title).
		With("parameter", "title").With("got", title).With("expected", sections[at].Title).
		With("did_you_mean", toolset.DidYouMean(title, titles, 3))
}
