package vault_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

func TestRead(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "a.txt", "one\ntwo\r\nthree")
	put(t, dir, "empty.md", "")
	five := 5
	cases := []struct {
		req    vault.ReadArgs
		text   string
		lines  toolset.Range
		reason string
		next   string
	}{
		{vault.ReadArgs{Path: "a.txt", Full: true}, "one\ntwo\r\nthree", toolset.Range{StartLine: 1, EndLine: 3}, "none", `null null`},
		{vault.ReadArgs{Path: "a.txt", Range: &toolset.Range{StartLine: 2, EndLine: 2}}, "two\r\n", toolset.Range{StartLine: 2, EndLine: 2}, "range_end", "3 0"},
		{vault.ReadArgs{Path: "a.txt", Range: &toolset.Range{StartLine: 2, EndLine: 3}}, "two\r\nthree", toolset.Range{StartLine: 2, EndLine: 3}, "none", `null null`},
		{vault.ReadArgs{Path: "a.txt", Full: true, Limits: vault.Limits{MaxChars: &five}}, "one\nt", toolset.Range{StartLine: 1, EndLine: 2}, "max_chars", "2 1"},
		{vault.ReadArgs{Path: "a.txt", Range: &toolset.Range{StartLine: 1, EndLine: 2}, Limits: vault.Limits{MaxChars: &five}}, "one\nt", toolset.Range{StartLine: 1, EndLine: 2}, "max_chars", "2 1"},
		{vault.ReadArgs{Path: "empty.md", Full: true}, "", toolset.Range{StartLine: 1, EndLine: 1}, "none", `null null`},
	}
	for _, c := range cases {
		got, err := v.Read(t.Context(), c.req)
		if err != nil {
			t.Errorf("%+v: %v", c.req, err)
			continue
		}
		if got.Text != c.text || got.AppliedRange != c.lines || got.TruncatedReason != c.reason || cursor(got.NextOffset) != c.next ||
			got.Truncated != (c.reason == "max_chars") || got.ReturnedChars != len([]rune(c.text)) {
			t.Errorf("%+v: %+v, next %s", c.req, got, cursor(got.NextOffset))
		}
		if text := get(t, dir, string(c.req.Path)); c.req.Full != (got.SHA256 == sum(text)) || !c.req.Full && got.SHA256 != "" {
			t.Errorf("%+v: SHA-256 %q", c.req, got.SHA256)
		}
	}
}

func cursor(c toolset.LineCursor) string {
	if c.StartLine == nil || c.CharOffset == nil {
		return "null null"
	}
	return fmt.Sprint(*c.StartLine, " ", *c.CharOffset)
}

func TestReadRefuses(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "a.txt", "one\ntwo\n")
	put(t, dir, "empty.md", "")
	put(t, dir, "b.bin", "\xff")
	zero, much, lines := 0, 12001, func(a, b int) *toolset.Range { return &toolset.Range{StartLine: a, EndLine: b} }
	cases := []struct {
		req   vault.ReadArgs
		code  toolset.Code
		param string
	}{
		{vault.ReadArgs{Path: "a.txt"}, toolset.InvalidParameter, "range"},
		{vault.ReadArgs{Path: "a.txt", Full: true, Range: lines(1, 1)}, toolset.InvalidParameter, "full"},
		{vault.ReadArgs{Path: "a.txt", Range: lines(3, 3)}, toolset.InvalidParameter, "range.start_line"},
		{vault.ReadArgs{Path: "a.txt", Range: lines(2, 3)}, toolset.InvalidParameter, "range.end_line"},
		{vault.ReadArgs{Path: "a.txt", Range: lines(2, 1)}, toolset.InvalidParameter, "range.end_line"},
		{vault.ReadArgs{Path: "empty.md", Range: lines(1, 1)}, toolset.InvalidParameter, "range.start_line"},
		{vault.ReadArgs{Path: "a.txt", Full: true, Limits: vault.Limits{MaxChars: &zero}}, toolset.InvalidParameter, "limits.max_chars"},
		{vault.ReadArgs{Path: "a.txt", Full: true, Limits: vault.Limits{MaxChars: &much}}, toolset.InvalidParameter, "limits.max_chars"},
		{vault.ReadArgs{Path: "b.bin", Full: true}, toolset.NotAvailable, "path"},
		{vault.ReadArgs{Path: "none.md", Full: true}, toolset.NotFound, "path"},
		{vault.ReadArgs{Path: "../a", Full: true}, toolset.InvalidPath, "path"},
		{vault.ReadArgs{Path: "a.txt", Offset: &toolset.LineCursor{StartLine: &much}}, toolset.InvalidParameter, "offset.start_line"},
		{vault.ReadArgs{Path: "a.txt", Offset: &toolset.LineCursor{CharOffset: &much}}, toolset.InvalidParameter, "offset.char_offset"},
	}
	for _, c := range cases {
		_, err := v.Read(t.Context(), c.req)
		if code(err) != c.code || toolset.AsError(err).Details["parameter"] != c.param {
			t.Errorf("%+v: %v", c.req, err)
		}
	}
}

// text is any text with the things in it that make lines and cuts hard.
var text = rapid.StringOf(rapid.SampledFrom([]rune("ab漢か\u3099\n\n\r\t 👩\u200d🚀\U0001F3FD")))

// Pieces that are asked for one after the other are the file byte for byte.
func TestPiecesAreTheFile(t *testing.T) {
	v, dir := newVault(t)
	rapid.Check(t, func(t *rapid.T) {
		want := text.Draw(t, "text")
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		chars, chunk := rapid.IntRange(1, 40).Draw(t, "chars"), rapid.IntRange(1, 5).Draw(t, "chunk")
		got, ctx := "", session(t)
		var from *toolset.LineCursor
		for n := 0; ; n++ {
			s, err := v.Scan(ctx, vault.ScanArgs{Path: "a.md", Cursor: from, ChunkLines: &chunk, Limits: vault.Limits{MaxChars: &chars}})
			if err != nil || n > len(want) {
				t.Fatalf("scan %d from %+v: %v", n, from, err)
			}
			if got += s.Text; s.EOF {
				break
			}
			from = &s.NextCursor
		}
		if got != want {
			t.Fatalf("scanned %q, want %q", got, want)
		}
		got, from = "", &toolset.LineCursor{}
		for n := 0; from.StartLine != nil || n == 0; n++ {
			r, err := v.Read(t.Context(), vault.ReadArgs{Path: "a.md", Offset: from, Limits: vault.Limits{MaxChars: &chars}})
			if err != nil || n > len(want) {
				t.Fatalf("read %d from %+v: %v", n, from, err)
			}
			got, from = got+r.Text, &r.NextOffset
		}
		if got != want {
			t.Fatalf("read %q, want %q", got, want)
		}
	})
}

func TestScanStartsWhereNothingIsCited(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "a.md", numbered(100))
	chunk := 10
	for _, c := range []struct {
		cited []toolset.Range
		first int
	}{
		{nil, 1}, {[]toolset.Range{}, 1},
		{[]toolset.Range{{StartLine: 1, EndLine: 30}}, 31},
		{[]toolset.Range{{StartLine: 31, EndLine: 40}, {StartLine: 1, EndLine: 30}}, 41},
		{[]toolset.Range{{StartLine: 5, EndLine: 30}}, 1},
	} {
		s, err := v.Scan(t.Context(), vault.ScanArgs{Path: "a.md", Cited: c.cited, ChunkLines: &chunk})
		if err != nil || s.AppliedRange == nil || *s.AppliedRange != (toolset.Range{StartLine: c.first, EndLine: c.first + 9}) || s.TruncatedReason != "chunk_end" {
			t.Errorf("%v: %+v, %v", c.cited, s, err)
		}
	}
	s, err := v.Scan(t.Context(), vault.ScanArgs{Path: "a.md", Cited: []toolset.Range{{StartLine: 1, EndLine: 100}}})
	if err != nil || s.Text != "" || !s.EOF || s.AppliedRange != nil || *s.CoverageRatio != 1 || actions(t, s.NextActions) != "stop coverage_satisfied" {
		t.Errorf("all cited: %+v, %v", s, err)
	}
}

func numbered(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "line %d\n", i+1)
	}
	return b.String()
}

func actions(t testing.TB, all []toolset.Action) string {
	t.Helper()
	out := []string{}
	for _, a := range all {
		out = append(out, strings.TrimSpace(a.Type+" "+a.Reason))
	}
	return strings.Join(out, ", ")
}

func TestScanStops(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vault")
	o := options(dir)
	gained := []string{}
	o.Gained = func(_ string, lines, tokens int) { gained = append(gained, fmt.Sprint(lines, "/", tokens)) }
	v, ctx, chunk := vault.New(o), session(t), 10
	put(t, dir, "a.md", numbered(100))
	upTo := func(n int) []toolset.Range { return []toolset.Range{{StartLine: 1, EndLine: n}} }
	steps := []struct {
		cited  []toolset.Range
		gain   string
		action string
	}{
		{nil, "null", "vault_scan fill_gaps"},
		{upTo(10), "some", "vault_scan fill_gaps"},
		{upTo(20), "some", "vault_scan fill_gaps"},
		{upTo(20), "0", "vault_scan fill_gaps"},
		{upTo(20), "0", "stop low_marginal_gain"},
		{upTo(50), "some", "vault_scan fill_gaps"},
		{upTo(95), "some", "stop coverage_satisfied"},
	}
	var from *toolset.LineCursor
	for i, step := range steps {
		s, err := v.Scan(ctx, vault.ScanArgs{Path: "a.md", Cursor: from, ChunkLines: &chunk, Cited: step.cited})
		must(t, err)
		gain := "null"
		if s.MarginalGain != nil {
			gain = "some"
			if *s.MarginalGain == 0 {
				gain = "0"
			}
		}
		if gain != step.gain || actions(t, s.NextActions) != step.action || (s.CoverageRatio == nil) != (step.cited == nil) {
			t.Errorf("step %d: gain %s, %s, %+v", i, gain, actions(t, s.NextActions), s)
		}
		from = &s.NextCursor
	}
	if want := []string{"10/18", "10/20"}; len(gained) != 6 || cmp.Diff(want, gained[:2]) != "" {
		t.Errorf("told of gains %v", gained)
	}
}

// What a scan proposes is a call that works, until it says stop.
func TestProposalsLeadThroughTheFile(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "a.md", numbered(300))
	ctx, cited := session(t), []toolset.Range{{StartLine: 100, EndLine: 150}}
	req := vault.ScanArgs{Path: "a.md", Cited: cited}
	for range 20 {
		s, err := v.Scan(ctx, req)
		must(t, err)
		if s.NextActions[0].Type == "stop" {
			if len(toolset.UncoveredRanges(toolset.MergeRanges(append(cited, *s.AppliedRange)), 300)) > 0 {
				t.Errorf("stopped before all was read: %+v, cited %v", s.NextActions, cited)
			}
			return
		}
		if s.AppliedRange != nil {
			cited = append(cited, *s.AppliedRange)
		}
		raw, err := json.Marshal(s.NextActions[0].Params)
		must(t, err)
		var next struct {
			Path   string
			Cursor *toolset.LineCursor
		}
		must(t, json.Unmarshal(raw, &next))
		req = vault.ScanArgs{Path: rootfs.Path(next.Path), Cursor: next.Cursor, Cited: cited}
	}
	t.Error("it never stops")
}

// Whoever follows proposals and cites nothing more comes to an end, having seen all
// that is not cited.
func TestProposalsEndWithoutProgress(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "a.md", numbered(300))
	for _, remembers := range []bool{true, false} {
		for _, cited := range [][]toolset.Range{{}, {{StartLine: 1, EndLine: 1}}, {{StartLine: 100, EndLine: 150}, {StartLine: 290, EndLine: 300}}, nil} {
			for _, line := range []int{1, 200, 300} {
				ctx := t.Context()
				if remembers {
					ctx = session(t)
				}
				req, read := vault.ScanArgs{Path: "a.md", Cursor: &toolset.LineCursor{StartLine: &line}, Cited: cited}, []toolset.Range{}
				for step := 0; ; step++ {
					s, err := v.Scan(ctx, req)
					must(t, err)
					if s.AppliedRange != nil {
						read = append(read, *s.AppliedRange)
					}
					next := s.NextActions[0]
					if next.Type == "stop" {
						break
					}
					if next.Type != "vault_scan" || step > 20 {
						t.Fatalf("from line %d with %v: step %d is %+v", line, cited, step, next)
					}
					raw, err := json.Marshal(next.Params)
					must(t, err)
					req = vault.ScanArgs{Cited: cited}
					must(t, json.Unmarshal(raw, &req))
				}
				if left := toolset.UncoveredRanges(toolset.MergeRanges(append(read, cited...)), 300); remembers && line == 1 && len(left) > 0 {
					t.Errorf("from line %d with %v: %v was never shown", line, cited, left)
				}
			}
		}
	}
}

func TestAnOffsetLiesInItsRange(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "a.md", numbered(9))
	lines := &toolset.Range{StartLine: 3, EndLine: 4}
	for line, fine := range map[int]bool{2: false, 3: true, 4: true, 5: false, 9: false} {
		r, err := v.Read(t.Context(), vault.ReadArgs{Path: "a.md", Range: lines, Offset: &toolset.LineCursor{StartLine: &line}})
		if fine != (err == nil) || fine && r.AppliedRange.EndLine != 4 || !fine && toolset.AsError(err).Details["parameter"] != "offset" {
			t.Errorf("line %d: %+v, %v", line, r, err)
		}
	}
}

func TestFrontMatterNeedsNoCitation(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "a.md", "---\ntitle: T\n---\none\ntwo\n")
	c, err := v.Coverage(t.Context(), vault.CoverageArgs{Path: "a.md", Cited: []toolset.Range{{StartLine: 4, EndLine: 4}}})
	must(t, err)
	if c.CoverageRatio != 0.8 || cmp.Diff([]toolset.Range{{StartLine: 5, EndLine: 5}}, c.UncoveredRanges) != "" || c.TotalLines != 5 || c.CoveredLines != 4 {
		t.Errorf("%+v", c)
	}
	s, err := v.Scan(t.Context(), vault.ScanArgs{Path: "a.md", Cited: []toolset.Range{{StartLine: 4, EndLine: 4}}})
	if err != nil || s.Text != "two\n" || *s.CoverageRatio != 0.8 {
		t.Errorf("%+v, %v", s, err)
	}
}

func TestCoverage(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "a.md", numbered(10))
	put(t, dir, "empty.md", "")
	c, err := v.Coverage(t.Context(), vault.CoverageArgs{Path: "a.md", Cited: []toolset.Range{{StartLine: 5, EndLine: 6}, {StartLine: 1, EndLine: 2}, {StartLine: 3, EndLine: 3}, {StartLine: 2, EndLine: 3}}})
	must(t, err)
	want := &vault.Coverage{
		Path: "a.md", TotalLines: 10, CoveredLines: 5, CoverageRatio: 0.5,
		CoveredRanges:   []toolset.Range{{StartLine: 1, EndLine: 3}, {StartLine: 5, EndLine: 6}},
		UncoveredRanges: []toolset.Range{{StartLine: 4, EndLine: 4}, {StartLine: 7, EndLine: 10}},
		NextActions:     c.NextActions,
	}
	if diff := cmp.Diff(want, c); diff != "" || actions(t, c.NextActions) != "vault_scan fill_gaps" {
		t.Errorf("%s %s", diff, actions(t, c.NextActions))
	}
	c, err = v.Coverage(t.Context(), vault.CoverageArgs{Path: "empty.md", Cited: nil})
	if err != nil || c.CoverageRatio != 1 || !c.MeetsMinCoverage || c.TotalLines != 0 || len(c.UncoveredRanges) != 0 {
		t.Errorf("empty: %+v, %v", c, err)
	}
	for param, r := range map[string]toolset.Range{
		"cited_ranges[0].start_line": {StartLine: 11, EndLine: 11}, "cited_ranges[0].end_line": {StartLine: 10, EndLine: 11},
	} {
		if _, err := v.Coverage(t.Context(), vault.CoverageArgs{Path: "a.md", Cited: []toolset.Range{r}}); code(err) != toolset.InvalidParameter || toolset.AsError(err).Details["parameter"] != param {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// Merged ranges and what they leave out share every line exactly once.
func TestRangesShareTheLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := rapid.IntRange(1, 60).Draw(t, "total")
		var ranges []toolset.Range
		want := make([]bool, total+1)
		for range rapid.IntRange(0, 8).Draw(t, "n") {
			a := rapid.IntRange(1, total).Draw(t, "a")
			b := rapid.IntRange(a, total).Draw(t, "b")
			ranges = append(ranges, toolset.Range{StartLine: a, EndLine: b})
			for i := a; i <= b; i++ {
				want[i] = true
			}
		}
		merged := toolset.MergeRanges(ranges)
		seen := make([]int, total+2)
		for i, r := range merged {
			if i > 0 && r.StartLine <= merged[i-1].EndLine+1 {
				t.Fatalf("not merged: %v", merged)
			}
			for line := r.StartLine; line <= r.EndLine; line++ {
				if seen[line]++; !want[line] {
					t.Fatalf("line %d is not covered: %v", line, merged)
				}
			}
		}
		for _, r := range toolset.UncoveredRanges(merged, total) {
			for line := r.StartLine; line <= r.EndLine; line++ {
				seen[line]++
			}
		}
		for line := 1; line <= total; line++ {
			if seen[line] != 1 {
				t.Fatalf("line %d is there %d times", line, seen[line])
			}
		}
	})
}

// FuzzCursor reads with any cursor: an answer, or a clear refusal.
func FuzzCursor(f *testing.F) {
	v, dir := newVault(f)
	put(f, dir, "a.md", "one\r\n漢字\n\nか\u3099\n")
	f.Add(1, 0, 80, 12000)
	f.Add(2, 5, 1, 1)
	f.Add(0, -1, 0, 0)
	f.Fuzz(func(t *testing.T, line, chars, chunk, limit int) {
		req := vault.ScanArgs{Path: "a.md", Cursor: &toolset.LineCursor{StartLine: &line, CharOffset: &chars}, ChunkLines: &chunk, Limits: vault.Limits{MaxChars: &limit}}
		s, err := v.Scan(session(t), req)
		if err != nil {
			if code(err) != toolset.InvalidParameter {
				t.Errorf("%v", err)
			}
			return
		}
		if !s.EOF && s.Text == "" || s.EOF != (s.NextCursor.StartLine == nil) {
			t.Errorf("no way on from %+v: %+v", req, s)
		}
	})
}
