package manuals

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Limits on what manual_toc lists when no page is asked for.
const (
	MaxTocFiles = 200  // files
	MaxTocNodes = 2000 // nodes, where there are more files than MaxTocFiles
)

// The details of manual_toc.
const (
	DetailHeadings = "headings"
	DetailNodes    = "nodes"
)

// TocRequest is one manual_toc call.
type TocRequest struct {
	ManualID string
	Detail   string // headings ("" too) or nodes
	// PathPrefix picks files. One that names a folder, or ends in a slash,
	// means that folder; any other the paths that start so.
	PathPrefix string
	Offset     int  // items to leave out, ≥ 0
	Limit      *int // items to list, ≥ 1
}

// Toc is the answer to manual_toc.
type Toc struct {
	Items []any `json:"items"` // TocFile each, or TocNode with detail nodes
	// Total counts the items there are, listed or not.
	Total int `json:"total"`
	// NextOffset is the offset of the next page, absent on the last.
	NextOffset *int `json:"next_offset,omitempty"`
	// Skipped are the files of this page and folder that cannot be read as text.
	Skipped []toolset.Skip `json:"skipped,omitempty"`
}

// TocFile is a file with its headings. A JSON file has none.
type TocFile struct {
	Path     string       `json:"path"`
	Headings []TocHeading `json:"headings"`
}

// TocHeading is a heading and its line.
type TocHeading struct {
	Title     string `json:"title"`
	LineStart int    `json:"line_start"`
}

// TocNode is a section. Text before the first heading is a heading of level 0.
type TocNode struct {
	Kind      string  `json:"kind"` // heading or json_file
	NodeID    string  `json:"node_id"`
	Path      string  `json:"path"`
	Title     string  `json:"title"`
	Level     int     `json:"level"`
	ParentID  *string `json:"parent_id"`
	LineStart int     `json:"line_start"`
	LineEnd   int     `json:"line_end"`
}

// Toc lists the files of a manual with their headings, or all sections. More
// than MaxTocFiles files without a prefix or a page are needs_narrow_scope.
func (l *Library) Toc(ctx context.Context, req TocRequest) (*Toc, error) {
	if err := checkToc(req); err != nil {
		return nil, err
	}
	m, err := l.find(ctx, req.ManualID)
	if err != nil {
		return nil, err
	}
	walked, skips, err := corpus.Walk(ctx, m)
	if err != nil {
		return nil, err
	}
	paths := make([]string, len(walked))
	for i, f := range walked {
		paths[i] = f.Path
	}
	within, err := prefixed(paths, req.PathPrefix)
	if err != nil {
		return nil, err
	}
	page := req.Limit != nil || req.Offset > 0
	if len(within) > MaxTocFiles && req.PathPrefix == "" && !page {
		return nil, tooWide(m.ID, within)
	}
	t := &toc{manual: m, from: req.Offset, limit: limit(req, len(within)), out: &Toc{Items: []any{}}}
	for _, s := range skips {
		if matches(s.Path, req.PathPrefix) {
			t.out.Skipped = append(t.out.Skipped, toolset.Skip{Path: s.Path, Reason: s.Reason})
		}
	}
	if req.Detail == DetailNodes {
		err = t.nodes(ctx, within)
	} else {
		err = t.files(ctx, within)
	}
	return t.out, err
}

func checkToc(req TocRequest) error {
	switch {
	case req.Detail != "" && req.Detail != DetailHeadings && req.Detail != DetailNodes:
		return toolset.Invalid("detail", req.Detail, "headings or nodes")
	case req.Offset < 0:
		return toolset.Invalid("offset", req.Offset, "an integer of at least 0")
	case req.Limit != nil && *req.Limit < 1:
		return toolset.Invalid("limit", *req.Limit, "an integer of at least 1")
	}
	return nil
}

// limit is the most items of the answer. A page without a limit of its own,
// or a prefix that is still wide, gets the usual one.
func limit(req TocRequest, files int) int {
	switch {
	case req.Limit != nil:
		return *req.Limit
	case req.Detail != DetailNodes:
		return MaxTocFiles
	case files > MaxTocFiles || req.Offset > 0:
		return MaxTocNodes
	}
	return int(^uint(0) >> 1)
}
