package patents

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// Settings are those of the tools over publications.
type Settings struct {
	// Root is a JSON Lines file of publications or a folder of them; may not exist.
	Root string `setting:"PUBLICATIONS_ROOT" kind:"path" root:"read" guest:"" default:"${WORKSPACE_ROOT}/publications" arg:"FILE" doc:"JSON Lines FILE of publications, or a folder of them"`
}

const (
	rootSetting = "PUBLICATIONS_ROOT"
	// corpusID names the collection where its index wants the name of a manual.
	corpusID = "publications"
)

func rootOf(w *workspace.Workspace) string { return workspace.Of[Settings](w).Root }

// problem returns why PUBLICATIONS_ROOT cannot be a collection: a link leads it out of the
// workspace although the user has not named it, or it was named and is not there.
func problem(w *workspace.Workspace) error {
	root := rootOf(w)
	info, err := os.Stat(root)
	switch {
	case err != nil && w.Origin(rootSetting) != "default":
		return fmt.Errorf("%s is %q (%s): it must be a JSON Lines file or a folder that exists",
			rootSetting, root, w.Origin(rootSetting))
	case err == nil && !info.IsDir() && !publication.IsJSONLines(root):
		return fmt.Errorf("%s is %q (%s): a file must be named .jsonl", rootSetting, root, w.Origin(rootSetting))
	case !w.Named(rootSetting) && !w.Holds(root):
		return fmt.Errorf("%s is a link out of the workspace: if you trust it, name it with --publications-root", root)
	}
	return nil
}

// exists reports whether there is a collection, which may be empty.
func exists(w *workspace.Workspace) bool {
	_, err := os.Stat(rootOf(w))
	return err == nil && problem(w) == nil
}

// files returns what is indexed as the collection: nothing while there is none.
func files(ctx context.Context, w *workspace.Workspace) ([]corpus.Manual, error) {
	if err := ctx.Err(); err != nil || !exists(w) {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(rootOf(w))
	if err != nil {
		return nil, fmt.Errorf("find the publications: %w", err)
	}
	m := corpus.Manual{ID: corpusID, Dir: real}
	if info, err := os.Stat(real); err == nil && !info.IsDir() {
		m.Dir, m.Only = filepath.Dir(real), filepath.Base(real)
	}
	return []corpus.Manual{m}, nil
}

// hint says in one sentence what the workspace lacks in which no publication can be searched, and
// what to do about it.
func hint(w *workspace.Workspace) string {
	if err := problem(w); err != nil {
		return err.Error()
	}
	what := "there are no publications in " + rootOf(w)
	if exists(w) {
		what = rootOf(w) + " holds no publication that can be searched"
	}
	return what + ": put JSON Lines files there, which sagasu import makes, or name a file or folder with " +
		"--publications-root"
}
