package html

import (
	"context"
	"errors"
	"io"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/markdown"
	"github.com/sagasu-search/sagasu/sdk/x/webpage"
)

const archiveType = "application/zip"

// maxSize is the maximum number of bytes of a page that are read.
const maxSize = 32 << 20

// Converter implements [sdk.Converter].
type Converter struct{}

// New returns the converter.
func New() sdk.Converter { return Converter{} }

// Entry returns the converter's entry, for programs that compile it in.
func Entry() sdk.Entry { return sdk.Entry{Name: "html", NewConverter: New} }

// DescribeConverter implements [sdk.Converter].
func (Converter) DescribeConverter() sdk.ConverterDescription {
	return sdk.ConverterDescription{
		Name:    "html",
		Version: "13",
		Formats: []sdk.Format{
			{MediaType: "text/html", Extensions: []string{".html", ".htm"}},
			{MediaType: "application/xhtml+xml", Extensions: []string{".xhtml", ".xht"}},
			{MediaType: archiveType, Extensions: []string{".zip"}},
		},
		Summary: "converts the main content of web pages, also of zip archives of them",
		License: "Apache-2.0",
	}
}

// Convert implements [sdk.Converter].
func (Converter) Convert(ctx context.Context, doc sdk.Document) (*sdk.Converted, error) {
	if doc.MediaType == archiveType {
		return convertArchive(ctx, doc)
	}
	src := make([]byte, min(doc.Size, maxSize))
	if _, err := io.ReadFull(io.NewSectionReader(doc.Content, 0, doc.Size), src); err != nil {
		return nil, err
	}
	if reason := foreign(src); reason != "" {
		return nil, errors.New(reason)
	}
	var w markdown.Writer
	page, err := webpage.Convert(ctx, &w, src, webpage.Options{})
	if err != nil {
		return nil, err
	}
	out := &sdk.Converted{Blocks: w.Blocks(), Encoding: page.Encoding}
	out.Title = titleOver(page, out.Blocks)
	switch {
	case page.Full || w.Full() || doc.Size > maxSize:
		out.Problems = append(out.Problems, sdk.Problem{Reason: "the page is too large, its end was not read"})
	case len(out.Blocks) == 0:
		out.Problems = append(out.Problems, sdk.Problem{Reason: "no text"})
	}
	return out, nil
}

// foreign returns what a file is, judged by its first bytes, or "" if it may be HTML.
func foreign(src []byte) string {
	for mark, is := range map[string]string{
		"PK\x03\x04": "a zip file", "%PDF-": "a PDF", "\xd0\xcf\x11\xe0": "an old Word format",
		"\x1f\x8b": "compressed", "\x7fELF": "a program", "MZ\x90": "a program",
		"\x89PNG": "an image", "GIF8": "an image", "\xff\xd8\xff": "an image",
	} {
		if len(src) >= len(mark) && string(src[:len(mark)]) == mark {
			return "the file is " + is + ", not HTML"
		}
	}
	return ""
}
