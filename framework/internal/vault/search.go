package vault

import (
	"context"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// SearchRequest is one vault_search call.
type SearchRequest struct {
	Query string
	Mode  string // ModeRegex, ModePlain or ModeLoose
	// Glob and Dir limit the files, "" for all.
	Glob, Dir string
	Limit     int // rows, ≥ 1
}

// Found is a line that matches.
type Found struct {
	Path    string `json:"path"`
	Line    int    `json:"line"`
	Snippet string `json:"snippet"`
}

// SearchResult is the answer to vault_search.
type SearchResult struct {
	Results   []Found `json:"results"`
	Total     int     `json:"total"` // lines that match
	Truncated bool    `json:"truncated"`
	// TruncatedReason is limit or time_budget, none for an answer that holds all.
	TruncatedReason string `json:"truncated_reason"`
	// Skipped are files that cannot be read as text.
	Skipped []toolset.Skip `json:"skipped,omitempty"`
}

// Search finds lines in the order of paths.
func (v *Vault) Search(ctx context.Context, req SearchRequest) (*SearchResult, error) {
	match, err := matcherOf(req.Mode, req.Query)
	if err != nil {
		return nil, err
	}
	root, dir, err := v.openFolder("relative_dir", req.Dir, false)
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
	ctx, cancel := context.WithTimeout(ctx, v.options.searchTime())
	defer cancel()
	err = walk(ctx, root, dir, func(path string) error {
		if glob.Match(path) {
			out.file(ctx, root, path, match, req.Limit)
		}
		return ctx.Err()
	})
	switch late := ctx.Err() != nil; {
	case caller.Err() != nil:
		return nil, caller.Err()
	case late:
		err, out.TruncatedReason = nil, reasonTime
	case out.Total > len(out.Results):
		out.TruncatedReason = reasonLimit
	}
	out.Truncated = out.TruncatedReason != reasonNone
	return out, err
}

// Why an answer does not hold every line that matches.
const (
	reasonLimit = "limit"
	reasonTime  = "time_budget" // not every file was searched
)

// defaultSearchTime is how long a search of lines may take.
const defaultSearchTime = 20 * time.Second

func (o Options) searchTime() time.Duration {
	if o.SearchTime == 0 {
		return defaultSearchTime
	}
	return o.SearchTime
}

// mostSkipped bounds what is told of files that cannot be searched.
const mostSkipped = 20

func (s *SearchResult) file(ctx context.Context, root *rootfs.Root, path string, match matcher, limit int) {
	text, err := root.ReadFile(path)
	reason := corpus.NotText(text)
	if err != nil {
		reason = toolset.AsError(err).Message
	}
	if reason != "" {
		if len(s.Skipped) < mostSkipped {
			s.Skipped = append(s.Skipped, toolset.Skip{Path: path, Reason: reason})
		}
		return
	}
	lines := corpus.NewLines(text)
	for n := 1; n <= lines.Count() && ctx.Err() == nil; n++ {
		line := strings.TrimRight(string(text[lines.Start(n):lines.Start(n+1)]), "\r\n")
		at := match(ctx, line)
		if at < 0 {
			continue
		}
		if s.Total++; len(s.Results) < limit {
			s.Results = append(s.Results, Found{path, n, snippet(line, at)})
		}
	}
}

const (
	snippetChars = 200
	snippetLead  = 60 // before the match, where the line is longer
)

// snippet is the part of a line around the byte at.
func snippet(line string, at int) string {
	raw := []byte(line)
	from := 0
	if corpus.Forward(raw, 0, snippetChars) < len(raw) {
		from = corpus.FirstBreak(raw, corpus.Backward(raw, at, snippetLead), at)
	}
	return string(raw[from:corpus.LastBreak(raw, from, corpus.Forward(raw, from, snippetChars))])
}
