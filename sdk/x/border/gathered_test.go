package border_test

import (
	"math"
	"testing"

	"github.com/sagasu-search/sagasu/sdk"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
	"github.com/sagasu-search/sagasu/sdk/x/border"
)

func TestCheckGathered(t *testing.T) {
	row := func(key string, line int) sdk.GatheredSection {
		return sdk.GatheredSection{
			Key: key, Section: snapshot.Section{Group: "m", Path: "a.md", Title: "t", Node: snapshot.NodeHeading, Level: 1,
				Start: line, Body: line + 1, OwnEnd: line + 1, End: line + 3},
			Fields: []string{"t", "text", ""}, Score: 1,
		}
	}
	keep := func(ask bool, names ...string) func(*sdk.GatherRequest, *sdk.Gathered) {
		return func(req *sdk.GatherRequest, g *sdk.Gathered) {
			req.Stored, g.Stored = ask, names
			for i := range g.Sections {
				g.Sections[i].Fields = append(g.Sections[i].Fields, names...)
			}
		}
	}
	for what, tc := range map[string]struct {
		change func(req *sdk.GatherRequest, g *sdk.Gathered)
		rule   string
	}{
		"good":         {func(*sdk.GatherRequest, *sdk.Gathered) {}, ""},
		"partial":      {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Answered = 1 }, ""},
		"empty body":   {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Sections[0].Section.OwnEnd = 1 }, ""},
		"many":         {func(req *sdk.GatherRequest, _ *sdk.Gathered) { req.Limit = 1 }, border.RuleLimit},
		"twice":        {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Sections[1].Key = "a" }, border.RuleDuplicate},
		"no key":       {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Sections[1].Key = "" }, border.RuleRow},
		"no path":      {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Sections[1].Section.Path = "" }, border.RuleRow},
		"painted path": {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Sections[1].Section.Path = "\x1b[2J" }, border.RuleRow},
		"broken text":  {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Sections[1].Fields[1] = "\xff" }, border.RuleRow},
		"broken term":  {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Statistics.DocFreqs["\xff"] = 1 }, border.RuleStatistics},
		"broken state": {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Cursor = "\xff" }, border.RuleRow},
		"few fields":   {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Sections[1].Fields = []string{"t"} }, border.RuleRow},
		"many fields":  {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Sections[1].Fields = make([]string, 4) }, border.RuleRow},
		"stored":       {keep(true, "@vectors", "@other"), ""},
		"not asked":    {keep(false, "@vectors"), border.RuleRow},
		"stored twice": {keep(true, "@vectors", "@vectors"), border.RuleRow},
		"searched":     {keep(true, "vectors"), border.RuleRow},
		"broken name":  {keep(true, "@\xff"), border.RuleRow},
		"nine fields":  {keep(true, "@a", "@b", "@c", "@d", "@e", "@f"), border.RuleRow},
		"none stored":  {func(req *sdk.GatherRequest, g *sdk.Gathered) { req.Stored, g.Stored = true, []string{"@a"} }, border.RuleRow},
		"line 0":       {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Sections[1].Section.Start = 0 }, border.RuleRow},
		"lines":        {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Sections[1].Section.End = 5 }, border.RuleRow},
		"body":         {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Sections[1].Section.Body = 10 }, border.RuleRow},
		"node":         {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Sections[1].Section.Node = 9 }, border.RuleRow},
		"level":        {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Sections[1].Section.Level = 7 }, border.RuleRow},
		"order":        {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Sections[1].Section.Group = "a" }, border.RuleRow},
		"nan":          {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Sections[1].Score = math.NaN() }, border.RuleScore},
		"total":        {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Total = 1 }, border.RuleStatistics},
		"population":   {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Statistics.Sections = -1 }, border.RuleStatistics},
		"length":       {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Statistics.Lengths[0] = math.Inf(1) }, border.RuleStatistics},
		"lengths":      {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Statistics.Lengths = make([]float64, 4) }, border.RuleStatistics},
		"frequency":    {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Statistics.DocFreqs["a"] = -1 }, border.RuleStatistics},
		"shards":       {func(_ *sdk.GatherRequest, g *sdk.Gathered) { g.Answered = 3 }, border.RuleShards},
		"generation":   {func(req *sdk.GatherRequest, _ *sdk.Gathered) { req.Generation = "1" }, border.RuleGeneration},
		"of a group":   {func(req *sdk.GatherRequest, _ *sdk.Gathered) { req.Filter.Groups = []string{"l", "m"} }, ""},
		"other group":  {func(req *sdk.GatherRequest, _ *sdk.Gathered) { req.Filter.Groups = []string{"l"} }, border.RuleFilter},
		"of a file":    {func(req *sdk.GatherRequest, _ *sdk.Gathered) { req.Filter.Path = "a.md" }, ""},
		"other file":   {func(req *sdk.GatherRequest, _ *sdk.Gathered) { req.Filter.Path = "a" }, border.RuleFilter},
		"of a folder": {func(req *sdk.GatherRequest, g *sdk.Gathered) {
			req.Filter.Path, g.Sections[0].Section.Path, g.Sections[1].Section.Path = "f/", "f/a.md", "f/a.md"
		}, ""},
		"other folder": {func(req *sdk.GatherRequest, _ *sdk.Gathered) { req.Filter.Path = "f/" }, border.RuleFilter},
	} {
		req := &sdk.GatherRequest{Kind: snapshot.KindManual, Limit: 2}
		g := &sdk.Gathered{
			Sections: []sdk.GatheredSection{row("a", 1), row("b", 7)}, Total: 2, Answered: 2, Expected: 2, Generation: "2",
			Statistics: snapshot.Statistics{Sections: 2, Lengths: []float64{1, 2, 0}, DocFreqs: map[string]int{"a": 1}},
		}
		tc.change(req, g)
		if got := rule(border.CheckGathered(req, g)); got != tc.rule {
			t.Errorf("%s: broke %q, want %q", what, got, tc.rule)
		}
	}
	if got := rule(border.CheckGathered(&sdk.GatherRequest{}, nil)); got != border.RuleResult {
		t.Errorf("nothing broke %q", got)
	}
}
