package manuals

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/collection"
	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// checkTime is the time limit for a collection to answer when a program starts.
const checkTime = 20 * time.Second

// collectionOptions returns the options of the collection that COLLECTION_URL names.
func collectionOptions(env *module.Env) collection.Options {
	return collection.Options{
		Dir: indexDir(env.Workspace), Strategies: env.Strategies, Strategy: env.Gatherer, Kind: snapshot.KindManual,
		Stored: env.Stored, Logger: env.Logger,
	}
}

// probe asks the collection for one section.
func probe(ctx context.Context, env *module.Env) (*sdk.Gathered, error) {
	ctx, cancel := context.WithTimeout(ctx, checkTime)
	defer cancel()
	o := collectionOptions(env)
	found, err := o.Check(ctx)
	if err != nil {
		return nil, fmt.Errorf("COLLECTION_URL (%s): %w", env.Workspace.Origin("COLLECTION_URL"), err)
	}
	return found, nil
}

// openCollection opens the collection. It fails with a [module.ConfigError] if the collection cannot be searched.
func openCollection(ctx context.Context, env *module.Env) (*collection.Collection, error) {
	if _, err := probe(ctx, env); err != nil {
		return nil, &module.ConfigError{Err: err}
	}
	return collection.Open(collectionOptions(env))
}

// collectionState is the report's part on a collection.
type collectionState struct {
	URL        string `json:"url"`
	Strategy   string `json:"strategy"`
	Reached    bool   `json:"reached"`
	Generation string `json:"generation,omitempty"`
	Sections   int    `json:"sections"`
	Answered   int    `json:"shards_answered"`
	Expected   int    `json:"shards_expected"`
}

// checkCollection reports the collection that is searched instead of files.
func checkCollection(ctx context.Context, env *module.Env, r *doctor.Report) {
	state := collectionState{URL: workspace.Of[Settings](env.Workspace).Collection, Strategy: env.Gatherer}
	table := doctor.Table{Title: "collection"}
	table.Row("url", state.URL)
	if found, err := probe(ctx, env); err != nil {
		r.Fail("the collection cannot be searched: "+err.Error(), "start what answers there, or correct the setting")
	} else {
		state.Reached, state.Generation, state.Sections = true, found.Generation, found.Statistics.Sections
		state.Answered, state.Expected = found.Answered, found.Expected
		table.Row("generation", state.Generation)
		table.Row("holds", fmt.Sprintf("%d sections", state.Sections))
		table.Row("answers", fmt.Sprintf("%d of %d shards", state.Answered, state.Expected))
		switch {
		case state.Answered < state.Expected:
			r.Fail(fmt.Sprintf("%d of %d shards of the collection do not answer: searches are partial",
				state.Expected-state.Answered, state.Expected), "start the nodes of the engine that are down")
		case state.Sections == 0:
			r.Fail("the collection holds nothing to search", "fill it: sagasu index --to "+state.URL)
		}
	}
	table.Row("reached", doctor.Yes(state.Reached))
	r.Add("collection", state, table)
}

// needsFiles is why a tool that needs the files of manuals does not work with a collection.
const needsFiles = "it needs the files of the manuals, which lie in a collection elsewhere: search that with " +
	"manual_find, and read it with manual_read, manual_scan and manual_toc"

// errNeedsFiles returns the error of a command that needs the files.
func errNeedsFiles() error {
	return toolset.Errorf(toolset.NotAvailable, "this cannot be done here: %s", needsFiles)
}

// openGathered reads a file from the collection.
func (l *Library) openGathered(ctx context.Context, id corpus.ManualID, path rootfs.Path) (*document, error) {
	files, err := l.options.Collection.Files(ctx, string(id), string(path), mostGathered)
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

// mostGathered is the maximum number of sections of a collection that are read at once.
const mostGathered = 20_000

// gatheredTexts returns, by path, the texts of the files of a manual at a prefix, which is a file or a folder. If
// there is neither, it returns those of the folder in which paths may begin with the prefix.
func (l *Library) gatheredTexts(ctx context.Context, args TocArgs) (map[string][]byte, error) {
	texts, id, path := map[string][]byte{}, string(args.ManualID), string(args.PathPrefix)
	above := path[:strings.LastIndexByte(path, '/')+1]
	for _, path := range []string{path, strings.TrimSuffix(path, "/") + "/", above} {
		files, err := l.options.Collection.Files(ctx, id, strings.TrimPrefix(path, "/"), mostGathered)
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
