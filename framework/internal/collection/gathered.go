package collection

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

// snapshots holds the snapshots of this process. It keeps the newest for later requests about their searches.
type snapshots struct {
	dir  string
	kind snapshot.Kind
	lock *flock.Flock // of dir, while the process lives

	mu     sync.Mutex
	number int         // of the newest
	kept   []*gathered // oldest first, each with a use
}

// mostKept is the number of snapshots kept.
const mostKept = 8

// gathered is a snapshot of gathered sections.
type gathered struct {
	of     *snapshots
	part   Part
	snap   *snapshot.Snapshot
	sample *gathered // represents the whole collection, with a use; nil for a sample
	uses   int       // guarded by of
}

const (
	folderPrefix = "gathered-"
	lockName     = "process.lock"
	// folderAge is how old a folder must be to count as left behind: a new one is not locked yet.
	folderAge = time.Minute
)

// open makes the folder of this process and removes the folders of killed processes.
func (a *snapshots) open(base string, kind snapshot.Kind) error {
	a.kind = kind
	if err := os.MkdirAll(base, 0o700); err != nil {
		return fmt.Errorf("collection: %w", err)
	}
	sweep(base)
	dir, err := os.MkdirTemp(base, folderPrefix+"*")
	if err != nil {
		return fmt.Errorf("collection: %w", err)
	}
	a.dir, a.lock = dir, flock.New(filepath.Join(dir, lockName))
	_, _ = a.lock.TryLock() // if files cannot be locked, no process can lock them, and nothing is removed
	return nil
}

func sweep(base string) {
	left, _ := filepath.Glob(filepath.Join(base, folderPrefix+"*", lockName)) // the pattern is well formed
	for _, name := range left {
		info, err := os.Stat(name)
		if err != nil || time.Since(info.ModTime()) < folderAge {
			continue
		}
		lock := flock.New(name)
		free, err := lock.TryLock()
		_ = lock.Close()
		if err == nil && free {
			_ = os.RemoveAll(filepath.Dir(name)) // the next process removes what is left
		}
	}
}

// close removes the folder. Snapshots in use stay readable if the system allows it.
func (a *snapshots) close() error {
	a.mu.Lock()
	kept := a.kept
	a.kept = nil
	a.mu.Unlock()
	for _, s := range kept {
		s.release()
	}
	return errors.Join(a.lock.Close(), os.RemoveAll(a.dir))
}

// recall returns an earlier result of the same request, with a use added. It returns nil if that is gone, or if the
// request is for the newest generation.
func (a *snapshots) recall(ask Ask) *gathered {
	a.mu.Lock()
	defer a.mu.Unlock()
	i := slices.IndexFunc(a.kept, func(s *gathered) bool { return reflect.DeepEqual(s.part.Ask, ask) })
	if i < 0 || ask.Generation == "" {
		return nil
	}
	a.kept[i].uses++
	return a.kept[i]
}

// add makes a snapshot and returns it with one use in addition to the one for keeping it. It takes over the use of the
// sample.
func (a *snapshots) add(ctx context.Context, part Part, found *sdk.Gathered, sample *gathered) (*gathered, error) {
	s, err := a.create(ctx, found, sample)
	if err != nil {
		sample.release()
		return nil, err
	}
	s.part = part
	s.use()
	a.mu.Lock()
	a.kept = append(a.kept, s)
	var oldest *gathered
	if len(a.kept) > mostKept {
		oldest, a.kept = a.kept[0], a.kept[1:]
	}
	a.mu.Unlock()
	oldest.release()
	return s, nil
}

// create makes a snapshot with one use.
func (a *snapshots) create(ctx context.Context, found *sdk.Gathered, sample *gathered) (*gathered, error) {
	a.mu.Lock()
	a.number++
	name := fmt.Sprintf("%s-%06d", a.kind, a.number)
	a.mu.Unlock()
	represented := ""
	if sample != nil {
		represented = sample.snap.Name()
	}
	snap, err := write(ctx, a.dir, name, a.kind, found, represented)
	if err != nil {
		return nil, err
	}
	return &gathered{of: a, snap: snap, sample: sample, uses: 1}, nil
}

// view returns the snapshot for a search that began at a given time.
func (s *gathered) view(began time.Time) View {
	return View{View: index.View{Snapshot: s.snap, Since: began, Release: sync.OnceFunc(s.release)}, Part: &s.part}
}

// use adds a use.
func (s *gathered) use() {
	s.of.mu.Lock()
	s.uses++
	s.of.mu.Unlock()
}

// release ends a use and, after the last one, removes the snapshot. It does nothing for nil.
func (s *gathered) release() {
	if s == nil {
		return
	}
	s.of.mu.Lock()
	s.uses--
	last := s.uses == 0
	s.of.mu.Unlock()
	if last {
		_ = errors.Join(s.snap.Close(), snapshot.Remove(s.of.dir, s.snap.Manifest())) // leftovers go with the folder
		s.sample.release()
	}
}

// write makes a snapshot of gathered sections. No other snapshot replaces it.
func write(
	ctx context.Context, dir, name string, kind snapshot.Kind, found *sdk.Gathered, sample string,
) (*snapshot.Snapshot, error) {
	rows := make([]*sdk.GatheredSection, len(found.Sections))
	keys := make([]string, len(found.Sections))
	for i := range rows {
		rows[i], keys[i] = &found.Sections[i], found.Sections[i].Key
	}
	slices.SortStableFunc(rows, func(a, b *sdk.GatheredSection) int {
		return cmp.Or(border.ComparePlaces(&a.Section, &b.Section), cmp.Compare(a.Key, b.Key))
	})
	schema := snapshot.SchemaOf(kind)
	schema.Fields = slices.Concat(schema.Fields, found.Stored)
	w := snapshot.NewWriter(schema)
	w.Brief()
	defer w.Discard()
	generation := sha256.Sum256([]byte(found.Generation))
	var open []uint32 // enclosing sections, outermost first
	for i, row := range rows {
		sec := row.Section
		if i == 0 || rows[i-1].Section.Group != sec.Group || rows[i-1].Section.Path != sec.Path {
			w.AddFile(snapshot.File{Group: sec.Group, Path: sec.Path, SHA256: generation})
			open = open[:0]
		}
		for len(open) > 0 && !encloses(&rows[open[len(open)-1]].Section, &sec) {
			open = open[:len(open)-1]
		}
		sec.Parent = snapshot.None
		if len(open) > 0 {
			sec.Parent = open[len(open)-1]
		}
		open = append(open, w.Add(sec, row.Fields, row.Keywords...))
	}
	info, err := w.WriteFile(ctx, dir, snapshot.SegmentFile(name))
	if err != nil {
		return nil, err
	}
	m := w.Manifest(name, info)
	m.Gathered, m.Sample, m.Fingerprint = &found.Statistics, sample, fingerprint(found.Generation, keys)
	if err := snapshot.Store(dir, m); err != nil {
		return nil, err
	}
	return snapshot.Open(dir, name, false)
}

// encloses reports whether b is a descendant of a, which begins before it in the same file.
func encloses(a, b *snapshot.Section) bool {
	return a.Level > 0 && a.Level < b.Level && b.End <= a.End
}

// fingerprint identifies sections of a generation.
func fingerprint(generation string, keys []string) string {
	slices.Sort(keys)
	h := sha256.New()
	for _, s := range append([]string{generation}, keys...) {
		_, _ = io.WriteString(h, fmt.Sprintf("%d:%s", len(s), s)) // hash writes do not fail
	}
	return hex.EncodeToString(h.Sum(nil))
}
