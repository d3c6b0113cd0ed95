package manuals

import (
	"context"
	"fmt"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// toc collects one page of items.
type toc struct {
	manual      corpus.Manual
	from, limit int
	out         *Toc
}

// add takes the next item if it lies on the page.
func (t *toc) add(item any) {
	if at := t.out.Total; at >= t.from && len(t.out.Items) < t.limit {
		t.out.Items = append(t.out.Items, item)
	} else if at >= t.from && t.out.NextOffset == nil {
		t.out.NextOffset = &at
	}
	t.out.Total++
}

// files lists the page's files; the others are not opened.
func (t *toc) files(ctx context.Context, paths []string) error {
	t.out.Total = len(paths)
	from := min(t.from, len(paths))
	page := paths[from:]
	if len(page) > t.limit {
		page = page[:t.limit]
		t.out.NextOffset = new(from + t.limit)
	}
	for _, p := range page {
		sections, err := t.cut(ctx, p)
		if err != nil {
			return err
		}
		if sections == nil {
			continue
		}
		headings := []TocHeading{}
		for _, s := range sections {
			if s.Node == snapshot.NodeHeading {
				headings = append(headings, TocHeading{s.Title, s.Start})
			}
		}
		t.out.Items = append(t.out.Items, TocFile{p, headings})
	}
	return nil
}

// nodes lists the page's sections; all files are cut, as only that tells how
// many sections there are.
func (t *toc) nodes(ctx context.Context, paths []string) error {
	for _, p := range paths {
		sections, err := t.cut(ctx, p)
		if err != nil {
			return err
		}
		for _, s := range sections {
			t.add(node(p, s, sections))
		}
	}
	return nil
}

func node(path string, s corpus.Section, all []corpus.Section) TocNode {
	n := TocNode{
		Kind: "heading", NodeID: nodeID(path, s), Path: path,
		Title: s.Title, Level: s.Level, LineStart: s.Start, LineEnd: s.End,
	}
	if s.Node == snapshot.NodeJSON {
		n.Kind = "json_file"
	}
	if s.Parent != snapshot.None {
		n.ParentID = new(nodeID(path, all[s.Parent]))
	}
	return n
}

func nodeID(path string, s corpus.Section) string { return fmt.Sprintf("%s#L%d", path, s.Start) }

// cut reads and cuts a file; nil for one that cannot be read, which is noted.
// Only a cancelled context is an error.
func (t *toc) cut(ctx context.Context, path string) ([]corpus.Section, error) {
	src, err := corpus.Read(ctx, t.manual, path)
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		bad := toolset.AsError(err)
		reason, known := bad.Details["reason"].(string)
		if !known {
			reason = bad.Message
		}
		t.out.Skipped = append(t.out.Skipped, toolset.Skip{Path: path, Reason: reason})
		return nil, nil
	}
	return corpus.Cut(path, src), nil
}
