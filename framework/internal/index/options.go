package index

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"time"

	"github.com/hashicorp/go-hclog"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Options say what is indexed and where the index lives.
type Options struct {
	// Dir is the index directory; it is created with mode 0700.
	Dir  string
	Kind snapshot.Kind
	// Manuals lists what is indexed, at every check for changes.
	Manuals func(ctx context.Context) ([]corpus.Manual, error)
	// Globs make it the index of a repository, whose root is the one of Manuals: they
	// say which of its files are code and specifications. Kind is then KindLogic.
	Globs *repo.Globs
	// Live is for what runs on: the system is asked to tell of changes, and a
	// search that comes while a long build goes on gets what is published so far.
	// Otherwise files are walked at most once a second, and a search waits until
	// nothing is lacking.
	Live bool
	// Logger may be nil.
	Logger hclog.Logger
	// Progress, if not nil, follows the builds that View starts.
	Progress func(Progress)
}

// schemaOf is how a kind of corpus is stored.
func schemaOf(kind snapshot.Kind) snapshot.Schema {
	switch kind {
	case snapshot.KindPublication:
		return snapshot.PublicationSchema()
	case snapshot.KindLogic:
		return snapshot.LogicSchema()
	}
	return snapshot.ManualSchema(kind)
}

// Phase is a step of a build.
type Phase string

const (
	PhaseWalk  Phase = "walk"  // files are listed and compared
	PhaseIndex Phase = "index" // files are read, cut and tokenised
	PhaseWrite Phase = "write" // the segment is written, checked and published
)

// Progress tells how far a build is. Calls come from one goroutine at a time.
type Progress struct {
	Phase       Phase
	Done, Total int   // files
	Bytes       int64 // of the files done
}

// Report tells what a build did.
type Report struct {
	Snapshot  string // name of the snapshot that is current now
	Built     bool   // false when it was up to date
	Sections  int
	Files     int   // indexed
	Bytes     int64 // of the indexed files
	DiskBytes int64 // of the snapshot
	Skipped   []toolset.Skip
	// Refused are records of publications that were not taken: the first of each file
	// that was read, Source its path.
	Refused []publication.Refused
	// RefusedCount is how many there were.
	RefusedCount int

	// Wall-clock parts of Elapsed.
	Walk, Index, Write time.Duration
	Elapsed            time.Duration
}

// State describes an index without changing it.
type State struct {
	Dir         string
	Snapshot    string // "" when there is none
	Damage      string // why the snapshot cannot be used, "" when it can
	Fresh       bool   // the snapshot shows the files as they are
	Watch       string // why changes are looked for once a second, "" when the system tells of them
	Created     time.Time
	Fingerprint string
	Segments    int
	Sections    int
	Deleted     int // sections that the segments still hold
	Files       int
	Pending     int // files that a first build has still to add
	DiskBytes   int64
	Skipped     []toolset.Skip
	Refused     []Refusal // records of publications that the build did not take, by file
}

// dirName is the folder of all index directories.
const dirName = "index"

// Dir is the index directory below base for a corpus that sources identify. It
// differs for other formats of the index and other rules of cutting and
// tokenising, so that an upgrade under a running host makes no trouble.
func Dir(base string, sources ...string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %s\n", snapshot.FormatVersion, recipe())
	for _, s := range sources {
		fmt.Fprintf(h, "%q\n", s)
	}
	return filepath.Join(base, dirName, hex.EncodeToString(h.Sum(nil)[:12]))
}
