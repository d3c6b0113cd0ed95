package vault

import (
	"cmp"
	"context"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// SearchArgs are the arguments of vault_search.
type SearchArgs struct {
	Query string      `json:"query" required:"what to search for" minLength:"1"`
	Mode  string      `json:"mode" enum:"regex,plain,loose" default:"regex"`
	Glob  string      `json:"glob,omitempty" filled:"" doc:"Such as drafts/** or !*.json."`
	Dir   rootfs.Path `json:"relative_dir,omitempty" doc:"Only below this folder."`
	Limit int         `json:"limit" min:"1" max:"1000" default:"50"`

	MaxTokens *int `json:"max_tokens" min:"100" max:"50000"`
}

// Found is a line that matches.
type Found struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Snippet string `json:"snippet"`
}

// SearchResult is the result of vault_search.
type SearchResult struct {
	Results         []Found        `json:"results"`
	Total           int            `json:"total" doc:"Lines that match, of those that were searched."`
	Truncated       bool           `json:"truncated"`
	TruncatedReason string         `json:"truncated_reason" optional:"" enum:"limit,max_tokens,time_budget,none" doc:"time_budget: not every line was searched; narrow relative_dir, glob or query."`
	Skipped         []toolset.Skip `json:"skipped,omitempty" schema:"objects" doc:"Files that cannot be read as text."`
	Warnings        []string       `json:"warnings,omitempty" schema:"-"`
}

// Counters implements [toolset.Counter].
func (r *SearchResult) Counters() []any { return []any{"items", len(r.Results), "total", r.Total} }

// Search finds lines in the order of paths.
func (v *Vault) Search(ctx context.Context, req SearchArgs) (*SearchResult, error) {
	match, err := corpus.NewMatcher(req.Mode, req.Query)
	if err != nil {
		return nil, err
	}
	root, dir, err := v.openFolder("relative_dir", string(req.Dir), false)
	if err != nil {
		return nil, err
	}
	out := &SearchResult{Results: []Found{}, TruncatedReason: reasonNone}
	if root == nil {
		return out, nil
	}
	defer root.Close()
	glob, err := rootfs.NewGlob(req.Glob, dir)
	if err != nil {
		return nil, err
	}
	caller := ctx
	ctx, cancel := context.WithTimeout(ctx, cmp.Or(v.options.SearchTime, defaultSearchTime))
	defer cancel()
	chosen := false
	err = walk(ctx, root, dir, func(path string) error {
		if glob.Match(path) {
			chosen = true
			out.file(ctx, root, path, match, req.Limit)
		}
		return ctx.Err()
	}, func(path string, err error) { out.skip(path, toolset.AsError(err).Message) })
	switch {
	case caller.Err() != nil:
		return nil, caller.Err()
	case ctx.Err() != nil:
		err, out.TruncatedReason = nil, reasonTime
	case out.Total > len(out.Results):
		out.TruncatedReason = reasonLimit
	case !chosen && len(out.Skipped) == 0:
		out.Warnings = []string{nothingInScope}
	}
	if bad := out.afford(req.MaxTokens); bad != nil {
		return nil, bad
	}
	out.Truncated = out.TruncatedReason != reasonNone
	return out, err
}

// afford drops the last lines and unsearchable files until the reply costs at most most tokens. It
// fails if there is no room for the first line.
func (s *SearchResult) afford(most *int) error {
	if most == nil || toolset.Cost(s) <= *most {
		return nil
	}
	if s.TruncatedReason != reasonTime {
		s.TruncatedReason = reasonTokens
	}
	s.Truncated, s.Skipped = true, nil
	all := s.Results
	return toolset.Fit(most, len(all), func(n int) any {
		s.Results = all[:n]
		return s
	})
}

// Reasons why a result does not hold every line that matches.
const (
	reasonLimit = "limit"
	reasonTime  = "time_budget" // not every file was searched
)

// defaultSearchTime is the time limit for a search of lines.
const defaultSearchTime = 20 * time.Second

// mostSkipped is the maximum number of unsearchable files that are listed.
const mostSkipped = 20

func (s *SearchResult) skip(path, reason string) {
	if len(s.Skipped) < mostSkipped {
		s.Skipped = append(s.Skipped, toolset.Skip{Path: path, Reason: reason})
	}
}

func (s *SearchResult) file(ctx context.Context, root *rootfs.Root, path string, match corpus.Matcher, limit int) {
	text, err := root.ReadFile(path)
	reason := corpus.NotText(text)
	if err != nil {
		reason = toolset.AsError(err).Message
	}
	if reason != "" {
		s.skip(path, reason)
		return
	}
	lines := corpus.NewLines(text)
	for n := 1; n <= lines.Count() && len(text) > 0 && ctx.Err() == nil; n++ {
		line := lines.Text(text, n)
		at, _ := match(ctx, line)
		if at < 0 {
			continue
		}
		if s.Total++; len(s.Results) < limit {
			s.Results = append(s.Results, Found{path, n, corpus.LineSnippet(line, at)})
		}
	}
}
