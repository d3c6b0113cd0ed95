package search

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/collection"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Scope is the part of a corpus to search.
type Scope struct {
	Sections *roaring.Bitmap // nil for every section
	// Manual is the name on disk of the manual that is the scope, or "" if it is not a single manual.
	Manual string
	// Lacking lists the files of the scope that are not indexed yet.
	Lacking []snapshot.File
	// Skipped lists the files of the scope that cannot be searched.
	Skipped []toolset.Skip
	// Part is the searched part of a collection, nil for an index.
	Part *collection.Part
	// Warnings are remarks on the scope for the caller.
	Warnings []string
}

// scopeOf finds the sections to search for a request, and the files of the scope that are not
// indexed yet or cannot be searched.
func (e *Engine) scopeOf(ctx context.Context, req Request, view collection.View) (scope Scope, err error) {
	covers := func(manual, path string) bool { return true }
	scope.Part = view.Part
	switch {
	case req.OnlyUnscanned != "":
		t, err := e.traces.get(ctx, req.OnlyUnscanned)
		if err != nil {
			return Scope{}, withParameter(err, "only_unscanned_from_trace_id")
		}
		scope.Sections, covers = t.unscannedIn(view), t.leavesOut()
		if id := req.ManualID; id != "" && rootfs.Key(id) != rootfs.Key(t.Request.ManualID) {
			scope.Warnings = append(scope.Warnings,
				"manual_id is left aside: only_unscanned_from_trace_id searches what that search left, wherever it is")
		}
	case req.ManualID != "":
		id, bad := rootfs.Clean("manual_id", req.ManualID)
		if bad != nil {
			return scope, bad
		}
		covers = isManual(id)
		scope.Manual, scope.Sections, err = manualScope(view.Snapshot, id, req.ManualID)
		if view.Part != nil {
			err = nil // a gathered part does not show all manuals
		}
	}
	scope.note(view, covers)
	if len(scope.Lacking) > 0 {
		return scope, nil // the missing manual may be among them
	}
	if req.OnlyUnscanned != "" && scope.Sections != nil && scope.Sections.IsEmpty() {
		scope.Warnings = append(scope.Warnings, "that search left nothing unscanned")
	}
	if err != nil && len(scope.Skipped) > 0 {
		first := scope.Skipped[0]
		return scope, toolset.Errorf(toolset.NotAvailable,
			"no file of the manual %s can be searched; the first is %s: %s",
			first.ManualID, first.Path, first.Reason).
			With("parameter", "manual_id").With("got", req.ManualID).
			With("skipped_files", toolset.SkippedFiles(scope.Skipped))
	}
	return scope, err
}

// note adds the files of the scope that are not searched, and warnings about them.
func (scope *Scope) note(view collection.View, covers func(manual, path string) bool) {
	for _, f := range view.Lacking {
		if covers(f.Group, f.Path) {
			scope.Lacking = append(scope.Lacking, f)
		}
	}
	converted := 0 // documents still being converted
	for _, s := range view.Skipped {
		if covers(s.ManualID, s.Path) {
			scope.Skipped = append(scope.Skipped, s)
			if s.Reason == corpus.BeingConverted {
				converted++
			}
		}
	}
	if converted > 0 {
		scope.Warnings = append(scope.Warnings,
			fmt.Sprintf("documents that are being converted and not searched yet: %d", converted))
	}
	if view.Unwritten != nil {
		scope.Warnings = append(scope.Warnings, view.Unwritten.Message+"; files are searched as they were before")
	} else if len(scope.Lacking) > 0 {
		scope.Warnings = append(scope.Warnings, "indexing")
	}
	if n := len(scope.Lacking); n > 0 {
		scope.Warnings = append(scope.Warnings,
			fmt.Sprintf("files that are not indexed yet: %d; they count as unscanned", n))
	}
}

// isManual returns a function that reports whether a file is in the manual with an id, ignoring
// Unicode form and case.
func isManual(id string) func(manual, path string) bool {
	id, known := rootfs.Key(id), map[string]bool{}
	return func(manual, _ string) bool {
		same, ok := known[manual]
		if !ok {
			same = rootfs.Key(manual) == id
			known[manual] = same
		}
		return same
	}
}

// manualScope finds a manual, ignoring Unicode form and case, and returns its name on disk and its
// sections. name is the id as the caller wrote it, for errors.
func manualScope(snap *snapshot.Snapshot, id, name string) (string, *roaring.Bitmap, error) {
	if scope := snap.Keyword(groupKey + id); !scope.IsEmpty() {
		return id, scope, nil
	}
	all := groups(snap)
	for _, group := range all {
		if rootfs.Key(group) == rootfs.Key(id) {
			return group, snap.Keyword(groupKey + group), nil
		}
	}
	return id, roaring.New(), toolset.Errorf(toolset.NotFound,
		"no manual %q holds a section to search in; manual_ls lists the manuals", name).
		With("parameter", "manual_id").With("got", name).With("did_you_mean", toolset.DidYouMean(name, all, 3))
}

// Prefixes of the keywords that the index adds to every section.
const (
	groupKey = "group:"
	fileKey  = "file:"
)

// SectionsOf returns the sections of a file.
func SectionsOf(snap *snapshot.Snapshot, manual, path string) *roaring.Bitmap {
	return snap.Keyword(fileKey + manual + "/" + path)
}

// withParameter adds the name of the offending argument to an error.
func withParameter(err error, parameter string) error {
	if f, ok := errors.AsType[*toolset.Error](err); ok {
		return f.With("parameter", parameter)
	}
	return err
}

// groups lists the manuals of a snapshot.
func groups(snap *snapshot.Snapshot) []string {
	var out []string
	for key := range snap.Keywords(groupKey) {
		out = append(out, strings.TrimPrefix(key, groupKey))
	}
	return out
}

// Size is the size of a scope.
type Size struct {
	Files    int `json:"files"`
	Sections int `json:"sections"`
}

// sizes caches the sizes of the manuals of the newest snapshot.
type sizes struct {
	mu       sync.Mutex
	snapshot string
	all      map[string]Size // by manual, "" for everything
}

// of counts the files and sections of a manual, "" for all.
func (z *sizes) of(snap *snapshot.Snapshot, manual string) Size {
	z.mu.Lock()
	defer z.mu.Unlock()
	if z.snapshot != snap.Name() {
		z.snapshot, z.all = snap.Name(), make(map[string]Size)
		for f := range snap.Files() {
			if f.Skipped != "" && !corpus.Partial(f.Skipped) {
				continue
			}
			group := strings.Clone(f.Group)
			z.all[group] = Size{Files: z.all[group].Files + 1}
			z.all[""] = Size{Files: z.all[""].Files + 1}
		}
		for key, n := range snap.Keywords(groupKey) {
			group := strings.TrimPrefix(key, groupKey)
			z.all[group] = Size{z.all[group].Files, n}
		}
		z.all[""] = Size{z.all[""].Files, int(snap.Live().GetCardinality())}
	}
	return z.all[manual]
}

// extent counts the files and sections of a set.
func extent(snap *snapshot.Snapshot, scope *roaring.Bitmap) Size {
	files := make(map[string]bool)
	scope.Iterate(func(id uint32) bool {
		if sec, ok := snap.Section(id); ok {
			files[sec.Group+"/"+sec.Path] = true
		}
		return true
	})
	return Size{len(files), int(scope.GetCardinality())}
}

// compareSections orders sections by manual, path and line.
func compareSections(snap *snapshot.Snapshot) func(a, b uint32) int {
	return func(a, b uint32) int {
		x, _ := snap.Section(a)
		y, _ := snap.Section(b)
		return comparePlaces(x, y)
	}
}

func comparePlaces(x, y snapshot.Section) int {
	return cmp.Or(strings.Compare(x.Group, y.Group), strings.Compare(x.Path, y.Path), x.Start-y.Start)
}
