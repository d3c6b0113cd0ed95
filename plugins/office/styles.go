package office

import (
	"encoding/xml"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/sdk/x/archive"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// style is what a paragraph's style says about its text.
type style struct {
	name, base  string
	level       int // of a heading from 1, or 0
	list, depth int
	isTitle     bool
	isContents  bool
	isCode      bool
}

// styles are the styles of a document by id.
type styles map[string]style

var (
	// headingName matches names of heading styles. Word writes them in English in every language, other programs do
	// not.
	headingName = lazyregexp.New(`(?i)^(?:heading|見出し|überschrift|titre|标题|標題|제목|título|titolo|titulo|заголовок|` +
		`kop|rubrik|nagłówek|overskrift|otsikko|nadpis|başlık|címsor)\s*([1-9１-９])$`)
	titleName    = lazyregexp.New(`(?i)^(?:title|表題|タイトル|titel)$`)
	contentsName = lazyregexp.New(`(?i)^(?:toc|contents|目次)(?:\s*[1-9]|\s*heading|\s*見出し)$`)
	codeName     = lazyregexp.New(`(?i)^(?:html preformatted|preformatted text|source|source code|code|code block)$`)
)

func (p *pkg) readStyles(part string) styles {
	all := styles{}
	p.each(part, func(x *archive.XML, e xml.StartElement) (bool, error) {
		if e.Name.Local != "style" {
			return e.Name.Local == "styles", nil
		}
		id, s := archive.Attribute(e, "styleId"), style{}
		outline := -1
		err := x.Each(func(e xml.StartElement) (bool, error) {
			switch e.Name.Local {
			case "name":
				s.name = strings.TrimSpace(archive.Attribute(e, "val"))
			case "basedOn":
				s.base = archive.Attribute(e, "val")
			case "outlineLvl":
				outline = number(e, "val", -1)
			case "ilvl":
				s.depth = number(e, "val", 0)
			case "numId":
				s.list = number(e, "val", 0)
			case "pPr", "numPr":
				return true, nil
			}
			return false, nil
		})
		s.classify(outline)
		all[id] = s
		return false, err
	})
	return all
}

// classify determines the purpose of a style from its name and outline level.
func (s *style) classify(outline int) {
	if outline >= 0 && outline < 9 {
		s.level = min(outline+1, 6)
	}
	if found := headingName().FindStringSubmatch(s.name); found != nil {
		digit := []rune(found[1])[0]
		level, _ := strconv.Atoi(string('0' + digit%16))
		s.level = min(max(level, 1), 6)
	}
	s.isTitle = titleName().MatchString(s.name)
	if s.isTitle {
		s.level = 1
	}
	s.isContents = contentsName().MatchString(s.name)
	s.isCode = codeName().MatchString(s.name)
}

// of returns the style of a paragraph: its own properties, then those of its style and that style's bases.
func (all styles) of(p *paragraph) style {
	var s style
	if p.outline >= 0 && p.outline < 9 {
		s.level = min(p.outline+1, 6)
	}
	id := p.style
	named, found := all[id]
	if !found { // a document without styles
		named.name = id
		named.classify(-1)
	}
	for range 10 {
		if s.level == 0 && p.outline != 9 {
			s.level = named.level
		}
		if s.list == 0 {
			s.list, s.depth = named.list, named.depth
		}
		s.isTitle = s.isTitle || named.isTitle
		s.isContents = s.isContents || named.isContents
		s.isCode = s.isCode || named.isCode
		if id = named.base; id == "" {
			break
		}
		named = all[id]
	}
	if p.list >= 0 {
		s.list, s.depth = p.list, p.depth
	}
	return s
}
