package corpus

import (
	"path"
	"strings"
)

// format is how a text marks the beginnings of sections.
type format int

const (
	noFormat     format = iota // not a file of a manual, or a document, whose text is Markdown
	markdown                   // "# Title", or a title with a line below it
	jsonText                   // one section
	underlined                 // a title with a line below it: reStructuredText, and plain text
	asciidoc                   // "== Title", or a title with a line below it
	unstructured               // runs of lines
)

// formatOf returns the format of a file by its extension.
func formatOf(name string) format {
	switch strings.ToLower(path.Ext(name)) {
	case ".md", ".markdown", ".mdx":
		return markdown
	case ".json":
		return jsonText
	case ".txt", ".text", ".rst":
		return underlined
	case ".adoc", ".asciidoc":
		return asciidoc
	case ".csv", ".tsv", ".jsonl", ".ndjson":
		return unstructured
	}
	return noFormat
}

// IsMarkdown reports whether a file is read as Markdown.
func IsMarkdown(name string) bool { return formatOf(name) == markdown }

func isMDX(name string) bool { return strings.EqualFold(path.Ext(name), ".mdx") }

// IsJSON reports whether a file is read as JSON.
func IsJSON(name string) bool { return formatOf(name) == jsonText }

// HasSections reports whether a file of a manual may have several sections: all files except JSON may.
func HasSections(name string) bool { return isManualFile(name) && !IsJSON(name) }

// MIMEType returns the media type of a file's text.
func MIMEType(name string) string {
	switch {
	case IsMarkdown(name):
		return "text/markdown"
	case IsJSON(name):
		return "application/json"
	}
	return "text/plain"
}

func isManualFile(name string) bool { return formatOf(name) != noFormat }

// IsFile reports whether a file with that name belongs to the manual: text, or a document.
func (m Manual) IsFile(name string) bool { return isManualFile(name) || m.Reads(name) }
