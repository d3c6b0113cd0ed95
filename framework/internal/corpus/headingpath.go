package corpus

import (
	"strings"

	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// pathSeparator stands between the titles of a heading path.
const pathSeparator = " > "

// maxTitle is the length in runes to which an enclosing title is shortened in
// a path. The section's own title always stands whole.
const maxTitle = 120

// titlePaths sets the heading paths: the file's title, the titles of the
// enclosing sections and the section's own, none twice in a row.
func titlePaths(sections []Section, fileTitle string) {
	if fileTitle == "" {
		fileTitle = onlyTop(sections)
	}
	bases := make([]string, len(sections)) // what stands before a section's children
	for i := range sections {
		base, last := shorten(fileTitle), fileTitle
		if parent := sections[i].Parent; parent != snapshot.None {
			base, last = bases[parent], sections[parent].Title
		}
		sections[i].HeadingPath = join(base, last, sections[i].Title)
		bases[i] = strings.TrimSuffix(sections[i].HeadingPath, sections[i].Title) + shorten(sections[i].Title)
	}
}

func shorten(title string) string {
	count := 0
	for at := range title {
		if count == maxTitle {
			return title[:at]
		}
		count++
	}
	return title
}

// join appends own to base, which ends with last, shortened.
func join(base, last, own string) string {
	switch {
	case own == "":
		return base
	case strings.EqualFold(own, last):
		return strings.TrimSuffix(base, shorten(last)) + own
	case base == "":
		return own
	default:
		return base + pathSeparator + own
	}
}

// onlyTop is the title of the only level-1 heading: the subject of the file
// also where a section is not below it. Where there are several, none is.
func onlyTop(sections []Section) string {
	top := ""
	for _, s := range sections {
		if s.Level != 1 {
			continue
		}
		if top != "" {
			return ""
		}
		top = s.Title
	}
	return top
}
