package manuals_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// found writes what a search lists in short: manual/path:line breadcrumb: text.
func found(l *manuals.Lines) (all []string) {
	for _, r := range l.Results {
		all = append(all, fmt.Sprintf("%s/%s:%d %s: %s", r.ManualID, r.Path, r.Line, r.Breadcrumb, r.Text))
	}
	return all
}

func TestSearch(t *testing.T) {
	l := library(write(t, map[string]string{
		"nas/a.md":   "# Disks\n\nRAID 1 mirrors.\n\n## Errors\n\nERR-1042 stops RAID1.\nサーバを再起動する。\n",
		"nas/b.json": "{\n  \"raid\": \"ｻｰﾊﾞ\"\n}\n", "nas/sub/c.md": "no heading, raid\n", "rules/a.md": "# Rules\n\nRAID\n",
		"rules/bom.md": "\ufeff# BOM\n",
		"rules/bad.md": "RAID \xff\x01\x02\n",
	}))
	for name, tc := range map[string]struct {
		args  manuals.SearchArgs
		want  []string
		total int
		next  int
		why   string
	}{
		"plain": {manuals.SearchArgs{Query: "RAID"}, []string{
			"nas/a.md:3 Disks: RAID 1 mirrors.", "nas/a.md:7 Disks > Errors: ERR-1042 stops RAID1.", "rules/a.md:3 Rules: RAID",
		}, 3, 0, "none"},
		"loose": {manuals.SearchArgs{Query: "raid1", Mode: "loose", ManualID: "nas"}, []string{
			"nas/a.md:3 Disks: RAID 1 mirrors.", "nas/a.md:7 Disks > Errors: ERR-1042 stops RAID1.",
		}, 2, 0, "none"},
		"loose kana": {manuals.SearchArgs{Query: "サーバ", Mode: "loose"}, []string{
			"nas/a.md:8 Disks > Errors: サーバを再起動する。", `nas/b.json:2 b:   "raid": "ｻｰﾊﾞ"`,
		}, 2, 0, "none"},
		"regex":                  {manuals.SearchArgs{Query: `ERR-\d+`, Mode: "regex"}, []string{"nas/a.md:7 Disks > Errors: ERR-1042 stops RAID1."}, 1, 0, "none"},
		"glob":                   {manuals.SearchArgs{Query: "raid", Glob: "sub/**"}, []string{"nas/sub/c.md:1 c: no heading, raid"}, 1, 0, "none"},
		"glob below a manual":    {manuals.SearchArgs{Query: "raid", Glob: "nas/sub/*.md"}, []string{"nas/sub/c.md:1 c: no heading, raid"}, 1, 0, "none"},
		"glob of a folder":       {manuals.SearchArgs{Query: "raid", Glob: "sub/"}, []string{"nas/sub/c.md:1 c: no heading, raid"}, 1, 0, "none"},
		"not of a manual":        {manuals.SearchArgs{Query: "RAID", Glob: "!nas/**"}, []string{"rules/a.md:3 Rules: RAID"}, 1, 0, "none"},
		"page":                   {manuals.SearchArgs{Query: "RAID", Limit: 1, Offset: 1}, []string{"nas/a.md:7 Disks > Errors: ERR-1042 stops RAID1."}, 3, 2, "limit"},
		"context":                {manuals.SearchArgs{Query: "ERR-1042", Context: 1}, []string{"nas/a.md:7 Disks > Errors: \nERR-1042 stops RAID1.\nサーバを再起動する。"}, 1, 0, "none"},
		"a mark of its encoding": {manuals.SearchArgs{Query: "^# BOM", Mode: "regex"}, []string{"rules/bom.md:1 BOM: # BOM"}, 1, 0, "none"},
		"nothing":                {manuals.SearchArgs{Query: "warp"}, nil, 0, 0, "none"},
	} {
		if tc.args.Limit == 0 {
			tc.args.Limit = 50
		}
		if tc.args.Mode == "" {
			tc.args.Mode = corpus.ModePlain
		}
		got, err := l.Search(t.Context(), tc.args)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		next := 0
		if got.NextOffset != nil {
			next = *got.NextOffset
		}
		if diff := cmp.Diff(tc.want, found(got)); diff != "" || got.Total != tc.total || next != tc.next || got.TruncatedReason != tc.why || got.Truncated != (tc.why != "none") {
			t.Errorf("%s: total %d, next %d, %s\n%s", name, got.Total, next, got.TruncatedReason, diff)
		}
		if len(got.Skipped) != 1 && tc.args.ManualID == "" && tc.args.Glob == "" {
			t.Errorf("%s: skipped %v", name, got.Skipped)
		}
	}
}

// A line names its file only where that changes, and context is shown once.
func TestSearchListsLines(t *testing.T) {
	l := library(write(t, map[string]string{
		"nas/a.md": "# Disks\n\nRAID 1\nmirrors\nRAID 5\nstripes\nmore\n\nRAID 6\n", "nas/b.md": "RAID 0\n",
	}))
	for name, tc := range map[string]struct {
		args manuals.SearchArgs
		want []string
	}{
		"lines": {manuals.SearchArgs{Limit: 9}, []string{"nas/a.md:3 RAID 1", ":5 RAID 5", ":9 RAID 6", "nas/b.md:1 RAID 0"}},
		"page":  {manuals.SearchArgs{Limit: 2, Offset: 1}, []string{"nas/a.md:5 RAID 5", ":9 RAID 6"}},
		"context": {manuals.SearchArgs{Limit: 9, Context: 2}, []string{
			"nas/a.md:1- # Disks\n:2- \n:3 RAID 1\n:4- mirrors", ":5 RAID 5\n:6- stripes\n:7- more", ":8- \n:9 RAID 6", "nas/b.md:1 RAID 0",
		}},
	} {
		tc.args.Query, tc.args.Mode, tc.args.Format = "RAID", corpus.ModePlain, "lines"
		got, err := l.Search(t.Context(), tc.args)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.want, got.Lines); diff != "" || len(got.Results) > 0 {
			t.Errorf("%s: %d results\n%s", name, len(got.Results), diff)
		}
	}
}

func TestSearchFitsItsTokens(t *testing.T) {
	l := library(write(t, map[string]string{"m/a.md": "# A\n\n" + strings.Repeat("The disk is full again and again.\n", 200)}))
	most := 300
	args := manuals.SearchArgs{Query: "disk", Mode: corpus.ModePlain, Limit: 1000, MaxTokens: &most}
	seen := 0
	for {
		got, err := l.Search(t.Context(), args)
		if err != nil {
			t.Fatal(err)
		}
		if n := len(got.Results); n == 0 || n > 20 || got.Total != 200 {
			t.Fatalf("%d lines of %d", n, got.Total)
		}
		if seen += len(got.Results); got.NextOffset == nil {
			break
		}
		args.Offset = *got.NextOffset
	}
	if seen != 200 {
		t.Errorf("%d lines in all pages", seen)
	}
}

// What is too small for one line names the least that is enough, and that is enough.
func TestSearchNamesTheLeastTokens(t *testing.T) {
	files := map[string]string{}
	for i := range 30 {
		files[fmt.Sprintf("m/file-%02d.md", i)] = "# A\n\n" + strings.Repeat("The disk is full again and again.\n", 9)
	}
	l := library(write(t, files))
	most := 100
	args := manuals.SearchArgs{Query: "disk", Mode: corpus.ModePlain, Limit: 50, Context: 5, MaxTokens: &most}
	_, err := l.Search(t.Context(), args)
	bad := toolset.AsError(err)
	if _, scanErr := fmt.Sscanf(fmt.Sprint(bad.Details["expected"]), "%d or more", &most); scanErr != nil || bad.Details["parameter"] != "max_tokens" {
		t.Fatalf("%v %v", err, bad.Details)
	}
	got, err := l.Search(t.Context(), args)
	if err != nil || len(got.Results) != 1 {
		t.Fatalf("with %d tokens: %v, %v", most, got, err)
	}
	if len(got.Files) > 0 {
		t.Errorf("%d files are counted where one line hardly fits", len(got.Files))
	}
	most--
	if _, err := l.Search(t.Context(), args); err == nil {
		t.Errorf("%d tokens are enough, too", most)
	}
}

func TestSearchRefuses(t *testing.T) {
	l := library(write(t, map[string]string{"m/a.md": "# A\n"}))
	for name, args := range map[string]manuals.SearchArgs{
		"empty": {Query: ""}, "expression": {Query: "(", Mode: "regex"}, "signs": {Query: "・", Mode: "loose"}, "glob": {Query: "a", Glob: "["},
		"manual": {Query: "a", ManualID: "none"},
	} {
		if args.Mode == "" {
			args.Mode = corpus.ModePlain
		}
		args.Limit = 50
		if _, err := l.Search(t.Context(), args); err == nil || toolset.AsError(err).Code == toolset.Internal {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// What a reply has no room for is said to be cut, also where that is no line.
// A manual whose folder cannot be read keeps no other from being searched, unless it is asked for.
func TestSearchLeavesAManualOut(t *testing.T) {
	here := write(t, map[string]string{"a.md": "# A\n\nword\n"})
	all := []corpus.Manual{{ID: "gone", Dir: filepath.Join(here, "gone")}, {ID: "here", Dir: here}}
	l := library(here, func(o *manuals.Options) {
		o.Manuals = func(context.Context) ([]corpus.Manual, error) { return all, nil }
	})
	args := manuals.SearchArgs{Query: "word", Mode: corpus.ModePlain, Limit: 10}
	found, err := l.Search(t.Context(), args)
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Results) != 1 || len(found.Skipped) != 1 || found.Skipped[0].ManualID != "gone" {
		t.Errorf("%+v", found)
	}
	args.ManualID = "gone"
	if found, err := l.Search(t.Context(), args); err == nil {
		t.Errorf("the manual that is gone holds %+v", found)
	}
}

func TestSearchSaysThatSkippedFilesAreCut(t *testing.T) {
	files := map[string]string{"m/a.md": "disk\n"}
	for i := range 20 {
		files[fmt.Sprintf("m/a-file-that-is-no-text-%d.md", i)] = "\xff\x01\x02"
	}
	most := 400
	got, err := library(write(t, files)).Search(t.Context(), manuals.SearchArgs{Query: "disk", Mode: corpus.ModePlain, Limit: 50, MaxTokens: &most})
	if err != nil || len(got.Skipped) == 20 || got.Total != 1 || !got.Truncated || got.TruncatedReason != "max_tokens" || got.NextOffset != nil {
		t.Errorf("%+v, %v", got, err)
	}
}
