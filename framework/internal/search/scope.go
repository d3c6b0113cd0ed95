package search

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// narrow finds the sections to search and, of the files that are not indexed
// yet, those that belong to them.
func (s *search) narrow(lacking []snapshot.File) (err error) {
	covers := func(snapshot.File) bool { return true }
	switch {
	case s.req.OnlyUnscanned != "":
		t, err := s.engine.archive.get(s.req.OnlyUnscanned)
		if err != nil {
			return named(err, "only_unscanned_from_trace_id")
		}
		s.scope, covers = t.unscannedIn(s.snap), t.leftOut
		if id := s.req.ManualID; id != "" && rootfs.Key(id) != rootfs.Key(t.Request.ManualID) {
			s.warnings = append(s.warnings, "manual_id is left aside: only_unscanned_from_trace_id searches what that search left, wherever it is")
		}
	case s.req.ManualID != "":
		id, bad := rootfs.Clean("manual_id", s.req.ManualID)
		if bad != nil {
			return bad
		}
		covers = func(f snapshot.File) bool { return rootfs.Key(f.Group) == rootfs.Key(id) }
		s.manual, s.scope, err = manualScope(s.snap, id, s.req.ManualID)
		s.asked = s.manual
	}
	s.allLacking = lacking
	for _, f := range lacking {
		if covers(f) {
			s.lacking = append(s.lacking, f)
		}
	}
	if n := len(s.lacking); n > 0 {
		s.warnings = append(s.warnings, "indexing", fmt.Sprintf("files that are not indexed yet: %d; they count as unscanned", n))
		return nil // a manual that is not found may be among them
	}
	return err
}

// manualScope finds a manual by its name, in whatever composition and case the
// disk has it, and gives that; no sections when it fails. name is how the caller
// wrote it.
func manualScope(snap *snapshot.Snapshot, id, name string) (string, *roaring.Bitmap, error) {
	if scope := snap.Keyword(groupKey + id); !scope.IsEmpty() {
		return id, scope, nil
	}
	for _, group := range groups(snap) {
		if rootfs.Key(group) == rootfs.Key(id) {
			return group, snap.Keyword(groupKey + group), nil
		}
	}
	return id, roaring.New(), unknownManual(snap, name)
}

// Keywords that the snapshot's writer gives every section.
const (
	groupKey = "group:"
	fileKey  = "file:"
)

// named gives a fault the name of the argument at fault.
func named(err error, parameter string) error {
	if f, ok := errors.AsType[*toolset.Error](err); ok {
		return f.With("parameter", parameter)
	}
	return err
}

func unknownManual(snap *snapshot.Snapshot, id string) error {
	manuals := groups(snap)
	return toolset.Errorf(toolset.NotFound, "there is no manual %q with sections; manual_ls lists the manuals", id).
		With("parameter", "manual_id").With("got", id).
		With("did_you_mean", toolset.DidYouMean(id, manuals, 3))
}

// groups lists the manuals of a snapshot.
func groups(snap *snapshot.Snapshot) []string {
	var out []string
	for key := range snap.Keywords(groupKey) {
		out = append(out, strings.Clone(strings.TrimPrefix(key, groupKey)))
	}
	return out
}

// size is the extent of a scope.
type size struct {
	Files    int `json:"files"`
	Sections int `json:"sections"`
}

// sizes remembers the extent of the newest snapshot's manuals.
type sizes struct {
	mu       sync.Mutex
	snapshot string
	all      map[string]size // by manual, "" for everything
}

// of counts the files and sections of a manual, "" for all.
func (z *sizes) of(snap *snapshot.Snapshot, manual string) size {
	z.mu.Lock()
	defer z.mu.Unlock()
	if z.snapshot != snap.Name() {
		z.snapshot, z.all = snap.Name(), make(map[string]size)
		for f := range snap.Files() {
			if f.Skipped != "" {
				continue
			}
			group := strings.Clone(f.Group)
			z.all[group] = size{Files: z.all[group].Files + 1}
			z.all[""] = size{Files: z.all[""].Files + 1}
		}
		for key, n := range snap.Keywords(groupKey) {
			group := strings.TrimPrefix(key, groupKey)
			z.all[group] = size{z.all[group].Files, n}
		}
		z.all[""] = size{z.all[""].Files, int(snap.Live().GetCardinality())}
	}
	return z.all[manual]
}

// extent counts the files and sections of any scope.
func extent(snap *snapshot.Snapshot, scope *roaring.Bitmap) size {
	files := make(map[string]bool)
	scope.Iterate(func(id uint32) bool {
		if sec, ok := snap.Section(id); ok {
			files[sec.Group+"/"+sec.Path] = true
		}
		return true
	})
	return size{len(files), int(scope.GetCardinality())}
}

// compareSections orders sections by manual, path and line.
func compareSections(snap *snapshot.Snapshot) func(a, b uint32) int {
	return func(a, b uint32) int {
		x, _ := snap.Section(a)
		y, _ := snap.Section(b)
		return cmp.Or(strings.Compare(x.Group, y.Group), strings.Compare(x.Path, y.Path), x.Start-y.Start)
	}
}
