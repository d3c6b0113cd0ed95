package corpus

import "strings"

// pathSeparator separates the titles of a heading path.
const pathSeparator = " > "

// maxTitle is the length in runes to which an enclosing title is shortened in a path. The section's own title is never
// shortened.
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

// join appends own to base, which ends with last, shortened. If own repeats last, it replaces it.
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

// onlyTop returns the title of the only level-1 heading, which is the subject of the file even for sections that are
// not below it, or "" if there are several.
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
