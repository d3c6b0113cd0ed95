package index

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/unit"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// walk lists the files of a manual, or of a repository: of that, what its rules
// leave out is no problem that anybody need be told of.
func (x *Index) walk(ctx context.Context, m corpus.Manual, paths []string, enter func(dir string)) ([]snapshot.File, []toolset.Skip, error) {
	if x.opts.Globs == nil {
		return corpus.WalkAt(ctx, m, paths, enter)
	}
	found, left, err := repo.WalkAt(ctx, m.Dir, *x.opts.Globs, paths, enter)
	files := make([]snapshot.File, len(found))
	for i, f := range found {
		files[i] = f.File
		files[i].Group = m.ID
	}
	var skips []toolset.Skip
	for _, s := range left {
		if !repo.Ruled(s) {
			skips = append(skips, toolset.Skip{ManualID: m.ID, Path: s.Path, Reason: s.Reason})
		}
	}
	return files, skips, err
}

// units cuts a file of a repository.
func (s *sources) units(name string, src []byte) []corpus.Row {
	kind, _ := s.globs.Classify(name)
	return unit.Cut(name, kind, src)
}
