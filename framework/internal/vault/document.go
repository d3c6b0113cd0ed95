package vault

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	pathpkg "path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// document is the text of a file.
type document struct {
	path  string // as stored
	text  []byte
	lines corpus.Lines
	from  func(first, last int) *toolset.Source // where lines of a manual's file came from; nil in the vault
	// sha256 is the SHA-256 of a manual's file as stored.
	sha256 string
}

// total returns the number of lines, 0 for an empty file.
func (d *document) total() int {
	if len(d.text) == 0 {
		return 0
	}
	return d.lines.Count()
}

// document reads a text file. param names the argument that gave its path. If there is no such file, the error
// names files of that name in other folders.
func (v *Vault) document(ctx context.Context, param, path string) (*document, error) {
	d, err := v.lookup(param, path)
	if err == nil || toolset.AsError(err).Code != toolset.NotFound {
		return d, err
	}
	root, openErr := v.open()
	if openErr != nil {
		return nil, err
	}
	defer root.Close()
	return nil, namesakes(ctx, root, path, err)
}

// namesakes adds to a not_found without suggestions the files of the same name in other folders, first those that
// the path ends with.
func namesakes(ctx context.Context, root *rootfs.Root, path string, err error) error {
	missing := toolset.AsError(err)
	if err == nil || missing.Code != toolset.NotFound || missing.Details["did_you_mean"] != nil {
		return err
	}
	var near []string
	want := rootfs.Key(strings.ReplaceAll(path, `\`, "/"))
	_ = walk(ctx, root, "", func(path string) error { // what cannot be read is not suggested
		if rootfs.Key(pathpkg.Base(path)) == pathpkg.Base(want) {
			near = append(near, path)
		}
		return nil
	}, ignore)
	if len(near) == 0 {
		return err
	}
	slices.SortStableFunc(near, func(a, b string) int {
		return cmp.Compare(strings.Index(want, rootfs.Key(b)), strings.Index(want, rootfs.Key(a)))
	})
	return missing.With("did_you_mean", near[:min(3, len(near))])
}

// lookup reads a text file; param names the argument that gave its path.
func (v *Vault) lookup(param, path string) (*document, error) {
	cleaned, bad := rootfs.Clean(param, path)
	if bad != nil {
		return nil, bad
	}
	root, err := v.openFor(cleaned, false)
	if err != nil {
		return nil, toolset.Renamed(err, param, "path")
	}
	defer root.Close()
	stored, _, err := find(root, cleaned)
	var text []byte
	if err == nil {
		text, err = root.ReadFile(stored)
	}
	if err != nil {
		return nil, toolset.Renamed(err, param, "path")
	}
	if reason := corpus.NotText(text); reason != "" {
		return nil, toolset.Errorf(toolset.NotAvailable,
			"%s cannot be read as text: %s; save it as UTF-8", stored, reason).
			With("parameter", param).With("got", path).With("reason", reason)
	}
	return &document{path: stored, text: text, lines: corpus.NewLines(text)}, nil
}

// find looks a path up under the name that was given, else under the one that a reserved folder
// is really stored as.
func find(root *rootfs.Root, cleaned string) (stored string, info fs.FileInfo, err error) {
	stored, info, err = root.Stat(cleaned)
	if other := canonical(cleaned); err != nil && other != cleaned {
		if stored, info, otherErr := root.Stat(other); otherErr == nil {
			return stored, info, nil
		}
	}
	return stored, info, err
}

// piece is a run of text of a document.
type piece struct {
	text  string
	from  int
	end   int // the byte behind it
	lines toolset.Range
}

// piece takes the text from one byte to another, but no more than limit code
// points, and reports whether that cut it.
func (d *document) piece(from, to, limit int) (p piece, cut bool) {
	end := corpus.Forward(d.text[:to], from, limit)
	if cut = end < to; cut {
		end = corpus.LastBreak(d.text, from, end)
	}
	return piece{
		text: string(d.text[from:end]), from: from, end: end,
		lines: toolset.Range{StartLine: d.lines.At(from), EndLine: d.lines.At(max(from, end-1))},
	}, cut
}

// ended returns the lines whose ends are in a piece, or nil: a line that was cut counts for the
// piece that has its end.
func (d *document) ended(p piece) *toolset.Range {
	lines := p.lines
	if p.end < d.lines.Start(lines.EndLine+1) {
		lines.EndLine--
	}
	if p.text == "" || lines.EndLine < lines.StartLine {
		return nil
	}
	return &lines
}

// after returns the cursor of a byte, the zero cursor at the end.
func (d *document) after(at int) toolset.LineCursor {
	if at >= len(d.text) {
		return toolset.LineCursor{}
	}
	line := d.lines.At(at)
	return toolset.CursorAt(line, utf8.RuneCount(d.text[d.lines.Start(line):at]))
}

// farthest returns a cursor whose figures are at least as long as those of any other.
func (d *document) farthest() toolset.LineCursor {
	return toolset.CursorAt(d.lines.Count(), len(d.text))
}

// at returns the byte of a cursor.
func (d *document) at(param string, c toolset.LineCursor) (int, error) {
	line, chars := 1, 0
	if c.StartLine != nil {
		line = *c.StartLine
	}
	if c.CharOffset != nil {
		chars = *c.CharOffset
	}
	if total := d.lines.Count(); line < 1 || line > total {
		return 0, toolset.Invalid(param+".start_line", line, fmt.Sprintf("a line of the file, 1 to %d", total)).
			With("total_lines", total)
	}
	from := d.lines.Start(line)
	length := utf8.RuneCount(d.text[from:d.lines.Start(line+1)])
	if chars < 0 || chars > length {
		return 0, toolset.Invalid(param+".char_offset", chars,
			fmt.Sprintf("a place in line %d, 0 to %d", line, length)).With("line_chars", length)
	}
	return corpus.Forward(d.text, from, chars), nil
}

// maxChars returns how much text a result may hold.
func (v *Vault) maxChars(given *int) (int, error) {
	return bounded("limits.max_chars", given, v.options.MaxChars, v.options.MaxChars)
}

// bounded returns an integer argument from 1 to most, or otherwise if it is not given.
func bounded(param string, given *int, otherwise, most int) (int, error) {
	if given == nil {
		return otherwise, nil
	}
	if *given < 1 || *given > most {
		return 0, toolset.Invalid(param, *given, fmt.Sprintf("an integer from 1 to %d", most))
	}
	return *given, nil
}

// Reasons why a text ends where it does.
const (
	reasonNone   = "none"       // the file ends there
	reasonChars  = "max_chars"  // the caller's limit
	reasonHard   = "hard_limit" // the server's
	reasonRange  = "range_end"  // the range does
	reasonTokens = "max_tokens"
	reasonChunk  = "chunk_end"
)

// reason returns why a piece ends; planned is the reason when nothing cut it.
func (d *document) reason(p piece, cut bool, given *int, planned string) string {
	switch {
	case p.end >= len(d.text):
		return reasonNone
	case !cut:
		return planned
	case given != nil:
		return reasonChars
	}
	return reasonHard
}

// characters counts the code points of merged ranges of lines.
func (d *document) characters(ranges []toolset.Range) (n int) {
	for _, r := range ranges {
		if r.StartLine <= d.lines.Count() {
			n += utf8.RuneCount(d.text[d.lines.Start(r.StartLine):d.lines.Start(r.EndLine+1)])
		}
	}
	return n
}
