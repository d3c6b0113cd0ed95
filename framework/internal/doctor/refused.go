package doctor

import (
	"context"
	"fmt"
	"io/fs"
	"os"

	"github.com/sagasu-search/sagasu/framework/internal/index"
	"github.com/sagasu-search/sagasu/framework/internal/patents/gazette"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// maxRefused is how many refused records are listed.
const maxRefused = 50

// refused lists the records that did not become publications: of each file the first that
// indexing refused, and those that imports refused.
func (r *Report) refused(ctx context.Context, w *workspace.Workspace, c *Collection, indexed []index.Refusal) {
	for _, f := range indexed {
		c.refuse(f.Count, f.First)
	}
	if c.RefusedCount > 0 {
		r.note(fmt.Sprintf("%d records of the publications are not searched", c.RefusedCount), "the list of refused records names the first of each file")
	}
	before := c.RefusedCount
	if err := c.imports(ctx, w); err != nil {
		r.note("what imports refused cannot be read: "+toolset.AsError(err).Error(), "remove the file if it is none of sagasu import")
	}
	if n := c.RefusedCount - before; n > 0 {
		r.note(fmt.Sprintf("imports refused %d records", n), "correct and import them, or remove the "+gazette.RefusedExt+" file beside the collection's")
	}
}

// refuse counts n records, the first of which are listed.
func (c *Collection) refuse(n int, first ...publication.Refused) {
	c.RefusedCount += n
	c.Refused = append(c.Refused, first[:min(len(first), max(0, maxRefused-len(c.Refused)))]...)
}

// imports reads the lists that imports left beside the files of the collection.
func (c *Collection) imports(ctx context.Context, w *workspace.Workspace) error {
	folders, err := w.Publications(ctx)
	if err != nil {
		return err
	}
	for _, m := range folders {
		root, err := os.OpenRoot(m.Dir)
		if err != nil {
			return err
		}
		defer root.Close()
		err = fs.WalkDir(root.FS(), ".", func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !publication.IsJSONLines(path) || m.Only != "" && path != m.Only {
				return err
			}
			first, n, err := gazette.ReadRefused(root, path, maxRefused)
			c.refuse(n, first...)
			return err
		})
		if err != nil {
			return err
		}
	}
	return nil
}
