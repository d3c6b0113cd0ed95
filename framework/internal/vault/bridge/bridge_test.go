package bridge_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pelletier/go-toml/v2"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
)

const source = "前文\n# 一\none\n## 一の一\nsub\n## 一の二\nsub two\n# 二\ntwo\n"

type bench struct {
	t      *testing.T
	bridge *bridge.Bridge
	dir    string
	used   []any
}

func newBench(t *testing.T, allow bool) *bench {
	b := &bench{t: t, dir: t.TempDir()}
	b.put("m/a.md", source)
	b.put("m/spec.json", "{\"a\": 1}\n")
	v := vault.New(vault.Options{Dir: filepath.Join(b.dir, "vault"), HistoryBytes: 1 << 20, MaxChars: 100, ChunkLines: 10, MaxChunkLines: 10})
	b.bridge = bridge.New(bridge.Options{
		Import: v.Import, AllowFileScope: allow,
		Manuals: func(context.Context) ([]corpus.Manual, error) {
			return []corpus.Manual{{ID: "m", Dir: filepath.Join(b.dir, "m")}, {ID: "gone", Dir: filepath.Join(b.dir, "gone")}}, nil
		},
		Used: func(manual, path string, line int) { b.used = append(b.used, manual, path, line) },
	})
	return b
}

func (b *bench) put(name, text string) {
	full := filepath.Join(b.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) get(name string) string {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(b.dir, "vault", filepath.FromSlash(name)))
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

// body returns a copy without its front matter.
func body(t *testing.T, text string) string {
	t.Helper()
	_, rest, ok := strings.Cut(strings.TrimPrefix(text, "---\n"), "\n---\n")
	if !ok {
		t.Fatalf("no front matter in %q", text)
	}
	return rest
}

func TestSectionsAreCopiedAsTheyAre(t *testing.T) {
	one, three, eight, five := 1, 3, 8, 5
	cases := []struct {
		name      string
		req       bridge.CopySectionArgs
		want      string
		sections  int
		truncated bool
		use       int
	}{
		{"the first without a line", bridge.CopySectionArgs{}, "前文\n", 1, false, 1},
		{"with what lies below", bridge.CopySectionArgs{From: bridge.Ref{StartLine: &three}}, "# 一\none\n## 一の一\nsub\n## 一の二\nsub two\n", 3, false, 2},
		{"the last", bridge.CopySectionArgs{From: bridge.Ref{StartLine: &eight}}, "# 二\ntwo\n", 1, false, 8},
		{"where it stands by now", bridge.CopySectionArgs{From: bridge.Ref{StartLine: &one, Title: "一の二"}}, "## 一の二\nsub two\n", 1, false, 6},
		{"where it stands in a shorter file", bridge.CopySectionArgs{From: bridge.Ref{StartLine: new(99), Title: "一の二"}}, "## 一の二\nsub two\n", 1, false, 6},
		{"the section of a title", bridge.CopySectionArgs{From: bridge.Ref{StartLine: new(5), Title: "一"}}, "# 一\none\n## 一の一\nsub\n## 一の二\nsub two\n", 3, false, 2},
		{"a range of a section in place", bridge.CopySectionArgs{From: bridge.Ref{StartLine: &eight, Title: "二"}, Range: &toolset.Range{StartLine: 9, EndLine: 9}}, "two\n", 1, false, 8},
		{"a range", bridge.CopySectionArgs{Range: &toolset.Range{StartLine: 3, EndLine: 5}}, "one\n## 一の一\nsub\n", 2, false, 2},
		{"so many sections", bridge.CopySectionArgs{From: bridge.Ref{StartLine: &three}, Limits: bridge.SectionLimits{MaxSections: &one}}, "# 一\none\n", 1, true, 2},
		{"a range in a section", bridge.CopySectionArgs{Range: &toolset.Range{StartLine: 7, EndLine: 7}}, "sub two\n", 1, false, 6},
		{"so many characters of several", bridge.CopySectionArgs{From: bridge.Ref{StartLine: &three}, Limits: bridge.SectionLimits{MaxChars: new(12)}}, "# 一\none\n## 一", 2, true, 2},
		{"so many characters", bridge.CopySectionArgs{From: bridge.Ref{StartLine: &three}, Limits: bridge.SectionLimits{MaxChars: &five}}, "# 一\no", 1, true, 2},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t, false)
			c.req.From.ManualID, c.req.From.Path, c.req.To, c.req.Mode = "m", "a.md", "drafts/copy.md", "overwrite"
			got, err := b.bridge.CopySection(t.Context(), c.req)
			if err != nil {
				t.Fatal(err)
			}
			if text := body(t, b.get("drafts/copy.md")); text != c.want || got.WrittenBytes != len(c.want) || got.WrittenSections != c.sections || got.Truncated != c.truncated {
				t.Errorf("%q, %+v, %d sections", text, got, got.WrittenSections)
			}
			if b.used[2] != c.use {
				t.Errorf("used %v", b.used)
			}
		})
	}
}

// TestRefsOfDocumentsAreTaken decodes a ref as manual_hits lists it for a converted document.
func TestRefsOfDocumentsAreTaken(t *testing.T) {
	args, bad := toolset.ParseArguments([]byte(`{"from_ref": {"target": "manual", "manual_id": "m", "path": "a.pdf", "start_line": 3,
		"source": {"path": "a.pdf", "page": 2}, "title": "一", "signals": ["heading"]}, "to_path": "x.md", "mode": "append"}`))
	if bad != nil {
		t.Fatal(bad)
	}
	if got, err := toolset.Decode[bridge.CopySectionArgs](args); err != nil || got.From.Path != "a.pdf" {
		t.Errorf("%+v, %v", got, err)
	}
}

// No other text is copied than the one that the ref tells the title of.
func TestStaleRefsAreNotCopied(t *testing.T) {
	for param, req := range map[string]bridge.CopySectionArgs{
		"from_ref.title": {From: bridge.Ref{StartLine: new(8), Title: "三"}},
		"range":          {From: bridge.Ref{StartLine: new(8), Title: "一の二"}, Range: &toolset.Range{StartLine: 9, EndLine: 9}},
	} {
		b := newBench(t, true)
		req.From.ManualID, req.From.Path, req.To, req.Mode = "m", "a.md", "x.md", "append"
		_, err := b.bridge.CopySection(t.Context(), req)
		if err == nil || toolset.AsError(err).Code != toolset.Conflict || toolset.AsError(err).Details["parameter"] != param || len(b.used) > 0 {
			t.Errorf("%s: %v", param, err)
		}
		if _, err := os.Stat(filepath.Join(b.dir, "vault", "x.md")); err == nil {
			t.Errorf("%s: a file was written", param)
		}
	}
}

// A copy that makes a file notes its origin in front matter, a later one beside the file, so that
// no line moves that somebody may have cited.
func TestCopiesMoveNoLine(t *testing.T) {
	b := newBench(t, true)
	four, six := 4, 6
	section := func(to, mode string, line *int) *bridge.CopiedSection {
		t.Helper()
		got, err := b.bridge.CopySection(t.Context(), bridge.CopySectionArgs{From: bridge.Ref{ManualID: "m", Path: "a.md", StartLine: line}, To: rootfs.Path(to), Mode: mode})
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	note := func(name string) string { return ".system/provenance/" + name + ".json" }
	if got := section("a.md", "append", &four); got.NotedIn != "front_matter" || got.Source.SHA256 != "" || got.Warnings != nil {
		t.Errorf("%+v", got)
	}
	first := b.get("a.md")
	if !strings.Contains(first, `source_manual_ids: ["m"]`) || !strings.Contains(first, `"lines": "4-5"`) || !strings.Contains(first, `"heading_path": "一 > 一の一"}`) || body(t, first) != "## 一の一\nsub\n" {
		t.Errorf("first: %s", first)
	}
	for range 2 {
		if got := section("a.md", "append", &six); got.NotedIn != note("a.md") {
			t.Errorf("%+v", got)
		}
	}
	if got := b.get("a.md"); got != first+"\n## 一の二\nsub two\n\n## 一の二\nsub two\n" {
		t.Errorf("lines moved: %s", got)
	}
	if got := b.get(note("a.md")); strings.Count(got, `"lines": "6-7"`) != 1 || !strings.Contains(got, `"heading_path": "一 > 一の二"`) {
		t.Errorf("noted: %s", got)
	}
	if got := section("a.json", "append", &six); len(got.Warnings) != 1 || !strings.HasPrefix(got.Warnings[0], "not_json") {
		t.Errorf("Markdown in a JSON file: %+v", got)
	}
	section("a.md", "overwrite", &four)
	if _, err := os.Stat(filepath.Join(b.dir, "vault", filepath.FromSlash(note("a.md")))); b.get("a.md") != first || err == nil {
		t.Errorf("overwritten: %s, and the note of the older text is still there", b.get("a.md"))
	}
	for name, old := range map[string]string{
		"plain.md": "rule one\nrule two\n", "yaml.md": "---\r\ntitle: T\r\nsource_manual_ids:\r\n  - other\r\n---\r\ntext",
		"toml.md": "+++\ntitle = \"T\"\n+++\ntext\n", "artifacts/daily/2026-01-31.md": "# day\n",
	} {
		b.put("vault/"+name, old)
		section(name, "append", &four)
		if got := b.get(name); !strings.HasPrefix(got, old) || !strings.HasSuffix(got, "\n\n## 一の一\nsub\n") || !strings.Contains(b.get(note(name)), `"lines": "4-5"`) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The front matter of a file that is copied is kept, and the origin is added to it.
func TestOriginsAreAddedToFrontMatter(t *testing.T) {
	b := newBench(t, true)
	copied := func(text string) string {
		t.Helper()
		b.put("m/head.md", text)
		_, err := b.bridge.CopyFile(t.Context(), bridge.CopyFileArgs{ManualID: "m", Path: "head.md", To: "head.md", Mode: "overwrite", Limits: bridge.FileLimits{AllowFile: true}})
		if err != nil {
			t.Fatal(err)
		}
		return b.get("head.md")
	}
	if got := copied("---\r\ntitle: T\r\nsource_manual_ids:\r\n  - other\r\n---\r\ntext"); !strings.HasPrefix(got, "---\r\ntitle: T\r\nsource_manual_ids: [\"other\", \"m\"]\r\nsource_refs:\r\n  - {") || !strings.HasSuffix(got, "}\r\n---\r\ntext") {
		t.Errorf("YAML: %q", got)
	}
	var meta struct {
		Title string
		IDs   []string        `toml:"source_manual_ids"`
		Refs  []bridge.Source `toml:"source_refs"`
	}
	got := copied("+++\ntitle = \"T\"\n[extra]\nx = 1\n+++\ntext\n")
	if err := toml.Unmarshal([]byte(strings.Split(got, "+++\n")[1]), &meta); err != nil || meta.Title != "T" || len(meta.IDs) != 1 || len(meta.Refs) != 1 || meta.Refs[0].Lines != "1-6" {
		t.Errorf("TOML: %+v, %v in %s", meta, err, got)
	}
	for _, odd := range []string{"---\nsource_refs: {odd: true}\n---\ntext\n", "---\n{title: T, tags: [a]}\n---\ntext\n"} {
		if got := copied(odd); got != odd || !strings.Contains(b.get(".system/provenance/head.md.json"), `"1-4"`) {
			t.Errorf("odd: %s", got)
		}
	}
}

// No copy makes a daily file, and none breaks the JSON of a file.
func TestCopiesThatAreRefused(t *testing.T) {
	b := newBench(t, true)
	b.put("vault/a.json", "{\"a\": 1}\n")
	for _, c := range []struct {
		to, mode string
		code     toolset.Code
	}{
		{"artifacts/daily/2026-02-01.md", "append", toolset.Forbidden}, {"artifacts/daily/2026-02-01.md", "overwrite", toolset.Forbidden},
		{"Artifacts/Daily/2026-02-01.md", "append", toolset.Forbidden}, {"a.json", "append", toolset.InvalidParameter},
	} {
		_, err := b.bridge.CopyFile(t.Context(), bridge.CopyFileArgs{ManualID: "m", Path: "spec.json", To: rootfs.Path(c.to), Mode: c.mode})
		if err == nil || toolset.AsError(err).Code != c.code || toolset.AsError(err).Details["parameter"] != "to_path" {
			t.Errorf("%s, %s: %v", c.to, c.mode, err)
		}
	}
	if entries, err := os.ReadDir(filepath.Join(b.dir, "vault")); err != nil || len(entries) > 2 || b.get("a.json") != "{\"a\": 1}\n" {
		t.Errorf("%v, %v: something was written", entries, err)
	}
}

func TestFiles(t *testing.T) {
	b := newBench(t, true)
	copyFile := func(b *bench, from, to, mode string, allow bool) error {
		_, err := b.bridge.CopyFile(t.Context(), bridge.CopyFileArgs{
			ManualID: "m", Path: rootfs.Path(from), To: rootfs.Path(to), Mode: mode, Limits: bridge.FileLimits{AllowFile: allow},
		})
		return err
	}
	if err := copyFile(b, "spec.json", "artifacts/spec.json", "overwrite", false); err != nil || b.get("artifacts/spec.json") != "{\"a\": 1}\n" {
		t.Error(err)
	}
	if err := copyFile(b, "a.md", "a.md", "overwrite", true); err != nil || body(t, b.get("a.md")) != source {
		t.Error(err)
	}
	nine := 9
	_, badLine := b.bridge.CopySection(t.Context(), bridge.CopySectionArgs{From: bridge.Ref{ManualID: "m", Path: "a.md", StartLine: &[]int{10}[0]}, To: "x.md", Mode: "append"})
	_, badRange := b.bridge.CopySection(t.Context(), bridge.CopySectionArgs{From: bridge.Ref{ManualID: "m", Path: "a.md"}, Range: &toolset.Range{StartLine: nine, EndLine: 8}, To: "x.md", Mode: "append"})
	_, gone := b.bridge.CopyFile(t.Context(), bridge.CopyFileArgs{ManualID: "gone", Path: "spec.json", To: "b.json", Mode: "append"})
	_, goneRef := b.bridge.CopySection(t.Context(), bridge.CopySectionArgs{From: bridge.Ref{ManualID: "gone", Path: "a.md"}, To: "x.md", Mode: "append"})
	for name, c := range map[string]struct {
		err   error
		code  toolset.Code
		param string
	}{
		"no folder":        {gone, toolset.NotAvailable, "manual_id"},
		"no folder of ref": {goneRef, toolset.NotAvailable, "from_ref.manual_id"},
		"no consent":       {copyFile(b, "a.md", "b.md", "overwrite", false), toolset.Forbidden, "limits.allow_file"},
		"not permitted":    {copyFile(newBench(t, false), "a.md", "b.md", "overwrite", true), toolset.Forbidden, "limits.allow_file"},
		"missing":          {copyFile(b, "none.json", "b.json", "overwrite", true), toolset.NotFound, "from_path"},
		"not of a manual":  {copyFile(b, "../vault/a.md", "b.md", "overwrite", true), toolset.InvalidPath, "from_path"},
		"bad place":        {copyFile(b, "spec.json", "artifacts/b.txt", "overwrite", true), toolset.Forbidden, "to_path"},
		"reserved":         {copyFile(b, "spec.json", ".system/b.json", "overwrite", true), toolset.Forbidden, "to_path"},
		"a line too far":   {badLine, toolset.InvalidParameter, "from_ref.start_line"},
		"a range reversed": {badRange, toolset.InvalidParameter, "range.end_line"},
	} {
		got := toolset.Code("")
		if c.err != nil {
			got = toolset.AsError(c.err).Code
		}
		if got != c.code || c.err != nil && toolset.AsError(c.err).Details["parameter"] != c.param {
			t.Errorf("%s: %v, want %s of %s", name, c.err, c.code, c.param)
		}
	}
	b.put("vault/artifacts/daily/2026-02-01.md", "# day\n")
	if err := copyFile(b, "a.md", "artifacts/daily/2026-02-01.md", "overwrite", true); err == nil || toolset.AsError(err).Code != toolset.Forbidden {
		t.Errorf("a daily file was overwritten: %v", err)
	}
}
