package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync"

	"github.com/sagasu-search/sagasu/plugins/pdf/layout"
	"github.com/sagasu-search/sagasu/plugins/pdf/pdfium"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/serve"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// Converter implements [sdk.Converter]. PDFium is compiled at the first document.
type Converter struct {
	slots chan struct{} // limits the number of documents at a time

	mu     sync.Mutex
	engine *pdfium.Engine
}

var _ sdk.Converter = (*Converter)(nil)

const (
	// version changes whenever the text of a document may change.
	version = "8 " + pdfium.Version
	// together is the maximum number of documents that are read at once, since each may need the memory of an instance.
	together = 2
	// maxPages is the maximum number of pages of a document that are read.
	maxPages = 20_000
	// unreadable is the share of unmapped characters from which a page is not text.
	unreadable = 0.3
)

// New returns the converter.
func New() *Converter { return &Converter{slots: make(chan struct{}, together)} }

// DescribeConverter implements [sdk.Converter].
func (c *Converter) DescribeConverter() sdk.ConverterDescription {
	return sdk.ConverterDescription{
		Name:    "pdf",
		Version: version,
		Formats: []sdk.Format{{MediaType: "application/pdf", Extensions: []string{".pdf"}}},
		Summary: "text, headings and tables of PDF documents with their pages",
		License: "Apache-2.0",
	}
}

// Close ends PDFium.
func (c *Converter) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.engine == nil {
		return nil
	}
	err := c.engine.Close()
	c.engine = nil
	return err
}

// started returns PDFium, compiled once. If the state directory cannot be written, the next start compiles it again.
func (c *Converter) started(ctx context.Context) (*pdfium.Engine, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.engine != nil {
		return c.engine, nil
	}
	engine, err := pdfium.NewEngine(sdk.StateDir(ctx))
	if err != nil {
		sdk.Logger(ctx).Warn("PDFium is compiled anew", "error", err)
		engine, err = pdfium.NewEngine("")
	}
	if err == nil {
		c.engine = engine
	}
	return engine, err
}

// Convert implements [sdk.Converter].
func (c *Converter) Convert(ctx context.Context, doc sdk.Document) (*sdk.Converted, error) {
	select {
	case c.slots <- struct{}{}:
		defer func() { <-c.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	engine, err := c.started(ctx)
	if err != nil {
		return nil, fmt.Errorf("PDFium does not start: %w", err)
	}
	d, err := engine.Open(ctx, doc.Content, doc.Size)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	out, err := read(ctx, d)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	return out, err
}

func read(ctx context.Context, d *pdfium.Document) (*sdk.Converted, error) {
	pages, err := d.Pages()
	if err != nil || pages == 0 {
		return nil, pdfium.ErrBroken
	}
	outline, err := d.Outline()
	if err != nil {
		outline = nil // headings are then recognised by their type
	}
	var sheets []layout.Sheet
	var gaps gaps
	for i := range min(pages, maxPages) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		page, unmapped, drawn, err := d.Page(i)
		switch {
		case err != nil:
			gaps.add(i+1, "damaged")
		case unmapped >= unreadable:
			gaps.add(i+1, "characters without a meaning in Unicode")
		case len(page.Chars) == 0 && drawn:
			gaps.add(i+1, "no text")
		default:
			sheets = append(sheets, layout.Cut(page))
		}
	}
	if pages > maxPages {
		gaps.add(maxPages+1, "beyond the last page that is read")
		gaps.last().to = pages
	}
	blocks := layout.Blocks(sheets, outline)
	if len(blocks) == 0 {
		return nil, gaps.whole()
	}
	return &sdk.Converted{Title: titled(d.Title()), Blocks: blocks, Problems: gaps.problems()}, nil
}

var fileName = regexp.MustCompile(`(?i)\.(docx?|pptx?|xlsx?|odt|tex|dvi|indd|qxd|pdf|ai|md|html?)$|^untitled|` +
	`^(microsoft \w+|powerpoint\b.*) - `)

// titled returns a title, or "" if it is the name of a file.
func titled(s string) string {
	if fileName.MatchString(s) {
		return ""
	}
	return strings.Join(strings.Fields(s), " ")
}

// gaps are runs of pages that could not be read, each with one reason.
type gaps []gap

type gap struct {
	from, to int
	reason   string
}

func (g *gaps) add(page int, reason string) {
	if n := len(*g); n > 0 && (*g)[n-1].reason == reason && (*g)[n-1].to == page-1 {
		(*g)[n-1].to = page
		return
	}
	*g = append(*g, gap{page, page, reason})
}

func (g gaps) last() *gap { return &g[len(g)-1] }

func (g gaps) problems() []sdk.Problem {
	var out []sdk.Problem
	for _, r := range g {
		for page := r.from; page <= r.to && len(out) < border.MaxProblems; page++ {
			out = append(out, sdk.Problem{Place: sdk.Place{Page: page}, Reason: r.reason})
		}
	}
	return out
}

// whole returns why a document has no text at all.
func (g gaps) whole() error {
	for _, r := range g {
		switch {
		case r.reason == "damaged":
			return pdfium.ErrBroken
		case r.reason != "no text":
			return errors.New("its fonts do not say what its characters mean; print it anew with another program")
		}
	}
	return errors.New("it has no text; it may be scanned")
}

func main() { serve.Converter(New()) }
