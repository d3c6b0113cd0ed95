package vault_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

// Lines are covered by the ranges that scans name exactly when all of them was shown, whatever the
// cursors, pieces and overlaps, and a scan and vault_coverage say the same of them.
func TestWhatWasScannedIsCovered(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "a.md", "")
	rapid.Check(t, func(t *rapid.T) {
		head := rapid.SampledFrom([]string{"", "---\na: b\n---\n"}).Draw(t, "head")
		src := head + text.Draw(t, "text")
		if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		lines, ctx := corpus.NewLines([]byte(src)), session(t)
		shown, cited, next := make([]bool, len(src)), []toolset.Range{}, toolset.LineCursor{}
		for range rapid.IntRange(1, 12).Draw(t, "scans") {
			chars, chunk := rapid.IntRange(1, 20).Draw(t, "chars"), rapid.IntRange(1, 5).Draw(t, "chunk")
			req := vault.ScanArgs{Path: "a.md", Cited: cited, ChunkLines: &chunk, Limits: vault.Limits{MaxChars: &chars}}
			before, err := v.Coverage(t.Context(), vault.CoverageArgs{Path: "a.md", Cited: cited})
			if err != nil {
				t.Fatal(err)
			}
			from := 0
			switch rapid.IntRange(0, 2).Draw(t, "cursor") {
			case 0:
				if req.Cursor = &next; next.StartLine != nil {
					from = corpus.Forward([]byte(src), lines.Start(*next.StartLine), *next.CharOffset)
					break
				}
				fallthrough
			case 1:
				switch req.Cursor = nil; {
				case len(cited) > 0 && len(before.UncoveredRanges) == 0:
					from = len(src)
				case len(cited) > 0:
					from = lines.Start(before.UncoveredRanges[0].StartLine)
				}
			default:
				line := rapid.IntRange(1, lines.Count()).Draw(t, "line")
				req.Cursor, from = &toolset.LineCursor{StartLine: &line}, lines.Start(line)
			}
			s, err := v.Scan(ctx, req)
			if err != nil || src[from:from+len(s.Text)] != s.Text {
				t.Fatalf("%+v: %+v, %v; want text from byte %d", req, s, err, from)
			}
			if *s.CoverageRatio != before.CoverageRatio || (s.NextActions[0].Reason == "coverage_satisfied") != before.MeetsMinCoverage {
				t.Fatalf("%v: the scan says %v, %+v, the coverage %+v", cited, *s.CoverageRatio, s.NextActions, before)
			}
			for i := range s.Text {
				shown[from+i] = true
			}
			if next = s.NextCursor; s.AppliedRange != nil {
				cited = append(cited, *s.AppliedRange)
			}
		}
		want := []toolset.Range{}
		for line := 1; line <= lines.Count() && src != ""; line++ {
			if line <= 3 && head != "" || shown[lines.Start(line)] && shown[lastRune(src[:lines.Start(line+1)])] {
				want = append(want, toolset.Range{StartLine: line, EndLine: line})
			}
		}
		c, err := v.Coverage(t.Context(), vault.CoverageArgs{Path: "a.md", Cited: cited})
		if diff := cmp.Diff(toolset.MergeRanges(want), c.CoveredRanges); err != nil || diff != "" {
			t.Fatalf("%q: %s, %v", src, diff, err)
		}
	})
}

// lastRune returns the place of the last letter of a text.
func lastRune(s string) (at int) {
	for at = range s {
	}
	return at
}

// A scan without a cursor proposes its own start once, for a client that has not cited yet what it
// shows, and not again and again.
func TestAScanProposesItselfOnce(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "short.md", "---\na: b\n---\none\ntwo\n")
	put(t, dir, "long.md", numbered(200))
	ctx := session(t)
	for call := range 4 {
		want := "stop no_remaining_ranges"
		if call == 0 {
			want = "vault_scan fill_gaps"
		}
		for path, cited := range map[string][]toolset.Range{"short.md": {}, "long.md": {{StartLine: 1, EndLine: 150}}} {
			s, err := v.Scan(ctx, vault.ScanArgs{Path: rootfs.Path(path), Cited: cited})
			if err != nil || actions(t, s.NextActions) != want {
				t.Errorf("%s, %v: %+v, %v", path, cited, s.NextActions, err)
			}
		}
	}
}

func TestAnEmptyFileIsScanned(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "a.md", "")
	line := 1
	for _, cursor := range []*toolset.LineCursor{nil, {StartLine: &line}} {
		s, err := v.Scan(session(t), vault.ScanArgs{Path: "a.md", Cursor: cursor, Cited: []toolset.Range{}})
		if err != nil || s.Text != "" || !s.EOF || s.AppliedRange != nil || *s.CoverageRatio != 1 || actions(t, s.NextActions) != "stop coverage_satisfied" {
			t.Errorf("%+v, %v", s, err)
		}
		if s, err = v.Scan(session(t), vault.ScanArgs{Path: "a.md", Cursor: cursor}); err != nil || actions(t, s.NextActions) != "stop no_remaining_ranges" {
			t.Errorf("%+v, %v", s, err)
		}
	}
}

// Whoever cites all that a scan shows is never told to stop for want of gain, however long the lines.
func TestLongLinesAreWorthTheirTokens(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "a.md", strings.Repeat(strings.Repeat("保証", 500)+"\n", 30))
	ctx, one, cited := session(t), 1, []toolset.Range{}
	for line := 1; line < 27; line++ {
		s, err := v.Scan(ctx, vault.ScanArgs{Path: "a.md", Cursor: &toolset.LineCursor{StartLine: &line}, Cited: cited, ChunkLines: &one})
		must(t, err)
		if actions(t, s.NextActions) != "vault_scan fill_gaps" {
			t.Fatalf("line %d: %+v", line, s.NextActions)
		}
		cited = append(cited, *s.AppliedRange)
	}
}
