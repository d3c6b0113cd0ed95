package sdk

import (
	"context"
	"io"
)

// Converter turns documents of some formats into Markdown. It runs in its own sandboxed process, like a strategy,
// since it parses untrusted files. Its methods are called from several goroutines at once.
type Converter interface {
	// DescribeConverter describes the converter. The result must not change while the process runs.
	DescribeConverter() ConverterDescription

	// Convert converts one document. It honours the cancellation and the deadline of ctx. It fails with a
	// one-sentence error when the whole document is unreadable: encrypted, damaged, or not in the format that its
	// name suggests. [Converted.Problems] reports unreadable parts. The same content gives the same result.
	Convert(ctx context.Context, doc Document) (*Converted, error)
}

// ConverterDescription describes a converter and the formats it reads.
type ConverterDescription struct {
	// Name is the converter's id: lower-case letters, digits and '-', 1 to 40 bytes.
	Name string
	// Version is free text. It must change whenever the same content may give a different result.
	Version string
	// Formats are the formats it reads, at least one.
	Formats []Format
	// Summary describes the converter in one line. License is its SPDX license identifier.
	Summary, License string
	// SDK is the version of the sdk that the converter was built with. The sdk sets it.
	SDK string
}

// Format is a format of documents.
type Format struct {
	// MediaType is the media type, such as "application/pdf".
	MediaType string
	// Extensions are the file name extensions of the format in lower case, such as ".pdf". The host itself reads text
	// such as .md, .json, .txt and .csv.
	Extensions []string
}

// Document is a file to convert.
type Document struct {
	// Name is the path of the file in its manual, separated by '/'. The converter cannot open it by this name.
	Name string
	// MediaType is the media type of the [Format] that lists Name's extension.
	MediaType string
	// Content is the file's content, Size bytes long. It may be read only until Convert returns.
	Content io.ReaderAt
	Size    int64
}

// Converted is the text of a document.
type Converted struct {
	// Title is the title of the whole document, "" if it has none.
	Title string
	// Encoding is the encoding that the text was decoded from, with the probability if it was guessed; "" for UTF-8
	// and for formats that define the encoding.
	Encoding string
	// Blocks are the text, in reading order.
	Blocks []Block
	// Problems lists the parts that could not be read, each with a reason.
	Problems []Problem
}

// Block is a heading with the text below it, or text that continues the section above at another place.
type Block struct {
	// Level is the level of Heading, 1 (highest) to 6, or 0 for a block that continues the section above.
	Level int
	// Heading is one line of plain text, not Markdown.
	Heading string
	// Text is Markdown without headings: paragraphs, lists, tables, code. A line that only looks like a heading
	// is escaped.
	Text string
	// Place is the place in the document where the block begins.
	Place Place
}

// Place is a place in a document. At most one of its fields is set.
type Place struct {
	// Page is the page number, counted from 1 as a document viewer does.
	Page int
	// Anchor is a fragment of the document's URL without '#'; in an archive of several documents,
	// "chapter.xhtml#part".
	Anchor string
	// Sheet is the name of a sheet, or the number of a slide as "slide 3".
	Sheet string
}

// Problem is a part of a document that could not be read.
type Problem struct {
	Place  Place
	Reason string // one phrase, such as "no text"
}
