package audit

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Options are what an audit depends on besides the two texts.
type Options struct {
	SourcePath string
	// CitedRanges are source lines that the caller used besides those that the
	// artifact cites.
	CitedRanges []toolset.Range
	// AllowUncited lets elements cite nothing (require_source_lines=false). What
	// they do cite must still exist.
	AllowUncited bool
	// MinCoverage is COVERAGE_MIN_RATIO, MinGain MARGINAL_GAIN_MIN.
	MinCoverage, MinGain float64
	// Lookup, if not nil, returns the text of a file that the artifact links to; ok is
	// false when there is none. Without it such links are not followed.
	Lookup func(path string) (text []byte, ok bool)
	// Earlier is the last audit of the same pair, nil for none. Without it, or
	// with nothing scanned since, the marginal gain is null.
	Earlier *Earlier
}

// Earlier is what an audit left, and what happened since.
type Earlier struct {
	Cited   []toolset.Range // [Report.Cited]
	Scanned []toolset.Range // source lines that were scanned since
}

// Check audits an artifact against its source. It fails with invalid_parameter
// when CitedRanges lie outside the source, and with not_available when the
// source is not UTF-8 text.
func Check(a Artifact, source []byte, o Options) (Report, error) {
	s, err := newSource(source, o)
	if err != nil {
		return Report{}, err
	}
	rootless, grounded, asserting := a.rootless(o, s)
	cited := s.cited(a, o)
	if len(rootless) == 0 && len(cited) == 0 {
		rootless = []Finding{{Kind: RootlessNode, Message: "the artifact cites no source lines at all", Line: 1}}
	}
	var orphans []Finding
	for _, f := range a.Flows {
		orphans = append(orphans, f.orphans()...)
	}
	orphans = slices.DeleteFunc(orphans, func(f Finding) bool { return a.unread(f.Line) })
	oneWay := append(a.oneWay(), a.outwardFindings(o)...)
	r := Report{
		ArtifactPath: a.Path, SourcePath: o.SourcePath, Cited: cited, Uncovered: s.uncovered(cited),
		RootlessNodes: len(rootless), OrphanBranches: len(orphans), OneWayRefs: len(oneWay),
		CoverageRatio: s.coverage(cited), CitedElementsRatio: ratio(grounded, asserting),
		Findings: append(append(append([]Finding{}, rootless...), orphans...), oneWay...),
	}
	slices.SortStableFunc(r.Findings, func(x, y Finding) int { return cmp.Compare(x.Line, y.Line) })
	r.Total, r.Truncated = len(r.Findings), len(r.Findings) > MaxFindings
	r.Findings = slices.Clip(r.Findings[:min(MaxFindings, r.Total)])
	r.UncoveredRangesCount = len(r.Uncovered)
	s.gain(&r, o.Earlier)
	r.NeedsForcedFullScan = len(r.Findings) > 0 || r.CoverageRatio != nil && *r.CoverageRatio < o.MinCoverage ||
		r.MarginalGain != nil && *r.MarginalGain >= o.MinGain && r.UncoveredRangesCount > 0
	r.NextActions = r.next(a, o)
	return r, nil
}

// source is the text that an artifact rests on.
type source struct {
	text  []byte
	lines corpus.Lines
	total int    // lines; an empty source has none
	holds []bool // by line, from 0: it holds text other than front matter
	upTo  []int  // by line: lines that do, up to it
	texts int    // lines that do
}

func newSource(text []byte, o Options) (*source, error) {
	if err := isText(o.SourcePath, text); err != nil {
		return nil, err
	}
	s := &source{text: text, lines: corpus.NewLines(text)}
	head := 0
	if corpus.IsMarkdown(o.SourcePath) {
		head = corpus.FrontMatter(text)
	}
	if s.upTo = []int{0}; len(text) > 0 {
		s.total = s.lines.Count()
	}
	for line := 1; line <= s.total; line++ {
		holds := s.lines.Start(line) >= head && strings.TrimSpace(s.line(line)) != ""
		s.holds = append(s.holds, holds)
		if holds {
			s.texts++
		}
		s.upTo = append(s.upTo, s.texts)
	}
	for _, r := range o.CitedRanges {
		if !r.Within(s.total) {
			return nil, toolset.Invalid("cited_ranges", r,
				"ranges within the source's lines, each start_line at most its end_line").With("total_lines", s.total)
		}
	}
	return s, nil
}

// has reports whether the source has the lines of a range.
func (s *source) has(r toolset.Range) bool { return r.Within(s.total) }

// supports reports whether a range has a line with text, on which something can rest.
func (s *source) supports(r toolset.Range) bool {
	return s.has(r) && s.upTo[r.EndLine] > s.upTo[r.StartLine-1]
}

func (s *source) line(line int) string {
	return string(s.text[s.lines.Start(line):s.lines.Start(line+1)])
}

// cited merges the lines that the artifact and the caller cite and that exist.
func (s *source) cited(a Artifact, o Options) []toolset.Range {
	all := slices.Clone(o.CitedRanges)
	for _, e := range a.Elements {
		all = append(all, e.Citation.Ranges...)
	}
	for _, c := range a.Loose {
		all = append(all, c.Ranges...)
	}
	return toolset.MergeRanges(slices.DeleteFunc(all, func(r toolset.Range) bool { return !r.Within(s.total) }))
}

// texted counts the lines with text in merged ranges.
func (s *source) texted(ranges []toolset.Range) int {
	count := 0
	for _, r := range ranges {
		for line := max(1, r.StartLine); line <= min(r.EndLine, s.total); line++ {
			if s.holds[line-1] {
				count++
			}
		}
	}
	return count
}

func (s *source) coverage(cited []toolset.Range) *float64 { return ratio(s.texted(cited), s.texts) }

// uncovered are the runs of lines with text outside of merged ranges.
func (s *source) uncovered(cited []toolset.Range) []toolset.Range {
	runs, open, next := []toolset.Range{}, false, 0
	for line := 1; line <= s.total; line++ {
		for next < len(cited) && cited[next].EndLine < line {
			next++
		}
		switch {
		case next < len(cited) && cited[next].StartLine <= line:
			open = false
		case !s.holds[line-1]:
		case open:
			runs[len(runs)-1].EndLine = line
		default:
			runs, open = append(runs, toolset.Range{StartLine: line, EndLine: line}), true
		}
	}
	return runs
}

// gain fills in the newly cited lines with text per token of the lines scanned
// since the earlier audit.
func (s *source) gain(r *Report, earlier *Earlier) {
	if earlier == nil {
		return
	}
	tokens := 0
	for _, scanned := range toolset.MergeRanges(earlier.Scanned) {
		for line := max(1, scanned.StartLine); line <= min(scanned.EndLine, s.total); line++ {
			tokens += adapt.Characters(s.line(line))
		}
	}
	if tokens = adapt.EstTokens(tokens, 0); tokens == 0 {
		return
	}
	before := toolset.MergeRanges(earlier.Cited)
	r.AddedLines = s.texted(toolset.MergeRanges(slices.Concat(before, r.Cited))) - s.texted(before)
	r.ScannedTokens = tokens
	gain := adapt.Gain(r.AddedLines, tokens)
	r.MarginalGain = &gain
}

// ratio is part of whole, nil for none of none.
func ratio(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	r := float64(part) / float64(whole)
	return &r
}
