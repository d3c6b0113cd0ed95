package index

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// candidate is a file that is new or looks changed.
type candidate struct {
	snapshot.File
	known memo
	old   bool // it is known
}

// changes are the differences between the files and their known state, as far as they show without
// reading the files.
type changes struct {
	reader     *reader
	candidates []candidate  // in order of group and path
	queued     map[key]bool // those of todo, set by the first call of has
	gone       map[key]bool
}

// findChanges finds the changes at d; by force all files are candidates. The caller
// holds the update lock.
func (x *Index) findChanges(ctx context.Context, d pendingChanges, force bool) (*changes, error) {
	if x.base() == nil || x.base().Manifest().Pending > 0 {
		d.all = true
	}
	w := x.watching()
	w.forget(d)
	manuals, err := x.listManuals(ctx, w)
	if err != nil {
		return nil, err
	}
	s := &scope{all: d.all, changed: newArea(maps.Keys(d.paths)), known: x.manuals, areas: map[string]area{}}
	c := &changes{reader: newReader(x.opts.Source, manuals, x.log), gone: map[key]bool{}}
	found := make(map[key]bool, len(x.known))
	var skipped []toolset.Skip
	if x.opts.Aside != nil {
		skipped = x.opts.Aside()
	}
	for walked, err := range inOrder(ctx, s.walks(manuals), func(k walk) walked { return x.walk(ctx, w, k) }) {
		if err := cmp.Or(ctx.Err(), err); err != nil {
			return nil, err
		}
		skipped = append(skipped, walked.skips...)
		for _, f := range walked.files {
			found[key{f.Group, f.Path}] = true
			c.compare(f, x.known, force)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for k := range x.known {
		if !found[k] && s.covers(k.group, k.path) {
			c.gone[k] = true
		}
	}
	x.walked = slices.DeleteFunc(x.walked, func(k toolset.Skip) bool {
		return k.ManualID == "" && x.opts.Aside != nil || s.covers(k.ManualID, k.Path)
	})
	x.walked = append(x.walked, skipped...)
	x.manuals = manuals
	x.mu.Lock()
	x.listed = manuals
	x.mu.Unlock()
	x.finishWatch(w, d)
	return c, nil
}

// walk is the area to walk in a manual, and walked the result.
type (
	walk struct {
		manual corpus.Manual
		paths  []string
	}
	walked struct {
		files []snapshot.File
		skips []toolset.Skip
	}
)

func (x *Index) walk(ctx context.Context, w *watcher, k walk) walked {
	files, skips, err := x.opts.Source.Walk(ctx, k.manual, k.paths, w.enter(k.manual))
	if err != nil {
		skips = []toolset.Skip{{ManualID: k.manual.ID, Reason: toolset.AsError(err).Message}}
	}
	return walked{files, skips}
}

// listManuals lists the manuals in order, with a watch on the folders that
// hold them.
func (x *Index) listManuals(ctx context.Context, w *watcher) ([]corpus.Manual, error) {
	manuals, err := x.opts.Manuals(ctx)
	if err == nil && w.parents(manuals) { // a manual may have been added before the watch
		manuals, err = x.opts.Manuals(ctx)
	}
	manuals = slices.Clone(manuals)
	slices.SortFunc(manuals, func(a, b corpus.Manual) int { return cmp.Compare(a.ID, b.ID) })
	return manuals, err
}

// compare makes f a candidate unless it is known and unchanged. With force, it treats f as unknown.
func (c *changes) compare(f snapshot.File, seen memory, force bool) {
	m, ok := seen[key{f.Group, f.Path}]
	switch {
	case force:
		c.candidates = append(c.candidates, candidate{File: f})
	case !ok || !m.unchanged(f) || c.reader.outdated(&m.file):
		c.candidates = append(c.candidates, candidate{f, m, ok})
	}
}

// has reports whether a file is a candidate.
func (c *changes) has(k key) bool {
	if c.queued == nil {
		c.queued = map[key]bool{}
		for _, f := range c.candidates {
			c.queued[key{f.Group, f.Path}] = true
		}
	}
	return c.queued[k]
}

// confirmChanges reports whether there are changes. It reads the candidates up to the first that
// has changed, and drops those that only look changed.
func (x *Index) confirmChanges(ctx context.Context, c *changes) (bool, error) {
	if !x.lease().complete() || len(c.gone) > 0 {
		return true, nil
	}
	for i, f := range c.candidates {
		if !f.old {
			c.candidates = c.candidates[i:]
			return true, nil
		}
		if err := ctx.Err(); err != nil {
			return false, err
		}
		now := time.Now()
		_, gone := c.reader.reread(&f)
		if gone || !f.same() {
			c.candidates = c.candidates[i:]
			return true, nil
		}
		x.recheck(f.File, now)
	}
	c.candidates = nil
	return false, nil
}

// same reports whether a file that was read is unchanged.
func (c *candidate) same() bool {
	return c.old && c.SHA256 == c.known.file.SHA256 && c.Skipped == c.known.file.Skipped
}

// scope is the part of the manuals to check.
type scope struct {
	all     bool
	changed area            // absolute
	known   []corpus.Manual // as of the last look
	areas   map[string]area // by manual, as stored
}

// walks returns the manuals to walk, each with the area to check: all of it if the manual is new.
func (s *scope) walks(manuals []corpus.Manual) (out []walk) {
	for _, m := range manuals {
		here := area{""}
		if !s.all && slices.Contains(s.known, m) {
			here = s.changed.below(m.Dir)
		}
		if s.areas[m.ID] = here; len(here) > 0 {
			out = append(out, walk{m, here.paths()})
		}
	}
	return out
}

// covers reports whether the check covers a path. A removed manual is covered completely.
func (s *scope) covers(manual, path string) bool {
	here, ok := s.areas[manual]
	return !ok || here.covers(path)
}
