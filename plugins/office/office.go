package office

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strconv"
	"strings"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/archive"
	"github.com/sagasu-search/sagasu/sdk/x/markdown"
)

// Converter implements [sdk.Converter].
type Converter struct{}

// New returns the converter.
func New() sdk.Converter { return Converter{} }

const formats = "application/vnd.openxmlformats-officedocument."

// Entry returns the converter's entry, for programs that compile it in.
func Entry() sdk.Entry { return sdk.Entry{Name: "office", NewConverter: New} }

// DescribeConverter implements [sdk.Converter].
func (Converter) DescribeConverter() sdk.ConverterDescription {
	return sdk.ConverterDescription{
		Name:    "office",
		Version: "9",
		Formats: []sdk.Format{
			{
				MediaType:  formats + "wordprocessingml.document",
				Extensions: []string{".docx", ".docm", ".dotx", ".dotm"},
			},
			{
				MediaType:  formats + "presentationml.presentation",
				Extensions: []string{".pptx", ".pptm", ".ppsx", ".ppsm"},
			},
			{
				MediaType:  formats + "spreadsheetml.sheet",
				Extensions: []string{".xlsx", ".xlsm", ".xltx", ".xltm"},
			},
		},
		Summary: "converts Word documents, PowerPoint presentations and Excel workbooks",
		License: "Apache-2.0",
	}
}

// pkg is an open file of Office Open XML.
type pkg struct {
	ctx      context.Context
	files    *archive.Archive
	w        markdown.Writer
	title    string
	problems []sdk.Problem
	saved    string // number of pages when the document was saved
	paged    bool   // whether its places have page numbers
}

// Convert implements [sdk.Converter].
func (Converter) Convert(ctx context.Context, doc sdk.Document) (*sdk.Converted, error) {
	files, err := archive.Open(doc)
	if err != nil {
		return nil, err
	}
	p := &pkg{ctx: ctx, files: files}
	if err := p.convert(); ctx.Err() != nil {
		return nil, context.Cause(ctx)
	} else if err != nil {
		return nil, err
	}
	out := &sdk.Converted{Title: p.title, Blocks: p.w.Blocks(), Problems: p.problems}
	for i := range out.Blocks {
		if !p.paged {
			out.Blocks[i].Place.Page = 0
		}
	}
	switch {
	case p.w.Full():
		out.Problems = append(out.Problems, sdk.Problem{Reason: "the document is too large, its end was not read"})
	case len(out.Blocks) == 0:
		out.Problems = append(out.Problems, sdk.Problem{Reason: "no text"})
	}
	return out, nil
}

// convert writes the main part of a package. Its content determines its type, not the file name.
func (p *pkg) convert() error {
	if _, err := p.files.Read("_rels/.rels"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var main string
	for _, r := range p.relations("") {
		if r.is("officeDocument") {
			main = r.target
		}
		if r.is("core-properties") {
			p.title = p.textIn(r.target, "title")
		}
		if r.is("extended-properties") {
			p.saved = p.textIn(r.target, "Pages")
		}
	}
	if !p.files.Has(main) {
		return errors.New("the file is no document of Office")
	}
	root, err := p.root(main)
	if err != nil {
		return err
	}
	switch root {
	case "document":
		return p.document(main)
	case "presentation":
		return p.presentation(main)
	case "workbook":
		return p.workbook(main)
	}
	return fmt.Errorf("the file is no document, presentation or workbook, but a %.40q", root)
}

// root returns the name of the first element of a part.
func (p *pkg) root(part string) (string, error) {
	x, err := p.files.XML(p.ctx, part)
	if err != nil {
		return "", err // it names the part
	}
	for {
		token, err := x.Next()
		if err != nil {
			return "", fmt.Errorf("the file is damaged: %w", err)
		}
		if e, ok := token.(xml.StartElement); ok {
			return e.Name.Local, nil
		}
	}
}

// textIn returns the text of the first element with a name in a part.
func (p *pkg) textIn(part, name string) (found string) {
	p.each(part, func(x *archive.XML, e xml.StartElement) (bool, error) {
		if e.Name.Local != name || found != "" {
			return true, nil
		}
		text, err := x.Text()
		found = strings.Join(strings.Fields(text), " ")
		return false, err
	})
	return found
}

// each visits the elements of a part, see [archive.XML.Each]. It fails if the part is missing or "".
func (p *pkg) each(part string, visit func(x *archive.XML, e xml.StartElement) (bool, error)) error {
	x, err := p.files.XML(p.ctx, part)
	if err != nil {
		return err
	}
	if err := x.Each(func(e xml.StartElement) (bool, error) { return visit(x, e) }); err != nil {
		return fmt.Errorf("%.100q is damaged: %w", part, err)
	}
	return nil
}

// relation points from a part to another one or out of the file.
type relation struct {
	id, kind, target string
	external         bool
}

func (r relation) is(kind string) bool { return path.Base(r.kind) == kind }

// relations returns the relations of a part, or those of the package for "".
func (p *pkg) relations(part string) (all []relation) {
	dir, name := path.Split(part)
	p.each(dir+"_rels/"+name+".rels",
		func(_ *archive.XML, e xml.StartElement) (bool, error) {
			if e.Name.Local != "Relationship" {
				return true, nil
			}
			r := relation{
				id: archive.Attribute(e, "Id"), kind: archive.Attribute(e, "Type"),
				target:   archive.Attribute(e, "Target"),
				external: archive.Attribute(e, "TargetMode") == "External",
			}
			switch {
			case r.external:
			case strings.HasPrefix(r.target, "/"):
				r.target = r.target[1:]
			default:
				r.target = path.Join(dir, r.target)
			}
			all = append(all, r)
			return false, nil
		})
	return all
}

// related returns the related part of a kind, or "".
func related(all []relation, kind string) string {
	for _, r := range all {
		if r.is(kind) && !r.external {
			return r.target
		}
	}
	return ""
}

func target(all []relation, id string) relation {
	for _, r := range all {
		if r.id == id {
			return r
		}
	}
	return relation{}
}

// fail records a part that could not be read.
func (p *pkg) fail(place sdk.Place, err error) {
	p.problems = append(p.problems, sdk.Problem{Place: place, Reason: err.Error()})
}

// number returns the attribute name as a number, or otherwise if it is not a number.
func number(e xml.StartElement, name string, otherwise int) int {
	n, err := strconv.Atoi(archive.Attribute(e, name))
	if err != nil {
		return otherwise
	}
	return n
}

// isOn reports whether an element switches a property on. Without a value it does.
func isOn(e xml.StartElement) bool {
	switch archive.Attribute(e, "val") {
	case "0", "false", "off", "none":
		return false
	}
	return true
}
