package host

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/hashicorp/go-hclog"
)

const (
	// DefaultCallTimeout is the time for a search.
	DefaultCallTimeout = 2 * time.Second
	// MinMemoryLimit is the smallest limit with which a Go process runs well, in bytes.
	MinMemoryLimit = 256 << 20
)

// Options configure a [Host]. Zero durations and a zero limit mean the defaults.
type Options struct {
	Entries []Entry
	// Bundled returns the arguments that make the running binary call [Confine] and
	// serve a bundled strategy, or several in one process.
	Bundled func(names ...string) []string
	// Wrapper are the arguments that make the running binary call
	// [RunSandbox]; none means "plugin sandbox". Used on Linux only.
	Wrapper []string
	// IndexDir holds the snapshots; strategies may read it. It is made if missing.
	IndexDir string
	// MoreIndexDirs hold snapshots of other corpora, which strategies may read too. If one is
	// created later, the strategies that read it are restarted.
	MoreIndexDirs []string
	// StateDir holds one writable directory per strategy. It is made if missing.
	StateDir string
	// Logger receives the host's log and that of the strategies; nil for none.
	Logger hclog.Logger

	// StartTimeout is the time a process has to answer its first call, 10 s by default.
	StartTimeout time.Duration
	// CallTimeout is the time for a search, [DefaultCallTimeout] by default.
	CallTimeout time.Duration
	// Patience is how long, in addition to CallTimeout, a search waits for a strategy that starts or prepares.
	Patience time.Duration
	// JudgeTimeout is the time for the search of a judge, which may ask a language model; 20 s by default.
	JudgeTimeout time.Duration
	// GatherTimeout is the time for a call of a gatherer, whose engine may have to ask another of its nodes: at least
	// CallTimeout, 10 s by default.
	GatherTimeout time.Duration
	// ConvertTimeout is the time for a document, a minute by default. A second is added for each 256 KiB of it.
	ConvertTimeout time.Duration
	// IdleAfter is the time after which an unused process is stopped, 10 minutes by default.
	IdleAfter time.Duration
	// Suspension is the first pause of a strategy that failed too often, 10 s by default. It doubles, up to five
	// minutes, for as long as the strategy keeps failing.
	Suspension time.Duration
	// MemoryLimit limits the data of a process on Linux, in bytes, and is at least
	// [MinMemoryLimit]: 1 GiB by default; negative means no limit.
	MemoryLimit int64

	limits limits // only tests change them
}

// complete fills in the defaults and returns an error for options that cannot work.
func (o *Options) complete() error {
	if o.IndexDir == "" || o.StateDir == "" {
		return errors.New("a host needs an index directory and a state directory")
	}
	if o.Logger == nil {
		o.Logger = hclog.NewNullLogger()
	}
	if len(o.Wrapper) == 0 {
		o.Wrapper = []string{"plugin", "sandbox"}
	}
	o.StartTimeout = cmp.Or(o.StartTimeout, 10*time.Second)
	o.CallTimeout = cmp.Or(o.CallTimeout, DefaultCallTimeout)
	o.JudgeTimeout = cmp.Or(o.JudgeTimeout, 20*time.Second)
	o.GatherTimeout = max(o.CallTimeout, cmp.Or(o.GatherTimeout, 10*time.Second))
	o.ConvertTimeout = cmp.Or(o.ConvertTimeout, time.Minute)
	o.IdleAfter = cmp.Or(o.IdleAfter, 10*time.Minute)
	o.Suspension = cmp.Or(o.Suspension, 10*time.Second)
	o.MemoryLimit = cmp.Or(o.MemoryLimit, 1<<30)
	o.limits = cmp.Or(o.limits, usualLimits)
	if o.MemoryLimit > 0 && o.MemoryLimit < MinMemoryLimit {
		return fmt.Errorf("a memory limit of %d bytes is too low: at least %d", o.MemoryLimit, MinMemoryLimit)
	}
	if err := o.checkEntries(); err != nil {
		return err
	}
	return o.locate()
}

// locate makes the paths of directories absolute, and the index directory if it is missing: a sandbox can only refer
// to existing ones.
func (o *Options) locate() error {
	o.MoreIndexDirs = slices.Clone(o.MoreIndexDirs)
	dirs := []*string{&o.IndexDir, &o.StateDir}
	for i := range o.MoreIndexDirs {
		dirs = append(dirs, &o.MoreIndexDirs[i])
	}
	for _, dir := range dirs {
		abs, err := filepath.Abs(*dir)
		if err != nil {
			return err
		}
		*dir = abs
	}
	if err := os.MkdirAll(o.IndexDir, 0o700); err != nil {
		return fmt.Errorf("%w; set SAGASU_CACHE_DIR to a folder for indexes", err)
	}
	return nil
}

// indexDirs returns all directories that hold snapshots.
func (o *Options) indexDirs() []string { return append([]string{o.IndexDir}, o.MoreIndexDirs...) }

func (o *Options) checkEntries() error {
	seen := map[string]bool{}
	for i := range o.Entries {
		e := &o.Entries[i]
		if err := e.Check(); err != nil {
			return err
		}
		if e.Path == "" && o.Bundled == nil && e.Refused == nil && e.Attach == nil {
			return fmt.Errorf("strategy %s: no executable, and this binary bundles none", e.Name)
		}
		if seen[e.Name] {
			return fmt.Errorf("strategy %s is entered twice", e.Name)
		}
		seen[e.Name] = true
	}
	return nil
}
