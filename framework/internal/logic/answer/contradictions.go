package answer

import (
	"context"
	"fmt"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/mismatch"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
)

// mismatches returns the contradictions between the statements of an answer, and those between the specifications'
// units in the evidence and its files about a setting of the same name. It fails when ctx ends.
func (r *ranking) mismatches(ctx context.Context, told []Claim) (found mismatch.Mismatches, err error) {
	if !slices.ContainsFunc(r.files, func(f *file) bool { return f.kind == evidence.Spec }) {
		return found, ctx.Err()
	}
	rules := map[repo.Kind][]rule.Rule{}
	for _, f := range r.files {
		f.values = f.rules()
		for _, v := range f.values {
			if f.kind == evidence.Code || f.covers(v.Line) {
				rules[f.priority] = append(rules[f.priority], v)
			}
		}
	}
	found, err = mismatch.Compare(ctx, rules)
	for _, s := range told {
		if s.Kind == evidence.Spec {
			found.Code.Add(rule.Statement(r.about(s, told), r.file(s.Path).within(s.Line, s.last)))
		}
	}
	return found, err
}

// aboutIt is the share of a statement that a line must name to be about it (docs/measurements/2026-11-27-wild.md).
const aboutIt = .1

// about returns the values of the code in an answer that is about a statement.
func (r *ranking) about(statement Claim, told []Claim) (all []rule.Rule) {
	said := words(statement.stated)
	weigh(said, r.texts)
	for _, c := range told {
		if f := r.file(c.Path); c.Kind == evidence.Code && named(said, f.says(c)) >= aboutIt {
			first, last := f.Span(c.Line)
			all = append(all, f.within(first, max(last, c.last))...)
		}
	}
	return all
}

// file returns a file that the evidence names.
func (r *ranking) file(path string) *file {
	return r.files[slices.IndexFunc(r.files, func(f *file) bool { return f.path == path })]
}

// within returns the values on lines of a file.
func (f *file) within(first, last int) (all []rule.Rule) {
	for _, v := range f.values {
		if first <= v.Line && v.Line <= last {
			all = append(all, v)
		}
	}
	return all
}

// rules returns the rules of the whole file.
func (f *file) rules() []rule.Rule {
	if f.kind == evidence.Code {
		return rule.Code(f.path, f.src, f.Reading)
	}
	all := []rule.Rule{}
	for _, u := range f.specs {
		all = append(all, rule.Spec(f.path, u)...)
	}
	return all
}

// contradictionClaims states both sides of each contradiction. If several lines of one file contradict one statement in
// the same way, such as a constant and its use, they share one wording.
func contradictionClaims(m mismatch.Mismatches, say wording) []Claim {
	all, texts := []Claim{}, map[string]string{}
	add := func(c rule.Conflict, has evidence.Kind, text string) {
		key := fmt.Sprint(has, c.What, c.Wants.Path, ":", c.Wants.Line, c.Has.Path)
		if texts[key] == "" {
			texts[key] = text
		}
		all = append(all,
			Claim{Sort: Constraint, Kind: has, Path: c.Has.Path, Line: c.Has.Line, Text: texts[key]},
			Claim{Sort: Constraint, Kind: evidence.Spec, Path: c.Wants.Path, Line: c.Wants.Line, Text: texts[key]})
	}
	for _, c := range m.Code.Conflicts {
		add(c, evidence.Code, say.disagree("mismatch", c))
	}
	for _, c := range m.Specs.Conflicts {
		add(c, evidence.Spec, say.disagree("conflict", c))
	}
	return all
}
