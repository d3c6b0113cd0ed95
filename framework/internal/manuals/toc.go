package manuals

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Limits on what manual_toc lists without paging.
const (
	MaxTocFiles = 200  // files
	MaxTocNodes = 2000 // nodes, if there are more files than MaxTocFiles
)

// DetailNodes is the detail of manual_toc that lists every section.
const DetailNodes = "nodes"

// TocArgs are the arguments of manual_toc.
type TocArgs struct {
	ManualID corpus.ManualID `json:"manual_id" required:"the id of a manual, as manual_ls lists them" minLength:"1"`
	Detail   string          `json:"detail,omitempty" enum:"headings,nodes" default:"headings" doc:"nodes: every section with id, parent and lines."`
	// PathPrefix selects files. If it names a folder or ends in a slash, it means that folder; otherwise it means the
	// paths that start with it.
	PathPrefix rootfs.Prefix `json:"path_prefix,omitempty" doc:"A folder, or the beginning of paths."`
	Offset     int           `json:"offset" min:"0" default:"0"` // items to skip
	Limit      *int          `json:"limit" min:"1"`              // items to list
	MaxTokens  *int          `json:"max_tokens" min:"100" max:"50000"`
}

// Toc is the answer to manual_toc.
type Toc struct {
	Items []any `json:"items" schema:"objects"` // TocFile each, or TocNode with detail nodes
	// Total counts all items, listed or not.
	Total      int  `json:"total" optional:""`
	NextOffset *int `json:"next_offset,omitempty" doc:"The offset of the next page; absent on the last."`
	// Skipped are the files of this page, and below path_prefix, that cannot be searched.
	Skipped []toolset.Skip `json:"skipped,omitempty" schema:"objects" doc:"path and reason of files that cannot be searched."`
}

// Counters implements [toolset.Counter].
func (t *Toc) Counters() []any { return []any{"items", len(t.Items)} }

// TocFile is a file with its headings. A JSON file has none.
type TocFile struct {
	Path string `json:"path"`
	// Title is a title in front matter that no heading repeats.
	Title    string       `json:"title,omitempty"`
	Headings []TocHeading `json:"headings"`
	// Rest is the call that pages the other headings, if they do not fit into max_tokens.
	Rest map[string]any `json:"rest,omitempty"`
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

func (l *Library) tocTool() toolset.Tool {
	return toolset.Define(toolset.Tool{
		Name:  "manual_toc",
		Title: "Table of contents",
		Description: "List the files of a manual with their headings and line numbers. Of a large manual take a " +
			"part with path_prefix, or page with offset and limit. " +
			`Example: {"manual_id": "aoba-nas", "path_prefix": "en/"}`,
		Example: json.RawMessage(`{"manual_id": "id of a manual", "detail": "headings", "path_prefix": "guide/", "offset": 0, "limit": 50, "max_tokens": 1200}`),
		Hints:   toolset.Reading,
		Group:   group,
	}, l.Toc)
}

// Toc lists the files of a manual with their headings, or all sections. It fails with needs_narrow_scope if there are
// more than MaxTocFiles files and neither a prefix nor a page was given.
func (l *Library) Toc(ctx context.Context, args TocArgs) (*Toc, error) {
	paths, skips, read, err := l.outline(ctx, args)
	if err != nil {
		return nil, err
	}
	within, err := prefixed(paths, args.PathPrefix)
	if err != nil {
		return nil, err
	}
	page := args.Limit != nil || args.Offset > 0
	if len(within) > MaxTocFiles && args.PathPrefix == "" && !page {
		return nil, tooWide(string(args.ManualID), within)
	}
	t := &tocPage{read: read, from: args.Offset, limit: limit(args, len(within)), out: &Toc{Items: []any{}}}
	for _, s := range skips {
		s.ManualID = ""
		if _, outside := prefixed([]string{s.Path}, args.PathPrefix); outside == nil {
			t.out.Skipped = append(t.out.Skipped, s)
		}
	}
	t.out.Skipped = corpus.Gather(t.out.Skipped)
	if args.Detail == DetailNodes {
		err = t.nodes(ctx, within)
	} else {
		err = t.files(ctx, within)
	}
	if err != nil {
		return nil, err
	}
	return t.out, t.out.fit(args)
}

// reader returns the text of a file.
type reader func(ctx context.Context, path string) ([]byte, error)

// outline returns the files of a manual, the skipped files, and a reader for the files.
func (l *Library) outline(ctx context.Context, args TocArgs) ([]string, []toolset.Skip, reader, error) {
	var paths []string
	if l.options.Collection != nil {
		texts, err := l.gatheredTexts(ctx, args)
		return slices.Sorted(maps.Keys(texts)), nil, func(_ context.Context, path string) ([]byte, error) {
			return texts[path], nil
		}, err
	}
	m, err := l.find(ctx, args.ManualID)
	if err != nil {
		return nil, nil, nil, err
	}
	walked, skips, err := corpus.Walk(ctx, m)
	for _, f := range walked {
		paths = append(paths, f.Path)
	}
	read := func(ctx context.Context, path string) ([]byte, error) {
		f, err := corpus.Open(ctx, m, path)
		return f.Text, err
	}
	return paths, skips, read, err
}

// fit leaves out the last items, and with them the list of what cannot be searched, until the reply costs at most
// args.MaxTokens, if given. If a single file is too long, its last headings are left out.
func (t *Toc) fit(args TocArgs) error {
	items, next, skipped := t.Items, t.NextOffset, t.Skipped
	hold := func(n int) any {
		if t.Items, t.NextOffset, t.Skipped = items[:n], next, skipped; n < len(items) {
			t.NextOffset, t.Skipped = new(args.Offset+n), nil
		}
		return t
	}
	err := toolset.Fit(args.MaxTokens, len(items), hold)
	if err == nil || len(items) == 0 {
		return err
	}
	file, ok := items[0].(TocFile)
	if !ok {
		return err
	}
	hold(1)
	most := *args.MaxTokens
	cut := func(n int) int {
		t.Items = []any{TocFile{file.Path, file.Title, file.Headings[:n], map[string]any{"manual_id": args.ManualID,
			"detail": DetailNodes, "path_prefix": file.Path, "offset": n, "max_tokens": most}}}
		return toolset.Cost(t)
	}
	n := sort.Search(len(file.Headings), func(n int) bool { return cut(n+1) > most })
	if least := cut(n); least > most {
		return toolset.TooFew(most, least)
	}
	return nil
}

// limit returns the maximum number of items of the answer. A page without a limit, or a prefix with too many files,
// gets the default limit.
func limit(args TocArgs, files int) int {
	switch {
	case args.Limit != nil:
		return *args.Limit
	case args.Detail != DetailNodes:
		return MaxTocFiles
	case files > MaxTocFiles || args.Offset > 0:
		return MaxTocNodes
	}
	return math.MaxInt
}

// tocPage collects one page of items.
type tocPage struct {
	read        reader
	from, limit int
	out         *Toc
}

// add adds the next item if it is on the page.
func (t *tocPage) add(item any) {
	if at := t.out.Total; at >= t.from && len(t.out.Items) < t.limit {
		t.out.Items = append(t.out.Items, item)
	} else if at >= t.from && t.out.NextOffset == nil {
		t.out.NextOffset = &at
	}
	t.out.Total++
}

// files lists the page's files. It opens no others.
func (t *tocPage) files(ctx context.Context, paths []string) error {
	t.out.Total = len(paths)
	from := min(t.from, len(paths))
	page := paths[from:]
	if len(page) > t.limit {
		page = page[:t.limit]
		t.out.NextOffset = new(from + t.limit)
	}
	return t.each(ctx, page, func(path string, src []byte) {
		file := TocFile{Path: path, Title: corpus.Title(path, src), Headings: []TocHeading{}}
		for s := range corpus.Sections(path, src) {
			if s.Node != snapshot.NodeHeading {
				continue
			}
			file.Headings = append(file.Headings, TocHeading{s.Title, s.Start})
			if s.Title == file.Title {
				file.Title = ""
			}
		}
		t.out.Items = append(t.out.Items, file)
	})
}

// nodes lists the page's sections. It cuts all files in order to count the sections.
func (t *tocPage) nodes(ctx context.Context, paths []string) error {
	return t.each(ctx, paths, func(path string, src []byte) {
		var starts []int // of the sections so far
		for s := range corpus.Sections(path, src) {
			starts = append(starts, s.Start)
			t.add(node(path, s, starts))
		}
	})
}

// node describes a section. starts are the first lines of this section and of those before it.
func node(path string, s corpus.Section, starts []int) TocNode {
	n := TocNode{
		Kind: "heading", NodeID: nodeID(path, s.Start), Path: path,
		Title: s.Title, Level: s.Level, LineStart: s.Start, LineEnd: s.End,
	}
	if s.Node == snapshot.NodeJSON {
		n.Kind = "json_file"
	}
	if s.Parent != snapshot.None {
		n.ParentID = new(nodeID(path, starts[s.Parent]))
	}
	return n
}

func nodeID(path string, start int) string { return fmt.Sprintf("%s#L%d", path, start) }

// each calls do with each file and skips files that cannot be read. It fails only when the context is done.
func (t *tocPage) each(ctx context.Context, paths []string, do func(path string, src []byte)) error {
	for _, p := range paths {
		src, err := t.read(ctx, p)
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			t.out.Skipped = append(t.out.Skipped, toolset.Skip{Path: p, Reason: corpus.WhyUnread(err)})
		default:
			do(p, src)
		}
	}
	return nil
}
