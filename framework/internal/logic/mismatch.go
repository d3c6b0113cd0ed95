package logic

import (
	"fmt"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
	"github.com/sagasu-search/sagasu/framework/internal/logic/spec"
)

// Mismatches are the contradictions in what is at hand.
type Mismatches struct {
	// Code are those between programs and specifications, Specs those between
	// open changes and main specifications, where the former have priority.
	Code, Specs []rule.Conflict
}

// Compare holds all code against all specifications, and open changes against
// main specifications.
func Compare(sources map[repo.Kind][]rule.Source) Mismatches {
	return Mismatches{
		Code: slices.Concat(
			rule.Conflicts(sources[repo.Code], sources[repo.ChangeSpec]),
			rule.Conflicts(sources[repo.Code], sources[repo.MainSpec]),
		),
		Specs: rule.Conflicts(sources[repo.ChangeSpec], sources[repo.MainSpec]),
	}
}

// mismatches are those between code of high relevance and the statements that the
// evidence holds. The files are compared whole, since what a line speaks of shows
// beside the others.
func mismatches(evidence []material) Mismatches {
	sources, read, shared := map[repo.Kind][]rule.Source{}, map[string]bool{}, constants(evidence)
	for i := range evidence {
		if m := &evidence[i]; !read[m.Path] {
			read[m.Path] = true
			kind := repo.Kind(m.SourcePriority)
			sources[kind] = append(sources[kind], m.sources(shared)...)
		}
	}
	outside := func(c rule.Conflict) bool { return !named(c.Has, evidence) || !named(c.Wants, evidence) }
	found := Compare(sources)
	return Mismatches{slices.DeleteFunc(found.Code, outside), slices.DeleteFunc(found.Specs, outside)}
}

// constants are those of all code at hand.
func constants(evidence []material) rule.Constants {
	var all rule.Constants
	for i := range evidence {
		if m := &evidence[i]; m.Kind == Code {
			all.Add(m.Path, m.src, m.code)
		}
	}
	return all
}

// sources are the rules of the whole file.
func (m *material) sources(shared rule.Constants) []rule.Source {
	if m.Kind == Code {
		return rule.Code(m.Path, m.src, m.code, shared)
	}
	all := []rule.Source{}
	for _, u := range m.file {
		all = append(all, rule.Spec(m.Path, u))
	}
	return all
}

// named reports whether a side lies in a unit of the evidence.
func named(s rule.Side, evidence []material) bool {
	return slices.ContainsFunc(evidence, func(m material) bool { return m.Path == s.Path && m.holds(s.Line) })
}

// holds reports whether a line is of the units to compare: those of the specification
// that hold the evidence; of code of high relevance the one that does, and the
// constants it uses.
func (m *material) holds(line int) bool {
	if m.Kind == Spec {
		return slices.ContainsFunc(m.specs, func(u spec.Unit) bool { return u.First <= line && line <= u.Last })
	}
	if m.unit < 0 || m.Relevance < HighRelevance {
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

// unknowns names the contradictions by their paths, each once. Contract.
func (m Mismatches) unknowns() []string {
	all := []string{}
	for _, c := range m.Code {
		all = append(all, "mismatch:"+c.Wants.Path+":"+c.Has.Path)
	}
	for _, c := range m.Specs {
		all = append(all, "spec_conflict:"+c.Has.Path+":"+c.Wants.Path)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// claims states both sides of each contradiction. Those of one kind with one
// statement in one file, such as a constant and where it is used, are told as one.
func (m Mismatches) claims(say wording) []Claim {
	all, texts := []Claim{}, map[string]string{}
	add := func(c rule.Conflict, has Kind, text string) {
		key := fmt.Sprint(has, c.What, c.Wants.Path, ":", c.Wants.Line, c.Has.Path)
		if texts[key] == "" {
			texts[key] = text
		}
		all = append(all,
			Claim{Sort: Constraint, Kind: has, Path: c.Has.Path, Line: c.Has.Line, Text: texts[key]},
			Claim{Sort: Constraint, Kind: Spec, Path: c.Wants.Path, Line: c.Wants.Line, Text: texts[key]})
	}
	for _, c := range m.Code {
		add(c, Code, say.mismatch(c))
	}
	for _, c := range m.Specs {
		add(c, Spec, say.conflict(c))
	}
	return all
}
