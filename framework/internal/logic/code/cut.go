package code

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// Cut cuts a file into its units. The extension of name determines the language; a file in an unknown one is cut into
// blocks. Code with broken syntax is cut as far as possible. src is UTF-8. [Text] returns why a file should not be
// cut.
func Cut(name string, src []byte) File {
	lang := languageOf(name)
	if lang == nil {
		c := newCutter(&source{src: src})
		return File{Language: "text", Units: c.rest(0, len(src), nil)}
	}
	if lang == golang {
		if f, ok := cutGo(src); ok {
			return f
		}
	}
	c := newCutter(scan(lang, src))
	for _, d := range outlines[lang.style](c.source) {
		c.declare(d)
	}
	return c.file(c.broken)
}

// cutter turns declarations into the units of a file.
type cutter struct {
	*source
	lines corpus.Lines
	units []Unit
}

func newCutter(s *source) *cutter { return &cutter{source: s, lines: corpus.NewLines(s.src)} }

func (c *cutter) declare(d declaration) {
	from, to := int(c.tokens[d.start].start), int(c.tokens[min(d.end, len(c.tokens)-1)].end)
	decl := int(c.tokens[d.decl].start)
	u := Unit{
		Kind: d.kind, Name: d.name, Span: Span{from, to},
		First: c.lines.At(from), Last: c.lines.At(max(from, to-1)), Decl: c.lines.At(decl),
	}
	if d.doc > 0 {
		u.Doc = Span{int(c.tokens[d.doc].start), int(c.tokens[d.doc].end)}
	}
	c.units = append(c.units, u)
}

// file sorts the units and fills the gaps between them.
func (c *cutter) file(broken bool) File {
	kinds := []Kind{Method, Function, Type, Constant} // if two have the same place, the first of these is kept
	slices.SortStableFunc(c.units, func(a, b Unit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), -cmp.Compare(a.End, b.End),
			cmp.Compare(slices.Index(kinds, a.Kind), slices.Index(kinds, b.Kind)))
	})
	c.units = slices.CompactFunc(c.units, func(a, b Unit) bool { return a.Start == b.Start && a.End == b.End })
	c.units = slices.DeleteFunc(c.units, func(u Unit) bool { return u.Empty() })
	c.document()
	c.nest()
	c.fill()
	c.facts()
	texts := []Span{}
	for _, t := range c.tokens {
		if t.kind == text && bytes.IndexByte(c.src[t.start:t.end], '\n') >= 0 {
			texts = append(texts, Span{int(t.start), int(t.end)})
		}
	}
	return File{Language: c.lang.name, Units: c.units, Comments: c.comments, Texts: texts, Broken: broken}
}

// nest finds the parents and the full names, and drops units that cross the end of another one.
func (c *cutter) nest() {
	open, kept := []int{}, c.units[:0]
	for _, u := range c.units {
		for len(open) > 0 && kept[open[len(open)-1]].End <= u.Start {
			open = open[:len(open)-1]
		}
		u.Parent, u.Qualified = NoParent, u.Name
		if n := len(open); n > 0 {
			outer := kept[open[n-1]]
			if outer.End < u.End {
				continue
			}
			u.Parent, u.Qualified = open[n-1], join(outer.Qualified, u.Name)
		}
		open = append(open, len(kept))
		kept = append(kept, u)
	}
	c.units = kept
}

// declaration is a declared unit, as tokens.
type declaration struct {
	kind  Kind
	name  string
	start int // first token, decorators included
	decl  int // first token after the decorators
	end   int // last token
	doc   int // token of the doc string, or 0
}

// outlines find the declarations of a scanned file.
var outlines = map[blockStyle]func(*source) []declaration{
	braces: outlineBraces, indents: outlineIndents, ends: outlineEnds, statements: outlineStatements,
}
