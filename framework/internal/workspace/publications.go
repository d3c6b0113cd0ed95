package workspace

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/patents/publication"
)

// publicationsID names the collection where its index wants the name of a manual.
const publicationsID = "publications"

// HasPublications reports whether there is a collection, which may be empty.
func (w *Workspace) HasPublications() bool {
	_, err := os.Stat(w.PublicationsRoot)
	return err == nil && w.PublicationsProblem() == nil
}

// PublicationsProblem returns why PUBLICATIONS_ROOT cannot be a collection: a link leads it
// out of the workspace although the user has not named it, or it was named and is not there.
func (w *Workspace) PublicationsProblem() error {
	const name = "PUBLICATIONS_ROOT"
	info, err := os.Stat(w.PublicationsRoot)
	switch {
	case err != nil && w.Origin(name) != "default":
		return fmt.Errorf("%s is %q (%s): it must be a JSON Lines file or a folder that exists",
			name, w.PublicationsRoot, w.Origin(name))
	case err == nil && !info.IsDir() && !publication.IsJSONLines(w.PublicationsRoot):
		return fmt.Errorf("%s is %q (%s): a file must be named .jsonl", name, w.PublicationsRoot, w.Origin(name))
	case (w.Origin(name) == "default" || w.guests[name]) && !w.holds(w.PublicationsRoot):
		return fmt.Errorf("%s is a link out of the workspace: if you trust it, name it with --publications-root",
			w.PublicationsRoot)
	}
	return nil
}

// Publications is what is indexed as the collection: nothing while there is none.
func (w *Workspace) Publications(ctx context.Context) ([]corpus.Manual, error) {
	if err := ctx.Err(); err != nil || !w.HasPublications() {
		return nil, err
	}
	real, err := filepath.EvalSymlinks(w.PublicationsRoot)
	if err != nil {
		return nil, fmt.Errorf("find the publications: %w", err)
	}
	m := corpus.Manual{ID: publicationsID, Dir: real}
	if info, err := os.Stat(real); err == nil && !info.IsDir() {
		m.Dir, m.Only = filepath.Dir(real), filepath.Base(real)
	}
	return []corpus.Manual{m}, nil
}

// PublicationsHint says in one sentence what the workspace lacks in which no publication
// can be searched, and what to do about it.
func (w *Workspace) PublicationsHint() string {
	if err := w.PublicationsProblem(); err != nil {
		return err.Error()
	}
	what := "there are no publications in " + w.PublicationsRoot
	if w.HasPublications() {
		what = w.PublicationsRoot + " holds no publication that can be searched"
	}
	return what + ": put JSON Lines files there, which sagasu import makes, or name a file or folder with " +
		"--publications-root"
}

// checkPublications refuses a named root that cannot be a collection, and tools over one
// that cannot.
func (w *Workspace) checkPublications() error {
	if w.Origin("PUBLICATIONS_ROOT") != "default" || slices.Contains(w.Toolsets, "rrf") ||
		slices.Contains(w.Toolsets, "rrf-human") {
		return w.PublicationsProblem()
	}
	return nil
}
