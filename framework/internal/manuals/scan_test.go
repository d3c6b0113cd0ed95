package manuals_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestScan(t *testing.T) {
	l := one(t, map[string]string{"a.md": "1\n2\r\n3\r4", "empty.json": "", "long.md": strings.Repeat("あ", 13000)})
	tests := []struct {
		name string
		req  manuals.ScanArgs
		want manuals.Scan
	}{
		{"from the start", manuals.ScanArgs{Path: "a.md"},
			manuals.Scan{Path: "a.md", Text: "1\n2\r\n3\r4", AppliedRange: toolset.Range{StartLine: 1, EndLine: 4}, EOF: true}},
		{"from a line", manuals.ScanArgs{Path: "a.md", StartLine: new(3)},
			manuals.Scan{Path: "a.md", Text: "3\r4", AppliedRange: toolset.Range{StartLine: 3, EndLine: 4}, EOF: true}},
		{"start_line before the cursor's", manuals.ScanArgs{Path: "a.md", StartLine: new(4), Cursor: manuals.ScanCursor{StartLine: new(2)}},
			manuals.Scan{Path: "a.md", Text: "4", AppliedRange: toolset.Range{StartLine: 4, EndLine: 4}, EOF: true}},
		{"char_offset before both", manuals.ScanArgs{Path: "a.md", StartLine: new(1), Cursor: manuals.ScanCursor{StartLine: new(1), CharOffset: new(5)}},
			manuals.Scan{Path: "a.md", Text: "3\r4", AppliedRange: toolset.Range{StartLine: 3, EndLine: 4}, EOF: true}},
		{"at the end", manuals.ScanArgs{Path: "a.md", Cursor: manuals.ScanCursor{CharOffset: new(8)}},
			manuals.Scan{Path: "a.md", AppliedRange: toolset.Range{StartLine: 4, EndLine: 4}, EOF: true}},
		{"empty", manuals.ScanArgs{Path: "empty.json", StartLine: new(1)},
			manuals.Scan{Path: "empty.json", AppliedRange: toolset.Range{StartLine: 1, EndLine: 1}, EOF: true}},
		{"cut", manuals.ScanArgs{Path: "./long.md"},
			manuals.Scan{Path: "long.md", Text: strings.Repeat("あ", 12000), AppliedRange: toolset.Range{StartLine: 1, EndLine: 1},
				NextCursor: toolset.Cursor{CharOffset: new(12000)}, Truncated: true, TruncatedReason: "max_chars"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.req.ManualID, tt.want.ManualID, tt.want.Applied.MaxChars = "m", "m", 12000
			if tt.want.TruncatedReason == "" {
				tt.want.TruncatedReason = "none"
			}
			got, err := l.Scan(t.Context(), tt.req)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(&tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestScanRefuses(t *testing.T) {
	l := one(t, map[string]string{"a.md": "1\n2", "sub/deep.md": "x", "nul.md": "\x00", "noise.md": "\xff\x01\x02", "x.png": "x"})
	tests := []struct {
		name  string
		req   manuals.ScanArgs
		code  toolset.Code
		param string
	}{
		{"no manual", manuals.ScanArgs{Path: "a.md"}, toolset.InvalidPath, "manual_id"},
		{"unknown manual", manuals.ScanArgs{ManualID: "n", Path: "a.md"}, toolset.NotFound, "manual_id"},
		{"manual upwards", manuals.ScanArgs{ManualID: "..", Path: "a.md"}, toolset.InvalidPath, "manual_id"},
		{"unknown file", manuals.ScanArgs{ManualID: "m", Path: "deep.md"}, toolset.NotFound, "path"},
		{"path upwards", manuals.ScanArgs{ManualID: "m", Path: "sub/../a.md"}, toolset.InvalidPath, "path"},
		{"other file", manuals.ScanArgs{ManualID: "m", Path: "x.png"}, toolset.OutOfScope, "path"},
		{"NUL", manuals.ScanArgs{ManualID: "m", Path: "nul.md"}, toolset.NotAvailable, "path"},
		{"noise", manuals.ScanArgs{ManualID: "m", Path: "noise.md"}, toolset.NotAvailable, "path"},
		{"line 0", manuals.ScanArgs{ManualID: "m", Path: "a.md", StartLine: new(0)}, toolset.InvalidParameter, "start_line"},
		{"line behind the end", manuals.ScanArgs{ManualID: "m", Path: "a.md", StartLine: new(3)}, toolset.InvalidParameter, "start_line"},
		{"cursor's line", manuals.ScanArgs{ManualID: "m", Path: "a.md", Cursor: manuals.ScanCursor{StartLine: new(3)}}, toolset.InvalidParameter, "cursor.start_line"},
		{"offset behind the end", manuals.ScanArgs{ManualID: "m", Path: "a.md", Cursor: manuals.ScanCursor{CharOffset: new(4)}}, toolset.InvalidParameter, "cursor.char_offset"},
		{"offset before the start", manuals.ScanArgs{ManualID: "m", Path: "a.md", Cursor: manuals.ScanCursor{CharOffset: new(-1)}}, toolset.InvalidParameter, "cursor.char_offset"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := checked(t.Context(), l.Scan, tt.req)
			got := wantFault(t, err, tt.code, tt.param)
			if tt.name == "unknown file" {
				if diff := cmp.Diff([]string{"sub/deep.md"}, got.Details["did_you_mean"]); diff != "" {
					t.Error(diff)
				}
			}
		})
	}
}

func TestScanFindsNamesHoweverComposed(t *testing.T) {
	l := library(write(t, map[string]string{"か\u3099/き\u3099.md": "x"}))
	got, err := l.Scan(t.Context(), manuals.ScanArgs{ManualID: "が", Path: "ぎ.md"})
	if err != nil || got.Path != "き\u3099.md" || got.ManualID != "か\u3099" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestScanOfALargeFile(t *testing.T) {
	l := one(t, map[string]string{"big.md": strings.Repeat("0123456789abcde\n", corpus.MaxSize/16+1)})
	got, err := l.Scan(t.Context(), manuals.ScanArgs{ManualID: "m", Path: "big.md", StartLine: new(corpus.MaxSize/16 + 1)})
	if err != nil || got.Text != "0123456789abcde\n" || !got.EOF {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = l.Read(t.Context(), manuals.ReadArgs{Ref: &manuals.Ref{ManualID: "m", Path: "big.md"}})
	wantFault(t, err, toolset.NotAvailable, "ref.path")
}

// Whatever the text and wherever the first cut, the pieces are the file.
func TestScanGivesTheFileBack(t *testing.T) {
	dir := write(t, map[string]string{"m/a.md": ""})
	l := library(dir)
	rapid.Check(t, func(t *rapid.T) {
		part := rapid.StringOf(rapid.SampledFrom([]rune("ab \r\n約é\u0301\u3099👍🏽\u200d\ufeff")))
		src := strings.Repeat(part.Draw(t, "a"), 900) + part.Draw(t, "b") + strings.Repeat(part.Draw(t, "c"), 2000)
		if err := os.WriteFile(filepath.Join(dir, "m", "a.md"), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
		first := rapid.IntRange(0, utf8.RuneCountInString(src)).Draw(t, "first cut")
		at, got := &first, string([]rune(src)[:first])
		for at != nil {
			piece, err := l.Scan(t.Context(), manuals.ScanArgs{ManualID: "m", Path: "a.md", StartLine: new(1), Cursor: manuals.ScanCursor{CharOffset: at}})
			if err != nil {
				t.Fatal(err)
			}
			if n := utf8.RuneCountInString(piece.Text); n > 12000 || n == 0 && !piece.EOF {
				t.Fatalf("a piece of %d code points", n)
			}
			if piece.EOF != (piece.NextCursor.CharOffset == nil) || piece.Truncated == piece.EOF {
				t.Fatalf("end is unclear: %+v", piece)
			}
			got, at = got+piece.Text, piece.NextCursor.CharOffset
		}
		if got != src {
			t.Fatal("the pieces are not the file")
		}
	})
}

func TestScanKeepsSequencesWhole(t *testing.T) {
	for name, sequence := range map[string]string{"accent": "e\u0301", "CR LF": "\r\n", "voiced": "か\u3099", "family": "👩\u200d👧", "hand": "👍🏽"} {
		first, _, _ := strings.Cut(sequence, string([]rune(sequence)[1:]))
		src := strings.Repeat("x", 11999) + sequence + "y"
		l := one(t, map[string]string{"a.md": src})
		got, err := l.Scan(t.Context(), manuals.ScanArgs{ManualID: "m", Path: "a.md"})
		if err != nil || strings.HasSuffix(got.Text, first) || *got.NextCursor.CharOffset != 11999 {
			t.Errorf("%s is cut: %v", name, err)
		}
	}
}
