package vault_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
)

func TestLinksToOtherFiles(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "notes/s.md", "one\n")
	put(t, dir, "artifacts/b.md", "# 手順\n\n<a id=\"x\"></a>\n\n- one <!-- source_lines: 1 -->\n")
	put(t, dir, "artifacts/sub/c d.json", "{}")
	for link, want := range map[string]int{
		"b.md": 0, "./b.md#手順": 0, "b.md#%E6%89%8B%E9%A0%86": 0, "b.md#x": 0, "sub/c%20d.json": 0, "sub": 0, "../notes/s.md": 0, "../../outside.md": 0,
		"https://example.com/none.md": 0, "mailto:a@example.com": 0, "/none.md": 0, "#a": 0,
		"none.md": 1, "b.md#none": 1, "sub/none.json": 1, "../notes/none.md#a": 1,
	} {
		put(t, dir, "artifacts/a.md", "# A\n\n- one [link]("+link+") <!-- source_lines: 1 -->\n")
		r, err := v.Audit(t.Context(), vault.AuditArgs{RequireSourceLines: true, Artifact: "artifacts/a.md", Source: "notes/s.md"})
		must(t, err)
		if r.OneWayRefs != want || want > 0 && r.Findings[0].Line != 3 {
			t.Errorf("%s: %d one-way references, want %d: %+v", link, r.OneWayRefs, want, r.Findings)
		}
	}
}

// An artifact is audited, its source scanned, the artifact completed, and audited
// again: the second audit tells what the scan was worth.
func TestAuditFollowsTheWork(t *testing.T) {
	dir := t.TempDir()
	o := options(dir)
	var told []any
	o.Gained = func(tool string, lines, tokens int) { told = append(told, tool, lines, tokens) }
	v, ctx := vault.New(o), session(t)
	put(t, dir, "drafts/s.md", "---\ntitle: S\n---\n# S\n\none\ntwo\n")
	put(t, dir, "artifacts/a.md", "- one <!-- source_lines: 4-6 -->\n- two\n")
	ask := func(ctx context.Context) (gain *float64, findings int, covered float64, scan bool) {
		t.Helper()
		r, err := v.Audit(ctx, vault.AuditArgs{RequireSourceLines: true, Artifact: "artifacts/a.md", Source: "drafts/s.md"})
		must(t, err)
		return r.MarginalGain, len(r.Findings), *r.CoverageRatio, r.NeedsForcedFullScan
	}
	if gain, findings, covered, scan := ask(ctx); gain != nil || findings != 1 || covered != 0.5 || !scan {
		t.Errorf("first: gain %v, %d findings, %v covered, scan %t", gain, findings, covered, scan)
	}
	_, err := v.Scan(ctx, vault.ScanArgs{Path: "drafts/s.md", Cited: []toolset.Range{{StartLine: 1, EndLine: 6}}})
	must(t, err)
	put(t, dir, "artifacts/a.md", "- one <!-- source_lines: 4-6 -->\n- two <!-- source_lines: 7 -->\n")
	if gain, findings, covered, scan := ask(ctx); gain == nil || *gain != 1 || findings != 0 || covered != 1 || scan {
		t.Errorf("second: gain %v, %d findings, %v covered, scan %t", gain, findings, covered, scan)
	}
	if gain, _, _, _ := ask(ctx); gain != nil {
		t.Errorf("nothing was scanned since, and the gain is %v", *gain)
	}
	if gain, _, _, _ := ask(t.Context()); gain != nil {
		t.Errorf("without a memory the gain is %v", *gain)
	}
	if len(told) != 3 || told[0] != "artifact_audit" || told[1] != 1 || told[2] != 1 {
		t.Errorf("told %v", told)
	}
}

func TestAuditRefuses(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "a.md", "- x\n")
	put(t, dir, "b.bin", "\x00")
	for name, c := range map[string]struct {
		artifact, source string
		cited            []toolset.Range
		code             toolset.Code
		param            string
	}{
		"no artifact":          {"n.md", "a.md", nil, toolset.NotFound, "artifact_path"},
		"no source":            {"a.md", "n.md", nil, toolset.NotFound, "source_path"},
		"a binary artifact":    {"b.bin", "a.md", nil, toolset.NotAvailable, "artifact_path"},
		"a binary source":      {"a.md", "b.bin", nil, toolset.NotAvailable, "source_path"},
		"out of the vault":     {"../a.md", "a.md", nil, toolset.InvalidPath, "artifact_path"},
		"a source out of it":   {"a.md", "/a.md", nil, toolset.InvalidPath, "source_path"},
		"lines beyond the end": {"a.md", "a.md", []toolset.Range{{StartLine: 1, EndLine: 2}}, toolset.InvalidParameter, "cited_ranges"},
	} {
		_, err := v.Audit(t.Context(), vault.AuditArgs{RequireSourceLines: true, Artifact: rootfs.Path(c.artifact), Source: rootfs.Path(c.source), Cited: c.cited})
		if err == nil || toolset.AsError(err).Code != c.code || toolset.AsError(err).Details["parameter"] != c.param {
			t.Errorf("%s: %v, want %s of %s", name, err, c.code, c.param)
		}
	}
}

// A copy cites the lines that it was copied from, as long as they stand in it unchanged.
func TestACopyCitesItsOrigin(t *testing.T) {
	dir, manual := t.TempDir(), t.TempDir()
	o := options(dir)
	o.Manuals = func(context.Context) ([]corpus.Manual, error) { return []corpus.Manual{{ID: "nas", Dir: manual}}, nil }
	v := vault.New(o)
	b := bridge.New(bridge.Options{Import: v.Import, Manuals: o.Manuals})
	const disks = "# Disks\n\nText.\n\n## Rebuild must end\n\n- It takes 20 hours.\n- Never remove two,\n  nor RB-1.\n\n" +
		"| a | days |\n|---|---|\n| b | 7 days |\n\nYou must wait 30 minutes.\n\n## Spare\n\n- It takes 20 hours.\n- Wait.\n"
	const codes = "[\n  {\"id\": \"E1\", \"text\": \"must wait 3 days\"},\n  {\"id\": \"E2\", \"text\": \"never\"}\n]\n"
	for name, c := range map[string]struct {
		source, file string
		sections     []int // where those that are copied begin, 0 for the file
		edit         []string
		found        []string
		left         string
	}{
		"a section":        {disks, "a.md", []int{5}, nil, nil, "[{3 3} {19 20}]"},
		"the file":         {disks, "a.md", []int{1}, nil, nil, "[]"},
		"CRLF":             {strings.ReplaceAll(disks, "\n", "\r\n"), "a.md", []int{1}, nil, nil, "[]"},
		"sections":         {disks, "a.md", []int{17, 5}, nil, nil, "[{3 3}]"},
		"front matter":     {"+++\ntitle = 'D'\n+++\n" + disks, "a.md", []int{4}, nil, nil, "[]"},
		"own words":        {disks, "a.md", []int{1}, []string{"- Wait.\n", "- Wait.\n\nAs said.\n"}, nil, "[]"},
		"an item":          {disks, "a.md", []int{5}, []string{"20 hours", "30 hours"}, []string{"It takes 30 hours"}, "[{3 3} {7 7} {19 20}]"},
		"end of an item":   {disks, "a.md", []int{5}, []string{"RB-1", "RB-2"}, []string{"Never remove"}, "[{3 3} {9 9} {19 20}]"},
		"an address":       {"# A\n\n- Add `http://127.0.0.1:5555/` now.\n", "a.md", []int{1}, nil, nil, "[]"},
		"below a heading":  {disks, "a.md", []int{5}, []string{"30 minutes", "45 minutes"}, []string{"45 minutes\", which the lines that it was copied from, lines 5-16"}, "[{3 3} {15 20}]"},
		"a new item":       {disks, "a.md", []int{17}, []string{"- Wait", "- Run.\n- Wait"}, []string{"Run."}, "[{3 15}]"},
		"JSON":             {codes, "a.json", []int{0}, nil, nil, "[]"},
		"an object":        {codes, "a.json", []int{0}, []string{"3 days", "4 days"}, []string{"E1"}, "[{2 2}]"},
		"of another file":  {disks, "a.md", []int{1}, []string{`"path": "a.md"`, `"path": "b.md"`}, []string{"Rebuild", "20 hours", "Never", "b 7", "20 hours", "Wait"}, "[{3 20}]"},
		"broken origin":    {disks, "a.md", []int{17}, []string{`{"manual_id"`, `{manual_id`}, []string{"20 hours", "Wait"}, "[{3 20}]"},
		"lines beyond end": {disks, "a.md", []int{17}, []string{`"17-20"`, `"17-21"`}, []string{"20 hours", "Wait"}, "[{3 20}]"},
	} {
		t.Run(name, func(t *testing.T) {
			put(t, manual, c.file, c.source)
			to := rootfs.Path("drafts/" + strings.ReplaceAll(name, " ", "-") + filepath.Ext(c.file))
			for _, line := range c.sections {
				from := bridge.Ref{ManualID: "nas", Path: rootfs.Path(c.file)}
				if line > 0 {
					from.StartLine = &line
				}
				_, err := b.CopySection(t.Context(), bridge.CopySectionArgs{From: from, To: to, Mode: "append"})
				must(t, err)
			}
			if c.edit != nil {
				text := get(t, dir, string(to))
				put(t, dir, string(to), strings.Replace(text, c.edit[0], c.edit[1], 1))
			}
			r, err := v.Audit(t.Context(), vault.AuditArgs{RequireSourceLines: true, Artifact: to, Source: rootfs.Path("manual:nas/" + c.file)})
			must(t, err)
			found := len(r.Findings) == len(c.found)
			for i := 0; found && i < len(c.found); i++ {
				found = strings.Contains(r.Findings[i].Message, c.found[i])
			}
			if !found || fmt.Sprint(r.Uncovered) != c.left {
				t.Errorf("%+v, uncovered %v, want %q, %s", r.Findings, r.Uncovered, c.found, c.left)
			}
		})
	}
}

// What was copied from other files of the manuals rests on those, and its links count from there; what no longer stands
// there cites nothing, and the warnings say why.
func TestCopiesRestOnTheFilesTheyCameFrom(t *testing.T) {
	dir, manual := t.TempDir(), t.TempDir()
	o := options(dir)
	o.Manuals = func(context.Context) ([]corpus.Manual, error) { return []corpus.Manual{{ID: "nas", Dir: manual}}, nil }
	v := vault.New(o)
	b := bridge.New(bridge.Options{Import: v.Import, Manuals: o.Manuals})
	const disks = "# Disks\n\nText.\n\n## Rebuild\n\n- It takes 20 hours, see [codes](en/codes.md#e-1).\n- Wait.\n"
	const codes = "# Codes\n\n## E-1\n\n- Never remove two, see [disks](../disks.md#rebuild) and [below](#e-2).\n\n## E-2\n\n- Stop.\n"
	put(t, manual, "disks.md", disks)
	put(t, manual, "en/codes.md", codes)
	for _, c := range []struct {
		file, alone string
		line        int
	}{{"disks.md", "drafts/a.md", 5}, {"en/codes.md", "drafts/b.md", 3}} {
		for _, to := range []string{c.alone, "drafts/both.md"} {
			from := bridge.Ref{ManualID: "nas", Path: rootfs.Path(c.file), StartLine: &c.line}
			_, err := b.CopySection(t.Context(), bridge.CopySectionArgs{From: from, To: rootfs.Path(to), Mode: "append"})
			must(t, err)
		}
	}
	put(t, dir, "notes/s.md", "one\n")
	const lacks = "manual:nas/disks.md was changed since lines 5-8 were copied: the artifact lacks line 7 of it as it is now"
	for name, c := range map[string]struct {
		disks, codes     string // "" for a file that is not there any more
		artifact, source string
		found, stale     []string
	}{
		"two files":           {disks, codes, "drafts/both.md", "manual:nas/disks.md", nil, nil},
		"the other of two":    {disks, codes, "drafts/both.md", "manual:nas/en/codes.md", nil, nil},
		"another file":        {disks, codes, "drafts/a.md", "manual:nas/en/codes.md", []string{"cites no source lines at all"}, nil},
		"a file of the vault": {disks, codes, "drafts/a.md", "notes/s.md", []string{"cites no source lines at all"}, nil},
		"a section that moved": {"# Disks\n\n" + strings.Repeat("More.\n\n", 9) + "## Rebuild\n\n" + strings.SplitN(disks, "Rebuild\n\n", 2)[1], codes,
			"drafts/a.md", "manual:nas/disks.md", nil, nil},
		"a line that changed": {strings.Replace(disks, "20", "30", 1), codes, "drafts/a.md", "manual:nas/disks.md", []string{"20 hours, see codes.\" cites no source lines", "drafts/en/codes.md"}, []string{lacks}},
		"another's line":      {strings.Replace(disks, "20", "30", 1), codes, "drafts/both.md", "manual:nas/en/codes.md", []string{"20 hours, see codes.\" cites no source lines", "drafts/en/codes.md"}, []string{lacks}},
		"a file that is gone": {"", codes, "drafts/both.md", "manual:nas/en/codes.md", []string{
			"20 hours, see codes.\" cites no source lines",
			"drafts/en/codes.md", "Wait.\" cites no", "\"disks.md\", which is not there"}, []string{"manual:nas/disks.md, of which lines 5-8 were copied, cannot be read now"}},
		"a link that leads nowhere": {disks, strings.Replace(codes, "## E-1", "## E-9", 1), "drafts/a.md", "manual:nas/disks.md", []string{"drafts/en/codes.md"}, nil},
		"a lost anchor":             {disks, strings.Replace(codes, "## E-2", "## E-9", 1), "drafts/b.md", "manual:nas/en/codes.md", []string{`refers to "e-2"`}, nil},
		"a paragraph": {strings.Replace(disks, "- Wait.\n", "- Wait.\n\nOne.\nTwo.\n\n- Three.\n", 1), codes, "drafts/both.md", "manual:nas/en/codes.md", nil, []string{
			"manual:nas/disks.md was changed since lines 5-8 were copied: the artifact lacks lines 10-11, line 13 of it as it is now"}},
	} {
		t.Run(name, func(t *testing.T) {
			for file, text := range map[string]string{"disks.md": c.disks, "en/codes.md": c.codes} {
				if put(t, manual, file, text); text == "" {
					must(t, os.Remove(filepath.Join(manual, file)))
				}
			}
			r, err := v.Audit(t.Context(), vault.AuditArgs{RequireSourceLines: true, Artifact: rootfs.Path(c.artifact), Source: rootfs.Path(c.source)})
			must(t, err)
			found := len(r.Findings) == len(c.found)
			for i := 0; found && i < len(c.found); i++ {
				found = strings.Contains(r.Findings[i].Message, c.found[i])
			}
			if !found {
				t.Errorf("%+v, want %q", r.Findings, c.found)
			}
			if diff := cmp.Diff(c.stale, r.Warnings); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// What an audited artifact cites of a manual counts as used, by section.
func TestCitedSectionsAreUsed(t *testing.T) {
	dir, manual := t.TempDir(), t.TempDir()
	o := options(dir)
	o.Manuals = func(context.Context) ([]corpus.Manual, error) { return []corpus.Manual{{ID: "nas", Dir: manual}}, nil }
	var used []string
	o.Used = func(manual, path string, line int) { used = append(used, fmt.Sprint(manual, " ", path, ":", line)) }
	v := vault.New(o)
	put(t, manual, "a.md", "Text.\n# One\n\none\n\n## Two\n\ntwo\n\n# Three\n\nthree\n")
	put(t, manual, "b.json", `{"a": 1}`)
	put(t, dir, "c.md", "- c\n")
	for cites, want := range map[string][]string{
		"a.md 4": {"nas a.md:2"}, "a.md 4, 12": {"nas a.md:2", "nas a.md:10"}, "a.md 1-8": {"nas a.md:1", "nas a.md:2", "nas a.md:6"}, "b.json 1": {"nas b.json:0"}, "a.md 13": nil,
	} {
		used = nil
		file, lines, _ := strings.Cut(cites, " ")
		put(t, dir, "d.md", "- x <!-- source_lines: "+lines+" -->\n")
		for _, source := range []string{"manual:nas/" + file, "c.md"} {
			_, err := v.Audit(t.Context(), vault.AuditArgs{Artifact: "d.md", Source: rootfs.Path(source)})
			must(t, err)
		}
		if diff := cmp.Diff(want, used); diff != "" {
			t.Errorf("%s: %s", cites, diff)
		}
	}
}

// An artifact may rest on a file of a manual as it stands there.
func TestAManualIsASource(t *testing.T) {
	dir, manual := t.TempDir(), t.TempDir()
	o := options(dir)
	o.Manuals = func(context.Context) ([]corpus.Manual, error) {
		return []corpus.Manual{{ID: "nas", Dir: manual}, {ID: "gone", Dir: filepath.Join(dir, "gone")}}, nil
	}
	v := vault.New(o)
	put(t, manual, "guide/disk.md", "# Disks\n\nA rebuild takes 20 hours.\nNever remove two disks.\n")
	put(t, dir, "artifacts/a.md", "- A rebuild takes 30 hours <!-- source_lines: 3 -->\n")
	r, err := v.Audit(t.Context(), vault.AuditArgs{RequireSourceLines: true, Artifact: "artifacts/a.md", Source: "manual:nas/guide/disk.md"})
	must(t, err)
	if r.SourcePath != "manual:nas/guide/disk.md" || r.Unsupported != 1 || *r.CoverageRatio != 0.5 || fmt.Sprint(r.Uncovered) != "[{4 4}]" {
		t.Errorf("%+v", r)
	}
	want := toolset.Action{Type: "manual_scan", Reason: "fill_gaps", Params: map[string]any{"manual_id": "nas", "path": "guide/disk.md", "start_line": 4}}
	got := r.NextActions[0]
	got.Confidence = nil
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	for source, want := range map[string]toolset.Code{
		"manual:": toolset.InvalidParameter, "manual:nas": toolset.InvalidParameter, "manual:nas/": toolset.InvalidParameter, "manual:/disk.md": toolset.InvalidParameter,
		"manual:none/disk.md": toolset.NotFound, "manual:nas/none.md": toolset.NotFound, "manual:nas/../a.md": toolset.InvalidPath, "manual:../guide/disk.md": toolset.InvalidPath,
		"manual:gone/disk.md": toolset.NotAvailable,
	} {
		var none any
		raw := map[string]any{"artifact_path": "artifacts/a.md", "source_path": source}
		if err := ask(t, v.Tools(), "artifact_audit", raw, &none); err == nil || err.Code != want || err.Details["parameter"] != "source_path" {
			t.Errorf("%s: %v, want %s", source, err, want)
		}
	}
	for source, want := range map[string]any{
		"manual:nas/guide/disk": []string{"manual:nas/guide/disk.md"},
		"manual:nas":            "manual:nas/guide/disk.md", "nas/guide/disk.md": []string{"manual:nas/guide/disk.md"},
	} {
		_, err := v.Audit(t.Context(), vault.AuditArgs{Artifact: "artifacts/a.md", Source: rootfs.Path(source)})
		details := toolset.AsError(err).Details
		got := details["nearest"]
		if got == nil {
			got = details["did_you_mean"]
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: %v\n%s", source, err, diff)
		}
	}
	var answer struct {
		SourcePath string `json:"source_path"`
	}
	if err := ask(t, v.Tools(), "artifact_audit", map[string]any{"artifact_path": "artifacts/a.md", "source_path": `manual:nas\guide\disk.md`}, &answer); err != nil || answer.SourcePath != "manual:nas/guide/disk.md" {
		t.Errorf("%+v, %v", answer, err)
	}
}
