// Place: finds the section that a path, a line or a heading means.

package search

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/text"
	"github.com/sagasu-search/sagasu/sdk/x/lazyregexp"
)

// place is the target of a request: sections of the index, or a file that is not in it.
type place struct {
	sections []uint32 // one, or all of a file
	file     toolset.Ref
	stage    Stage  // stage of a file that is not in the index
	reason   string // why it is not
}

// lineOfPath matches a path with a line, as manual_toc and hits print it.
var lineOfPath = lazyregexp.New(`^(.+?)(?:#L|:)(\d+)$`)

// placeOf finds the place that a request names.
func (q *explainer) placeOf(ctx context.Context, asked string) (place, error) {
	name, line := strings.TrimSpace(asked), 0
	if m := lineOfPath().FindStringSubmatch(name); m != nil {
		if n, err := strconv.Atoi(m[2]); err == nil && n > 0 {
			name, line = m[1], n
		}
	}
	files := q.filesNamed(ctx, name)
	manual := rootfs.Key(q.run.request.ManualID)
	other := func(f askedFile) bool { return rootfs.Key(f.manual) != manual }
	if in := slices.DeleteFunc(slices.Clone(files), other); len(in) > 0 {
		files = in
	}
	switch {
	case len(files) > 1:
		var names []string
		for _, f := range files {
			names = append(names, f.manual+"/"+f.path)
		}
		return place{}, ambiguous(asked, "files", "path", names)
	case len(files) == 1:
		return q.placeIn(asked, files[0], line)
	}
	return q.placeTitled(asked, name)
}

// isPath reports whether a name is a file path rather than a heading.
func isPath(name string) bool {
	lower := strings.ToLower(name)
	return strings.HasSuffix(lower, ".md") || strings.HasSuffix(lower, ".json") ||
		strings.Contains(name, "/") && !strings.Contains(name, " ")
}

// askedFile is a file with a requested name, in the index or not.
type askedFile struct {
	fileName
	stage  Stage
	reason string
}

// filesNamed returns the files with a path, with or without manual, ignoring Unicode form and case.
func (q *explainer) filesNamed(ctx context.Context, name string) (out []askedFile) {
	key := rootfs.Key(name)
	add := func(f fileName, stage Stage, reason string) {
		named := rootfs.Key(f.path) == key || rootfs.Key(f.manual+"/"+f.path) == key
		if named && !slices.ContainsFunc(out, func(a askedFile) bool { return a.fileName == f }) {
			out = append(out, askedFile{f, stage, reason})
		}
	}
	for f := range q.snap.Files() {
		if f.Skipped == "" || corpus.Partial(f.Skipped) {
			add(fileName{f.Group, f.Path}, "", "")
		}
	}
	for _, f := range q.skipped {
		add(fileName{f.ManualID, f.Path}, StageSkipped, f.Reason)
	}
	for _, f := range q.lacking {
		add(fileName{f.Group, f.Path}, StageNotIndexed, "it is being indexed")
	}
	if len(out) > 0 || q.request.Unlisted == nil {
		return out
	}
	guesses := []fileName{{q.run.request.ManualID, name}}
	if manual, path, ok := strings.Cut(name, "/"); ok {
		guesses = append(guesses, fileName{manual, path})
	}
	for _, f := range guesses {
		if f.manual == "" {
			continue
		}
		reason := q.request.Unlisted(ctx, f.manual, f.path)
		if reason != "" && q.part != nil {
			return []askedFile{{f, StageNotGathered, notGathered}}
		}
		if reason != "" {
			return []askedFile{{f, StageNotIndexed, reason}}
		}
	}
	return nil
}

// notGathered returns why the snapshot of a collection lacks a section.
const notGathered = "it holds no term of the query, or the engine ranks others above it"

// placeIn returns a file, or its section that contains a line.
func (q *explainer) placeIn(asked string, f askedFile, line int) (place, error) {
	p := place{
		file:  toolset.Ref{ManualID: strings.Clone(f.manual), Path: strings.Clone(f.path)},
		stage: f.stage, reason: strings.Clone(f.reason),
	}
	if f.stage != "" {
		return p, nil
	}
	all := SectionsOf(q.snap, f.manual, f.path)
	if line == 0 {
		p.sections = all.ToArray()
		return p, nil
	}
	var at snapshot.Section
	last, found := 0, false
	for it := all.Iterator(); it.HasNext(); {
		sec, ok := q.snap.Section(it.Next())
		last = max(last, sec.End)
		if ok && (!found || sec.Start <= line && sec.Start >= at.Start) {
			at, found = sec, true
		}
	}
	if q.part != nil && (!found || line < at.Start || line > at.OwnEnd) {
		p.stage, p.reason = StageNotGathered, notGathered
		return p, nil
	}
	if !found || line > last {
		return p, toolset.Errorf(toolset.InvalidParameter, "%s has no line %d; the last is %d", f.path, line, last).
			Argument("sections", asked, fmt.Sprintf("a line from 1 to %d", last)).With("total_lines", last)
	}
	p.sections = []uint32{at.ID}
	return p, nil
}

// Maximum number of places that an error lists, and that its message names.
const (
	mostAlternatives = 20
	mostInMessage    = 4
)

// placeTitled returns the section with a heading, or with a heading path that ends in it. No file has this name.
func (q *explainer) placeTitled(asked, name string) (place, error) {
	want := text.Fold(asked)
	all, own, titles := roaring.New(), roaring.New(), map[string]bool{}
	for it := q.snap.Live().Iterator(); it.HasNext(); {
		sec, ok := q.snap.Section(it.Next())
		if !ok {
			continue
		}
		titles[sec.Title] = true
		crumbs := text.Fold(q.snap.Source(sec.ID, snapshot.FieldHeading))
		if text.Fold(sec.Title) != want && crumbs != want && !strings.HasSuffix(crumbs, " > "+want) {
			continue
		}
		all.Add(sec.ID)
		if rootfs.Key(sec.Group) == rootfs.Key(q.run.request.ManualID) {
			own.Add(sec.ID)
		}
	}
	if !own.IsEmpty() {
		all = own
	}
	ids := all.ToArray()
	switch {
	case len(ids) == 1:
		return place{sections: ids}, nil
	case len(ids) == 0 && isPath(name):
		return place{}, q.unknownPath(asked, name)
	case len(ids) == 0:
		return place{}, q.unknownTitle(asked, want, titles)
	}
	var candidates []string
	for _, id := range ids {
		sec, _ := q.snap.Section(id)
		candidates = append(candidates, fmt.Sprintf("%s/%s#L%d", sec.Group, sec.Path, sec.Start))
	}
	return place{}, ambiguous(asked, "sections", "heading", candidates)
}

// ambiguous returns the error for a name that matches several places.
func ambiguous(asked, many, what string, candidates []string) error {
	first := strings.Join(candidates[:min(mostInMessage, len(candidates))], ", ")
	return toolset.Errorf(toolset.NeedsNarrowScope, "%d %s have the %s %q; give one of them: %s",
		len(candidates), many, what, toolset.Shorten(asked), first).
		Argument("sections", asked, "one place").With("total", len(candidates)).
		With("candidates", candidates[:min(mostAlternatives, len(candidates))])
}

// unknownPath returns the error for a path that matches no file.
func (q *explainer) unknownPath(asked, name string) error {
	var all []string
	for f := range q.snap.Files() {
		all = append(all, f.Group+"/"+f.Path)
	}
	near := toolset.DidYouMean(name, all, 3)
	if len(near) == 0 {
		base := rootfs.Key(name[strings.LastIndexByte(name, '/')+1:])
		for _, path := range all {
			if len(near) < 3 && rootfs.Key(path[strings.LastIndexByte(path, '/')+1:]) == base {
				near = append(near, path)
			}
		}
	}
	return toolset.Errorf(toolset.NotFound, "no manual has a file %q; manual_ls lists the files",
		toolset.Shorten(name)).
		Argument("sections", asked, "a path, PATH#LLINE or a heading").With("did_you_mean", detach(q.snap, near))
}

// unknownTitle returns the error for a heading that no section has.
func (q *explainer) unknownTitle(asked, want string, titles map[string]bool) error {
	message := "no section has the heading %q; manual_toc lists the headings"
	if q.part != nil {
		message = "no section that was gathered has the heading %q; name the place of another by MANUAL/PATH#LLINE"
	}
	near := toolset.DidYouMean(want, slices.Collect(maps.Keys(titles)), 3)
	return toolset.Errorf(toolset.NotFound, message, toolset.Shorten(asked)).
		Argument("sections", asked, "a path, PATH#LLINE or a heading").With("did_you_mean", detach(q.snap, near))
}
