package manual_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/sagasu-search/sagasu/framework/corpus"
	"github.com/sagasu-search/sagasu/framework/fault"
	"github.com/sagasu-search/sagasu/framework/manual"
)

func TestScan(t *testing.T) {
	l := one(t, map[string]string{"a.md": "1\n2\r\n3\r4", "empty.json": "", "long.md": strings.Repeat("あ", 13000)})
	tests := []struct {
		name string
		req  manual.ScanRequest
		want manual.Scan
	}{
		{"from the start", manual.ScanRequest{Path: "a.md"},
			manual.Scan{Path: "a.md", Text: "1\n2\r\n3\r4", AppliedRange: manual.Range{StartLine: 1, EndLine: 4}, EOF: true}},
		{"from a line", manual.ScanRequest{Path: "a.md", StartLine: new(3)},
			manual.Scan{Path: "a.md", Text: "3\r4", AppliedRange: manual.Range{StartLine: 3, EndLine: 4}, EOF: true}},
		{"start_line before the cursor's", manual.ScanRequest{Path: "a.md", StartLine: new(4), CursorLine: new(2)},
			manual.Scan{Path: "a.md", Text: "4", AppliedRange: manual.Range{StartLine: 4, EndLine: 4}, EOF: true}},
		{"char_offset before both", manual.ScanRequest{Path: "a.md", StartLine: new(1), CursorLine: new(1), CharOffset: new(5)},
			manual.Scan{Path: "a.md", Text: "3\r4", AppliedRange: manual.Range{StartLine: 3, EndLine: 4}, EOF: true}},
		{"at the end", manual.ScanRequest{Path: "a.md", CharOffset: new(8)},
			manual.Scan{Path: "a.md", AppliedRange: manual.Range{StartLine: 4, EndLine: 4}, EOF: true}},
		{"empty", manual.ScanRequest{Path: "empty.json", StartLine: new(1)},
			manual.Scan{Path: "empty.json", AppliedRange: manual.Range{StartLine: 1, EndLine: 1}, EOF: true}},
		{"cut", manual.ScanRequest{Path: "./long.md"},
			manual.Scan{Path: "long.md", Text: strings.Repeat("あ", 12000), AppliedRange: manual.Range{StartLine: 1, EndLine: 1},
				NextCursor: manual.Cursor{CharOffset: new(12000)}, Truncated: true, TruncatedReason: "max_chars"}},
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
	l := one(t, map[string]string{"a.md": "1\n2", "sub/deep.md": "x", "nul.md": "\x00", "sjis.md": "\x82\xa0", "x.txt": "x"})
	tests := []struct {
		name  string
		req   manual.ScanRequest
		code  fault.Code
		param string
	}{
		{"no manual", manual.ScanRequest{Path: "a.md"}, fault.InvalidParameter, "manual_id"},
		{"unknown manual", manual.ScanRequest{ManualID: "n", Path: "a.md"}, fault.NotFound, "manual_id"},
		{"manual upwards", manual.ScanRequest{ManualID: "..", Path: "a.md"}, fault.InvalidPath, "manual_id"},
		{"unknown file", manual.ScanRequest{ManualID: "m", Path: "deep.md"}, fault.NotFound, "path"},
		{"path upwards", manual.ScanRequest{ManualID: "m", Path: "sub/../a.md"}, fault.InvalidPath, "path"},
		{"other file", manual.ScanRequest{ManualID: "m", Path: "x.txt"}, fault.OutOfScope, "path"},
		{"NUL", manual.ScanRequest{ManualID: "m", Path: "nul.md"}, fault.NotAvailable, "path"},
		{"Shift_JIS", manual.ScanRequest{ManualID: "m", Path: "sjis.md"}, fault.NotAvailable, "path"},
		{"line 0", manual.ScanRequest{ManualID: "m", Path: "a.md", StartLine: new(0)}, fault.InvalidParameter, "start_line"},
		{"line behind the end", manual.ScanRequest{ManualID: "m", Path: "a.md", StartLine: new(3)}, fault.InvalidParameter, "start_line"},
		{"cursor's line", manual.ScanRequest{ManualID: "m", Path: "a.md", CursorLine: new(3)}, fault.InvalidParameter, "cursor.start_line"},
		{"offset behind the end", manual.ScanRequest{ManualID: "m", Path: "a.md", CharOffset: new(4)}, fault.InvalidParameter, "cursor.char_offset"},
		{"offset before the start", manual.ScanRequest{ManualID: "m", Path: "a.md", CharOffset: new(-1)}, fault.InvalidParameter, "cursor.char_offset"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := l.Scan(t.Context(), tt.req)
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
	got, err := l.Scan(t.Context(), manual.ScanRequest{ManualID: "が", Path: "ぎ.md"})
	if err != nil || got.Path != "き\u3099.md" || got.ManualID != "か\u3099" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestScanOfALargeFile(t *testing.T) {
	l := one(t, map[string]string{"big.md": strings.Repeat("0123456789abcde\n", corpus.MaxSize/16+1)})
	got, err := l.Scan(t.Context(), manual.ScanRequest{ManualID: "m", Path: "big.md", StartLine: new(corpus.MaxSize/16 + 1)})
	if err != nil || got.Text != "0123456789abcde\n" || !got.EOF {
		t.Errorf("%+v, %v", got, err)
	}
	_, err = l.Read(t.Context(), manual.ReadRequest{Ref: manual.Ref{ManualID: "m", Path: "big.md"}}, nil)
	wantFault(t, err, fault.NotAvailable, "ref.path")
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
			piece, err := l.Scan(t.Context(), manual.ScanRequest{ManualID: "m", Path: "a.md", StartLine: new(1), CharOffset: at})
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
		got, err := l.Scan(t.Context(), manual.ScanRequest{ManualID: "m", Path: "a.md"})
		if err != nil || strings.HasSuffix(got.Text, first) || *got.NextCursor.CharOffset != 11999 {
			t.Errorf("%s is cut: %v", name, err)
		}
	}
}
