package corpus

import "strings"

// pathSeparator stands between the titles of a heading path.
const pathSeparator = " > "

// maxTitle is the length in runes to which an enclosing title is shortened in
// a path. The section's own title always stands whole.
const maxTitle = 120

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

// onlyTop returns the title of the only level-1 heading: the subject of the file
// also where a section is not below it. Where there are several, none is.
func onlyTop(headings []heading) string {
	top := ""
	for _, h := range headings {
		if h.level != 1 {
			continue
		}
		if top != "" {
			return ""
		}
		top = h.title
	}
	return top
}
