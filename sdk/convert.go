package sdk

import (
	"context"
	"io"
)

// Converter turns documents of some formats into Markdown. It runs in a process of its own, in the sandbox of
// strategies, since it parses what strangers wrote. Its methods are called from several goroutines at once.
type Converter interface {
	// DescribeConverter says what the converter is. It is constant for a process.
	DescribeConverter() ConverterDescription

	// Convert converts one document. It honours the cancellation and the deadline of ctx. A document that
	// cannot be read at all, because it is encrypted, damaged or of another format than its name says, is an
	// error of one sentence. Parts that cannot be read are [Converted.Problems]. The same content gives the
	// same result.
	Convert(ctx context.Context, doc Document) (*Converted, error)
}

// ConverterDescription says what a converter is and what it reads.
type ConverterDescription struct {
	// Name is the converter's id: lower-case letters, digits and '-', 1 to 40 bytes.
	Name string
	// Version is free text that changes whenever the same content may give another result.
	Version string
	// Formats are what it reads, at least one.
	Formats []Format
	// Summary says in a line what it does, License by its SPDX identifier how it may be used.
	Summary, License string
	// SDK is the version of the sdk that it was built with, which fills it in.
	SDK string
}

// Format is a format of documents.
type Format struct {
	// MediaType is such as "application/pdf".
	MediaType string
	// Extensions are the ends of the names of its files in lower case, such as ".pdf".
	Extensions []string
}

// Document is what a converter reads.
type Document struct {
	// Name is the path of the file in its manual, separated by '/'. There is nothing to open under it.
	Name string
	// MediaType is that of the format whose extension Name has.
	MediaType string
	// Content is the file, of Size bytes. It is read only while Convert runs.
	Content io.ReaderAt
	Size    int64
}

// Converted is the text of a document.
type Converted struct {
	// Title is that of the whole document, "" where it says none.
	Title string
	// Blocks are the text, in reading order.
	Blocks []Block
	// Problems name the parts that could not be read, and why.
	Problems []Problem
}

// Block is a heading with text below it, or text that goes on at another place.
type Block struct {
	// Level is that of Heading, 1 (highest) to 6, or 0 for a block that goes on with the section above.
	Level int
	// Heading is one line of plain text, not Markdown.
	Heading string
	// Text is Markdown without headings: paragraphs, lists, tables, code. A line that only looks like a heading
	// is escaped.
	Text string
	// Place is where in the document the block begins.
	Place Place
}

// Place is a place in a document. At most one of its fields is set.
type Place struct {
	// Page is counted from 1, as a viewer of the document counts.
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
