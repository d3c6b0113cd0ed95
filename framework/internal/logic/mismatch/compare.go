package mismatch

import (
	"context"
	"slices"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
)

// Mismatches are the contradictions in what is at hand.
type Mismatches struct {
	// Code are those between programs and specifications, Specs those between
	// open changes and main specifications, where the former have priority.
	Code, Specs rule.Compared
}

// Compare holds all code against all specifications, and open changes against
// main specifications. It fails when ctx ends.
func Compare(ctx context.Context, rules map[repo.Kind][]rule.Rule) (m Mismatches, err error) {
	changes, main := rules[repo.ChangeSpec], rules[repo.MainSpec]
	for _, specs := range [][]rule.Rule{changes, main} {
		m.Code.Add(rule.Settings(ctx, rules[repo.Code], specs))
	}
	m.Specs.Add(rule.Settings(ctx, changes, main))
	m.Specs.Add(rule.Requirements(changes, main))
	return m, ctx.Err()
}

// Unknowns names the contradictions by their paths, each once (docs/reference/tools/ask_logic_qa.md).
func (m Mismatches) Unknowns() []string {
	all := []string{}
	for _, c := range m.Code.Conflicts {
		all = append(all, "mismatch:"+c.Wants.Path+":"+c.Has.Path)
	}
	for _, c := range m.Specs.Conflicts {
		all = append(all, "spec_conflict:"+c.Has.Path+":"+c.Wants.Path)
	}
	slices.Sort(all)
	return slices.Compact(all)
}
