package logic

import (
	"context"
	"errors"
	"fmt"

	"github.com/sagasu-search/sagasu/framework/corpus/code"
	"github.com/sagasu-search/sagasu/framework/corpus/repo"
	"github.com/sagasu-search/sagasu/framework/corpus/spec"
	"github.com/sagasu-search/sagasu/framework/fault"
	"github.com/sagasu-search/sagasu/framework/logic/rule"
)

// Surveyed is what a whole repository contradicts itself in.
type Surveyed struct {
	Mismatches
	Files    map[repo.Kind]int // that were compared
	Unparsed []string          // unparsed:<path>
}

// Survey holds all code of a repository against all its specifications, and its
// open changes against its main specifications. Progress may be nil; it is told
// how many of the files are read.
func Survey(ctx context.Context, files Files, listed []repo.File, progress func(done, total int)) (Surveyed, error) {
	s := Surveyed{Files: map[repo.Kind]int{}, Unparsed: []string{}}
	sources := map[repo.Kind][]rule.Source{}
	for i, file := range listed {
		if err := ctx.Err(); err != nil {
			return s, err
		}
		read, ok, err := sourcesOf(files, file)
		switch {
		case err != nil:
			return s, fmt.Errorf("read %s: %w", file.Path, err)
		case !ok:
			s.Unparsed = append(s.Unparsed, "unparsed:"+file.Path)
		default:
			s.Files[file.Kind]++
			sources[file.Kind] = append(sources[file.Kind], read...)
		}
		if progress != nil {
			progress(i+1, len(listed))
		}
	}
	s.Mismatches = Compare(sources)
	return s, nil
}

// sourcesOf reads the rules of a file; one that cannot be read as text has none.
func sourcesOf(files Files, file repo.File) (sources []rule.Source, ok bool, err error) {
	src, err := files.ReadFile(file.Path)
	if _, known := errors.AsType[*fault.Error](err); known || err == nil && code.LeftOut(file.Path, src) != "" {
		return nil, false, nil
	}
	switch {
	case err != nil:
		return nil, false, err
	case file.Kind == repo.Code:
		return rule.Codes(file.Path, src, code.Cut(file.Path, src)), true, nil
	}
	for _, u := range spec.Cut(file.Path, src) {
		sources = append(sources, rule.Spec(file.Path, u))
	}
	return sources, true, nil
}
