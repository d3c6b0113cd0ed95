package audit

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault/audit/figure"
)

// FindingKind is the kind of a defect (docs/reference/tools/artifact_audit.md).
type FindingKind string

// The kinds of defects.
const (
	RootlessNode      FindingKind = "rootless_node"
	OrphanBranch      FindingKind = "orphan_branch"
	OneWayRef         FindingKind = "one_way_ref"
	UnsupportedFigure FindingKind = "unsupported_figure"
)

// Finding is a defect of an artifact.
type Finding struct {
	Kind    FindingKind `json:"kind" enum:"rootless_node,orphan_branch,one_way_ref,unsupported_figure"`
	Message string      `json:"message"`
	NodeID  *string     `json:"node_id"`
	Line    int         `json:"line" doc:"Of the artifact."`
	// Source is the place in a document of the first cited lines, or the document if none are cited.
	Source *toolset.Source `json:"source,omitempty" optional:""`
}

// finding returns a defect of the element with an ID, "" for none.
func finding(kind FindingKind, id string, line int, format string, args ...any) Finding {
	f := Finding{Kind: kind, Message: fmt.Sprintf(format, args...), Line: line}
	if id != "" {
		f.NodeID = &id
	}
	return f
}

// MaxFindings is the maximum number of findings listed in a report, which counts all.
const MaxFindings = 100

// Report is the result of artifact_audit.
type Report struct {
	ArtifactPath string `json:"artifact_path"`
	SourcePath   string `json:"source_path"`
	// Counts of the findings by kind.
	RootlessNodes  int `json:"rootless_nodes" doc:"Elements without valid source lines."`
	OrphanBranches int `json:"orphan_branches" doc:"Nodes without edges, branches out of reach, decisions with one way out."`
	OneWayRefs     int `json:"one_way_refs" doc:"References to what is missing, or not returned."`
	Unsupported    int `json:"unsupported_figures" optional:"" doc:"Elements with a figure, code or negation that the cited lines do not hold."`
	// CoverageRatio is null for a source without text.
	CoverageRatio *float64 `json:"coverage_ratio" doc:"Source lines cited per source line holding text; headings do not count."`
	// CitedElementsRatio is asserting elements with valid source lines / all
	// asserting elements, null where nothing asserts.
	CitedElementsRatio   *float64         `json:"cited_elements_ratio" optional:""`
	UncoveredRangesCount int              `json:"uncovered_ranges_count"`
	MarginalGain         *float64         `json:"marginal_gain" doc:"Lines newly cited per token scanned since the last audit."` // see [Options.Earlier]
	NeedsForcedFullScan  bool             `json:"needs_forced_full_scan"`
	Findings             []Finding        `json:"findings"` // the first [MaxFindings], by line
	Total                int              `json:"total" optional:"" doc:"Of all findings; mend those listed and audit again to see the next."`
	Truncated            bool             `json:"truncated" optional:"" doc:"findings are the first 100, by line."`
	NextActions          []toolset.Action `json:"next_actions"`
	Warnings             []string         `json:"warnings,omitempty" schema:"-"` // of copies that may be out of date

	// Cited are the source lines cited, merged: what the next audit of the pair
	// compares with.
	Cited []toolset.Range `json:"-"`
	// Uncovered are the source lines with text that nothing cites; blank lines
	// do not part them.
	Uncovered []toolset.Range `json:"-"`
	// MarginalGain is the ratio of AddedLines to ScannedTokens.
	AddedLines    int `json:"-"`
	ScannedTokens int `json:"-"`
}

// Proposed implements [toolset.Proposer].
func (r *Report) Proposed() []toolset.Action { return r.NextActions }

// Counters implements [toolset.Counter].
func (r *Report) Counters() []any {
	return []any{
		"rootless_nodes", r.RootlessNodes, "orphan_branches", r.OrphanBranches,
		"one_way_refs", r.OneWayRefs, "unsupported_figures", r.Unsupported, "uncovered_ranges", r.UncoveredRangesCount,
	}
}

// rootless finds the elements that cite nothing valid, and counts them and all
// that assert.
func (a Artifact) rootless(o Options, s *source, unread map[int]bool) (found []Finding, grounded, asserting int) {
	for _, e := range a.Elements {
		wrong := e.Citation.wrong(s)
		valid := slices.ContainsFunc(e.Citation.Ranges, s.supports)
		if e.Asserts {
			asserting++
			if valid && wrong == "" || e.Elsewhere {
				grounded++
			}
		}
		switch {
		case wrong != "":
			found = append(found, finding(RootlessNode, e.ID, e.Line, "%s %s", e.name(), wrong))
		case e.Asserts && !valid && !e.Elsewhere && !o.AllowUncited && !unread[e.Line]:
			f := finding(RootlessNode, e.ID, e.Line, "%s cites no source lines", e.name())
			f.Source = s.from(0, 0)
			found = append(found, f)
		}
	}
	for _, c := range a.Loose {
		if wrong := c.wrong(s); wrong != "" {
			found = append(found, finding(RootlessNode, "", c.Line, "a citation beside no element %s", wrong))
		}
	}
	for _, p := range a.Problems {
		found = append(found,
			finding(RootlessNode, "", p.Line, "cannot be read, so nothing here has a source: %s", p.Message))
	}
	return found, grounded, asserting
}

// unsupported finds the elements that say a figure, a code or a negation that the lines they cite do
// not hold, nor the headings above these.
func (a Artifact) unsupported(ctx context.Context, s *source) (found []Finding) {
	for _, e := range a.Elements {
		if ctx.Err() != nil {
			return nil
		}
		if !e.Asserts || len(e.Citation.Ranges) == 0 || e.Citation.wrong(s) != "" ||
			e.Copied && e.Kind != Heading { // whose own lines stand in the source
			continue
		}
		ranges, rests := e.Citation.Ranges, "cites"
		if e.Copied {
			ranges, rests = s.copied, "was copied from" // a heading also says the text below it
		}
		evidence, ok := s.evidence(ranges)
		if !ok {
			continue
		}
		if lacks := figure.Unheld(cmp.Or(e.Says, e.Text), evidence); len(lacks) > 0 {
			const message = "%s says %q, which the lines that it %s, %s, do not hold"
			all := make([]string, len(ranges))
			for i, r := range ranges {
				all[i] = written(r)
			}
			f := finding(UnsupportedFigure, e.ID, e.Line, message, e.name(),
				short(strings.Join(lacks, ", ")), rests, short(strings.Join(all, ", ")))
			f.Source = s.from(ranges[0].StartLine, ranges[0].EndLine)
			found = append(found, f)
		}
	}
	return found
}

// unread returns the lines that could not be read in full. What stands on them is
// reported as that alone.
func (a Artifact) unread() map[int]bool {
	lines := map[int]bool{}
	for _, p := range a.Problems {
		lines[p.Line] = true
	}
	return lines
}

// wrong returns what is wrong with a citation of a source, or "".
func (c Citation) wrong(s *source) string {
	if len(c.Unreadable) > 0 {
		return fmt.Sprintf("has source_lines that cannot be read: %q", short(c.Unreadable[0]))
	}
	if i := slices.IndexFunc(c.Ranges, func(r toolset.Range) bool { return !r.Within(s.total) }); i >= 0 {
		return fmt.Sprintf("cites %s of a source of %d lines", written(c.Ranges[i]), s.total)
	}
	if len(c.Ranges) > 0 && !slices.ContainsFunc(c.Ranges, s.supports) {
		return fmt.Sprintf("cites %s of the source, where no text stands", written(c.Ranges[0]))
	}
	return ""
}

func written(r toolset.Range) string {
	if r.StartLine == r.EndLine {
		return fmt.Sprintf("line %d", r.StartLine)
	}
	return fmt.Sprintf("lines %d-%d", r.StartLine, r.EndLine)
}

// name returns an element as a message names it.
func (e Element) name() string {
	name := "the " + strings.ReplaceAll(string(e.Kind), "_", " ")
	if e.ID != "" {
		name += " " + e.ID
	}
	if e.Text != "" && e.Text != e.ID {
		name += fmt.Sprintf(" %q", short(e.Text))
	}
	return name
}

// oneWay finds the references that lead nowhere or are not returned. What a copied line refers to may stand
// where it was copied.
func (a Artifact) oneWay(ctx context.Context, files linkedFiles) (found []Finding) {
	for _, r := range a.References {
		from, message := cmp.Or(r.From, "a link"), ""
		switch {
		case r.Missing && files.copied(ctx, a, Outward{Anchor: r.To, Line: r.Line}):
			continue
		case r.Missing:
			message = "%s refers to %q, which is not there"
		case r.Unreturned:
			message = "%s links both ways to %q, which does not lead back"
		default:
			continue
		}
		found = append(found, finding(OneWayRef, r.From, r.Line, message, from, short(r.To)))
	}
	return found
}

// short cuts what a message quotes.
func short(text string) string { return toolset.First(strings.Join(strings.Fields(text), " "), 40) }

// mostCited is the maximum number of ranges that a proposal repeats. More would cost too many tokens.
const mostCited = 100

// next proposes calls, the most useful first: to scan uncited lines, then the whole source, to read
// the first defect and to list the full coverage; or to stop.
func (r Report) next(a Artifact, o Options) []toolset.Action {
	switch {
	case !r.NeedsForcedFullScan && len(r.Uncovered) == 0:
		return []toolset.Action{toolset.Propose("stop", "no_remaining_ranges", 1, nil)}
	case !r.NeedsForcedFullScan:
		return []toolset.Action{toolset.Propose("stop", "coverage_satisfied", 0.9, nil)}
	}
	var actions []toolset.Action
	if len(r.Uncovered) > 0 {
		actions = append(actions, o.scan("fill_gaps", 0.8, r.Uncovered[0].StartLine))
	}
	// Where nothing before is cited, the scan above is the whole one.
	if len(r.Uncovered) == 0 || len(r.Cited) > 0 && r.Cited[0].StartLine < r.Uncovered[0].StartLine {
		actions = append(actions, o.scan("verify_coverage", 0.5, 0))
	}
	if len(r.Findings) > 0 && !a.Empty {
		line := r.Findings[0].Line
		actions = append(actions, toolset.Propose("vault_read", "fill_gaps", 0.7, map[string]any{
			"path": r.ArtifactPath, "range": toolset.Range{StartLine: line, EndLine: line},
		}))
	}
	if r.under(o) && o.Manual == nil && len(r.Cited) > 0 && len(r.Cited) <= mostCited {
		actions = append(actions, toolset.Propose("vault_coverage", "verify_coverage", 0.4,
			map[string]any{"path": r.SourcePath, "cited_ranges": r.Cited}))
	}
	return actions
}

// scan proposes to scan the source from a line, 0 for its start.
func (o Options) scan(reason string, confidence float64, line int) toolset.Action {
	if m := o.Manual; m != nil {
		params := map[string]any{"manual_id": m.ManualID, "path": m.Path}
		if line > 0 {
			params["start_line"] = line
		}
		return toolset.Propose("manual_scan", reason, confidence, params)
	}
	params := map[string]any{"path": o.SourcePath}
	if line > 0 {
		params["cursor"] = toolset.CursorAt(line, 0)
	}
	return toolset.Propose("vault_scan", reason, confidence, params)
}

// under reports whether too little of the source is cited.
func (r Report) under(o Options) bool {
	return r.CoverageRatio != nil && *r.CoverageRatio < o.MinCoverage
}
