package manuals

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// SearchArgs are the arguments of manual_search.
type SearchArgs struct {
	Query     string          `json:"query" required:"what to search for" minLength:"1"`
	Mode      string          `json:"mode" enum:"plain,loose,regex" default:"plain" doc:"plain: the letters as they stand; loose: without regard to case, width and separators; regex: RE2."`
	ManualID  corpus.ManualID `json:"manual_id,omitempty" doc:"One manual; all when not given."`
	Glob      string          `json:"glob,omitempty" filled:"" doc:"Such as guide/** or *.json; counts from the manual."`
	Context   int             `json:"context" min:"0" max:"5" default:"0" doc:"Lines to add before and after."`
	Limit     int             `json:"limit" min:"1" max:"1000" default:"50"`
	Offset    int             `json:"offset" min:"0" default:"0"`
	MaxTokens *int            `json:"max_tokens" min:"100" max:"50000" doc:"Bounds the reply."`
}

// Lines is the answer to manual_search: lines in the order of manuals, paths and numbers.
type Lines struct {
	Results         []MatchingLine `json:"results"`
	Total           int            `json:"total" doc:"Lines that match, of those that were searched."`
	Files           []MatchingFile `json:"files" doc:"The 20 files with the most lines."`
	Truncated       bool           `json:"truncated"`
	TruncatedReason string         `json:"truncated_reason" enum:"limit,max_tokens,time_budget,none" doc:"time_budget: not every file was searched; narrow manual_id, glob or query."`
	NextOffset      *int           `json:"next_offset"`
	Skipped         []toolset.Skip `json:"skipped,omitempty" schema:"objects" doc:"Files that cannot be read as text."`
}

// Counters implements [toolset.Counter].
func (l *Lines) Counters() []any { return []any{"items", len(l.Results), "total", l.Total} }

// MatchingLine is a line that matches.
type MatchingLine struct {
	ManualID   string `json:"manual_id"`
	Path       string `json:"path"`
	Line       int    `json:"line"`
	Breadcrumb string `json:"breadcrumb" doc:"Title and headings above the line."`
	Text       string `json:"text" doc:"The line, cut around the match where it is long, with the lines of context."`
}

// MatchingFile counts the matching lines of a file.
type MatchingFile struct {
	ManualID string `json:"manual_id"`
	Path     string `json:"path"`
	Count    int    `json:"count"`
}

func (l *Library) searchTool() toolset.Tool {
	return toolset.Define(toolset.Tool{
		Name:  "manual_search",
		Title: "Search lines",
		Description: "List the lines that hold a text or match a regular expression, with counts by file, as grep does. " +
			"For codes, names and every place of a word; for questions call manual_find. " +
			`Example: {"query": "ERR-1042"}`,
		Example: json.RawMessage(`{"query": "text", "mode": "plain", "manual_id": "id of a manual", "glob": "guide/**", "context": 1, "limit": 50, "offset": 0, "max_tokens": 1200}`),
		Hints:   toolset.Reading,
		Group:   group,
	}, l.Search)
}

const (
	// searchTime is how long a search of lines may take.
	searchTime = 20 * time.Second
	// mostFiles bounds the files that are counted in a reply.
	mostFiles = 20
	// mostSkipped bounds the list of files that cannot be searched.
	mostSkipped = 20
)

// Reasons why a reply does not hold every line that matches.
const (
	reasonNone   = "none"
	reasonLimit  = "limit"
	reasonTokens = "max_tokens"
	reasonTime   = "time_budget"
)

// Search lists the lines of the manuals that match.
func (l *Library) Search(ctx context.Context, args SearchArgs) (*Lines, error) {
	match, err := corpus.NewMatcher(args.Mode, args.Query)
	if err != nil {
		return nil, err
	}
	glob, err := rootfs.NewGlob(args.Glob, "")
	if err != nil {
		return nil, err
	}
	manuals, err := l.options.Manuals(ctx)
	if args.ManualID != "" {
		var one corpus.Manual
		one, err = l.find(ctx, args.ManualID)
		manuals = []corpus.Manual{one}
	}
	if err != nil {
		return nil, err
	}
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, searchTime)
	defer cancel()
	s := &lineSearch{args: args, match: match, out: &Lines{
		Results: []MatchingLine{}, Files: []MatchingFile{}, TruncatedReason: reasonNone,
	}}
	for _, m := range manuals {
		if err = s.manual(ctx, m, glob); err != nil {
			break
		}
	}
	switch {
	case caller.Err() != nil:
		return nil, caller.Err()
	case ctx.Err() != nil:
		err, s.out.TruncatedReason = nil, reasonTime
	}
	return s.result(), err
}

// lineSearch collects one page of lines.
type lineSearch struct {
	args   SearchArgs
	match  corpus.Matcher
	tokens int
	out    *Lines
}

func (s *lineSearch) manual(ctx context.Context, m corpus.Manual, glob rootfs.Glob) error {
	files, skips, err := corpus.Walk(ctx, m)
	if err != nil {
		return err
	}
	for _, k := range skips {
		s.skip(k)
	}
	for _, f := range files {
		if !glob.Match(f.Path) {
			continue
		}
		src, err := corpus.Read(ctx, m, f.Path)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			s.skip(toolset.Skip{ManualID: m.ID, Path: f.Path, Reason: toolset.AsError(err).Message})
			continue
		}
		s.file(ctx, m.ID, f.Path, src)
	}
	return ctx.Err()
}

func (s *lineSearch) skip(k toolset.Skip) {
	if len(s.out.Skipped) < mostSkipped {
		s.out.Skipped = append(s.out.Skipped, k)
	}
}

// file looks through the lines of a file, which is cut into sections only for lines that are listed.
func (s *lineSearch) file(ctx context.Context, manual, path string, src []byte) {
	lines, before := corpus.NewLines(src), s.out.Total
	var sections []corpus.Section
	for n := 1; n <= lines.Count() && ctx.Err() == nil; n++ {
		at := s.match(ctx, lineOf(src, lines, n))
		if at < 0 {
			continue
		}
		s.out.Total++
		if s.out.Total <= s.args.Offset || s.full() {
			continue
		}
		if sections == nil {
			sections = corpus.Cut(path, src)
		}
		s.add(MatchingLine{
			ManualID: manual, Path: path, Line: n, Text: s.around(src, lines, n, at),
			Breadcrumb: corpus.SectionAt(slices.Values(sections), n).HeadingPath,
		})
	}
	if n := s.out.Total - before; n > 0 {
		s.out.Files = append(s.out.Files, MatchingFile{manual, path, n})
	}
}

// full reports whether no more lines are listed.
func (s *lineSearch) full() bool {
	return len(s.out.Results) == s.args.Limit || s.out.TruncatedReason == reasonTokens
}

// tokensBeside is what a reply costs beside its rows, and a row beside its texts.
const (
	tokensBeside = 60
	tokensOfRow  = 30
)

// add lists a line unless the reply would cost more than it may; the first line is listed whatever
// it costs.
func (s *lineSearch) add(line MatchingLine) {
	cost := tokensOfRow + toolset.EstimateTokens(line.ManualID+line.Path+line.Breadcrumb+line.Text)
	if most := s.args.MaxTokens; most != nil && len(s.out.Results) > 0 && tokensBeside+s.tokens+cost > *most {
		s.out.TruncatedReason = reasonTokens
		return
	}
	s.tokens += cost
	s.out.Results = append(s.out.Results, line)
}

// around returns a line with the lines of context.
func (s *lineSearch) around(src []byte, lines corpus.Lines, n, at int) string {
	var out []string
	for i := max(1, n-s.args.Context); i <= min(lines.Count(), n+s.args.Context); i++ {
		from := 0
		if i == n {
			from = at
		}
		out = append(out, corpus.LineSnippet(lineOf(src, lines, i), from))
	}
	return strings.Join(out, "\n")
}

// result counts what is listed.
func (s *lineSearch) result() *Lines {
	out := s.out
	if out.TruncatedReason == reasonNone && out.Total > s.args.Offset+len(out.Results) {
		out.TruncatedReason = reasonLimit
	}
	out.Truncated = out.TruncatedReason != reasonNone
	if next := s.args.Offset + len(out.Results); len(out.Results) > 0 && next < out.Total {
		out.NextOffset = &next
	}
	slices.SortStableFunc(out.Files, func(a, b MatchingFile) int { return cmp.Compare(b.Count, a.Count) })
	out.Files = out.Files[:min(mostFiles, len(out.Files))]
	return out
}

// lineOf returns a line without its end.
func lineOf(src []byte, lines corpus.Lines, n int) string {
	return string(bytes.TrimRight(src[lines.Start(n):lines.Start(n+1)], "\r\n"))
}
