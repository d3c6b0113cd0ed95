package mismatch

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/git"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
)

// Dated are the contradictions of a repository in the order of their places, with the ages of their lines.
type Dated struct {
	Mismatches    []Contradiction `json:"mismatches"`     // of code with specifications
	SpecConflicts []Contradiction `json:"spec_conflicts"` // of open changes with main specifications
	// OldestOpenDays is the greatest open_days of a mismatch, or null if none is known.
	OldestOpenDays *int `json:"oldest_open_days"`
	// AgesUnknown says why lines have no age, or is "" if git answered.
	AgesUnknown string `json:"ages_unknown"`
}

// Contradiction is a contradiction with its ages. ID is the same as in the unknowns of an answer.
type Contradiction struct {
	ID    string    `json:"id"`
	What  string    `json:"what"`
	Has   DatedLine `json:"has"`   // the code, or the open change
	Wants DatedLine `json:"wants"` // the specification that it contradicts
	// OpenDays is the maximum number of days that both lines have been as they are; null if the age of one is unknown.
	OpenDays *int `json:"open_days"`
}

// DatedLine is a line with its age.
type DatedLine struct {
	rule.Side
	// Written is when the line was written, in RFC 3339; null if unknown or not committed.
	Written *string `json:"written"`
	AgeDays *int    `json:"age_days"` // null if unknown, 0 if not committed
}

// historyTime is the time limit for all ages of one answer. Ages that are not known by then stay unknown.
const historyTime = 10 * time.Second

// Date asks git for the ages of the lines of contradictions; files are the files of the repository at root.
func Date(ctx context.Context, root string, files repo.Files, found Mismatches) Dated {
	k, all := &dater{files: files, lines: map[string][]git.Line{}, now: time.Now()}, Dated{}
	var err error
	if k.history, err = git.Open(root); err != nil {
		all.AgesUnknown = err.Error()
	} else {
		defer k.history.Close()
	}
	ctx, cancel := context.WithTimeout(ctx, historyTime)
	defer cancel()
	all.Mismatches = k.date(ctx, found.Code.Conflicts, mismatchID)
	all.SpecConflicts = k.date(ctx, found.Specs.Conflicts, specConflictID)
	if ctx.Err() != nil {
		all.AgesUnknown = "the history could not be read in time; some ages are unknown"
	}
	for _, m := range all.Mismatches {
		if m.OpenDays != nil && (all.OldestOpenDays == nil || *m.OpenDays > *all.OldestOpenDays) {
			all.OldestOpenDays = m.OpenDays
		}
	}
	return all
}

// dater dates lines of a repository; it reads each file once.
type dater struct {
	history *git.Repository // or nil
	files   repo.Files
	lines   map[string][]git.Line
	now     time.Time
}

func (k *dater) date(ctx context.Context, conflicts []rule.Conflict, id func(rule.Conflict) string) []Contradiction {
	all := []Contradiction{}
	for _, c := range conflicts {
		one := Contradiction{ID: id(c), What: string(c.What), Has: k.line(ctx, c.Has), Wants: k.line(ctx, c.Wants)}
		if a, b := one.Has.AgeDays, one.Wants.AgeDays; a != nil && b != nil {
			one.OpenDays = new(min(*a, *b))
		}
		all = append(all, one)
	}
	slices.SortStableFunc(all, func(a, b Contradiction) int {
		return cmp.Or(cmp.Compare(a.Has.Path, b.Has.Path), cmp.Compare(a.Has.Line, b.Has.Line),
			cmp.Compare(a.Wants.Path, b.Wants.Path), cmp.Compare(a.Wants.Line, b.Wants.Line),
			cmp.Compare(a.What, b.What))
	})
	return all
}

func (k *dater) line(ctx context.Context, s rule.Side) DatedLine {
	p := DatedLine{Side: s}
	lines := k.of(ctx, s.Path)
	if s.Line > len(lines) || !lines[s.Line-1].Known {
		return p
	}
	days := 0
	if written := lines[s.Line-1].Written; !written.IsZero() {
		p.Written, days = new(written.Format(time.RFC3339)), max(0, int(k.now.Sub(written).Hours()/24))
	}
	p.AgeDays = &days
	return p
}

// of returns the ages of a file's lines, or nil if git does not know the file.
func (k *dater) of(ctx context.Context, path string) []git.Line {
	if lines, ok := k.lines[path]; ok || k.history == nil {
		return lines
	}
	src, err := k.files.ReadFile(path)
	if err == nil {
		k.lines[path], err = k.history.Lines(ctx, path, string(src))
	}
	if err != nil {
		k.lines[path] = nil
	}
	return k.lines[path]
}
