package mismatch

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Surveyed is what a whole repository contradicts itself in.
type Surveyed struct {
	Mismatches
	Files    map[repo.Kind]int // that were compared
	Unparsed []string          // unparsed:<path>
}

// Survey holds all code of a repository against all its specifications, and its
// open changes against its main specifications. Code is read twice, first for the
// constants that its files share. progress may be nil; it gets the number of files read and to read.
func Survey(ctx context.Context, files repo.Files, listed []repo.File,
	progress func(done, total int)) (Surveyed, error) {
	s := Surveyed{Files: map[repo.Kind]int{}, Unparsed: []string{}}
	programs := slices.DeleteFunc(slices.Clone(listed), func(f repo.File) bool { return f.Kind != repo.Code })
	done := 0
	advance := func() {
		if done++; progress != nil {
			progress(done, len(programs)+len(listed))
		}
	}
	var shared rule.Constants
	for _, file := range programs {
		src, ok, err := readable(ctx, files, file)
		if err != nil {
			return s, err
		}
		if ok {
			shared.Add(file.Path, src, code.Cut(file.Path, src))
		}
		advance()
	}
	sources := map[repo.Kind][]rule.Source{}
	for _, file := range listed {
		src, ok, err := readable(ctx, files, file)
		if err != nil {
			return s, err
		}
		if ok {
			s.Files[file.Kind]++
			sources[file.Kind] = append(sources[file.Kind], sourcesOf(ctx, file, src, shared)...)
		} else {
			s.Unparsed = append(s.Unparsed, "unparsed:"+file.Path)
		}
		advance()
	}
	found, err := Compare(ctx, sources)
	s.Mismatches = found
	return s, err
}

// readable reads a file, and reports whether it is text that can be cut.
func readable(ctx context.Context, files repo.Files, file repo.File) (src []byte, ok bool, err error) {
	if err := ctx.Err(); err != nil {
		return nil, false, err
	}
	src, err = files.ReadFile(file.Path)
	if _, known := errors.AsType[*toolset.Error](err); known {
		return nil, false, nil
	} else if err != nil {
		return nil, false, fmt.Errorf("read %s: %w", file.Path, err)
	}
	return src, code.LeftOut(file.Path, src) == "", nil
}

// sourcesOf returns the rules of a file.
func sourcesOf(ctx context.Context, file repo.File, src []byte, shared rule.Constants) []rule.Source {
	if file.Kind == repo.Code {
		return rule.Code(ctx, file.Path, src, code.Cut(file.Path, src), shared)
	}
	all := []rule.Source{}
	for _, u := range spec.Cut(file.Path, src) {
		all = append(all, rule.Spec(file.Path, u))
	}
	return all
}
