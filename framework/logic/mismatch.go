package logic

import (
	"slices"

	"github.com/sagasu-search/sagasu/framework/corpus/repo"
	"github.com/sagasu-search/sagasu/framework/logic/rule"
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

// mismatches compares the evidence: code of high relevance with every statement.
func mismatches(evidence []material) Mismatches {
	sources, seen := map[repo.Kind][]rule.Source{}, map[source]bool{}
	for i := range evidence {
		m := &evidence[i]
		kind := repo.Kind(m.SourcePriority)
		for _, at := range m.sources() {
			if !seen[at] {
				seen[at] = true
				sources[kind] = append(sources[kind], m.read(at))
			}
		}
	}
	return Compare(sources)
}

// source is a unit of the files at hand: an index of code, a line of a specification.
type source struct {
	path string
	unit int
}

// sources are the units to compare: those of the specification that hold the
// line; of code of high relevance the one that does, and the constants it uses.
func (m *material) sources() []source {
	all := []source{}
	for i := range m.specs {
		all = append(all, source{m.Path, i})
	}
	if m.unit < 0 || m.Relevance < HighRelevance {
		return all
	}
	uses := m.code.Units[m.unit].Facts.Uses
	for i, u := range m.code.Units {
		if i == m.unit || u.Name != "" && slices.Contains(uses, u.Name) {
			all = append(all, source{m.Path, i})
		}
	}
	return all
}

func (m *material) read(at source) rule.Source {
	if m.Kind == Spec {
		return rule.Spec(m.Path, m.specs[at.unit])
	}
	return rule.Code(m.Path, m.src, m.code, at.unit)
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

// claims states both sides of each contradiction.
func (m Mismatches) claims(say wording) []Claim {
	all := []Claim{}
	add := func(c rule.Conflict, has Kind, text string) {
		all = append(all,
			Claim{Sort: Constraint, Kind: has, Path: c.Has.Path, Line: c.Has.Line, Text: text},
			Claim{Sort: Constraint, Kind: Spec, Path: c.Wants.Path, Line: c.Wants.Line, Text: text})
	}
	for _, c := range m.Code {
		add(c, Code, say.mismatch(c))
	}
	for _, c := range m.Specs {
		add(c, Spec, say.conflict(c))
	}
	return all
}
