package border

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

// CheckGathered checks the result of a gatherer against its request. The error is the first
// [*BreachError].
func CheckGathered(req *sdk.GatherRequest, g *sdk.Gathered) error {
	switch {
	case g == nil:
		return breach(RuleResult, "neither")
	case len(g.Sections) > req.Limit:
		return breach(RuleLimit, "%d of %d", len(g.Sections), req.Limit)
	case g.Total < len(g.Sections):
		return breach(RuleStatistics, "%d matched, and there are %d", g.Total, len(g.Sections))
	case g.Answered < 0 || g.Answered > g.Expected:
		return breach(RuleShards, "%d of %d", g.Answered, g.Expected)
	case req.Generation != "" && g.Generation != req.Generation:
		return breach(RuleGeneration, "%.50q instead of %.50q", g.Generation, req.Generation)
	case !utf8.ValidString(g.Generation) || !utf8.ValidString(g.Cursor):
		return breach(RuleRow, "a generation or cursor that is not UTF-8")
	}
	fields := len(snapshot.SchemaOf(req.Kind).Fields)
	if err := checkStatistics(&g.Statistics, fields); err != nil {
		return err
	}
	if err := checkStored(req, g.Stored, fields); err != nil {
		return err
	}
	fields += len(g.Stored)
	seen := make(map[string]bool, len(g.Sections))
	for i := range g.Sections {
		s := &g.Sections[i]
		if err := checkRow(s, fields); err != nil {
			return err
		}
		if !passes(&req.Filter, &s.Section) {
			return breach(RuleFilter, "%.50q of group %.50q, path %.50q", s.Key, s.Section.Group, s.Section.Path)
		}
		if seen[s.Key] {
			return breach(RuleDuplicate, "%.50q", s.Key)
		}
		seen[s.Key] = true
		if len(req.Terms) == 0 && !req.Sample && i > 0 && ComparePlaces(&g.Sections[i-1].Section, &s.Section) > 0 {
			return breach(RuleRow, "%.50q does not stand in the order of the files", s.Key)
		}
	}
	return nil
}

func checkStatistics(s *snapshot.Statistics, fields int) error {
	if s.Sections < 0 || len(s.Lengths) > fields {
		return breach(RuleStatistics, "%d sections, %d lengths", s.Sections, len(s.Lengths))
	}
	for _, length := range s.Lengths {
		if !finite(length) {
			return breach(RuleStatistics, "a length of %v", length)
		}
	}
	for term, n := range s.DocFreqs {
		if n < 0 || !utf8.ValidString(term) {
			return breach(RuleStatistics, "%d sections hold %.50q", n, term)
		}
	}
	return nil
}

// checkStored checks the names of the stored fields; fields is the number of fields before them.
func checkStored(req *sdk.GatherRequest, stored []string, fields int) error {
	if n := len(stored); n > 0 && !req.Stored || fields+n > snapshot.MaxFields {
		return breach(RuleRow, "%d stored fields, which are too many or were not asked for", n)
	}
	for i, name := range stored {
		if !strings.HasPrefix(name, snapshot.StoredField) || !utf8.ValidString(name) ||
			slices.Contains(stored[:i], name) {
			return breach(RuleRow, "a stored field of the name %.50q", name)
		}
	}
	return nil
}

// checkRow checks one section.
func checkRow(s *sdk.GatheredSection, fields int) error {
	valid := func(texts ...string) bool {
		return !slices.ContainsFunc(texts, func(t string) bool { return !utf8.ValidString(t) })
	}
	x := &s.Section
	switch {
	case s.Key == "" || x.Path == "" || !isLine(x.Group) || !isLine(x.Path):
		return breach(RuleRow, "key %.50q, group %.50q, path %.50q", s.Key, x.Group, x.Path)
	case !valid(s.Key, x.Group, x.Path, x.Title) || !valid(s.Fields...) || !valid(s.Keywords...):
		return breach(RuleRow, "%.50q is not UTF-8", s.Key)
	case len(s.Fields) != fields:
		return breach(RuleRow, "%.50q has %d fields instead of %d", s.Key, len(s.Fields), fields)
	case x.Start < 1 || x.Start > x.OwnEnd || x.OwnEnd > x.End || x.Body < x.Start || x.Body > x.OwnEnd+1:
		return breach(RuleRow, "%.50q has the lines %d, %d, %d, %d", s.Key, x.Start, x.Body, x.OwnEnd, x.End)
	case x.Node < snapshot.NodeHeading || x.Node > snapshot.NodeUnit || x.Level < 0 || x.Level > 6:
		return breach(RuleRow, "%.50q is of node %d and level %d", s.Key, x.Node, x.Level)
	case !finite(s.Score):
		return breach(RuleScore, "%.50q has %v", s.Key, s.Score)
	}
	return nil
}

// passes reports whether a section belongs to the groups and the path of a filter. An engine that ignores them would
// show a text under the name of another file.
func passes(f *sdk.GatherFilter, s *snapshot.Section) bool {
	if len(f.Groups) > 0 && !slices.Contains(f.Groups, s.Group) {
		return false
	}
	return f.Path == "" || s.Path == f.Path || strings.HasSuffix(f.Path, "/") && strings.HasPrefix(s.Path, f.Path)
}

// ComparePlaces orders sections by group, path and line.
func ComparePlaces(a, b *snapshot.Section) int {
	return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Path, b.Path), cmp.Compare(a.Start, b.Start))
}
