package epub

import (
	"context"
	"errors"
	"fmt"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/archive"
	"github.com/sagasu-search/sagasu/sdk/x/markdown"
	"github.com/sagasu-search/sagasu/sdk/x/webpage"
)

// Converter implements [sdk.Converter].
type Converter struct{}

// New returns the converter.
func New() sdk.Converter { return Converter{} }

// Entry returns the converter's entry, for programs that compile it in.
func Entry() sdk.Entry { return sdk.Entry{Name: "epub", NewConverter: New} }

// DescribeConverter implements [sdk.Converter].
func (Converter) DescribeConverter() sdk.ConverterDescription {
	return sdk.ConverterDescription{
		Name:    "epub",
		Version: "7",
		Formats: []sdk.Format{{MediaType: "application/epub+zip", Extensions: []string{".epub"}}},
		Summary: "converts the chapters of EPUB books",
		License: "Apache-2.0",
	}
}

// Convert implements [sdk.Converter].
func (Converter) Convert(ctx context.Context, doc sdk.Document) (*sdk.Converted, error) {
	files, err := archive.Open(doc)
	if err != nil {
		return nil, err
	}
	b, err := open(ctx, files)
	if err != nil {
		return nil, err
	}
	out := &sdk.Converted{Title: b.title}
	fail := func(ch chapter, reason string) {
		out.Problems = append(out.Problems, sdk.Problem{Place: sdk.Place{Anchor: ch.name}, Reason: reason})
	}
	var w markdown.Writer
	for _, ch := range b.chapters {
		if w.Full() {
			fail(ch, "the book is too large, its end was not read")
			break
		}
		src, err := files.Read(ch.path)
		if err != nil {
			fail(ch, err.Error())
			continue
		}
		page, err := webpage.Convert(ctx, &w, src, webpage.Options{Chapter: ch.name, Titles: b.titles[ch.path]})
		switch {
		case ctx.Err() != nil:
			return nil, context.Cause(ctx)
		case err != nil:
			fail(ch, err.Error())
		case page.Full:
			fail(ch, "the chapter is too large, its end was not read")
		}
	}
	out.Blocks = w.Blocks()
	if len(out.Blocks) == 0 {
		if len(out.Problems) > 0 {
			return nil, fmt.Errorf("no chapter can be read: %s", out.Problems[0].Reason)
		}
		out.Problems = append(out.Problems, sdk.Problem{Reason: "no text"})
	}
	return out, nil
}

// errNoBook is the error for an archive that is not a book.
var errNoBook = errors.New("the file is no EPUB: it does not say where its contents are")

func isPage(mediaType string) bool {
	return mediaType == "application/xhtml+xml" || mediaType == "text/html" || mediaType == "text/x-oeb1-document"
}
