package index

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// State checks the files and the published snapshot. It builds nothing, but waits while another
// call builds.
func (x *Index) State(ctx context.Context) (State, error) {
	if err := x.lockUpdates(ctx); err != nil {
		return State{}, err
	}
	defer x.unlockUpdates()
	st := State{Dir: x.opts.Dir}
	if err := x.follow(); err != nil && !errors.Is(err, fs.ErrNotExist) {
		st.Damage = err.Error()
	}
	c, err := x.findChanges(ctx, pendingChanges{all: true}, false)
	if err != nil {
		return st, err
	}
	defer c.reader.close()
	if x.base() != nil {
		differ, err := x.confirmChanges(ctx, c)
		if err != nil {
			return st, err
		}
		st.Fresh = !differ
		x.describe(&st)
		if st.Refused, err = x.refusals(); err != nil {
			return st, err
		}
	} else {
		st.Pending = len(c.candidates)
	}
	x.setSkipped()
	st.Skipped = x.Skipped()
	return st, nil
}

// describe fills in the data of the current snapshot.
func (x *Index) describe(st *State) {
	snap := x.base()
	m := snap.Manifest()
	st.Snapshot, st.Created, st.Pending = m.Name, m.Created, m.Pending
	st.Sections, st.DiskBytes = int(snap.Live().GetCardinality()), diskBytes(snap)
	st.Files, _ = x.known.indexed()
}

// Skipped lists the files that are not searched, and why, as of the last look.
func (x *Index) Skipped() []toolset.Skip {
	x.mu.Lock()
	defer x.mu.Unlock()
	return append([]toolset.Skip{}, x.skipped...)
}

// Files returns the files of a manual by path, according to the snapshot in use or else the published one. It returns
// nil if there is no snapshot. It checks no files and does not wait for a build.
func (x *Index) Files(manual string) map[string]snapshot.File {
	snap, release := x.Peek()
	if snap == nil {
		name, err := snapshot.Current(x.opts.Dir, x.schema.Kind)
		if err != nil {
			return nil
		}
		if snap, err = snapshot.Open(x.opts.Dir, name, false); err != nil {
			return nil
		}
		release = func() { _ = snap.Close() } // read only
	}
	defer release()
	out := map[string]snapshot.File{}
	if err := snap.Guard(func() error {
		for f := range snap.Files() {
			if f.Group == manual {
				f.Group, f.Path, f.Skipped = manual, strings.Clone(f.Path), strings.Clone(f.Skipped)
				out[f.Path] = f
			}
		}
		return nil
	}); err != nil {
		return nil
	}
	return out
}

// setSkipped merges the files skipped by walking and by reading. The caller holds the update lock.
func (x *Index) setSkipped() {
	all := slices.Clone(x.walked)
	for _, m := range x.known {
		if m.file.Skipped != "" {
			all = append(all, toolset.Skip{ManualID: m.file.Group, Path: m.file.Path, Reason: m.file.Skipped})
		}
	}
	slices.SortFunc(all, func(a, b toolset.Skip) int {
		return cmp.Or(cmp.Compare(a.ManualID, b.ManualID), cmp.Compare(a.Path, b.Path))
	})
	all = corpus.Gather(all)
	x.mu.Lock()
	x.skipped = all
	x.mu.Unlock()
	x.logSkipped(all)
}

// maxLogged is the maximum number of unsearched files that are logged.
const maxLogged = 1000

// logSkipped logs each file once.
func (x *Index) logSkipped(all []toolset.Skip) {
	for _, s := range all {
		if len(x.logged) < maxLogged && !x.logged[s] {
			x.logged[s] = true
			message := "a file is not searched"
			if corpus.Partial(s.Reason) {
				message = "a file is searched in part"
			}
			x.log.Warn(message, "manual", s.ManualID, "path", s.Path, "reason", s.Reason)
		}
	}
}

// indexed counts the files that have sections and their bytes.
func (m memory) indexed() (files int, bytes int64) {
	for _, k := range m {
		if k.file.Skipped == "" || corpus.Partial(k.file.Skipped) {
			files, bytes = files+1, bytes+k.file.Size
		}
	}
	return files, bytes
}

// diskBytes returns the size of a snapshot's segments.
func diskBytes(snap *snapshot.Snapshot) int64 {
	var n int64
	for _, g := range snap.Manifest().Segments {
		n += g.Bytes
	}
	return n
}
