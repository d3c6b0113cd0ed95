package audit_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
)

const ten = "a1\nb2\n\nc4\nd5\n\n\ne8\nf9\ng10\n" // seven lines with text

func check(t *testing.T, artifact, source string, o audit.Options) audit.Report {
	t.Helper()
	o.SourcePath = "notes/source.md"
	if o.MinCoverage == 0 {
		o.MinCoverage, o.MinGain = 0.9, 0.02
	}
	return auditOf(t, "artifacts/a.md", []byte(artifact), []byte(source), o)
}

func TestCoverage(t *testing.T) {
	for _, c := range []struct {
		name, artifact string
		o              audit.Options
		coverage       string
		cited          string
		uncovered      string
		full           bool
		actions        []string
	}{
		{name: "whole", artifact: "- x source_lines: 1-10", coverage: "1", cited: "1", uncovered: "[]", actions: []string{"stop no_remaining_ranges null"}},
		{name: "blank lines part nothing", artifact: "- x source_lines: 3, 2", coverage: "0.14", cited: "1", uncovered: "[{1 1} {4 10}]", full: true,
			actions: []string{
				`vault_scan fill_gaps {"cursor":{"start_line":1,"char_offset":0},"path":"notes/source.md"}`,
				`vault_coverage verify_coverage {"cited_ranges":[{"start_line":2,"end_line":3}],"path":"notes/source.md"}`,
			}},
		{name: "enough", artifact: "- x source_lines: 2-10", o: audit.Options{MinCoverage: 0.8, MinGain: 1}, coverage: "0.86", cited: "1", uncovered: "[{1 1}]",
			actions: []string{"stop coverage_satisfied null"}},
		{name: "given besides", artifact: "- x source_lines: 4-10", o: audit.Options{CitedRanges: []toolset.Range{{StartLine: 1, EndLine: 2}}}, coverage: "1", cited: "1", uncovered: "[]",
			actions: []string{"stop no_remaining_ranges null"}},
		{name: "beyond the end counts for nothing", artifact: "- x source_lines: 1-11", coverage: "0", cited: "0", uncovered: "[{1 10}]", full: true,
			actions: []string{
				`vault_scan fill_gaps {"cursor":{"start_line":1,"char_offset":0},"path":"notes/source.md"}`,
				`vault_read fill_gaps {"path":"artifacts/a.md","range":{"start_line":1,"end_line":1}}`,
			}},
		{name: "half of the elements", artifact: "- x source_lines: 1-10\n- y", coverage: "1", cited: "0.5", uncovered: "[]", full: true,
			actions: []string{
				`vault_scan verify_coverage {"path":"notes/source.md"}`,
				`vault_read fill_gaps {"path":"artifacts/a.md","range":{"start_line":2,"end_line":2}}`,
			}},
		{name: "uncited is allowed", artifact: "- x source_lines: 1-10\n- y", o: audit.Options{AllowUncited: true}, coverage: "1", cited: "0.5", uncovered: "[]",
			actions: []string{"stop no_remaining_ranges null"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := check(t, c.artifact, ten, c.o)
			if got := fmt.Sprintf("%.2g", *r.CoverageRatio); got != c.coverage {
				t.Errorf("coverage %s, want %s", got, c.coverage)
			}
			if got := fmt.Sprintf("%.2g", *r.CitedElementsRatio); got != c.cited {
				t.Errorf("cited %s, want %s", got, c.cited)
			}
			if got := fmt.Sprint(r.Uncovered); got != c.uncovered || r.UncoveredRangesCount != len(r.Uncovered) {
				t.Errorf("uncovered %s (%d), want %s", got, r.UncoveredRangesCount, c.uncovered)
			}
			if r.NeedsForcedFullScan != c.full {
				t.Errorf("needs_forced_full_scan %t", r.NeedsForcedFullScan)
			}
			var actions []string
			for _, a := range r.NextActions {
				params, _ := json.Marshal(a.Params)
				actions = append(actions, fmt.Sprintf("%s %s %s", a.Type, a.Reason, params))
			}
			if diff := cmp.Diff(c.actions, actions); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFrontMatterOfASourceIsNoText(t *testing.T) {
	const source = "---\nsource_manual_ids: [\"m\"]\n---\n# a\nb\n"
	if r := check(t, "- x source_lines: 4-5", source, audit.Options{}); *r.CoverageRatio != 1 || r.UncoveredRangesCount != 0 {
		t.Errorf("%+v", r)
	}
	if r := check(t, "- x source_lines: 1-4", source, audit.Options{}); *r.CoverageRatio != 0 || fmt.Sprint(r.Uncovered) != "[{5 5}]" {
		t.Errorf("%+v", r)
	}
}

func TestWhereNoTextStandsNothingRests(t *testing.T) {
	matter := "---\ntitle: x\n---\n\ntext\n\nmore\n"
	for _, c := range []struct {
		lines, source string
		rootless      int
	}{
		{"1", "", 1}, {"1", "\n\n", 1}, {"1-2", "\n\n", 1}, {"3", "\n\n", 1},
		{"1-3", matter, 1}, {"2", matter, 1}, {"4", matter, 1}, {"1-4, 6", matter, 1},
		{"5", matter, 0}, {"1-5", matter, 0}, {"4, 5", matter, 0}, {"4-6", matter, 0}, {"8", matter, 1},
	} {
		r := check(t, "- x source_lines: "+c.lines, c.source, audit.Options{AllowUncited: true})
		if r.RootlessNodes != c.rootless || *r.CitedElementsRatio != float64(1-c.rootless) {
			t.Errorf("%s of %q: %d rootless, %v cited", c.lines, c.source, r.RootlessNodes, *r.CitedElementsRatio)
		}
	}
	if _, err := audit.Check(t.Context(), audit.Artifact{Path: "a.md"}, nil, audit.Options{CitedRanges: []toolset.Range{{StartLine: 1, EndLine: 1}}}); toolset.AsError(err).Code != toolset.InvalidParameter {
		t.Errorf("a line of an empty source was cited: %v", err)
	}
}

func TestTitlesThatAreRules(t *testing.T) {
	for title, want := range map[string]int{
		"Refunds must be paid within 10 days": 1, "Only admins may delete": 1, "You must pay": 1, "Access is only for members": 1, "Deletion is not allowed": 1,
		"返金は10日以内に行うこと": 1, "退去後は鍵を返すこと": 1, "再発行はできません": 1, "請求は30日以内": 1,
		"Payment": 0, "What you must know": 0, "Required documents": 0, "Read-only mode": 0, "Who can delete?": 0, "Windows only": 0,
		"返金の手順": 0, "知っておくべきこと": 0, "契約を解除できること": 0, "対象外": 0, "できない場合": 0,
	} {
		for _, below := range []string{"- a <!-- source_lines: 1 -->\n", "### B\n\n- a <!-- source_lines: 1 -->\n"} {
			if r := check(t, "# T\n\n## "+title+"\n\n"+below, ten, audit.Options{}); r.RootlessNodes != want {
				t.Errorf("%q over %q: %d without source, want %d", title, below, r.RootlessNodes, want)
			}
		}
	}
}

func TestWithoutAnyCitationItFails(t *testing.T) {
	r := check(t, "Only prose.", ten, audit.Options{AllowUncited: true})
	if r.RootlessNodes != 1 || !r.NeedsForcedFullScan || r.CitedElementsRatio != nil {
		t.Errorf("%+v", r)
	}
	if r = check(t, "Only prose.", "\n \n", audit.Options{}); r.CoverageRatio != nil || !r.NeedsForcedFullScan {
		t.Errorf("a source without text: %+v", r)
	}
}

func TestMarginalGain(t *testing.T) {
	one := []toolset.Range{{StartLine: 1, EndLine: 2}}
	for _, c := range []struct {
		name    string
		earlier *audit.Earlier
		want    string
		full    bool
	}{
		{"no earlier audit", nil, "null", false},
		{"nothing scanned", &audit.Earlier{Cited: one}, "null", false},
		// 4 to 10 hold 18 characters with their line ends, so 5 tokens.
		{"five lines for five tokens", &audit.Earlier{Cited: one, Scanned: []toolset.Range{{StartLine: 4, EndLine: 10}}}, "1", true},
		{"scanned twice counts once", &audit.Earlier{Cited: one, Scanned: []toolset.Range{{StartLine: 4, EndLine: 10}, {StartLine: 5, EndLine: 9}}}, "1", true},
		{"nothing new", &audit.Earlier{Cited: []toolset.Range{{StartLine: 1, EndLine: 10}}, Scanned: []toolset.Range{{StartLine: 4, EndLine: 10}}}, "0", false},
	} {
		r := check(t, "- x source_lines: 2-10", ten, audit.Options{MinCoverage: 0.5, MinGain: 0.02, Earlier: c.earlier})
		got := "null"
		if r.MarginalGain != nil {
			got = fmt.Sprint(*r.MarginalGain)
		}
		if got != c.want || r.NeedsForcedFullScan != c.full {
			t.Errorf("%s: gain %s, full scan %t", c.name, got, r.NeedsForcedFullScan)
		}
	}
}

func TestFaults(t *testing.T) {
	a := audit.Read(t.Context(), "a.md", []byte("- x"))
	for _, r := range []toolset.Range{{StartLine: 0, EndLine: 1}, {StartLine: 2, EndLine: 1}, {StartLine: 10, EndLine: 11}, {StartLine: -1, EndLine: 3}} {
		_, err := audit.Check(t.Context(), a, []byte(ten), audit.Options{CitedRanges: []toolset.Range{r}})
		if f := toolset.AsError(err); err == nil || f.Code != toolset.InvalidParameter || f.Details["parameter"] != "cited_ranges" {
			t.Errorf("%v: %v", r, err)
		}
	}
}

func TestReportAsJSON(t *testing.T) {
	text, err := json.Marshal(check(t, "- x source_lines: 1-10", ten, audit.Options{}))
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"artifact_path":"artifacts/a.md","source_path":"notes/source.md","rootless_nodes":0,"orphan_branches":0,"one_way_refs":0,"unsupported_figures":0,` +
		`"coverage_ratio":1,"cited_elements_ratio":1,"uncovered_ranges_count":0,"marginal_gain":null,"needs_forced_full_scan":false,"findings":[],"total":0,"truncated":false,` +
		`"next_actions":[{"type":"stop","reason":"no_remaining_ranges","confidence":1,"params":null}]}`
	if diff := cmp.Diff(want, string(text)); diff != "" {
		t.Error(diff)
	}
}

// However many defects an artifact has, a report is of a size that can be read.
func TestReportsAreBounded(t *testing.T) {
	var artifact, source strings.Builder
	for i := range 6001 {
		fmt.Fprintf(&artifact, "- claim %d\n- fact %d <!-- source_lines: %d -->\n", i, i, 2*i+1)
		source.WriteString("text\nmore\n")
	}
	for defects, src := range map[int]string{6001: artifact.String(), 100: strings.Repeat("- claim\n", 100)} {
		r := check(t, src, source.String(), audit.Options{MinCoverage: 0.9})
		if r.RootlessNodes != defects || r.Total != defects || len(r.Findings) != 100 || r.Truncated != (defects > 100) || r.Findings[0].Line != 1 {
			t.Errorf("%d defects: %d of %d told, truncated %t", r.RootlessNodes, len(r.Findings), r.Total, r.Truncated)
		}
		if raw, err := json.Marshal(r); err != nil || len(raw) > 20_000 {
			t.Errorf("%d defects: a report of %d bytes, %v", defects, len(raw), err)
		}
	}
}

func TestCoverageAsCounted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.SampledFrom([]string{"text", "", " ", "約款"}), 1, 12).Draw(t, "lines")
		ranges := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) toolset.Range {
			start := rapid.IntRange(1, len(lines)).Draw(t, "start")
			return toolset.Range{StartLine: start, EndLine: rapid.IntRange(start, len(lines)).Draw(t, "end")}
		}), 0, 4).Draw(t, "ranges")
		cited, texts, free := 0, 0, map[int]bool{}
		for i, line := range lines {
			if strings.TrimSpace(line) == "" {
				continue
			}
			texts++
			if slices.ContainsFunc(ranges, func(r toolset.Range) bool { return r.StartLine <= i+1 && i+1 <= r.EndLine }) {
				cited++
			} else {
				free[i+1] = true
			}
		}
		a := audit.Read(t.Context(), "a.md", []byte("x"))
		r, err := audit.Check(t.Context(), a, []byte(strings.Join(lines, "\n")+"\nlast"), audit.Options{CitedRanges: ranges})
		if err != nil {
			t.Fatal(err)
		}
		free[len(lines)+1] = true
		if want := float64(cited) / float64(texts+1); *r.CoverageRatio != want {
			t.Fatalf("coverage %v, want %v", *r.CoverageRatio, want)
		}
		for i := range r.Uncovered {
			for line := r.Uncovered[i].StartLine; line <= r.Uncovered[i].EndLine; line++ {
				delete(free, line)
			}
		}
		if len(free) > 0 {
			t.Fatalf("uncovered %v lacks %v", r.Uncovered, free)
		}
	})
}
