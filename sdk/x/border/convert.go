package border

import (
	"fmt"
	"mime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
)

// The rules of converters.
const (
	RuleConverted = "a text in blocks: headings of one line, levels from 0 to 6, texts of valid UTF-8 without NUL"
	RulePlace     = "a place is a page, an anchor or a sheet"
	RuleText      = "a text of bounded size"
)

// Limits on a converter's answers; lengths in bytes.
const (
	MaxFormats  = 50
	MaxText     = 32 << 20 // of all blocks
	MaxBlocks   = 500_000
	MaxProblems = 10_000
	MaxHeading  = 4096
	MaxPlace    = 1024
	MaxReason   = 500
	maxPage     = 10_000_000
	maxLevel    = 6
)

// CheckConverter checks the description of a converter. The error is a [*BreachError].
func CheckConverter(d sdk.ConverterDescription) error {
	switch {
	case !IsName(d.Name):
		return breach(RuleDescription, "name %.50q, not %s", d.Name, nameForm)
	case d.Version == "":
		return breach(RuleDescription, "no version, which must change whenever a text may change")
	case len(d.Formats) == 0 || len(d.Formats) > MaxFormats:
		return breach(RuleDescription, "%d formats", len(d.Formats))
	}
	for _, line := range []string{d.Version, d.Summary, d.License, d.SDK} {
		if len(line) > MaxSummary || !isLine(line) {
			return breach(RuleDescription, "a version, summary, licence or sdk of %d bytes, or not of one line",
				len(line))
		}
	}
	for _, f := range d.Formats {
		if t, _, err := mime.ParseMediaType(f.MediaType); err != nil || !strings.Contains(t, "/") {
			return breach(RuleDescription, "media type %.50q", f.MediaType)
		}
		if len(f.Extensions) == 0 || len(f.Extensions) > MaxFormats {
			return breach(RuleDescription, "%d extensions of %s", len(f.Extensions), f.MediaType)
		}
		for _, ext := range f.Extensions {
			if rest, ok := strings.CutPrefix(ext, "."); !ok || !made(rest, lower+"_.+") {
				return breach(RuleDescription, "extension %.50q, not a dot and lower-case letters or digits", ext)
			}
			if taken(ext) {
				return breach(RuleDescription, "extension %.50q, which the host reads itself", ext)
			}
		}
	}
	return nil
}

// taken reports whether the host itself reads files with an extension.
func taken(ext string) bool {
	return slices.Contains([]string{".md", ".markdown", ".mdx", ".json", ".txt", ".text", ".rst", ".adoc", ".asciidoc",
		".csv", ".tsv", ".jsonl", ".ndjson"}, ext)
}

// CheckConverted checks the text of a document. The error is a [*BreachError].
func CheckConverted(c *sdk.Converted) error {
	if len(c.Title) > MaxHeading || !isLine(c.Title) {
		return breach(RuleConverted, "a title of %d bytes, or not of one line", len(c.Title))
	}
	if len(c.Encoding) > MaxReason || !isLine(c.Encoding) {
		return breach(RuleConverted, "an encoding of %d bytes, or not of one line", len(c.Encoding))
	}
	if len(c.Blocks) > MaxBlocks || len(c.Problems) > MaxProblems {
		return breach(RuleText, "%d blocks and %d problems", len(c.Blocks), len(c.Problems))
	}
	size := 0
	for i := range c.Blocks {
		b := &c.Blocks[i]
		if err := checkBlock(b); err != nil {
			return fmt.Errorf("block %d: %w", i, err)
		}
		if size += len(b.Heading) + len(b.Text); size > MaxText {
			return breach(RuleText, "more than %d bytes", MaxText)
		}
	}
	for i, p := range c.Problems {
		if p.Reason == "" || len(p.Reason) > MaxReason || !isLine(p.Reason) {
			return breach(RuleConverted, "problem %d has a reason of %d bytes, or not of one line", i, len(p.Reason))
		}
		if err := checkPlace(p.Place); err != nil {
			return fmt.Errorf("problem %d: %w", i, err)
		}
	}
	return nil
}

func checkBlock(b *sdk.Block) error {
	switch {
	case b.Level < 0 || b.Level > maxLevel:
		return breach(RuleConverted, "level %d", b.Level)
	case (b.Level == 0) != (strings.TrimSpace(b.Heading) == ""):
		return breach(RuleConverted, "level %d with the heading %.50q", b.Level, b.Heading)
	case len(b.Heading) > MaxHeading || !isLine(b.Heading):
		return breach(RuleConverted, "a heading of %d bytes, or not of one line", len(b.Heading))
	case !utf8.ValidString(b.Text) || strings.IndexByte(b.Text, 0) >= 0:
		return breach(RuleConverted, "a text that is no UTF-8, or holds NUL")
	}
	return checkPlace(b.Place)
}

func checkPlace(p sdk.Place) error {
	set := 0
	for _, on := range []bool{p.Page != 0, p.Anchor != "", p.Sheet != ""} {
		if on {
			set++
		}
	}
	switch {
	case set > 1:
		return breach(RulePlace, "%d of them", set)
	case p.Page < 0 || p.Page > maxPage:
		return breach(RulePlace, "page %d", p.Page)
	case len(p.Anchor)+len(p.Sheet) > MaxPlace || !isLine(p.Anchor) || !isLine(p.Sheet):
		return breach(RulePlace, "an anchor or sheet of %d bytes, or not of one line", len(p.Anchor)+len(p.Sheet))
	}
	return nil
}
