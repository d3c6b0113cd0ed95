package answer

import (
	"context"
	"fmt"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/mismatch"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
)

// mismatches returns the contradictions between code of high relevance and the statements that the
// evidence holds. The files are compared whole, since what a line speaks of shows
// beside the others. It fails when ctx ends.
func mismatches(ctx context.Context, passages []passage) (mismatch.Mismatches, error) {
	if !slices.ContainsFunc(passages, func(m passage) bool { return m.Kind == evidence.Spec }) {
		return mismatch.Mismatches{}, ctx.Err()
	}
	rules, read := map[repo.Kind][]rule.Rule{}, map[string]bool{}
	for i := range passages {
		if m := &passages[i]; !read[m.Path] {
			read[m.Path] = true
			rules[m.SourcePriority] = append(rules[m.SourcePriority], m.rules()...)
		}
	}
	outside := func(c rule.Conflict) bool { return !named(c.Has, passages) || !named(c.Wants, passages) }
	found, err := mismatch.Compare(ctx, rules)
	return mismatch.Mismatches{Code: slices.DeleteFunc(found.Code, outside),
		Specs: slices.DeleteFunc(found.Specs, outside)}, err
}

// rules returns the rules of the whole file.
func (m *passage) rules() []rule.Rule {
	if m.Kind == evidence.Code {
		return rule.Code(m.Path, m.src, m.code)
	}
	all := []rule.Rule{}
	for _, u := range m.file {
		all = append(all, rule.Spec(m.Path, u)...)
	}
	return all
}

// named reports whether a side lies in a unit of the passages.
func named(s rule.Side, passages []passage) bool {
	return slices.ContainsFunc(passages, func(m passage) bool { return m.Path == s.Path && m.holds(s.Line) })
}

// holds reports whether a line is of the units to compare: those of the specification
// that hold the passages; of code of high relevance the one that does, and the
// constants it uses.
func (m *passage) holds(line int) bool {
	if m.Kind == evidence.Spec {
		return slices.ContainsFunc(m.specs, func(u spec.Unit) bool { return u.First <= line && line <= u.Last })
	}
	if m.unit < 0 || m.Relevance < evidence.HighRelevance {
		return false
	}
	uses := m.code.Units[m.unit].Facts.Uses
	for i, u := range m.code.Units {
		if (i == m.unit || u.Name != "" && slices.Contains(uses, u.Name)) && u.First <= line && line <= u.Last {
			return true
		}
	}
	return false
}

// contradictionClaims states both sides of each contradiction. Those of one kind with one
// statement in one file, such as a constant and where it is used, are stated once.
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
	for _, c := range m.Code {
		add(c, evidence.Code, say.mismatch(c))
	}
	for _, c := range m.Specs {
		add(c, evidence.Spec, say.conflict(c))
	}
	return all
}
