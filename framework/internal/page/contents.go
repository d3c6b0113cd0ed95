package page

import (
	"path"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// contents is the table of contents of one manual, or the list of manuals.
type contents struct {
	Manual  string
	Folders []folder
	Skipped []toolset.Skip
	Total   int
	Next    *int // first section of the next page
}

// folder holds the files of a folder of a manual.
type folder struct {
	Path  string // "" for the manual itself
	Files []file
}

type file struct {
	Name  string // in its folder
	Title string // of its first section
	Nodes []manuals.TocNode
}

// tocSections is the number of sections on a page of a table of contents.
const tocSections = manuals.MaxTocNodes

func (q *request) contents() error {
	manual := q.value("manual")
	if manual == "" {
		return q.show("contents", q.name("contents"), &contents{})
	}
	args := toolset.Defaults[manuals.TocArgs]()
	args.ManualID, args.Detail, args.Limit = corpus.ManualID(manual), manuals.DetailNodes, new(tocSections)
	var err error
	if args.Offset, err = q.number("from", 0, 0, 1<<30); err != nil {
		return err
	}
	if args, err = toolset.Check(args); err != nil {
		return err
	}
	toc, err := q.Manuals.Toc(q.r.Context(), args)
	if err != nil {
		return err
	}
	out := &contents{Manual: manual, Skipped: toc.Skipped, Total: toc.Total, Next: toc.NextOffset}
	last := "" // file
	for _, item := range toc.Items {
		node, ok := item.(manuals.TocNode)
		if !ok {
			continue
		}
		dir, name := path.Split(node.Path)
		dir = strings.TrimSuffix(dir, "/")
		i := slices.IndexFunc(out.Folders, func(f folder) bool { return f.Path == dir })
		if i < 0 {
			i, out.Folders = len(out.Folders), append(out.Folders, folder{Path: dir})
		}
		files := &out.Folders[i].Files
		if node.Path != last {
			*files = append(*files, file{Name: name, Title: node.Title})
			last = node.Path
		}
		f := &(*files)[len(*files)-1]
		f.Nodes = append(f.Nodes, node)
	}
	slices.SortStableFunc(out.Folders, func(a, b folder) int { return strings.Compare(a.Path, b.Path) })
	return q.show("contents", manual, out)
}

// listManuals returns the ids of the manuals, or none if they cannot be listed.
func (q *request) listManuals() (ids []string) {
	all, err := q.Manuals.List(q.r.Context(), manuals.ListArgs{})
	if err != nil {
		return nil // whatever needs them reports the error
	}
	for _, item := range all.Items {
		ids = append(ids, item.ManualID)
	}
	return ids
}
