package search

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/sagasu-search/sagasu/framework/internal/judge"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// VaultStrategies are what a vault is searched with (contract, vault_find).
var VaultStrategies = []string{"normalized", "loose"}

// VaultRequest is one vault_find call with its defaults applied.
type VaultRequest struct {
	Query string
	// Dir and Glob limit the files, "" for all.
	Dir, Glob string
	// MaxCandidates is how many candidates are kept, ≥ 1.
	MaxCandidates int
	// TimeMS bounds the search in milliseconds, ≥ 1.
	TimeMS int
}

// FindVault answers a search of an engine whose snapshot is a vault's.
func (e *Engine) FindVault(ctx context.Context, req VaultRequest) (*VaultAnswer, error) {
	if strings.TrimSpace(req.Query) == "" || !utf8.ValidString(req.Query) {
		return nil, toolset.Invalid("query", req.Query, "a text that is not empty").With("example", map[string]any{"query": "返金 手順"})
	}
	answer, err := e.searchVault(ctx, req)
	if _, damaged := errors.AsType[*snapshot.CorruptError](err); damaged {
		return e.searchVault(ctx, req)
	}
	return answer, err
}

func (e *Engine) searchVault(ctx context.Context, req VaultRequest) (*VaultAnswer, error) {
	if e.Shelf.Folder != nil {
		dir, err := e.Shelf.Folder("scope.relative_dir", req.Dir)
		if err != nil {
			return nil, err
		}
		req.Dir = dir
	}
	budget := time.Duration(req.TimeMS) * time.Millisecond
	view, err := e.View(ctx, budget-min(budget/2, searchReserve))
	if err != nil {
		return nil, err
	}
	defer view.Release()
	caller := ctx
	ctx, cancel := context.WithDeadline(ctx, view.Since.Add(budget))
	defer cancel()
	s := &search{
		engine: e, snap: view.Snapshot, settings: e.Settings,
		req: Request{Query: req.Query, MaxCandidates: req.MaxCandidates, TimeMS: req.TimeMS},
	}
	s.query, s.warnings = plan(req.Query, s.settings.MatchThreshold)
	var t *trace
	var answer *VaultAnswer
	if err := s.snap.Guard(func() error {
		if err := s.narrowVault(&req, view.Lacking); err != nil {
			return err
		}
		s.retrieve(ctx)
		if err := errors.Join(caller.Err(), s.helpless()); err != nil {
			return err
		}
		s.rankVault()
		t = s.trace(e.archive.session + "-" + randomID(8))
		t.Size = extent(s.snap, s.scope)
		t.GapRanges = s.gapRanges()
		answer = s.vaultAnswer(t, req)
		return t.fill(s)
	}); err != nil {
		return nil, err
	}
	e.archive.put(t, func() error { return nil })
	return answer, nil
}

// narrowVault finds the sections of the files that the request chooses.
func (s *search) narrowVault(req *VaultRequest, lacking []snapshot.File) error {
	chosen, err := chooser(*req)
	if err != nil {
		return err
	}
	s.leftOut(chosen)
	s.scope = roaring.New()
	for f := range s.snap.Files() {
		if f.Skipped == "" && chosen(f.Path) {
			s.scope.Or(s.snap.Keyword(fileKey + f.Group + "/" + f.Path))
		}
	}
	for _, f := range lacking {
		if chosen(f.Path) {
			s.lacking = append(s.lacking, f)
		}
	}
	switch {
	case len(s.lacking) > 0:
		s.warnings = append(s.warnings, "indexing")
	case s.scope.IsEmpty():
		s.warnings = append(s.warnings, "no file of the vault lies in the scope")
	}
	return nil
}

// mostSkipped bounds what an answer tells of files that cannot be searched.
const mostSkipped = 20

// leftOut notes the files that were asked for and are not in the snapshot.
func (s *search) leftOut(chosen func(path string) bool) {
	if s.engine.Shelf.Skipped == nil {
		return
	}
	n := 0
	for _, f := range s.engine.Shelf.Skipped() {
		if !chosen(f.Path) {
			continue
		}
		if n++; n <= mostSkipped {
			s.skipped = append(s.skipped, toolset.Skip{Path: f.Path, Reason: f.Reason})
		}
	}
	if n > 0 {
		s.warnings = append(s.warnings, fmt.Sprintf("%d files are not searched: skipped says why", n))
	}
}

// chooser tells which files a request is about.
func chooser(req VaultRequest) (func(path string) bool, error) {
	glob, err := rootfs.NewGlob(req.Glob, "")
	if err != nil {
		return nil, named(err, "scope.glob")
	}
	if req.Dir == "" {
		return glob.Match, nil
	}
	dir, bad := rootfs.Clean("scope.relative_dir", req.Dir)
	if bad != nil {
		return nil, bad
	}
	depth := strings.Count(dir, "/") + 1
	return func(path string) bool {
		parts := strings.SplitN(path, "/", depth+1)
		return len(parts) > depth && rootfs.Key(strings.Join(parts[:depth], "/")) == rootfs.Key(dir) && glob.Match(parts[depth])
	}, nil
}

// rankVault fuses what was found and cuts it. There is no judgement of what texts
// say: an artifact may well say what its source says.
func (s *search) rankVault() {
	ranked, found := s.fuse()
	for _, r := range ranked[:min(len(ranked), s.kept())] {
		s.candidates = append(s.candidates, s.candidate(r, found[r.Section]))
	}
	s.graph = &judge.Graph{}
}

// gapRange are lines of a found file that no candidate holds.
type gapRange struct {
	Path  string `json:"path"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

// gapRanges lists them, the file with the best candidate first.
func (s *search) gapRanges() []gapRange {
	held := map[string][]toolset.Range{}
	var order []candidate
	for _, c := range s.candidates {
		if held[c.Path] == nil {
			order = append(order, c)
		}
		held[c.Path] = append(held[c.Path], toolset.Range{StartLine: c.Section.Start, EndLine: c.Section.OwnEnd})
	}
	var gaps []gapRange
	for _, c := range order {
		first, last := s.extent(c)
		if first > 1 {
			held[c.Path] = append(held[c.Path], toolset.Range{StartLine: 1, EndLine: first - 1})
		}
		for _, r := range toolset.UncoveredRanges(toolset.MergeRanges(held[c.Path]), last) {
			gaps = append(gaps, gapRange{c.Path, r.StartLine, r.EndLine})
		}
	}
	return gaps
}

// extent are the lines of a candidate's file that sections hold: front matter, which
// tells of a text and is none, stands before them.
func (s *search) extent(c candidate) (first, last int) {
	first = c.Section.Start
	s.snap.Keyword(fileKey + c.ManualID + "/" + c.Path).Iterate(func(id uint32) bool {
		if sec, ok := s.snap.Section(id); ok {
			first, last = min(first, sec.Start), max(last, sec.End)
		}
		return true
	})
	return first, last
}

// held is the share of the candidates that a strategy says matched.
func (s *search) held(strategy string) float64 {
	i := slices.IndexFunc(s.lists, func(l list) bool { return l.description.Name == strategy })
	if i < 0 || len(s.candidates) == 0 {
		return 0
	}
	matched, n := matchedBy(s.lists[i]), 0
	for _, c := range s.candidates {
		if matched.Contains(c.Section.ID) {
			n++
		}
	}
	return float64(n) / float64(len(s.candidates))
}
