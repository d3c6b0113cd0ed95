package mismatch

import (
	"context"
	"errors"
	"fmt"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Surveyed is what a whole repository contradicts itself in.
type Surveyed struct {
	Mismatches
	Read
	Files    map[repo.Kind]int // that were compared
	Unparsed []string          // unparsed:<path>
}

// Read counts what was read.
type Read struct {
	Requirements int `json:"requirements"` // requirements and sections that bind
	Scenarios    int `json:"scenarios"`
	SpecValues   int `json:"spec_values"` // values that specifications want
	CodeValues   int `json:"code_values"` // values that lines of code hold
}

// Survey holds all code of a repository against all its specifications, and its
// open changes against its main specifications. progress may be nil; it gets the number of
// files read and to read.
func Survey(ctx context.Context, files repo.Files, listed []repo.File,
	progress func(done, total int)) (Surveyed, error) {
	s, rules, err := read(ctx, files, listed, progress)
	if err == nil {
		s.Mismatches, err = Compare(ctx, rules)
	}
	return s, err
}

// read returns the rules of all files by their kind.
func read(ctx context.Context, files repo.Files, listed []repo.File,
	progress func(done, total int)) (s Surveyed, rules map[repo.Kind][]rule.Rule, err error) {
	s, rules = Surveyed{Files: map[repo.Kind]int{}, Unparsed: []string{}}, map[repo.Kind][]rule.Rule{}
	for i, file := range listed {
		src, err := files.ReadFile(file.Path)
		_, known := errors.AsType[*toolset.Error](err)
		switch {
		case ctx.Err() != nil:
			return s, nil, ctx.Err()
		case err != nil && !known:
			return s, nil, fmt.Errorf("read %s: %w", file.Path, err)
		case err != nil || code.LeftOut(file.Path, src) != "":
			s.Unparsed = append(s.Unparsed, "unparsed:"+file.Path)
		default:
			s.Files[file.Kind]++
			rules[file.Kind] = append(rules[file.Kind], s.rulesOf(file, src)...)
		}
		if progress != nil {
			progress(i+1, len(listed))
		}
	}
	return s, rules, nil
}

// rulesOf counts and returns the rules of a file.
func (r *Read) rulesOf(file repo.File, src []byte) []rule.Rule {
	if file.Kind == repo.Code {
		all := rule.Code(file.Path, src, code.Read(file.Path, src))
		r.CodeValues += len(all)
		return all
	}
	all := []rule.Rule{}
	for _, u := range spec.Cut(file.Path, src) {
		all = append(all, rule.Spec(file.Path, u)...)
		if u.Binds() {
			r.Requirements++
		}
		r.Scenarios += u.Scenarios()
	}
	r.SpecValues += len(all)
	return all
}
