package pdfium

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/enums"
	"github.com/klippa-app/go-pdfium/references"
	"github.com/klippa-app/go-pdfium/requests"

	"github.com/sagasu-search/sagasu/plugins/pdf/layout"
)

const (
	maxChars     = 200_000 // of a page: more is a drawing made of letters
	maxObjects   = 20_000  // of a page that are searched for rules
	maxBookmarks = 20_000
	maxLevel     = 16 // of bookmarks
	maxWidth     = 20_000
)

// Document is an open document. Its methods must not be called concurrently.
type Document struct {
	instance pdfium.Pdfium
	doc      references.FPDF_DOCUMENT
}

// Close frees the document.
func (d *Document) Close() {
	_ = d.instance.Close() // its memory is freed even if this fails
}

// Pages returns the number of pages.
func (d *Document) Pages() (int, error) {
	n, err := d.instance.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: d.doc})
	if err != nil {
		return 0, err
	}
	return n.PageCount, nil
}

// Title returns the title in the document's metadata, or "".
func (d *Document) Title() string {
	meta, err := d.instance.FPDF_GetMetaText(&requests.FPDF_GetMetaText{Document: d.doc, Tag: "Title"})
	if err != nil {
		return ""
	}
	return strings.TrimSpace(strings.ToValidUTF8(meta.Value, ""))
}

// Page reads a page; index starts at 0. unmapped is the share of characters without a Unicode mapping in their font.
// drawn reports whether anything is drawn on the page.
func (d *Document) Page(index int) (page layout.Page, unmapped float64, drawn bool, err error) {
	page.Number = index + 1
	loaded, err := d.instance.FPDF_LoadPage(&requests.FPDF_LoadPage{Document: d.doc, Index: index})
	if err != nil {
		return page, 0, false, err
	}
	ref := requests.Page{ByReference: &loaded.Page}
	defer func() {
		_, closing := d.instance.FPDF_ClosePage(&requests.FPDF_ClosePage{Page: loaded.Page})
		err = errors.Join(err, closing)
	}()
	frame, err := d.instance.FPDF_GetPageBoundingBox(&requests.FPDF_GetPageBoundingBox{Page: ref})
	if err != nil {
		return page, 0, false, err
	}
	turned, err := d.instance.FPDFPage_GetRotation(&requests.FPDFPage_GetRotation{Page: ref})
	if err != nil {
		return page, 0, false, err
	}
	v := newView(frame.Rect.Left, frame.Rect.Bottom, frame.Rect.Right, frame.Rect.Top, int(turned.PageRotation))
	page.Width, page.Height = v.size()
	page.Chars, unmapped, err = d.chars(ref, v)
	if err != nil {
		return page, 0, false, err
	}
	page.Rules, drawn, err = d.rules(ref, v)
	return page, unmapped, drawn, err
}

// view converts the coordinates of a file, which grow upwards, to those of a viewer.
type view struct {
	x0, y0, x1, y1 float64
	turns          int // clockwise quarter turns
}

func newView(left, bottom, right, top float32, turns int) view {
	return view{float64(left), float64(bottom), float64(right), float64(top), turns & 3}
}

func (v view) size() (width, height float64) {
	if v.turns%2 == 1 {
		return v.y1 - v.y0, v.x1 - v.x0
	}
	return v.x1 - v.x0, v.y1 - v.y0
}

func (v view) box(left, bottom, right, top float32) layout.Box {
	x0, x1 := float64(left)-v.x0, float64(right)-v.x0
	y0, y1 := v.y1-float64(top), v.y1-float64(bottom)
	width, height := v.x1-v.x0, v.y1-v.y0
	switch v.turns {
	case 1:
		return layout.Box{X0: height - y1, Y0: x0, X1: height - y0, Y1: x1}
	case 2:
		return layout.Box{X0: width - x1, Y0: height - y1, X1: width - x0, Y1: height - y0}
	case 3:
		return layout.Box{X0: y0, Y0: width - x1, X1: y1, Y1: width - x0}
	}
	return layout.Box{X0: x0, Y0: y0, X1: x1, Y1: y1}
}

// font contains the properties that all characters of a font share.
type font struct {
	size       float64
	bold, mono bool
	turned     bool
	unmapped   bool
}

// chars reads characters. It checks the font only when the line or the character size changes, since calls into PDFium
// dominate the time.
func (d *Document) chars(ref requests.Page, v view) (chars []layout.Char, unmapped float64, err error) {
	loaded, err := d.instance.FPDFText_LoadPage(&requests.FPDFText_LoadPage{Page: ref})
	if err != nil {
		return nil, 0, err
	}
	text := loaded.TextPage
	defer func() {
		_, closing := d.instance.FPDFText_ClosePage(&requests.FPDFText_ClosePage{TextPage: text})
		err = errors.Join(err, closing)
	}()
	count, err := d.instance.FPDFText_CountChars(&requests.FPDFText_CountChars{TextPage: text})
	if err != nil {
		return nil, 0, err
	}
	n := min(count.Count, maxChars)
	runes, err := d.runes(text, n)
	if err != nil {
		return nil, 0, err
	}
	width, height := v.size()
	var f font
	var known layout.Box // of a character of the font
	bad := 0
	for i := range n {
		r := runes[i]
		if r == ' ' || r == '\r' || r == '\n' {
			if len(chars) > 0 && r == ' ' {
				last := chars[len(chars)-1]
				last.Rune, last.Box.X0 = ' ', last.Box.X1
				chars = append(chars, last)
			}
			continue
		}
		box := d.box(text, i, v)
		if box == (layout.Box{}) {
			continue // a character without a position
		}
		along := box.Y0 == known.Y0 && box.Y1 == known.Y1
		down := box.X0 == known.X0 && box.X1 == known.X1
		if !along && !down {
			known = box
			if f, err = d.font(text, i, v); err != nil {
				return nil, 0, err
			}
		}
		if f.unmapped || r == 0 || r == 0xfffd {
			bad++
			if r == 0 {
				continue
			}
		}
		if x, y := (box.X0+box.X1)/2, (box.Y0+box.Y1)/2; x < 0 || y < 0 || x > width || y > height {
			continue // cropped
		}
		chars = append(chars, layout.Char{
			Rune: r, Box: box, Size: f.size, Bold: f.bold, Mono: f.mono, Turned: f.turned,
		})
	}
	return chars, float64(bad) / float64(max(1, n)), nil
}

// box returns the box of a character, empty if it has none.
func (d *Document) box(text references.FPDF_TEXTPAGE, i int, v view) layout.Box {
	loose, err := d.instance.FPDFText_GetLooseCharBox(&requests.FPDFText_GetLooseCharBox{TextPage: text, Index: i})
	if err != nil {
		return layout.Box{}
	}
	return v.box(loose.Rect.Left, loose.Rect.Bottom, loose.Rect.Right, loose.Rect.Top)
}

// runes reads the characters of a page in one call if all are mapped, or otherwise one by one.
func (d *Document) runes(text references.FPDF_TEXTPAGE, n int) ([]rune, error) {
	if n == 0 {
		return nil, nil
	}
	whole, err := d.instance.FPDFText_GetText(&requests.FPDFText_GetText{TextPage: text, StartIndex: 0, Count: n})
	if err != nil {
		return nil, err
	}
	all := []rune(strings.TrimSuffix(whole.Text, "\x00"))
	if len(all) == n && len(utf16.Encode(all)) == n {
		return all, nil
	}
	out := make([]rune, n)
	for i := range out {
		r, err := d.instance.FPDFText_GetUnicode(&requests.FPDFText_GetUnicode{TextPage: text, Index: i})
		if err != nil {
			return nil, err
		}
		out[i] = rune(uint32(r.Unicode))
	}
	return out, nil
}

const (
	boldWeight = 600
	fixedPitch = 1 // flag of a font
)

func (d *Document) font(text references.FPDF_TEXTPAGE, i int, v view) (font, error) {
	matrix, err := d.instance.FPDFText_GetMatrix(&requests.FPDFText_GetMatrix{TextPage: text, Index: i})
	if err != nil {
		return font{size: 1}, nil
	}
	size, err := d.instance.FPDFText_GetFontSize(&requests.FPDFText_GetFontSize{TextPage: text, Index: i})
	if err != nil {
		return font{}, err
	}
	m := matrix.Matrix
	f := font{size: size.FontSize * math.Hypot(float64(m.C), float64(m.D))}
	// The direction of writing, clockwise as a reader sees it.
	quarter := int(math.Round(math.Atan2(-float64(m.B), float64(m.A))/(math.Pi/2))) + v.turns
	f.turned = quarter&3 != 0
	info, err := d.instance.FPDFText_GetFontInfo(&requests.FPDFText_GetFontInfo{TextPage: text, Index: i})
	if err == nil {
		name := strings.ToLower(info.FontName)
		f.bold = contains(name, "bold", "demi", "heavy", "black", "-w6", "-w7", "-w8")
		f.mono = info.Flags&fixedPitch != 0 ||
			contains(name, "mono", "courier", "typewriter", "cmtt", "xtt", "xbtt", "consol")
	}
	weight, err := d.instance.FPDFText_GetFontWeight(&requests.FPDFText_GetFontWeight{TextPage: text, Index: i})
	f.bold = f.bold || err == nil && weight.FontWeight >= boldWeight
	bad, err := d.instance.FPDFText_HasUnicodeMapError(&requests.FPDFText_HasUnicodeMapError{TextPage: text, Index: i})
	f.unmapped = err == nil && bad.HasUnicodeMapError
	return f, nil
}

func contains(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}

// rules reads the boxes that a page draws.
func (d *Document) rules(ref requests.Page, v view) (rules []layout.Box, drawn bool, err error) {
	count, err := d.instance.FPDFPage_CountObjects(&requests.FPDFPage_CountObjects{Page: ref})
	if err != nil {
		return nil, false, err
	}
	for i := range min(count.Count, maxObjects) {
		object, err := d.instance.FPDFPage_GetObject(&requests.FPDFPage_GetObject{Page: ref, Index: i})
		if err != nil {
			return nil, true, err
		}
		kind, err := d.instance.FPDFPageObj_GetType(&requests.FPDFPageObj_GetType{PageObject: object.PageObject})
		if err != nil {
			return nil, true, err
		}
		if kind.Type != enums.FPDF_PAGEOBJ_PATH {
			continue
		}
		b, err := d.instance.FPDFPageObj_GetBounds(&requests.FPDFPageObj_GetBounds{PageObject: object.PageObject})
		if err != nil {
			continue // an empty path
		}
		rules = append(rules, v.box(b.Left, b.Bottom, b.Right, b.Top))
	}
	return rules, count.Count > 0, nil
}

// Outline reads the bookmarks. If they form a loop, it reads each once.
func (d *Document) Outline() ([]layout.Bookmark, error) {
	o := &outline{Document: d, seen: map[string]bool{}}
	err := o.below(nil, 1)
	return o.marks, err
}

type outline struct {
	*Document
	marks []layout.Bookmark
	seen  map[string]bool
}

func (o *outline) below(parent *references.FPDF_BOOKMARK, level int) error {
	first, err := o.instance.FPDFBookmark_GetFirstChild(&requests.FPDFBookmark_GetFirstChild{
		Document: o.doc, Bookmark: parent,
	})
	if err != nil || first.Bookmark == nil || level > maxLevel {
		return err
	}
	for at := first.Bookmark; at != nil && len(o.marks) < maxBookmarks; {
		mark := o.bookmark(*at, level)
		key := fmt.Sprint(mark)
		if o.seen[key] {
			return nil
		}
		o.seen[key] = true
		if mark.Page > 0 && mark.Title != "" {
			o.marks = append(o.marks, mark)
		}
		if err := o.below(at, level+1); err != nil {
			return err
		}
		next, err := o.instance.FPDFBookmark_GetNextSibling(&requests.FPDFBookmark_GetNextSibling{
			Document: o.doc, Bookmark: *at,
		})
		if err != nil {
			return err
		}
		at = next.Bookmark
	}
	return nil
}

// bookmark reads a bookmark. A bookmark without a target has page 0.
func (o *outline) bookmark(ref references.FPDF_BOOKMARK, level int) layout.Bookmark {
	mark := layout.Bookmark{Level: level, Y: -1}
	title, err := o.instance.FPDFBookmark_GetTitle(&requests.FPDFBookmark_GetTitle{Bookmark: ref})
	if err != nil {
		return mark
	}
	mark.Title = strings.Join(strings.Fields(strings.ToValidUTF8(title.Title, "")), " ")
	dest := o.dest(ref)
	if dest == nil {
		return mark
	}
	page, err := o.instance.FPDFDest_GetDestPageIndex(&requests.FPDFDest_GetDestPageIndex{Document: o.doc, Dest: *dest})
	if err != nil || page.Index < 0 {
		return mark
	}
	mark.Page = page.Index + 1
	place, err := o.instance.FPDFDest_GetLocationInPage(&requests.FPDFDest_GetLocationInPage{Dest: *dest})
	if err != nil || place.Y == nil {
		return mark
	}
	size, err := o.instance.FPDF_GetPageSizeByIndexF(&requests.FPDF_GetPageSizeByIndexF{
		Document: o.doc, Index: page.Index,
	})
	if err == nil {
		if y := float64(size.Size.Height) - float64(*place.Y); y >= 0 && y < maxWidth {
			mark.Y = y
		}
	}
	return mark
}

func (o *outline) dest(ref references.FPDF_BOOKMARK) *references.FPDF_DEST {
	dest, err := o.instance.FPDFBookmark_GetDest(&requests.FPDFBookmark_GetDest{Document: o.doc, Bookmark: ref})
	if err == nil && dest.Dest != nil {
		return dest.Dest
	}
	action, err := o.instance.FPDFBookmark_GetAction(&requests.FPDFBookmark_GetAction{Bookmark: ref})
	if err != nil || action.Action == nil {
		return nil
	}
	target, err := o.instance.FPDFAction_GetDest(&requests.FPDFAction_GetDest{Document: o.doc, Action: *action.Action})
	if err != nil {
		return nil
	}
	return target.Dest
}
