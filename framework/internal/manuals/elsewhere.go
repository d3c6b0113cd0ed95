package manuals

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/collection"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// checkTime is how long a collection has to answer when a program starts.
const checkTime = 20 * time.Second

// openCollection opens the collection that COLLECTION_URL names. It fails with a [module.ConfigError] where that cannot
// be searched.
func openCollection(ctx context.Context, env *module.Env) (*collection.Collection, error) {
	c, err := collection.Open(collection.Options{
		Dir: IndexDir(env.Workspace), Gatherer: env.Strategies, Strategy: env.Gatherer, Kind: snapshot.KindManual,
		Logger: env.Logger,
	})
	if err != nil {
		return nil, err
	}
	if err := checkCollection(ctx, env.Workspace, c); err != nil {
		_ = c.Close() // it holds nothing yet
		return nil, &module.ConfigError{Err: err}
	}
	return c, nil
}

func checkCollection(ctx context.Context, w *workspace.Workspace, c *collection.Collection) error {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	if err := c.Check(ctx); err != nil {
		return fmt.Errorf("COLLECTION_URL (%s): %w", w.Origin("COLLECTION_URL"), err)
	}
	return nil
}

// errElsewhere is the error of a tool that needs the files of manuals where they lie in a collection.
func errElsewhere() error {
	return toolset.Errorf(toolset.NotAvailable, "this needs the files of the manuals, which lie in a collection "+
		"elsewhere: search it with manual_find, and read with manual_read, manual_scan and manual_toc")
}

// openElsewhere reads a file from the collection.
func (l *Library) openElsewhere(ctx context.Context, id corpus.ManualID, path rootfs.Path) (*document, error) {
	files, err := l.options.Collection.Files(ctx, string(id), string(path), mostElsewhere)
	if err == nil && len(files) == 0 {
		err = toolset.Errorf(toolset.NotFound, "manual %s of the collection holds no file %q", id, path).
			Argument("path", string(path), "the path of a hit of manual_find")
	}
	if err != nil {
		return nil, err
	}
	text := files[0].Text
	return &document{manual: string(id), path: files[0].Path, text: text, lines: corpus.NewLines(text)}, nil
}

// mostElsewhere is how many sections of a collection are read at once.
const mostElsewhere = 20_000

// textsElsewhere returns the texts of the files of a manual that a prefix names, a folder or a file, by path.
func (l *Library) textsElsewhere(ctx context.Context, args TocArgs) (map[string][]byte, error) {
	texts, id, path := map[string][]byte{}, string(args.ManualID), string(args.PathPrefix)
	for _, path := range []string{path, strings.TrimSuffix(path, "/") + "/"} {
		files, err := l.options.Collection.Files(ctx, id, strings.TrimPrefix(path, "/"), mostElsewhere)
		if err != nil {
			return nil, err
		}
		for _, f := range files {
			texts[f.Path] = f.Text
		}
		if len(texts) > 0 {
			return texts, nil
		}
	}
	return nil, toolset.Errorf(toolset.NotFound, "manual %s of the collection holds nothing there", id).
		Argument("manual_id", id, "a manual of a hit of manual_find")
}
