package manuals

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// SearchArgs are the arguments of manual_search.
type SearchArgs struct {
	Query     string          `json:"query" required:"what to search for" minLength:"1"`
	Mode      string          `json:"mode" enum:"plain,loose,regex" default:"plain" doc:"loose: without regard to case, width and separators; regex: RE2."`
	ManualID  corpus.ManualID `json:"manual_id,omitempty"`
	Glob      string          `json:"glob,omitempty" filled:"" doc:"guide/** in each manual, ID/guide/** in one."`
	Context   int             `json:"context" min:"0" max:"5" default:"0"` // lines to add before and after
	Format    string          `json:"format" enum:"rows,lines" default:"rows" doc:"lines: path:line text, the path once."`
	Limit     int             `json:"limit" min:"1" max:"1000" default:"50"`
	Offset    int             `json:"offset" min:"0" default:"0"`
	MaxTokens *int            `json:"max_tokens" min:"100" max:"50000"`
}

// Lines is the answer to manual_search: lines in the order of manuals, paths and numbers.
type Lines struct {
	Results         []MatchingLine     `json:"results" schema:"objects" doc:"Of manual_id, path, line, breadcrumb, text."`
	Lines           []string           `json:"lines,omitempty"`        // instead of results, with format lines
	Total           int                `json:"total"`                  // matching lines, of those that were searched
	Files           []search.FileCount `json:"files" schema:"objects"` // the 20 with the most lines
	Truncated       bool               `json:"truncated"`
	TruncatedReason string             `json:"truncated_reason" enum:"limit,max_tokens,time_budget,none"`
	NextOffset      *int               `json:"next_offset"`
	Skipped         []toolset.Skip     `json:"skipped,omitempty" schema:"objects"` // files that cannot be read as text, or only in part
	Warnings        []string           `json:"warnings,omitempty" schema:"-"`
}

// Sections implements [toolset.Linker].
func (l *Lines) Sections() (refs []toolset.Ref) {
	for _, r := range l.Results {
		refs = append(refs, toolset.Ref{Target: "manual", ManualID: r.ManualID, Path: r.Path, StartLine: r.Line})
	}
	return refs
}

// Counters implements [toolset.Counter].
func (l *Lines) Counters() []any {
	return []any{"items", len(l.Results) + len(l.Lines), "total", l.Total}
}

// MatchingLine is a line that matches.
type MatchingLine struct {
	ManualID   string `json:"manual_id"`
	Path       string `json:"path"`
	Line       int    `json:"line"`
	Breadcrumb string `json:"breadcrumb"` // title and headings above the line
	Text       string `json:"text"`       // the line, cut around the match if it is long, with the lines of context
	// Source is the place of the line in a converted document.
	Source *toolset.Source `json:"source,omitempty"`
}

func (l *Library) searchTool() toolset.Tool {
	return toolset.Define(toolset.Tool{
		Name:  "manual_search",
		Title: "Search lines",
		Description: "List every line with a code, a name or a pattern, and counts by file, as grep does. " +
			`Example: {"query": "ERR-1042"}`,
		Example: json.RawMessage(`{"query": "text", "mode": "plain", "manual_id": "id of a manual", "glob": "guide/**", "context": 1, "format": "rows", "limit": 50, "offset": 0, "max_tokens": 1200}`),
		Hints:   toolset.Reading,
		Group:   group,
	}, l.Search)
}

const (
	// searchTime is the time limit for a search of lines or links.
	searchTime = 20 * time.Second
	// mostSkipped is the maximum number of unsearchable files that are listed.
	mostSkipped = 20
)

// Reasons why a reply lacks some of the matching lines.
const (
	reasonNone   = "none"
	reasonLimit  = "limit"
	reasonTokens = "max_tokens"
	reasonTime   = "time_budget"
)

// Search lists the matching lines of the manuals, in the order of manuals, paths and lines. It does not read files
// that, according to an open snapshot, hold no match.
func (l *Library) Search(ctx context.Context, args SearchArgs) (*Lines, error) {
	match, err := corpus.NewMatcher(args.Mode, args.Query)
	if err != nil {
		return nil, err
	}
	if _, err := rootfs.NewGlob(args.Glob, ""); err != nil {
		return nil, err
	}
	manuals, err := l.chosen(ctx, args.ManualID)
	if err != nil {
		return nil, err
	}
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(l.options.SearchTime, searchTime))
	defer cancel()
	texts := corpus.Required(args.Mode, args.Query)
	s := &lineSearch{args: args, match: match, texts: texts, sieve: l.sieve(ctx, texts), out: &Lines{
		Results: []MatchingLine{}, Files: []search.FileCount{}, TruncatedReason: reasonNone,
	}}
	for _, m := range manuals {
		if err = s.manual(ctx, m); err != nil {
			break
		}
	}
	switch {
	case caller.Err() != nil:
		return nil, caller.Err()
	case ctx.Err() != nil:
		s.out.TruncatedReason = reasonTime
	case err != nil:
		return nil, err
	case !s.chosen && args.Glob != "" && len(s.out.Skipped) == 0:
		s.out.Warnings = []string{"no file lies in the scope: glob chooses none"}
	}
	return s.result()
}

// chosen returns the manual with an id, or all if no id is given.
func (l *Library) chosen(ctx context.Context, id corpus.ManualID) ([]corpus.Manual, error) {
	if id == "" {
		return l.options.Manuals(ctx)
	}
	m, err := l.find(ctx, id)
	return []corpus.Manual{m}, err
}

// lineSearch collects one page of lines.
type lineSearch struct {
	args  SearchArgs
	match corpus.Matcher
	texts []string // every matching line contains one of them; nil for unknown
	sieve sieve
	out   *Lines
	// chosen is set if a file is in the scope.
	chosen bool
}

func (s *lineSearch) manual(ctx context.Context, m corpus.Manual) error {
	glob, err := globIn(m.ID, s.args.Glob)
	if err != nil {
		return err
	}
	files, skips, err := corpus.WalkAll(ctx, m)
	if err != nil && ctx.Err() == nil && s.args.ManualID == "" { // the others can still be searched
		s.skip(toolset.Skip{ManualID: m.ID, Reason: toolset.AsError(err).Message})
		return nil
	}
	if err != nil {
		return err
	}
	skips = slices.DeleteFunc(skips, func(k toolset.Skip) bool { return !glob(k.Path) })
	for _, k := range corpus.Gather(skips) {
		s.skip(k)
	}
	for _, f := range files {
		if !glob(f.Path) {
			continue
		}
		s.chosen = true
		if known, passed := s.sieve.passes(f); !passed { // of a document, parts may be missing nevertheless
			s.skipPart(m.ID, f.Path, known.Skipped)
			continue
		}
		src, err := corpus.Open(ctx, m, f.Path)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.skip(toolset.Skip{ManualID: m.ID, Path: f.Path, Reason: corpus.WhyUnread(err)})
			continue
		}
		s.skipPart(m.ID, f.Path, src.Lacks())
		s.file(ctx, m.ID, &src)
	}
	return ctx.Err()
}

// globIn returns a function that selects the files of a manual by a pattern. The pattern is relative to the manual, or
// begins with its id like the lines of a reply.
func globIn(manual, pattern string) (func(path string) bool, error) {
	glob, err := rootfs.NewGlob(pattern, "")
	if err != nil {
		return nil, err
	}
	rest, negated := strings.CutPrefix(strings.TrimSpace(pattern), "!")
	rest, named := strings.CutPrefix(rest, manual+"/")
	if !named || rest == "" {
		return glob.Match, nil
	}
	below, err := rootfs.NewGlob("./"+rest, "")
	if negated {
		return func(path string) bool { return glob.Match(path) && !below.Match(path) }, err
	}
	return func(path string) bool { return glob.Match(path) || below.Match(path) }, err
}

// skipPart records which part of a searched file could not be read; "" means none.
func (s *lineSearch) skipPart(manual, path, lacks string) {
	if lacks != "" {
		s.skip(toolset.Skip{ManualID: manual, Path: path, Reason: lacks})
	}
}

// skip records a file that cannot be read or is a link.
func (s *lineSearch) skip(k toolset.Skip) {
	if len(s.out.Skipped) < mostSkipped {
		s.out.Skipped = append(s.out.Skipped, k)
	}
}

// file searches the lines of a file. It cuts the file into sections only if lines are listed.
func (s *lineSearch) file(ctx context.Context, manual string, f *corpus.File) {
	path, src := f.Path, f.Text
	holds := func(t string) bool { return bytes.Contains(src, []byte(t)) }
	if s.texts != nil && !slices.ContainsFunc(s.texts, holds) {
		return
	}
	lines, before := corpus.NewLines(src), s.out.Total
	var sections []corpus.Section
	for n := 1; n <= lines.Count() && ctx.Err() == nil; n++ {
		at, _ := s.match(ctx, lines.Text(src, n))
		if at < 0 {
			continue
		}
		s.out.Total++
		if s.out.Total <= s.args.Offset || len(s.out.Results) == s.args.Limit {
			continue
		}
		if sections == nil && len(src) <= corpus.MaxSize {
			sections = corpus.Cut(path, src)
		}
		s.out.Results = append(s.out.Results, MatchingLine{
			ManualID: manual, Path: path, Line: n, Text: s.around(src, lines, n, at),
			Breadcrumb: corpus.SectionAt(slices.Values(sections), n).HeadingPath, Source: f.Source(n, n),
		})
	}
	if n := s.out.Total - before; n > 0 {
		s.out.Files = append(s.out.Files, search.FileCount{ManualID: manual, Path: path, Count: n})
	}
}

// around returns a line with the lines of context.
func (s *lineSearch) around(src []byte, lines corpus.Lines, n, at int) string {
	var out []string
	for i := max(1, n-s.args.Context); i <= min(lines.Count(), n+s.args.Context); i++ {
		from := 0
		if i == n {
			from = at
		}
		out = append(out, corpus.LineSnippet(lines.Text(src, i), from))
	}
	return strings.Join(out, "\n")
}

// result counts the listed lines and fits the reply to the token limit.
func (s *lineSearch) result() (*Lines, error) {
	out := s.out
	slices.SortStableFunc(out.Files, func(a, b search.FileCount) int { return cmp.Compare(b.Count, a.Count) })
	out.Files = out.Files[:min(search.MostFiles, len(out.Files))]
	if s.args.Format == search.FormatLines {
		out.Lines = numbered(out.Results, s.args.Context)
		out.Results = []MatchingLine{}
		if len(out.Lines) == out.Total {
			out.Files = []search.FileCount{} // all lines can be counted
		}
	}
	out.count(s.args.Offset)
	return out, out.fit(s.args.Offset, s.args.MaxTokens)
}

// numbered returns a line of text for each result, with the name of its file where that changes and the numbers of its
// lines. Context that the result before shows is not repeated.
func numbered(results []MatchingLine, around int) (out []string) {
	shown := 0 // last line of the file so far
	for i, r := range results {
		file, end := "", r.Line+around
		if i == 0 || !r.sameFile(results[i-1]) {
			file, shown = r.ManualID+"/"+r.Path, 0
		}
		if i+1 < len(results) && r.sameFile(results[i+1]) {
			end = min(end, results[i+1].Line-1)
		}
		place := r.Source.String()
		if place != "" {
			place = " (" + place + ")"
		}
		var rows []string
		for j, text := range strings.Split(r.Text, "\n") {
			n, mark := max(1, r.Line-around)+j, "-"
			if n <= shown || n > end {
				continue
			}
			if n == r.Line {
				mark = place
			}
			rows = append(rows, fmt.Sprintf("%s:%d%s %s", file, n, mark, text))
			file, shown = "", n
		}
		out = append(out, strings.Join(rows, "\n"))
	}
	return out
}

func (r *MatchingLine) sameFile(other MatchingLine) bool {
	return r.ManualID == other.ManualID && r.Path == other.Path
}

// count sets the fields that say whether the list continues.
func (l *Lines) count(offset int) {
	n := len(l.Results) + len(l.Lines)
	next := offset + n
	if l.NextOffset = nil; n > 0 && next < l.Total {
		l.NextOffset = &next
		if l.TruncatedReason == reasonNone {
			l.TruncatedReason = reasonLimit
		}
	}
	l.Truncated = l.TruncatedReason != reasonNone
}

// fit shortens the reply to at most most estimated tokens, nil for any number: first everything besides the lines, to a
// quarter of that, then the lines. With a single line it drops everything else. It fails if not even that line fits.
func (l *Lines) fit(offset int, most *int) error {
	for most != nil && len(l.Skipped) > 0 && toolset.Cost(l.Skipped)+toolset.Cost(l.Files) > *most/4 {
		l.Skipped = l.Skipped[:len(l.Skipped)-1]
		if l.TruncatedReason == reasonNone {
			l.Truncated, l.TruncatedReason = true, reasonTokens
		}
	}
	for most != nil && len(l.Files) > 0 && toolset.Cost(l.Files) > *most/4 {
		l.Files = l.Files[:len(l.Files)-1]
	}
	whole := *l
	all := len(l.Results) + len(l.Lines)
	hold := func(n int) any {
		*l = whole
		l.Results, l.Lines = l.Results[:min(n, len(l.Results))], l.Lines[:min(n, len(l.Lines))]
		if n < all && l.TruncatedReason != reasonTime {
			l.TruncatedReason = reasonTokens
		}
		if n <= 1 && n < all {
			l.Files, l.Skipped = l.Files[:0], nil
		}
		l.count(offset)
		return l
	}
	return toolset.Fit(most, all, hold)
}
