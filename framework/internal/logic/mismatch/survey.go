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

// Surveyed is the result of a survey of a whole repository.
type Surveyed struct {
	Mismatches
	Read
	Files    map[repo.Kind]int // number of compared files
	Unparsed []string          // unparsed:<path>
}

// Read counts what was read.
type Read struct {
	Requirements int `json:"requirements"` // requirements and sections that bind
	Scenarios    int `json:"scenarios"`
	SpecValues   int `json:"spec_values"` // wanted by specifications
	CodeValues   int `json:"code_values"` // in lines of code
}

// Survey compares all code of a repository with all its specifications, and its open changes with its main
// specifications. progress may be nil; it gets the number of files read and the total.
func Survey(ctx context.Context, files repo.Files, listed []repo.File,
	progress func(done, total int)) (Surveyed, error) {
	s, rules, err := read(ctx, files, listed, progress)
	if err == nil {
		s.Mismatches, err = Compare(ctx, rules)
	}
	return s, err
}

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
		}
		if text, unfit := code.Text(file.Path, src); err != nil || unfit != "" {
			s.Unparsed = append(s.Unparsed, "unparsed:"+file.Path)
		} else {
			s.Files[file.Kind]++
			rules[file.Kind] = append(rules[file.Kind], s.rulesOf(file, text)...)
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

// Mismatches are the contradictions found.
type Mismatches struct {
	// Code are those between programs and specifications. Specs are those between open changes and main specifications;
	// the changes have priority.
	Code, Specs rule.Compared
}

// Compare compares all code with all specifications, and open changes with main specifications. It fails when ctx ends.
func Compare(ctx context.Context, rules map[repo.Kind][]rule.Rule) (m Mismatches, err error) {
	changes, main := rules[repo.ChangeSpec], rules[repo.MainSpec]
	for _, specs := range [][]rule.Rule{changes, main} {
		m.Code.Add(rule.Settings(ctx, rules[repo.Code], specs))
	}
	m.Specs.Add(rule.Settings(ctx, changes, main))
	m.Specs.Add(rule.Requirements(changes, main))
	return m, ctx.Err()
}

// Unknowns returns the ids of the contradictions, each once (docs/reference/tools/ask_logic_qa.md).
func (m Mismatches) Unknowns() []string {
	all := []string{}
	for _, c := range m.Code.Conflicts {
		all = append(all, mismatchID(c))
	}
	for _, c := range m.Specs.Conflicts {
		all = append(all, specConflictID(c))
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// mismatchID identifies a contradiction of code with a specification by their paths.
func mismatchID(c rule.Conflict) string { return "mismatch:" + c.Wants.Path + ":" + c.Has.Path }

// specConflictID identifies a contradiction of an open change with a main specification.
func specConflictID(c rule.Conflict) string {
	return "spec_conflict:" + c.Has.Path + ":" + c.Wants.Path
}
