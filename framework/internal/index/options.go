package index

import (
	"context"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Options configure an index.
type Options struct {
	// Dir is the index directory; it is created with mode 0700.
	Dir string
	// Source lists, reads and cuts the files.
	Source corpus.Source
	// Manuals lists the folders to index. It is called at every check for changes.
	Manuals func(ctx context.Context) ([]corpus.Manual, error)
	// Aside, if not nil, lists what is beside the manuals, as skipped files.
	Aside func() []toolset.Skip
	// Live is for servers: the system reports changes, and a search during a long build gets
	// the latest published snapshot. Otherwise files are walked at most once a second, and a
	// search waits for a complete update.
	Live bool
	// Logger may be nil.
	Logger hclog.Logger
	// Progress, if not nil, follows the builds that View starts.
	Progress func(Progress)
}

// Phase is a step of a build.
type Phase string

const (
	PhaseWalk    Phase = "walk"    // files are listed and compared
	PhaseIndex   Phase = "index"   // files are read, cut and tokenised
	PhaseConvert Phase = "convert" // the documents among them
	PhaseWrite   Phase = "write"   // the segment is written, checked and published
)

// Progress is the progress of a build. Calls come from one goroutine at a time.
type Progress struct {
	Phase       Phase
	Done, Total int   // files
	Bytes       int64 // of the files done
}

// Report is the result of a build.
type Report struct {
	Snapshot  string         `json:"snapshot"` // name of the current snapshot
	Built     bool           `json:"built"`    // false when it was up to date
	Sections  int            `json:"sections"`
	Files     int            `json:"files"`      // indexed
	Bytes     int64          `json:"bytes"`      // of the indexed files
	DiskBytes int64          `json:"disk_bytes"` // of the snapshot
	Skipped   []toolset.Skip `json:"skipped"`
	// Refused lists the first refused record of each file that was read. Source is the file's
	// path.
	Refused []corpus.Refused `json:"-"`
	// RefusedCount is the number of refused records.
	RefusedCount int `json:"-"`

	// Wall-clock parts of Elapsed.
	Walk    Span `json:"walk_ms"`
	Index   Span `json:"index_ms"`
	Write   Span `json:"write_ms"`
	Elapsed Span `json:"elapsed_ms"`
}

// Span is a duration that is encoded in JSON in milliseconds.
type Span time.Duration

// MarshalJSON implements [json.Marshaler].
func (s Span) MarshalJSON() ([]byte, error) {
	return json.Marshal(float64(time.Duration(s).Microseconds()) / 1000)
}

// State describes an index without changing it.
type State struct {
	Dir       string         `json:"dir"`
	Snapshot  string         `json:"snapshot"` // "" when there is none
	Fresh     bool           `json:"fresh"`    // the snapshot is up to date with the files
	Damage    string         `json:"damage"`   // why the snapshot cannot be used, "" when it can
	Created   time.Time      `json:"created"`
	Sections  int            `json:"sections"`
	Files     int            `json:"files"`
	Pending   int            `json:"-"` // files that a first build has yet to add
	DiskBytes int64          `json:"disk_bytes"`
	Skipped   []toolset.Skip `json:"-"`
	Refused   []Refusal      `json:"-"` // refused records, by file
}

// dirName is the folder of all index directories.
const dirName = "index"

// rules identifies how all kinds of corpora are cut, normalised and tokenised: it is a hash of what becomes of samples,
// and a test keeps it up to date.
//
//go:embed rules.txt
var rules string

// Dir returns the index directory below base for the corpus of a kind identified by names. It depends on the index
// format and on the rules for cutting and tokenising, so that different versions can run side by side.
func Dir(base string, kind snapshot.Kind, names ...string) string {
	h := sha256.New()
	fmt.Fprintln(h, snapshot.FormatVersion, rules, kind)
	for _, name := range names {
		fmt.Fprintf(h, "%q\n", name)
	}
	return filepath.Join(base, dirName, hex.EncodeToString(h.Sum(nil)[:12]))
}
