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
	Next    *int // file that the next page begins with
}

// folder holds the files of a folder of a manual.
type folder struct {
	Path  string // "" for the manual itself
	Files []manuals.TocFile
}

// tocFiles is how many files a page of a table of contents holds.
const tocFiles = manuals.MaxTocFiles

func (q *request) contents() error {
	manual := q.value("manual")
	if manual == "" {
		return q.show("contents", "contents", &contents{})
	}
	args := toolset.Defaults[manuals.TocArgs]()
	args.ManualID, args.Limit = corpus.ManualID(manual), new(tocFiles)
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
	for _, item := range toc.Items {
		file, ok := item.(manuals.TocFile)
		if !ok {
			continue
		}
		dir := strings.TrimPrefix(path.Dir(file.Path), ".")
		i := slices.IndexFunc(out.Folders, func(f folder) bool { return f.Path == dir })
		if i < 0 {
			i, out.Folders = len(out.Folders), append(out.Folders, folder{Path: dir})
		}
		out.Folders[i].Files = append(out.Folders[i].Files, file)
	}
	slices.SortStableFunc(out.Folders, func(a, b folder) int { return strings.Compare(a.Path, b.Path) })
	return q.show("contents", manual, out)
}

// listManuals names the manuals, none where there is no manual.
func (q *request) listManuals() (ids []string) {
	all, err := q.Manuals.List(q.r.Context())
	if err != nil {
		return nil // whatever needs them says why
	}
	for _, item := range all.Items {
		ids = append(ids, item.ManualID)
	}
	return ids
}
