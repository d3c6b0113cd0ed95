package vault

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Options are the folder and the bounds of a vault.
type Options struct {
	// Dir is the vault's folder, absolute. It may not exist yet: the first write makes it, but not again
	// if it has disappeared, as with a disk. It may be a link, which is resolved once.
	Dir string
	// HistoryBytes is the maximum compressed size of all earlier versions. The newest of each
	// file is kept in any case.
	HistoryBytes int64
	// Overfull, if not nil, is called once when the newest versions alone take more.
	Overfull func(bytes, limit int64)
	// MaxChars is the default and the limit of one text in an answer, in code points.
	MaxChars int
	// ChunkLines is the default of a scan, MaxChunkLines its limit.
	ChunkLines, MaxChunkLines int
	// CoverageMin is the share of a file's lines that is enough, in [0, 1].
	CoverageMin float64
	// GainMin is the number of newly cited lines per token below which a scan should end.
	GainMin float64
	// SearchTime bounds a search of lines; 0 means 20 s.
	SearchTime time.Duration
	// Manuals, if not nil, lists the manuals as they are now, which an artifact may rest on.
	Manuals func(ctx context.Context) ([]corpus.Manual, error)
	// Used, if not nil, is called with each section of a manual that an audited artifact cites, by the line
	// it begins at, or with line 0 a file.
	Used func(manual, path string, line int)
	// Changed, if not nil, is called with the path on disk of each file written.
	Changed func(name string)
	// Gained, if not nil, is called by a tool with the gain of scanning: lines cited newly and
	// the tokens scanned for them.
	Gained func(tool string, lines, tokens int)
}

// Vault is the tree of files below a folder. Safe for concurrent use, also by
// several processes.
type Vault struct {
	options Options

	overfull sync.Once

	mu    sync.Mutex
	real  string          // Dir with its links resolved, "" until it exists
	swept map[string]bool // folders in which this process has looked for leftovers
}

// New returns the vault of a folder; it opens nothing yet.
func New(options Options) *Vault {
	v := &Vault{options: options, swept: map[string]bool{}}
	v.Dir() // is known from now on, if it exists
	return v
}

// Dir returns the vault's folder with its links resolved; it may not exist.
func (v *Vault) Dir() string {
	if real, err := v.resolve(); err == nil {
		return real
	}
	return v.options.Dir
}

// resolve returns the vault's folder with its links resolved, the same at every call.
func (v *Vault) resolve() (string, error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.real != "" {
		return v.real, nil
	}
	real, err := filepath.EvalSymlinks(v.options.Dir)
	if err == nil {
		v.real = real
	}
	return real, err
}

// open opens the vault's folder for one call. A folder that was replaced by a link
// since it was resolved is refused.
func (v *Vault) open() (*rootfs.Root, error) {
	real, err := v.resolve()
	if err != nil {
		return nil, err
	}
	root, err := rootfs.OpenResolved(real)
	if err != nil {
		return nil, err
	}
	root.Offer = func(path string) bool { // not what is reserved or half written
		return placeOf(path).zone != system && !isTemporary(path)
	}
	return root, nil
}

// openFor is [Vault.open] for a tool that works on the file or folder at a path. With make, the
// vault's folder is made; without, not_found says that the vault is empty.
func (v *Vault) openFor(path string, make bool) (*rootfs.Root, error) {
	_, err := v.resolve()
	switch {
	case err != nil && make:
		if err := os.MkdirAll(v.options.Dir, 0o755); err != nil {
			return nil, unopened(err)
		}
	case errors.Is(err, fs.ErrNotExist):
		return nil, toolset.Errorf(toolset.NotFound,
			"%s does not exist: the vault is empty; vault_create makes the first file", path).
			Argument("path", path, "the path of what exists")
	}
	root, err := v.open()
	return root, unopened(err)
}

func unopened(err error) error {
	if err == nil {
		return nil
	}
	return toolset.Errorf(toolset.NotAvailable,
		"the vault's folder cannot be opened: %w; check VAULT_ROOT and its permissions", rootfs.Cause(err)).
		With("parameter", "VAULT_ROOT").With("expected", "a folder that can be read and written")
}
