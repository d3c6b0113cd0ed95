package corpus

import (
	"context"
	"fmt"
	"io"
	"iter"
	"path"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Source brings the files of one kind of corpus into an index. It is safe for concurrent use.
type Source interface {
	// Schema describes the rows.
	Schema() snapshot.Schema
	// Walk lists the files at or below paths of a folder, as [WalkFiles] does. A file with Skipped set is listed but
	// never read.
	Walk(
		ctx context.Context, m Manual, paths []string, enter func(dir string),
	) ([]snapshot.File, []toolset.Skip, error)
	// Reach returns which files a write to a file affects. path is the operating system's.
	Reach(path string) Reach
	// Text returns the text of a file for Cut, or why its content cannot be indexed.
	Text(path string, src []byte) (text []byte, unfit string)
	// Cut returns the rows of a file; parents are row numbers within the file. Whatever can fail does so during the
	// call; a row may be made when it is yielded.
	Cut(path string, src []byte) iter.Seq[Row]
}

// RecordSource is a Source whose files are lists of records. Its files are read record by record and may have any size;
// Text and Cut are not called.
type RecordSource interface {
	Source
	// AddRecords passes the records of r to add, one by one. It passes a record that cannot be read, or whose key claim
	// reports as taken, to refuse.
	AddRecords(
		ctx context.Context, add func(Row) error, r io.Reader, claim func(key string) bool, refuse func(Refused),
	) error
	// WithKey yields the sections of a snapshot whose record has a key.
	WithKey(s *snapshot.Snapshot, key string) iter.Seq[snapshot.Section]
}

// Reach is which files a write to one file affects.
type Reach int

// Values of Reach.
const (
	ReachesNothing Reach = iota // the file is not part of the corpus
	ReachesFile
	ReachesAll // the file decides which others belong to the corpus
)

// Refused is a record that was not taken.
type Refused struct {
	Source string `json:"source,omitempty"` // the file
	Line   int    `json:"line"`             // where the record starts, from 1
	ID     string `json:"id,omitempty"`     // its number, if it could be read
	Reason string `json:"reason"`
}

// ManualSource is the [Source] of manuals: Markdown, JSON and other text, and the documents of its manuals.
type ManualSource struct{ Documents Documents }

// Schema implements [Source].
func (ManualSource) Schema() snapshot.Schema { return snapshot.ManualSchema(snapshot.KindManual) }

// Walk implements [Source].
func (ManualSource) Walk(
	ctx context.Context, m Manual, paths []string, enter func(dir string),
) ([]snapshot.File, []toolset.Skip, error) {
	return WalkFiles(ctx, m, m.files(), paths, enter)
}

// Reach implements [Source].
func (s ManualSource) Reach(path string) Reach {
	if m := (Manual{Documents: s.Documents}); m.IsFile(path) || m.Unread(path) != "" {
		return ReachesFile
	}
	return ReachesNothing
}

// Text implements [Source].
func (ManualSource) Text(_ string, src []byte) (text []byte, unfit string) {
	text, _, unfit = Decoded(src)
	if unfit == "" && len(text) > MaxSize { // it has grown since it was listed
		unfit = TooLarge(int64(len(text)), MaxSize)
	}
	return text, unfit
}

// Cut implements [Source].
func (ManualSource) Cut(path string, src []byte) iter.Seq[Row] { return rows(Sections(path, src)) }

// VaultSource is the [Source] of a vault: every text file except hidden ones. Those that are not Markdown are cut into
// runs of lines.
type VaultSource struct{ ManualSource }

// Schema implements [Source].
func (VaultSource) Schema() snapshot.Schema { return snapshot.ManualSchema(snapshot.KindVault) }

// Walk implements [Source].
func (VaultSource) Walk(
	ctx context.Context, m Manual, paths []string, enter func(dir string),
) ([]snapshot.File, []toolset.Skip, error) {
	belongs := func(name string) bool { return !LeftOut(path.Base(name)) }
	return WalkFiles(ctx, m, Selection{Belongs: belongs, MaxSize: MaxSize}, paths, enter)
}

// Reach implements [Source].
func (VaultSource) Reach(string) Reach { return ReachesFile }

// Text implements [Source]. Vaults are written in UTF-8 only.
func (VaultSource) Text(_ string, src []byte) (text []byte, unfit string) {
	if unfit = NotText(src); unfit == "" && len(src) > MaxSize {
		unfit = TooLarge(int64(len(src)), MaxSize)
	}
	return src, unfit
}

// Cut implements [Source]: Markdown with headings is cut as [Cut] does, anything else into runs of lines.
func (VaultSource) Cut(path string, src []byte) iter.Seq[Row] {
	if IsMarkdown(path) {
		if o := newOutline(path, src); !o.plain() {
			return rows(o.sections)
		}
	}
	return rows(slices.Values(cutLines(path, src)))
}

// TooLarge returns the reason to skip a file above a limit, both in bytes.
func TooLarge(size, limit int64) string {
	return fmt.Sprintf("too large: %d bytes, at most %d are indexed", size, limit)
}
