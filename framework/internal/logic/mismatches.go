package logic

import (
	"context"

	"github.com/sagasu-search/sagasu/framework/internal/logic/mismatch"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
)

// Mismatches lists the contradictions of a repository.
type Mismatches struct {
	mismatch.Dated
	Files Compared `json:"files"`
	mismatch.Read
	Pairs    int      `json:"pairs"`    // number of compared values of code and specifications
	Unparsed []string `json:"unparsed"` // unparsed:<path>
	// NothingCompared says why no code was compared with a specification, or is "" if a pair was.
	NothingCompared string `json:"nothing_compared"`
}

// Compared counts the files that were compared.
type Compared struct {
	Code        int `json:"code"`
	ChangeSpecs int `json:"change_specs"`
	MainSpecs   int `json:"main_specs"`
}

// Mismatches compares all files of the repository and dates the lines that contradict each other. It calls progress
// with the number of files read and the total.
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
		Files: Compared{s.Files[repo.Code], s.Files[repo.ChangeSpec], s.Files[repo.MainSpec]},
		Read:  s.Read, Pairs: s.Code.Pairs, Unparsed: s.Unparsed,
	}
	lacking := []repo.Kind{}
	if all.Files.Code == 0 {
		lacking = append(lacking, repo.Code)
	}
	if all.Files.ChangeSpecs+all.Files.MainSpecs == 0 {
		lacking = append(lacking, repo.ChangeSpec, repo.MainSpec)
	}
	if len(lacking) > 0 {
		all.NothingCompared = m.settings.Lacking(ctx, root, lacking...)
	} else if all.Pairs == 0 {
		all.NothingCompared = "no setting that a specification gives a default has one in code"
	}
	all.Dated = mismatch.Date(ctx, root, tree, s.Mismatches)
	return all, ctx.Err()
}
