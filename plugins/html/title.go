package html

import (
	"slices"
	"strings"
	"unicode"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/webpage"
)

// titleOver returns the title above the headings of a page. If the page's title begins with its first heading, which is
// shown anyway, it returns the rest of the title, usually the name of the site, or the title of what the page is part
// of.
func titleOver(page webpage.Page, blocks []sdk.Block) string {
	i := slices.IndexFunc(blocks, func(b sdk.Block) bool { return b.Level > 0 })
	if i < 0 || len(page.Title) < len(blocks[i].Heading) {
		return page.Title
	}
	at := len(blocks[i].Heading)
	if !strings.EqualFold(page.Title[:at], blocks[i].Heading) {
		return page.Title
	}
	rest := strings.TrimSpace(page.Title[at:])
	switch name := strings.TrimFunc(rest, parting); {
	case name == "" && page.Home != "":
		return page.Home
	case name != "" && strings.IndexFunc(rest, parting) == 0:
		return name
	}
	return page.Title
}

// parting reports whether a character separates the parts of a title. White space is ignored.
func parting(r rune) bool {
	return unicode.IsSpace(r) || strings.ContainsRune("-–—―|:：·•»«/()（）", r)
}
