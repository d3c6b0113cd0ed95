package judge

import (
	"regexp"
	"strings"
)

// Pointer is a place in a text that points elsewhere.
type Pointer struct {
	// Text is the pointer as it is written, normalised unless it is a link.
	Text string `json:"text"`
	// Kind is one of the PointsTo constants.
	Kind string `json:"kind"`
	// Number is what the kind is numbered by ("7", "4.2", "b"), 前 and 次 for the article
	// before and behind, "" for headings and links.
	Number string `json:"number,omitempty"`
	// Title is the heading that is meant, for the kind heading.
	Title string `json:"title,omitempty"`
	// Path and Anchor are the parts of a link, before and behind its #.
	Path   string `json:"path,omitempty"`
	Anchor string `json:"anchor,omitempty"`
}

// Kinds of pointers.
const (
	PointsToArticle  = "article"  // 第7条, article 7
	PointsToSchedule = "schedule" // 別表1
	PointsToAnnex    = "annex"    // 別紙2
	PointsToForm     = "form"     // 様式3
	PointsToAppendix = "appendix" // 付録B, appendix B
	PointsToChapter  = "chapter"  // 第2章, chapter 2
	PointsToSection  = "section"  // 第4節, 4.2節, section 4.2, §4.2
	PointsToTable    = "table"
	PointsToFigure   = "figure"
	PointsToHeading  = "heading" // 「返品」を参照, see "Returns"
	PointsToLink     = "link"    // [text](path#anchor)
)

var (
	linkPattern    = regexp.MustCompile(`\[([^\]]*)\]\(<?([^)\s>]+)>?[^)]*\)|\[\[([^\]|]+)(?:\|[^\]]*)?\]\]`)
	headingPattern = regexp.MustCompile(`[「『]([^」』]{1,60})[」』](?:の[^。、]{0,12})?(?:を|も)?(?:ご参照|参照|ご覧|見て|お読み)|(?i:\b(?:see|refer to|described in|under)\s+(?:also\s+)?["“]([^"”]{1,80})["”])`)
	numbered       = []struct {
		kind    string
		cues    []string // one of them stands in every pointer of the kind
		pattern *regexp.Regexp
	}{
		{PointsToArticle, []string{"条", "article"}, regexp.MustCompile(`第 ?(\d+(?:の\d+)?) ?条(の\d+)?(?: ?第 ?\d+ ?項)?(?: ?第 ?\d+ ?号)?|(前|次)条(?:[^件]|$)|\barticles? (\d+(?:\.\d+)*)`)},
		{PointsToSchedule, []string{"別表"}, regexp.MustCompile(`別表 ?第? ?(\d+)?`)},
		{PointsToAnnex, []string{"別紙", "annex"}, regexp.MustCompile(`別紙 ?(\d+)?|\bannex ([a-z]|\d+)\b`)},
		{PointsToForm, []string{"様式"}, regexp.MustCompile(`様式 ?第? ?(\d+)`)},
		{PointsToAppendix, []string{"付録", "appendix"}, regexp.MustCompile(`付録 ?([a-z]|\d+)?|\bappendix ([a-z]|\d+)\b`)},
		{PointsToChapter, []string{"章", "chapter"}, regexp.MustCompile(`第?(\d+)章|\bchapter (\d+)`)},
		{PointsToSection, []string{"節", "参照", "section", "§"}, regexp.MustCompile(`第?(\d+(?:\.\d+)*)(?:節|項を参照|を参照)|\bsections? (\d+(?:\.\d+)*)|§ ?(\d+(?:\.\d+)*)`)},
		{PointsToTable, []string{"表", "table"}, regexp.MustCompile(`(?:^|[^別])表(\d+(?:[.\-]\d+)*)|\btable (\d+(?:[.\-]\d+)*)`)},
		{PointsToFigure, []string{"図", "fig"}, regexp.MustCompile(`図(\d+(?:[.\-]\d+)*)|\bfig(?:ure|\.) (\d+(?:[.\-]\d+)*)`)},
	}
)

// Pointers finds where a sentence points. source is as written, norm its normalised form.
func Pointers(source, norm string) []Pointer {
	var out []Pointer
	if strings.Contains(source, "](") || strings.Contains(source, "[[") {
		out = links(source)
	}
	if strings.ContainsAny(source, "「『\"“") {
		for _, m := range headingPattern.FindAllStringSubmatch(source, -1) {
			out = append(out, Pointer{Text: m[0], Kind: PointsToHeading, Title: m[1] + m[2]})
		}
	}
	for _, n := range numbered {
		if !containsAny(norm, n.cues) {
			continue
		}
		for _, m := range n.pattern.FindAllStringSubmatch(norm, -1) {
			out = append(out, Pointer{Text: m[0], Kind: n.kind, Number: strings.Join(m[1:], "")})
		}
	}
	if strings.Contains(norm, "附則") {
		out = append(out, Pointer{Text: "附則", Kind: PointsToHeading, Title: "附則"})
	}
	return out
}

func links(source string) []Pointer {
	var out []Pointer
	for _, m := range linkPattern.FindAllStringSubmatch(source, -1) {
		target := m[2] + m[3]
		if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
			continue // points out of the manuals
		}
		path, anchor, _ := strings.Cut(target, "#")
		out = append(out, Pointer{Text: m[0], Kind: PointsToLink, Title: m[1], Path: path, Anchor: anchor})
	}
	return out
}

// clone makes a pointer that outlives the text it was found in.
func (p Pointer) clone() Pointer {
	return Pointer{strings.Clone(p.Text), p.Kind, strings.Clone(p.Number), strings.Clone(p.Title), strings.Clone(p.Path), strings.Clone(p.Anchor)}
}
