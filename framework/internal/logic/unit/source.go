package unit

import (
	"context"
	"iter"
	"path/filepath"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// Source is the [corpus.Source] of a repository: the files that globs name as code and specifications.
type Source struct{ Globs repo.Globs }

var _ corpus.Source = Source{}

// Schema implements [corpus.Source].
func (Source) Schema() snapshot.Schema { return snapshot.LogicSchema() }

// Walk implements [corpus.Source]. It does not report files that the rules of package repo leave out.
func (s Source) Walk(
	ctx context.Context, m corpus.Manual, paths []string, enter func(dir string),
) ([]snapshot.File, []toolset.Skip, error) {
	found, left, err := repo.WalkAt(ctx, m.Dir, s.Globs, paths, enter)
	files := make([]snapshot.File, len(found))
	for i, f := range found {
		files[i] = f.File
		files[i].Group = m.ID
		if f.Size > code.MaxSize {
			files[i].Skipped = code.TooLarge(f.Size)
		}
	}
	var skips []toolset.Skip
	for _, k := range left {
		if !repo.Ruled(k) {
			skips = append(skips, toolset.Skip{ManualID: m.ID, Path: k.Path, Reason: k.Reason})
		}
	}
	return files, skips, err
}

// Reach implements [corpus.Source]: a .gitignore affects other files.
func (Source) Reach(name string) corpus.Reach {
	if filepath.Base(name) == ".gitignore" {
		return corpus.ReachesAll
	}
	return corpus.ReachesFile
}

// Text implements [corpus.Source].
func (Source) Text(name string, src []byte) (text []byte, unfit string) {
	return code.Text(name, src)
}

// Cut implements [corpus.Source].
func (s Source) Cut(name string, src []byte) iter.Seq[corpus.Row] {
	kind, _ := s.Globs.Classify(name)
	return slices.Values(Cut(name, kind, src))
}
