package audit

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/search/adapt"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// Options are the inputs of an audit besides the two texts.
type Options struct {
	SourcePath string
	// Manual is the file of a manual that the source is, nil for one of the vault.
	Manual *toolset.Ref
	// From, if not nil, returns where in a document lines of the source came from; line 0 is the document alone.
	From func(first, last int) *toolset.Source
	// Copied lists the origins from which the artifact, or parts of it, were copied.
	Copied []Origin
	// CitedRanges are source lines that the caller used besides those that the
	// artifact cites.
	CitedRanges []toolset.Range
	// AllowUncited lets elements cite nothing (require_source_lines=false). What
	// they do cite must still exist.
	AllowUncited bool
	// MinCoverage is COVERAGE_MIN_RATIO, MinGain MARGINAL_GAIN_MIN.
	MinCoverage, MinGain float64
	// Lookup, if not nil, returns the text of a file that the artifact links to; ok is false if
	// it does not exist. Without Lookup, such links are not followed.
	Lookup func(path string) (text []byte, ok bool)
	// Earlier is the last audit of the same pair, nil for none. Without it, or
	// with nothing scanned since, the marginal gain is null.
	Earlier *Earlier
}

// Earlier is the state that an earlier audit left, and the activity since.
type Earlier struct {
	Cited   []toolset.Range // [Report.Cited]
	Scanned []toolset.Range // source lines that were scanned since
}

// Check audits an artifact against its source, which is UTF-8 text. It fails with
// invalid_parameter when CitedRanges lie outside the source, and when the context ends.
func Check(ctx context.Context, a Artifact, source []byte, o Options) (Report, error) {
	s := newSource(source, o.SourcePath)
	if s.from = o.From; s.from == nil {
		s.from = func(int, int) *toolset.Source { return nil }
	}
	for _, r := range o.CitedRanges {
		if !r.Within(s.total) {
			return Report{}, toolset.Invalid("cited_ranges", r,
				"ranges within the source's lines, each start_line at most its end_line").With("total_lines", s.total)
		}
	}
	copies, stale := a.adopt(s, o.Copied)
	unread := a.unread()
	rootless, grounded, asserting := a.rootless(o, s, unread)
	cited := s.cited(a, slices.Concat(o.CitedRanges, copies))
	if len(rootless) == 0 && len(cited) == 0 {
		rootless = []Finding{{Kind: RootlessNode, Message: "the artifact cites no source lines at all", Line: 1,
			Source: s.from(0, 0)}}
	}
	var orphans []Finding
	for _, f := range a.Flows {
		orphans = append(orphans, f.orphans()...)
	}
	orphans = slices.DeleteFunc(orphans, func(f Finding) bool { return unread[f.Line] })
	files := linkedFiles{lookup: o.Lookup, anchors: map[string]*anchors{}}
	oneWay := append(a.oneWay(ctx, files), a.outwardFindings(ctx, files)...)
	unsupported := a.unsupported(ctx, s)
	if err := ctx.Err(); err != nil {
		return Report{}, err
	}
	r := Report{
		ArtifactPath: a.Path, SourcePath: o.SourcePath, Cited: cited, Uncovered: s.uncovered(cited),
		RootlessNodes: len(rootless), OrphanBranches: len(orphans), OneWayRefs: len(oneWay),
		Unsupported:   len(unsupported),
		CoverageRatio: ratio(s.texted(cited), s.upTo[s.total]), CitedElementsRatio: ratio(grounded, asserting),
		Warnings: stale,
		Findings: append([]Finding{}, slices.Concat(rootless, orphans, oneWay, unsupported)...),
	}
	slices.SortStableFunc(r.Findings, func(x, y Finding) int { return cmp.Compare(x.Line, y.Line) })
	r.Total, r.Truncated = len(r.Findings), len(r.Findings) > MaxFindings
	r.Findings = slices.Clip(r.Findings[:min(MaxFindings, r.Total)])
	r.UncoveredRangesCount = len(r.Uncovered)
	s.gain(&r, o.Earlier)
	r.NeedsForcedFullScan = len(r.Findings) > 0 || r.under(o) ||
		r.MarginalGain != nil && *r.MarginalGain >= o.MinGain && r.UncoveredRangesCount > 0
	r.NextActions = r.next(a, o)
	return r, nil
}

// source is the text that an artifact rests on.
type source struct {
	text   []byte
	lines  corpus.Lines
	total  int   // lines; an empty source has none
	upTo   []int // by line: how many lines up to it hold text other than front matter and headings
	solid  []int // by line: how many lines up to it hold text other than front matter
	parts  []corpus.Section
	from   func(first, last int) *toolset.Source
	path   string
	copied []toolset.Range // the lines that the artifact was copied from
}

func newSource(text []byte, path string) *source {
	ofManual := strings.HasPrefix(path, "manual:") && !corpus.IsJSON(path)
	s := &source{path: path, text: text, lines: corpus.NewLines(text), upTo: []int{0}, solid: []int{0}}
	head, headings := 0, map[int]bool{}
	if (corpus.HasSections(path) || ofManual) && len(text) <= corpus.MaxSize {
		head = corpus.FrontMatter(text)
		for part := range corpus.Sections(path, text) {
			for line := part.Start; line < part.Body; line++ {
				headings[line] = true
			}
			s.parts = append(s.parts, part)
		}
	}
	if len(text) > 0 {
		s.total = s.lines.Count()
	}
	for line := 1; line <= s.total; line++ {
		texts, solid := s.upTo[line-1], s.solid[line-1]
		if s.lines.Start(line) >= head && strings.TrimSpace(s.read(line, line)) != "" {
			if solid++; !headings[line] {
				texts++
			}
		}
		s.upTo, s.solid = append(s.upTo, texts), append(s.solid, solid)
	}
	return s
}

// supports reports whether a range has a line with text, on which something can rest.
func (s *source) supports(r toolset.Range) bool {
	return r.Within(s.total) && s.solid[r.EndLine] > s.solid[r.StartLine-1]
}

// mostEvidence is the maximum number of bytes of cited lines in which figures are looked up. A larger
// text would contain almost any figure somewhere.
const mostEvidence = 16 << 10

// evidence returns cited lines with the headings above them; ok is false when they are too many.
func (s *source) evidence(ranges []toolset.Range) (text string, ok bool) {
	var b strings.Builder
	for _, r := range ranges {
		if b.Len()+s.lines.Start(r.EndLine+1)-s.lines.Start(r.StartLine) > mostEvidence {
			return "", false
		}
		if len(s.parts) > 0 {
			b.WriteString(corpus.SectionAt(slices.Values(s.parts), r.StartLine).HeadingPath + "\n")
		}
		lines := s.read(r.StartLine, r.EndLine)
		b.WriteString(lines + "\n")
		for line := range strings.Lines(lines) {
			if strings.Contains(line, "|") { // as an element that is a row reads
				b.WriteString(strings.Join(strings.Fields(strings.ReplaceAll(line, "|", " ")), " ") + " |\n")
			}
		}
	}
	return b.String(), true
}

// read returns the text of lines.
func (s *source) read(first, last int) string {
	return string(s.text[s.lines.Start(first):s.lines.Start(last+1)])
}

// cited merges the existing lines that the artifact cites with others.
func (s *source) cited(a Artifact, others []toolset.Range) []toolset.Range {
	all := slices.Clone(others)
	for _, e := range a.Elements {
		all = append(all, e.Citation.Ranges...)
	}
	for _, c := range a.Loose {
		all = append(all, c.Ranges...)
	}
	return toolset.MergeRanges(slices.DeleteFunc(all, func(r toolset.Range) bool { return !r.Within(s.total) }))
}

// texted counts the lines with text in merged ranges. Headings do not count.
func (s *source) texted(ranges []toolset.Range) (count int) {
	for _, r := range ranges {
		if first, last := max(1, r.StartLine), min(r.EndLine, s.total); first <= last {
			count += s.upTo[last] - s.upTo[first-1]
		}
	}
	return count
}

// uncovered returns the runs of lines with text outside of merged ranges.
func (s *source) uncovered(cited []toolset.Range) []toolset.Range {
	runs := []toolset.Range{}
	for _, r := range toolset.UncoveredRanges(cited, s.total) {
		for r.StartLine <= r.EndLine && s.upTo[r.StartLine] == s.upTo[r.StartLine-1] {
			r.StartLine++
		}
		for r.StartLine < r.EndLine && s.upTo[r.EndLine] == s.upTo[r.EndLine-1] {
			r.EndLine--
		}
		if r.StartLine <= r.EndLine {
			runs = append(runs, r)
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
		if first, last := max(1, scanned.StartLine), min(scanned.EndLine, s.total); first <= last {
			tokens += utf8.RuneCountInString(s.read(first, last))
		}
	}
	if tokens = adapt.EstTokens(tokens, 0); tokens == 0 {
		return
	}
	before := toolset.MergeRanges(earlier.Cited)
	r.AddedLines = s.texted(toolset.MergeRanges(slices.Concat(before, r.Cited))) - s.texted(before)
	r.ScannedTokens = tokens
	r.MarginalGain = new(adapt.Gain(r.AddedLines, tokens))
}

// ratio is part of whole, nil for none of none.
func ratio(part, whole int) *float64 {
	if whole == 0 {
		return nil
	}
	return new(float64(part) / float64(whole))
}
