package mermaid

import (
	"html"
	"regexp"
	"strings"
)

var (
	lineBreak = regexp.MustCompile(`(?i)<br\s*/?>`)
	entity    = regexp.MustCompile(`#(\w+);`)
)

// plain is a label as a reader sees it: without the quotes of a Markdown
// string, line breaks as spaces, entities such as #quot; and #9829; resolved.
func plain(label string) string {
	label = strings.TrimSpace(label)
	if inner, ok := strings.CutPrefix(label, "`"); ok && strings.HasSuffix(inner, "`") {
		label = strings.TrimSuffix(inner, "`")
	}
	label = lineBreak.ReplaceAllString(label, " ")
	label = entity.ReplaceAllStringFunc(label, func(code string) string {
		name := code[1:]
		if name[0] >= '0' && name[0] <= '9' {
			name = "#" + name
		}
		return html.UnescapeString("&" + name)
	})
	return strings.Join(strings.Fields(label), " ")
}
