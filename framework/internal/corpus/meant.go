package corpus

import (
	"iter"

	"golang.org/x/text/unicode/norm"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// SectionAt returns the innermost of a file's sections that contains a line, or the first one if none does, as in front
// matter.
func SectionAt(sections iter.Seq[Section], line int) (at Section) {
	for s := range sections {
		if at.Start > 0 && s.Start > line {
			break
		}
		at = s
	}
	return at
}

// Meant returns the section that a line and a title pointed to, even if the lines of the file have moved since: the
// innermost section at the line with this title, or else the one with this title that begins nearest to the line. An
// empty title fits any section. If no section has the title, the text is gone, which is the error conflict of the
// parameter "title".
func Meant(sections iter.Seq[Section], line int, title string) (Section, *toolset.Error) {
	want := titleKey(title)
	at := SectionAt(sections, line)
	if want == "" {
		return at, nil
	}
	var around, near Section
	for s := range sections {
		if titleKey(s.Title) != want {
			continue
		}
		if s.Start <= at.Start && at.Start <= s.End {
			around = s
		}
		if near.Start == 0 || distance(s.Start, line) < distance(near.Start, line) {
			near = s
		}
	}
	switch {
	case around.Start > 0:
		return around, nil
	case near.Start > 0:
		return near, nil
	}
	return at, untitled(sections, at, title)
}

// titleKey returns the same for all Unicode forms of a title.
func titleKey(title string) string { return norm.NFC.String(title) }

func distance(a, b int) int { return max(a-b, b-a) }

func untitled(sections iter.Seq[Section], at Section, title string) *toolset.Error {
	var titles []string
	for s := range sections {
		titles = append(titles, s.Title)
	}
	return toolset.Errorf(toolset.Conflict, "the file has no section titled %q any more: it was changed since the "+
		"ref was made; search again, or look at its headings with manual_toc", title).
		With("parameter", "title").With("got", title).With("expected", at.Title).
		With("did_you_mean", toolset.DidYouMean(title, titles, 3))
}
