package logic

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/logic/mismatch"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Mismatches lists the contradictions of a repository.
type Mismatches struct {
	mismatch.Dated
	Files    Compared `json:"files"`
	Unparsed []string `json:"unparsed"` // unparsed:<path>
}

// Compared counts the files that were compared.
type Compared struct {
	Code        int `json:"code"`
	ChangeSpecs int `json:"change_specs"`
	MainSpecs   int `json:"main_specs"`
}

// Mismatches compares all files of the repository and dates the lines that contradict each
// other. progress is called with the number of files read and to read. It fails with
// not_available when there is no code or no specification.
func (m *Module) Mismatches(ctx context.Context, progress func(done, total int)) (Mismatches, error) {
	tree, err := m.tree()
	if err != nil {
		return Mismatches{}, err
	}
	defer tree.Close()
	root := m.settings.Root
	files, _, err := repo.Walk(ctx, root, m.settings.Globs)
	if err != nil {
		return Mismatches{}, err
	}
	s, err := mismatch.Survey(ctx, tree, files, progress)
	if err != nil {
		return Mismatches{}, err
	}
	all := Mismatches{
		Files:    Compared{s.Files[repo.Code], s.Files[repo.ChangeSpec], s.Files[repo.MainSpec]},
		Unparsed: s.Unparsed,
	}
	if specs := all.Files.ChangeSpecs + all.Files.MainSpecs; all.Files.Code == 0 || specs == 0 {
		return all, toolset.Errorf(toolset.NotAvailable,
			"there is nothing to compare: %d files are code and %d are specifications; %s",
			all.Files.Code, specs, m.settings.hint(ctx))
	}
	all.Dated = mismatch.Date(ctx, root, tree, s.Mismatches)
	return all, ctx.Err()
}
