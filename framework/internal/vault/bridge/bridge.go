package bridge

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

// Options are what a bridge stands between.
type Options struct {
	// Manuals lists the manuals as they are now.
	Manuals func(ctx context.Context) ([]corpus.Manual, error)
	Vault   *vault.Vault
	// AllowFileScope permits copying whole Markdown files.
	AllowFileScope bool
	// Used, if not nil, is told what was copied: a section by the line it begins at,
	// or with line 0 a file.
	Used func(manual, path string, line int)
}

// Bridge copies from manuals into a vault. It keeps nothing between calls and is
// safe for concurrent use.
type Bridge struct{ options Options }

// New returns a bridge.
func New(options Options) *Bridge { return &Bridge{options} }

// Copied is the answer to a copy. It holds nothing of the text.
type Copied struct {
	WrittenPath  string `json:"written_path"`
	WrittenBytes int    `json:"written_bytes"` // of the source
	// WrittenSections counts sections in a copy of sections.
	WrittenSections *int `json:"written_sections,omitempty"`
	Truncated       bool `json:"truncated"`
	// LinesShifted is how many lines further down what the file held stands now,
	// since front matter above it grew: citations of the file must move along.
	LinesShifted int `json:"lines_shifted"`
	// NotedIn is where the origin is told: the front matter, or the path of a note
	// in the vault's reserved folder.
	NotedIn string `json:"noted_in"`
	SHA256  string `json:"sha256"` // of the file that was written
	Source  Source `json:"source"`
}

// Source is where copied text came from.
type Source struct {
	ManualID string `json:"manual_id" toml:"manual_id"`
	Path     string `json:"path" toml:"path"`
	Lines    string `json:"lines" toml:"lines"`   // N-M
	SHA256   string `json:"sha256" toml:"sha256"` // of the whole source file
}

// Target is where copied text goes.
type Target struct {
	Path string // to_path
	Mode string // vault.ModeOverwrite or vault.ModeAppend
}

// piece is what is copied.
type piece struct {
	source    Source
	text      []byte
	truncated bool
}

// copy writes a piece.
func (b *Bridge) copy(ctx context.Context, p piece, to Target) (*Copied, error) {
	var out vault.Imported
	shifted := 0
	path, sum, err := b.options.Vault.Import(ctx, vault.Import{
		Param: "to_path", Path: to.Path, Mode: to.Mode,
		Build: func(old []byte, grows bool) (vault.Imported, error) {
			if to.Mode == vault.ModeOverwrite {
				old = nil
			}
			out = assemble(p, old, corpus.IsMarkdown(to.Path) && !grows)
			shifted = shift(old, out.Content)
			return out, nil
		},
	})
	if err != nil {
		return nil, err
	}
	noted := "front_matter"
	if out.Note != nil {
		noted = vault.NotePath(path)
	}
	return &Copied{
		WrittenPath: path, WrittenBytes: len(p.text), Truncated: p.truncated, LinesShifted: shifted, NotedIn: noted,
		SHA256: sum, Source: p.source,
	}, nil
}

// shift is how many lines the front matter of a text that is kept has grown by.
func shift(old, content []byte) int {
	if len(old) == 0 {
		return 0
	}
	return bytes.Count(content[:corpus.FrontMatter(content)], []byte("\n")) - bytes.Count(old[:corpus.FrontMatter(old)], []byte("\n"))
}

// assemble joins a piece to what a file holds. Its origin is told in the front
// matter where stamps may be, else in a note beside.
func assemble(p piece, old []byte, stamps bool) vault.Imported {
	head, tail := p.text, []byte(nil)
	if len(old) > 0 {
		head, tail = old, append(gap(old), bytes.TrimPrefix(p.text, []byte(bom))...)
	}
	if stamps {
		if stamped, ok := stamp(head, p.source); ok {
			return vault.Imported{Content: append(stamped, tail...)}
		}
	}
	return vault.Imported{Content: append(append([]byte{}, head...), tail...), Note: note(p.source)}
}

// gap is what parts appended text from what stands before it: an empty line.
func gap(old []byte) []byte {
	switch n := len(old); {
	case old[n-1] != '\n':
		return []byte("\n\n")
	case n > 1 && (old[n-2] == '\n' || n > 2 && string(old[n-3:]) == "\n\r\n"):
		return nil
	}
	return []byte("\n")
}

// provenance is what a note holds.
type provenance struct {
	IDs  []string `json:"source_manual_ids" toml:"source_manual_ids"`
	Refs []Source `json:"source_refs" toml:"source_refs"`
}

// add notes a source once.
func (p *provenance) add(s Source) {
	p.IDs, p.Refs = with(p.IDs, s.ManualID), with(p.Refs, s)
}

func with[T comparable](all []T, one T) []T {
	for _, x := range all {
		if x == one {
			return all
		}
	}
	return append(all, one)
}

func note(s Source) func(json.RawMessage) (any, error) {
	return func(old json.RawMessage) (any, error) {
		var p provenance
		if old != nil && json.Unmarshal(old, &p) != nil {
			p = provenance{} // somebody else's words
		}
		p.add(s)
		return p, nil
	}
}

// open reads a file of a manual; param names the argument that gave its path.
func (b *Bridge) open(ctx context.Context, idParam, id, param, path string) (corpus.Manual, corpus.File, error) {
	manuals, err := b.options.Manuals(ctx)
	if err != nil {
		return corpus.Manual{}, corpus.File{}, err
	}
	m, err := corpus.Find(manuals, id)
	if err != nil {
		return m, corpus.File{}, renamed(err, idParam)
	}
	f, err := corpus.Open(ctx, m, path)
	return m, f, renamed(err, param)
}

// renamed gives a fault the name of the argument at fault.
func renamed(err error, param string) error {
	if err == nil {
		return nil
	}
	bad := toolset.AsError(err)
	if bad.Details["parameter"] != nil {
		bad.With("parameter", param)
	}
	return bad
}

// permitFile asks for the server's permission and the caller's consent to copy a
// whole Markdown file.
func (b *Bridge) permitFile(path string, consent bool) error {
	switch {
	case !corpus.IsMarkdown(path):
		return nil
	case !b.options.AllowFileScope:
		return toolset.Errorf(toolset.Forbidden, "whole .md files are not copied here; copy sections with bridge_copy_section").
			With("parameter", "limits.allow_file").With("got", consent).With("expected", "a server that sets ALLOW_FILE_SCOPE=true")
	case !consent:
		return toolset.Errorf(toolset.Forbidden, "a whole .md file is copied only with limits.allow_file=true").
			With("parameter", "limits.allow_file").With("got", false).With("expected", true)
	}
	return nil
}

// cut takes the bytes of a source file, but no more than limit code points.
func cut(m corpus.Manual, f corpus.File, lines corpus.Lines, from, to int, limit *int) piece {
	end := to
	if limit != nil {
		if end = corpus.Forward(f.Text[:to], from, *limit); end < to {
			end = corpus.LastBreak(f.Text, from, end)
		}
	}
	at := fmt.Sprintf("%d-%d", lines.At(from), lines.At(max(from, end-1)))
	sum := sha256.Sum256(f.Text)
	return piece{source: Source{m.ID, f.Path, at, hex.EncodeToString(sum[:])}, text: f.Text[from:end], truncated: end < to}
}
