package html

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/x/archive"
	"github.com/sagasu-search/sagasu/sdk/x/border"
	"github.com/sagasu-search/sagasu/sdk/x/markdown"
	"github.com/sagasu-search/sagasu/sdk/x/webpage"
)

// Extensions of pages in an archive, and of files that other converters read.
const (
	ofPages  = " .html .htm .xhtml .xht .md .markdown .mdx "
	ofOthers = " .txt .text .rst .adoc .asciidoc .csv .tsv .json .jsonl .ndjson .pdf .epub " +
		".docx .docm .dotx .dotm .pptx .pptm .ppsx .ppsm .xlsx .xlsm .xltx .xltm "
)

// Messages for the latter, and for an archive inside an archive, which an import does not open either.
const (
	elsewhere = "not read in this archive; sagasu import docs ARCHIVE reads it"
	nested    = "an archive in an archive is not opened"
)

// convertArchive converts a site that was saved as a zip archive: its pages, each under its own heading.
func convertArchive(ctx context.Context, doc sdk.Document) (*sdk.Converted, error) {
	files, err := archive.Open(doc)
	if err != nil {
		return nil, err
	}
	out, size := &sdk.Converted{}, 0
	fail := func(name, reason string) {
		if len(out.Problems) < border.MaxProblems {
			out.Problems = append(out.Problems, sdk.Problem{Place: sdk.Place{Anchor: name}, Reason: reason})
		}
	}
	for _, name := range readingOrder(files.Names()) {
		switch end := " " + strings.ToLower(path.Ext(name)) + " "; {
		case strings.Contains(ofOthers, end):
			fail(name, elsewhere)
			continue
		case end == " .zip ":
			fail(name, nested)
			continue
		case !strings.Contains(ofPages, end):
			continue
		}
		blocks, err := convertFile(ctx, files, name)
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		for i := range blocks {
			size += len(blocks[i].Heading) + len(blocks[i].Text)
		}
		if size > border.MaxText || len(out.Blocks)+len(blocks) > border.MaxBlocks {
			fail(name, "the archive is too large, its end was not read")
			break
		}
		if err != nil {
			fail(name, err.Error())
		}
		out.Blocks = append(out.Blocks, blocks...)
	}
	switch {
	case len(out.Blocks) == 0 && len(out.Problems) > 0:
		return nil, errors.New("the archive holds no page that can be read: " + out.Problems[0].Place.Anchor + ": " +
			out.Problems[0].Reason)
	case len(out.Blocks) == 0:
		return nil, errors.New("the archive holds no pages")
	}
	return out, nil
}

// readingOrder sorts file names, with the index of a folder first, and drops files that do not belong to a site.
func readingOrder(names []string) []string {
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		for part := range strings.SplitSeq(name, "/") {
			if strings.HasPrefix(part, ".") || part == "__MACOSX" || part == "node_modules" {
				return true
			}
		}
		hidden := func(r rune) bool { return !unicode.IsGraphic(r) }
		return !utf8.ValidString(name) || strings.ContainsFunc(name, hidden) || len(name) > border.MaxPlace
	})
	key := func(name string) string {
		dir, file := path.Split(name)
		if strings.HasPrefix(strings.ToLower(file), "index.") {
			return dir
		}
		return name
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(key(a), key(b)), cmp.Compare(a, b)) })
	return names
}

// convertFile converts a file of an archive. The error says what was not read.
func convertFile(ctx context.Context, files *archive.Archive, name string) ([]sdk.Block, error) {
	src, err := files.Read(name)
	if err == nil && strings.HasPrefix(strings.ToLower(path.Ext(name)), ".m") {
		src, err = htmlOf(src)
	}
	if err != nil {
		return nil, err
	}
	var w markdown.Writer
	page, err := webpage.Convert(ctx, &w, src, webpage.Options{})
	if err != nil {
		return nil, err
	}
	blocks := w.Blocks()
	switch {
	case len(blocks) == 0:
		return nil, errors.New("no text")
	case page.Full || w.Full():
		err = errors.New("the page is too large, its end was not read")
	}
	for i := range blocks {
		at := &blocks[i].Place.Anchor
		if whole := name + "#" + *at; *at != "" && len(whole) <= border.MaxPlace {
			*at = whole
		} else if *at != "" || i == 0 {
			*at = name
		}
	}
	if blocks[0].Level != 1 { // otherwise it would belong to the page before
		var title markdown.Inline
		title.Text(cmp.Or(page.Title, name))
		blocks = slices.Insert(blocks, 0, sdk.Block{Level: 1, Heading: title.Plain(), Place: sdk.Place{Anchor: name}})
	}
	return blocks, err
}

// htmlOf returns an HTML page for a Markdown text, without its front matter.
func htmlOf(src []byte) ([]byte, error) {
	text, _, err := webpage.Decode(src)
	if err != nil {
		return nil, err
	}
	if rest, begins := bytes.CutPrefix(text, []byte("---\n")); begins {
		if _, body, ends := bytes.Cut(rest, []byte("\n---\n")); ends {
			text = body
		}
	}
	out := bytes.NewBufferString("<!DOCTYPE html><meta charset=utf-8><main>")
	err = goldmark.New(goldmark.WithExtensions(extension.GFM)).Convert(text, out)
	return out.Bytes(), err
}
