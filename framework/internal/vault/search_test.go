package vault_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

func shelf(t testing.TB) (*vault.Vault, string) {
	v, dir := newVault(t)
	put(t, dir, "artifacts/plan.md", "# RAID-5 Plan\nraid 6 is better\n")
	put(t, dir, "artifacts/daily/2026-01-31.md", "RAID 5 checked\n")
	put(t, dir, "notes/サーバ.txt", "ｻｰﾊﾞｰ・ラック\n")
	put(t, dir, "notes/.hidden/a.md", "RAID 5\n")
	put(t, dir, ".system/a.md", "RAID 5\n")
	put(t, dir, "notes/b.bin", "RAID\x00")
	return v, dir
}

func TestSearchOfAFileWithAByteOrderMark(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "notes/bom.md", "\ufeff# BOM\n")
	got, err := v.Search(t.Context(), vault.SearchArgs{Query: "^# BOM", Mode: "regex", Limit: 1})
	if err != nil || got.Total != 1 || got.Results[0].Snippet != "# BOM" {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestSearch(t *testing.T) {
	v, _ := shelf(t)
	cases := []struct {
		req  vault.SearchArgs
		want []string
	}{
		{vault.SearchArgs{Query: "RAID.5", Mode: "regex"}, []string{"artifacts/daily/2026-01-31.md:1", "artifacts/plan.md:1"}},
		{vault.SearchArgs{Query: "(?i)^raid", Mode: "regex"}, []string{"artifacts/daily/2026-01-31.md:1", "artifacts/plan.md:2"}},
		{vault.SearchArgs{Query: "RAID.5", Mode: "plain"}, nil},
		{vault.SearchArgs{Query: "raid5", Mode: "loose"}, []string{"artifacts/daily/2026-01-31.md:1", "artifacts/plan.md:1"}},
		{vault.SearchArgs{Query: "サーバーラック", Mode: "loose"}, []string{"notes/サーバ.txt:1"}},
		{vault.SearchArgs{Query: "RAID", Mode: "plain", Glob: "!artifacts/daily/**"}, []string{"artifacts/plan.md:1"}},
		{vault.SearchArgs{Query: "RAID", Mode: "plain", Glob: "*.md", Dir: "artifacts/daily"}, []string{"artifacts/daily/2026-01-31.md:1"}},
		{vault.SearchArgs{Query: "RAID", Mode: "plain", Dir: "Artifacts", Glob: "./plan.md"}, []string{"artifacts/plan.md:1"}},
		{vault.SearchArgs{Query: "RAID", Mode: "plain", Glob: "*.{txt,json}"}, nil},
		{vault.SearchArgs{Query: "RAID", Mode: "plain", Glob: "artifacts/daily/"}, []string{"artifacts/daily/2026-01-31.md:1"}},
	}
	for _, c := range cases {
		c.req.Limit = 50
		got, err := v.Search(t.Context(), c.req)
		if err != nil {
			t.Errorf("%+v: %v", c.req, err)
			continue
		}
		var found []string
		for _, f := range got.Results {
			found = append(found, fmt.Sprintf("%s:%d", f.Path, f.Line))
		}
		if diff := cmp.Diff(c.want, found); diff != "" || got.Total != len(c.want) || got.Truncated {
			t.Errorf("%+v: %s", c.req, diff)
		}
	}
	for glob, want := range map[string]int{"artifacts": 1, "none/": 1, "artifacts/": 0, "!none/": 0} {
		if got, err := v.Search(t.Context(), vault.SearchArgs{Query: "no line", Mode: "plain", Glob: glob, Limit: 1}); err != nil || len(got.Warnings) != want {
			t.Errorf("%s: %+v, %v; want %d warnings", glob, got, err, want)
		}
	}
	got, err := v.Search(t.Context(), vault.SearchArgs{Query: ".", Mode: "regex", Limit: 1})
	if err != nil || len(got.Results) != 1 || got.Total != 4 || !got.Truncated || len(got.Skipped) != 1 || got.Skipped[0].Path != "notes/b.bin" {
		t.Errorf("limited: %+v, %v", got, err)
	}
}

func TestSearchRefuses(t *testing.T) {
	v, _ := shelf(t)
	cases := []struct {
		req      vault.SearchArgs
		code     toolset.Code
		param    string
		position any
	}{
		{vault.SearchArgs{Query: "a(b", Mode: "regex"}, toolset.InvalidParameter, "query", 1},
		{vault.SearchArgs{Query: "漢字[z-a]", Mode: "regex"}, toolset.InvalidParameter, "query", 3},
		{vault.SearchArgs{Query: `([(]\()(x`, Mode: "regex"}, toolset.InvalidParameter, "query", 7},
		{vault.SearchArgs{Query: "", Mode: "plain"}, toolset.InvalidParameter, "query", nil},
		{vault.SearchArgs{Query: "・・", Mode: "loose"}, toolset.InvalidParameter, "query", nil},
		{vault.SearchArgs{Query: "x", Mode: "fuzzy"}, toolset.InvalidParameter, "mode", nil},
		{vault.SearchArgs{Query: "x", Mode: "plain", Glob: "["}, toolset.InvalidParameter, "glob", nil},
		{vault.SearchArgs{Query: "x", Mode: "plain", Dir: "none"}, toolset.NotFound, "relative_dir", nil},
		{vault.SearchArgs{Query: "x", Mode: "plain", Dir: ".SYSTEM"}, toolset.Forbidden, "relative_dir", nil},
		{vault.SearchArgs{Query: "x", Mode: "plain", Dir: "artifacts/plan.md"}, toolset.InvalidPath, "relative_dir", nil},
	}
	for _, c := range cases {
		_, err := v.Search(t.Context(), c.req)
		if code(err) != c.code || toolset.AsError(err).Details["parameter"] != c.param || toolset.AsError(err).Details["position"] != c.position {
			t.Errorf("%+v: %v %v", c.req, err, toolset.AsError(err).Details)
		}
	}
}

func TestSnippetsAreShort(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "a.md", strings.Repeat("前", 5000)+"か\u3099ここ"+strings.Repeat("後", 5000))
	got, err := v.Search(t.Context(), vault.SearchArgs{Query: "ここ", Mode: "plain", Limit: 5})
	must(t, err)
	if s := got.Results[0].Snippet; !strings.Contains(s, "ここ") || len([]rune(s)) > 200 {
		t.Errorf("%d: %s", len([]rune(s)), s)
	}
}

func TestLs(t *testing.T) {
	v, dir := shelf(t)
	put(t, dir, "notes/new\nline.md", "x")
	link(t, "../artifacts", filepath.Join(dir, "notes", "link"))
	names := func(l *vault.Listing) (out []string) {
		for _, e := range l.Entries {
			size := "-"
			if e.Bytes != nil {
				size = fmt.Sprint(*e.Bytes)
			}
			out = append(out, e.Path+" "+e.Type+" "+size)
		}
		return out
	}
	for _, c := range []struct {
		dir  string
		all  bool
		want []string
	}{
		{"", false, []string{"artifacts dir -", "notes dir -"}},
		{"", true, []string{".system dir -", "artifacts dir -", "notes dir -"}},
		{".system", true, []string{".system/a.md file 7"}},
		{"ARTIFACTS", false, []string{"artifacts/daily dir -", "artifacts/plan.md file 31"}},
		{"notes", false, []string{"notes/.hidden dir -", "notes/b.bin file 5", "notes/サーバ.txt file 28"}},
	} {
		got, err := v.Ls(t.Context(), vault.LsArgs{Dir: rootfs.Path(c.dir), System: c.all})
		must(t, err)
		if diff := cmp.Diff(c.want, names(got)); diff != "" {
			t.Errorf("%q: %s", c.dir, diff)
		}
		if c.dir == "notes" && len(got.Skipped) != 2 {
			t.Errorf("skipped: %+v", got.Skipped)
		}
	}
	for dir, want := range map[string]toolset.Code{"none": toolset.NotFound, ".system": toolset.Forbidden, "notes/link": toolset.Forbidden, "..": toolset.InvalidPath, "artifacts/plan.md": toolset.InvalidPath} {
		if _, err := v.Ls(t.Context(), vault.LsArgs{Dir: rootfs.Path(dir)}); code(err) != want || toolset.AsError(err).Details["parameter"] != "relative_dir" {
			t.Errorf("%s: %v, want %s", dir, err, want)
		}
	}
}

func TestLsMarksWhatIsNotSearched(t *testing.T) {
	v, dir := newVault(t)
	for path, text := range map[string]string{
		"notes/a.md": "one\n", "notes/nul.txt": "\x00", "notes/sjis.md": "\x95\xdb", "notes/.hidden": "\x00", "notes/large.md": "", ".system/x": "\x00",
	} {
		put(t, dir, path, text)
	}
	must(t, os.Truncate(filepath.Join(dir, "notes", "large.md"), corpus.MaxSize+1))
	marked := map[string]string{}
	for _, folder := range []string{"notes", ".system"} {
		got, err := v.Ls(t.Context(), vault.LsArgs{Dir: rootfs.Path(folder), System: true})
		must(t, err)
		for _, e := range got.Entries {
			if e.Skipped != "" {
				marked[e.Path] = e.Skipped
			}
		}
	}
	if diff := cmp.Diff(map[string]string{
		"notes/nul.txt": "it holds NUL bytes", "notes/sjis.md": "it is not UTF-8",
		"notes/large.md": "too large: 33554433 bytes, at most 33554432 are indexed",
	}, marked); diff != "" {
		t.Error(diff)
	}
}

func TestAVaultThatIsNotThere(t *testing.T) {
	v, _ := newVault(t)
	listing, err := v.Ls(t.Context(), vault.LsArgs{})
	if err != nil || listing.Entries == nil || len(listing.Entries) != 0 {
		t.Errorf("%+v, %v", listing, err)
	}
	found, err := v.Search(t.Context(), vault.SearchArgs{Query: "x", Mode: "plain", Limit: 1})
	if err != nil || found.Results == nil {
		t.Errorf("%+v, %v", found, err)
	}
	if _, err := v.Ls(t.Context(), vault.LsArgs{Dir: "notes"}); code(err) != toolset.NotFound {
		t.Error(err)
	}
	if _, err := v.Read(t.Context(), vault.ReadArgs{Path: "a.md", Full: true}); code(err) != toolset.NotFound {
		t.Error(err)
	}
	if _, err := v.Write(t.Context(), vault.WriteArgs{Path: "a.md", Mode: "append"}); code(err) != toolset.NotFound {
		t.Error(err)
	}
}

func TestASearchEndsWithItsTime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vault")
	o := options(dir)
	o.SearchTime = 50 * time.Millisecond
	v := vault.New(o)
	put(t, dir, "notes/a.md", strings.Repeat("y", 4<<20))
	put(t, dir, "notes/deep/b.md", strings.Repeat("y", 4<<20))
	req := vault.SearchArgs{Query: "(y{1,100}){1,9}z", Mode: "regex", Limit: 5}
	got, err := v.Search(t.Context(), req)
	if err != nil || !got.Truncated || got.TruncatedReason != "time_budget" {
		t.Errorf("%+v, %v", got, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	time.AfterFunc(20*time.Millisecond, cancel)
	o.SearchTime = time.Hour
	if _, err := vault.New(o).Search(ctx, req); !errors.Is(err, context.Canceled) {
		t.Errorf("called off: %v", err)
	}
}

func TestALongLineIsSearchedAsAShortOne(t *testing.T) {
	v, dir := newVault(t)
	long := strings.Repeat("あx ", 300_000)
	put(t, dir, "notes/a.md", long+"NEEDLE 42\nNEEDLE 43 "+long+"\n")
	for query, want := range map[string]string{
		`NEEDLE [0-9]{2}$`: "1", `^NEEDLE (\d{1,100}){1,9} `: "2", `(NEEDLE \d+ ?){1,100}`: "1,2", `^NEEDLE \d+$`: "", `\bNEEDLE\b.{0,300}$`: "1",
	} {
		got, err := v.Search(t.Context(), vault.SearchArgs{Query: query, Mode: "regex", Limit: 5})
		must(t, err)
		lines := []string{}
		for _, f := range got.Results {
			lines = append(lines, fmt.Sprint(f.Line))
			if !strings.Contains(f.Snippet, "NEEDLE") {
				t.Errorf("%s shows %q", query, f.Snippet)
			}
		}
		if strings.Join(lines, ",") != want || got.TruncatedReason != "none" {
			t.Errorf("%s: lines %v, want %s; %s", query, lines, want, got.TruncatedReason)
		}
	}
}

func TestTooLargeARegularExpression(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "notes/a.md", "x\n")
	for _, query := range []string{strings.Repeat("x", 20_000), strings.Repeat("a{1,1000}", 9)} {
		_, err := v.Search(t.Context(), vault.SearchArgs{Query: query, Mode: "regex", Limit: 5})
		if code(err) != toolset.InvalidParameter || toolset.AsError(err).Details["parameter"] != "query" {
			t.Errorf("%.20s: %v", query, err)
		}
	}
}
