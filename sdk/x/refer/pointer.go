package refer

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// Pointer is a place in a text that points elsewhere.
type Pointer struct {
	// Text is the pointer as written, normalised unless it is a link.
	Text string `json:"text"`
	// Kind is one of the constants below.
	Kind string `json:"kind"`
	// Number is the number of the target ("7", "4.2", "b"), 前 or 次 for the previous or next article, and "" for
	// headings and links.
	Number string `json:"number,omitempty"`
	// Title is the heading of the target, for the kind heading.
	Title string `json:"title,omitempty"`
	// Path and Anchor are the parts of a link before and after its #.
	Path   string `json:"path,omitempty"`
	Anchor string `json:"anchor,omitempty"`
}

// Kinds of pointers.
const (
	Article  = "article"  // 第7条, article 7
	Schedule = "schedule" // 別表1
	Annex    = "annex"    // 別紙2
	Form     = "form"     // 様式3
	Appendix = "appendix" // 付録B, appendix B
	Chapter  = "chapter"  // 第2章, chapter 2
	Section  = "section"  // 第4節, 4.2節, section 4.2, §4.2
	Table    = "table"
	Figure   = "figure"
	Heading  = "heading" // 「返品」を参照, see "Returns"
	Link     = "link"    // [text](path#anchor), [label]: path, href="path", :ref:`text <label>`, <<label>>
)

var (
	// linkPattern matches links, also those of HTML and components, and, in a line of their own, definitions of links;
	// [^1]: is a footnote.
	linkPattern = lazyregexp.New(`\[([^\]]*)\]\(<?([^)\s>]+)>?[^)]*\)|\[\[([^\]|]+)(?:\|[^\]]*)?\]\]` +
		`|(?m:^ {0,3}\[([^\]^][^\]]*)\]:[ \t]+<?([^\s>]+)>?)|\bhref=["']([^"'\s]+)["']`)
	// rolePattern matches the references of reStructuredText and of AsciiDoc.
	rolePattern    = lazyregexp.New(":(?:std:)?(?:ref|numref|(doc)):`([^`]+)`|<<([^\\s<>,]+)(?:,[^<>]*)?>>|\\bxref:([^\\[\\s]+)\\[")
	headingPattern = lazyregexp.New(`[「『]([^」』]{1,60})[」』](?:の[^。、]{0,12})?(?:を|も)?(?:ご参照|参照|ご覧|見て|お読み)|(?i:\b(?:see|refer to|described in|under)\s+(?:also\s+)?["“]([^"”]{1,80})["”])`)
	// Every match of headingPattern contains one of headingCues, in normalised form.
	headingCues = []string{"参照", "ご覧", "見て", "お読み", "see", "refer to", "described in", "under"}
	numbered    = []struct {
		kind string
		// Every pointer of the kind contains one of cues, or one of beside next to a digit.
		cues, beside []string
		pattern      func() *regexp.Regexp
	}{
		{Article, []string{"前条", "次条"}, []string{"条", "article"}, lazyregexp.New(`第 ?(\d+(?:の\d+)?) ?条(の\d+)?(?: ?第 ?\d+ ?項)?(?: ?第 ?\d+ ?号)?|(前|次)条(?:[^件]|$)|\barticles? (\d+(?:\.\d+)*)`)},
		{Schedule, []string{"別表"}, nil, lazyregexp.New(`別表 ?第? ?(\d+)?`)},
		{Annex, []string{"別紙", "annex"}, nil, lazyregexp.New(`別紙 ?(\d+)?|\bannex ([a-z]|\d+)\b`)},
		{Form, []string{"様式"}, nil, lazyregexp.New(`様式 ?第? ?(\d+)`)},
		{Appendix, []string{"付録", "appendix"}, nil, lazyregexp.New(`付録 ?([a-z]|\d+)?|\bappendix ([a-z]|\d+)\b`)},
		{Chapter, nil, []string{"章", "chapter"}, lazyregexp.New(`第?(\d+)章|\bchapter (\d+)`)},
		{Section, nil, []string{"節", "を参照", "項を参照", "section", "§"}, lazyregexp.New(`第?(\d+(?:\.\d+)*)(?:節|項を参照|を参照)|\bsections? (\d+(?:\.\d+)*)|§ ?(\d+(?:\.\d+)*)`)},
		{Table, nil, []string{"表", "table"}, lazyregexp.New(`(?:^|[^別])表(\d+(?:[.\-]\d+)*)|\btable (\d+(?:[.\-]\d+)*)`)},
		{Figure, nil, []string{"図", "figure", "fig."}, lazyregexp.New(`図(\d+(?:[.\-]\d+)*)|\bfig(?:ure|\.) (\d+(?:[.\-]\d+)*)`)},
	}
)

// Pointers returns the pointers in a sentence. source is the sentence as written, norm its normalised form.
func Pointers(source, norm string) []Pointer {
	var out []Pointer
	if strings.Contains(source, "](") || strings.Contains(source, "[[") || strings.Contains(source, "]:") ||
		strings.Contains(source, "href=") {
		out = links(source)
	}
	if strings.Contains(source, ":`") || strings.Contains(source, "xref:") ||
		strings.Contains(source, "<<") && strings.Contains(source, ">>") {
		out = append(out, roles(source)...)
	}
	if strings.ContainsAny(source, "「『\"“") && containsAny(norm, headingCues) {
		for _, m := range headingPattern().FindAllStringSubmatch(source, -1) {
			out = append(out, Pointer{Text: m[0], Kind: Heading, Title: m[1] + m[2]})
		}
	}
	for _, n := range numbered {
		besideDigit := func(cue string) bool { return besideDigit(norm, cue) }
		if !containsAny(norm, n.cues) && !slices.ContainsFunc(n.beside, besideDigit) {
			continue
		}
		for _, m := range n.pattern().FindAllStringSubmatch(norm, -1) {
			out = append(out, Pointer{Text: m[0], Kind: n.kind, Number: strings.Join(m[1:], "")})
		}
	}
	if strings.Contains(norm, "附則") {
		out = append(out, Pointer{Text: "附則", Kind: Heading, Title: "附則"})
	}
	return out
}

func containsAny(s string, cues []string) bool {
	return slices.ContainsFunc(cues, func(cue string) bool { return strings.Contains(s, cue) })
}

// besideDigit reports whether a digit is before a cue, or after it or its plural, at most one space away.
func besideDigit(s, cue string) bool {
	for i := strings.Index(s, cue); i >= 0; {
		before, after := strings.TrimSuffix(s[:i], " "), s[i+len(cue):]
		next := strings.TrimPrefix(strings.TrimPrefix(after, "s"), " ")
		if before != "" && isDigit(before[len(before)-1]) || next != "" && isDigit(next[0]) {
			return true
		}
		n := strings.Index(after, cue)
		if n < 0 {
			return false
		}
		i += len(cue) + n
	}
	return false
}

func isDigit(b byte) bool { return '0' <= b && b <= '9' }

func links(source string) []Pointer {
	var out []Pointer
	for _, m := range linkPattern().FindAllStringSubmatch(source, -1) {
		target := m[2] + m[3] + m[5] + m[6]
		if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
			continue // points outside of the manuals
		}
		path, anchor, _ := strings.Cut(target, "#")
		out = append(out, Pointer{Text: m[0], Kind: Link, Title: m[1] + m[4], Path: path, Anchor: anchor})
	}
	return out
}

// roles returns the references by label in reStructuredText and AsciiDoc.
func roles(source string) (out []Pointer) {
	for _, m := range rolePattern().FindAllStringSubmatch(source, -1) {
		p := Pointer{Text: m[0], Kind: Link, Title: m[2], Path: m[3] + m[4]}
		if title, target, found := strings.Cut(strings.TrimSuffix(m[2], ">"), "<"); found && m[2] != title {
			p.Title, p.Path = strings.TrimSpace(title), target
		} else if m[2] != "" {
			p.Path = m[2]
		}
		if m[1] == "" { // not a document
			if path, anchor, found := strings.Cut(p.Path, "#"); found {
				p.Path, p.Anchor = path, anchor
			} else if !strings.HasSuffix(p.Path, ".adoc") {
				p.Path, p.Anchor = "", p.Path
			}
		}
		out = append(out, p)
	}
	return out
}

// Clone returns a pointer that stays valid after the text in which it was found.
func (p Pointer) Clone() Pointer {
	c := strings.Clone
	return Pointer{c(p.Text), p.Kind, c(p.Number), c(p.Title), c(p.Path), c(p.Anchor)}
}
