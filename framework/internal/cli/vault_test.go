package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
	"github.com/sagasu-search/sagasu/framework/internal/vault/audit"
	"github.com/sagasu-search/sagasu/framework/internal/vault/bridge"
)

// withVault returns a copy of the sample workspace with an empty vault.
func withVault(t testing.TB) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(sample(t))); err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(filepath.Join(dir, "vault")); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(dir, "vault"), 0o700); err != nil {
		t.Fatal(err)
	}
	return dir
}

func fileText(t testing.TB, parts ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// The way of the requirements: find in the manuals, copy without reading, edit,
// see what is covered, scan what is missing, find the work again, and audit it until
// it is clean.
func TestMCPVaultWorkflow(t *testing.T) {
	dir := withVault(t)
	t.Run("session", func(t *testing.T) {
		c := connect(t, environment(t), "--workspace", dir)
		answer := must[search.Answer](c, "manual_find", map[string]any{"query": "RAIDの構築"})
		hits := must[search.Hits](c, "manual_hits", map[string]any{"trace_id": answer.TraceID, "limit": 3})
		for i, row := range hits.Items {
			copyAndCheck(t, c, dir, hits.ManualID, *row.Ref, fmt.Sprintf("drafts/source%d.md", i))
		}
		source := "drafts/source0.md"
		lines := strings.Count(fileText(t, dir, "vault", source), "\n")

		made := must[vault.Written](c, "vault_create", map[string]any{"path": "artifacts/nas-plan.md", "content": "# NASの計画\n\n- 冗長構成を決める。\n"})
		must[vault.Replaced](c, "vault_replace", map[string]any{
			"path": "artifacts/nas-plan.md", "find": "決める。", "replace": "決める（検証番号 ZETA-4711）。", "expected_sha256": made.SHA256,
		})
		found := must[vault.FindResult](c, "vault_find", map[string]any{"query": "ZETA-4711"})
		rows := must[search.Hits](c, "vault_hits", map[string]any{"trace_id": found.TraceID})
		if rows.Total != 1 || rows.Items[0].Ref.Path != "artifacts/nas-plan.md" || rows.Items[0].Ref.Target != "vault" {
			t.Errorf("what was written just now is not found: %+v, %+v", found, rows)
		}

		cited := []toolset.Range{{StartLine: 1, EndLine: 5}}
		coverage := must[vault.Coverage](c, "vault_coverage", map[string]any{"path": source, "cited_ranges": cited})
		if coverage.MeetsMinCoverage || coverage.TotalLines != lines {
			t.Errorf("coverage %+v of %d lines", coverage, lines)
		}
		for range 20 {
			scan := must[vault.Scan](c, "vault_scan", map[string]any{"path": source, "cited_ranges": cited, "chunk_lines": 5})
			if scan.NextActions[0].Type == "stop" {
				break
			}
			cited = append(cited, *scan.AppliedRange)
		}
		if last := must[vault.Coverage](c, "vault_coverage", map[string]any{"path": source, "cited_ranges": cited}); !last.MeetsMinCoverage {
			t.Errorf("the scan stopped at %+v", last)
		}
		untilClean(c, "artifacts/nas-plan.md", source)
	})
	stats := fileText(t, dir, "vault", ".system", "adaptive_stats.jsonl")
	if !strings.Contains(stats, `"tool":"vault_scan"`) || !strings.Contains(stats, `"tool":"artifact_audit"`) || !strings.Contains(stats, `"used":3,"used_candidates":3`) || strings.Contains(stats, "ZETA") {
		t.Errorf("statistics:\n%s", stats)
	}
}

// untilClean audits an artifact that cites nothing, follows what the audit proposes,
// cites what each scan shows, and ends when nothing is left to do.
func untilClean(c *client, artifact, source string) {
	c.t.Helper()
	report := must[audit.Report](c, "artifact_audit", map[string]any{"artifact_path": artifact, "source_path": source})
	if report.RootlessNodes != 1 || !report.NeedsForcedFullScan || *report.CoverageRatio != 0 || report.MarginalGain != nil {
		c.t.Errorf("first audit %+v", report)
	}
	must[vault.Replaced](c, "vault_replace", map[string]any{
		"path": artifact, "find": "（検証番号 ZETA-4711）。", "replace": "。 <!-- source_lines: 6 -->", // no line of the source holds the code
	})
	for round := 0; report.NeedsForcedFullScan; round++ {
		next := report.NextActions[0]
		if round > 20 || next.Type != "vault_scan" {
			c.t.Fatalf("round %d proposes %+v in %+v", round, next, report)
		}
		scan := must[vault.Scan](c, next.Type, next.Params)
		must[vault.Written](c, "vault_write", map[string]any{
			"path": artifact, "mode": "append",
			"content": fmt.Sprintf("- 写し%d <!-- source_lines: %d-%d -->\n", round, scan.AppliedRange.StartLine, scan.AppliedRange.EndLine),
		})
		report = must[audit.Report](c, "artifact_audit", map[string]any{"artifact_path": artifact, "source_path": source})
		if report.MarginalGain == nil {
			c.t.Errorf("round %d: no gain after a scan: %+v", round, report)
		}
	}
	if len(report.Findings) != 0 || *report.CoverageRatio < 0.9 || report.NextActions[0].Type != "stop" {
		c.t.Errorf("last audit %+v", report)
	}
}

// copyAndCheck copies a section and holds that the reply shows nothing of it and
// the copy is the source, byte for byte, behind the note of its origin.
func copyAndCheck(t *testing.T, c *client, dir, manual string, ref search.HitRef, to string) {
	t.Helper()
	raw := c.request("tools/call", map[string]any{"name": "bridge_copy_section", "arguments": map[string]any{
		"from_ref": map[string]any{"manual_id": manual + ref.ManualID, "path": ref.Path, "start_line": ref.StartLine, "title": ref.Title, "signals": ref.Signals},
		"to_path":  to, "mode": "overwrite",
	}})
	var reply struct {
		IsError           bool
		StructuredContent bridge.Copied
	}
	if err := json.Unmarshal(raw, &reply); err != nil || reply.IsError {
		t.Fatalf("%v %s", err, raw)
	}
	got, source := reply.StructuredContent, fileText(t, dir, "manuals", manual+ref.ManualID, ref.Path)
	var first, last int
	if _, err := fmt.Sscanf(got.Source.Lines, "%d-%d", &first, &last); err != nil || first != ref.StartLine {
		t.Fatalf("copied lines %q of %+v", got.Source.Lines, ref)
	}
	body := strings.Join(strings.SplitAfter(source, "\n")[first-1:last], "")
	head, copied, ok := strings.Cut(strings.TrimPrefix(fileText(t, dir, "vault", to), "---\n"), "\n---\n")
	if !ok || copied != body || got.WrittenBytes != len(body) || !strings.Contains(head, got.Source.SHA256) {
		t.Errorf("%s holds %.300q, want %.300q", to, copied, body)
	}
	for line := range strings.Lines(body) {
		if words := strings.TrimSpace(line); len(words) > 12 && bytes.Contains(raw, []byte(words)) {
			t.Errorf("the reply shows %q", words)
		}
	}
}

func TestALargeFileIsCopiedWhole(t *testing.T) {
	dir := withVault(t)
	var large bytes.Buffer
	large.WriteString("[\n")
	for i := 0; large.Len() < 20<<20; i++ {
		fmt.Fprintf(&large, "  {\"id\": %d, \"text\": \"合い言葉 %d\"},\n", i, i)
	}
	large.WriteString("  null\n]\n")
	if err := os.WriteFile(filepath.Join(dir, "manuals", "aoba-nas", "large.json"), large.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	c := connect(t, environment(t), "--workspace", dir)
	raw := c.request("tools/call", map[string]any{"name": "bridge_copy_file", "arguments": map[string]any{
		"manual_id": "aoba-nas", "from_path": "large.json", "to_path": "drafts/large.json", "mode": "overwrite",
	}})
	if len(raw) > 2000 || bytes.Contains(raw, []byte("合い言葉")) || !bytes.Contains(raw, fmt.Appendf(nil, `"written_bytes":%d`, large.Len())) {
		t.Errorf("%d bytes: %.500s", len(raw), raw)
	}
	if got := fileText(t, dir, "vault", "drafts", "large.json"); got != large.String() {
		t.Errorf("the copy has %d bytes, want %d", len(got), large.Len())
	}
	if note := fileText(t, dir, "vault", ".system", "provenance", "drafts", "large.json.json"); !strings.Contains(note, `"aoba-nas"`) {
		t.Errorf("note %s", note)
	}
}

func TestToolsetsFollowTheWorkspace(t *testing.T) {
	tools := func(args ...string) string {
		c := connect(t, environment(t), args...)
		var list struct{ Tools []struct{ Name string } }
		if err := json.Unmarshal(c.request("tools/list", map[string]any{}), &list); err != nil {
			t.Fatal(err)
		}
		sets := map[string]bool{}
		for _, tool := range list.Tools {
			set, _, _ := strings.Cut(tool.Name, "_")
			sets[set] = true
		}
		return strings.Join(slices.Sorted(maps.Keys(sets)), " ")
	}
	with, without := withVault(t), withVault(t)
	if err := os.Remove(filepath.Join(without, "vault")); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--workspace", without}, "manual"},
		{[]string{"--workspace", without, "--toolsets", "vault"}, "artifact vault"},
		{[]string{"--workspace", without, "--vault-root", filepath.Join(without, "later")}, "artifact bridge manual vault"},
		{[]string{"--workspace", with}, "artifact bridge manual vault"},
		{[]string{"--workspace", with, "--toolsets", "manual"}, "manual"},
		{[]string{"--workspace", with, "--read-only"}, "artifact manual vault"},
	} {
		if got := tools(c.args...); got != c.want {
			t.Errorf("%v: %s, want %s", c.args, got, c.want)
		}
	}
}

func TestVaultCallsAreLogged(t *testing.T) {
	dir := withVault(t)
	c := connect(t, environment(t), "--workspace", dir)
	must[vault.Written](c, "vault_create", map[string]any{"path": "notes/a.md", "content": "geheim\n"})
	must[vault.SearchResult](c, "vault_search", map[string]any{"query": "geheim", "relative_dir": "notes"})
	var failed json.RawMessage
	c.call("vault_write", map[string]any{"path": "artifacts/daily/x.md", "content": "geheim", "mode": "append"}, &failed)
	c.in.Close()
	c.cmd.Wait()
	log := c.stderr.String()
	for _, want := range []string{
		`"tool":"vault_create"`, `"path":"notes/a.md"`, `"written":"notes/a.md"`, `"relative_dir":"notes"`, `"path":"artifacts/daily/x.md"`, `"code":"forbidden"`,
	} {
		if !strings.Contains(log, want) {
			t.Errorf("the log lacks %s:\n%s", want, log)
		}
	}
	if strings.Contains(log, "geheim") {
		t.Errorf("the log tells text:\n%s", log)
	}
}

// What another process, or an editor, writes is found too, and what is reserved
// or hidden is not.
func TestVaultFindFollowsTheFiles(t *testing.T) {
	dir := withVault(t)
	c := connect(t, environment(t), "--workspace", dir)
	total := func(query string, scope map[string]any) []string {
		answer := must[vault.FindResult](c, "vault_find", map[string]any{"query": query, "scope": scope})
		hits := must[search.Hits](c, "vault_hits", map[string]any{"trace_id": answer.TraceID})
		paths := []string{}
		for _, row := range hits.Items {
			paths = append(paths, row.Ref.Path)
		}
		slices.Sort(paths)
		return slices.Compact(paths)
	}
	if got := total("KAPPA-77", nil); len(got) != 0 {
		t.Errorf("in an empty vault: %v", got)
	}
	for path, text := range map[string]string{
		"artifacts/daily/2026-01-31.md": "- KAPPA-77 見た\n", "notes/plan.txt": strings.Repeat("行\n", 100) + "KAPPA-77\n", "notes/data.json": `{"k": "KAPPA-77"}`,
	} {
		must[vault.Written](c, "vault_create", map[string]any{"path": path, "content": text})
	}
	for _, hidden := range []string{".system/x.md", "notes/.hidden.md"} {
		if err := os.WriteFile(filepath.Join(dir, "vault", filepath.FromSlash(hidden)), []byte("KAPPA-77\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	all := []string{"artifacts/daily/2026-01-31.md", "notes/data.json", "notes/plan.txt"}
	for _, s := range []struct {
		scope map[string]any
		want  []string
	}{
		{nil, all},
		{map[string]any{"relative_dir": "notes"}, all[1:]},
		{map[string]any{"relative_dir": "Artifacts"}, all[:1]},
		{map[string]any{"glob": "!artifacts/daily/**"}, all[1:]},
		{map[string]any{"relative_dir": "notes", "glob": "*.json"}, all[1:2]},
	} {
		if got := total("KAPPA-77", s.scope); !slices.Equal(got, s.want) {
			t.Errorf("scope %v: %v, want %v", s.scope, got, s.want)
		}
	}
	for folder, code := range map[string]toolset.Code{".system": toolset.Forbidden, "nowhere": toolset.NotFound, "notes/plan.txt": toolset.InvalidPath} {
		var bad struct{ Error toolset.Error }
		if !c.call("vault_find", map[string]any{"query": "KAPPA-77", "scope": map[string]any{"relative_dir": folder}}, &bad) || bad.Error.Code != code {
			t.Errorf("in %s: %+v, want %s", folder, bad, code)
		}
	}
	must[vault.Replaced](c, "vault_replace", map[string]any{"path": "notes/data.json", "find": "KAPPA-77", "replace": "OMEGA-1"})
	if got := total("KAPPA-77", nil); !slices.Equal(got, []string{all[0], all[2]}) {
		t.Errorf("after a replacement: %v", got)
	}
	var bad struct{ Error toolset.Error }
	if !c.call("manual_hits", map[string]any{"trace_id": must[vault.FindResult](c, "vault_find", map[string]any{"query": "x"}).TraceID}, &bad) || bad.Error.Code != toolset.NotFound {
		t.Errorf("a trace of the vault among those of the manuals: %+v", bad)
	}
}

// The command line names its own words, says where there is no vault, what is kept of what a copy replaces, and that a
// pattern chooses nothing.
func TestVaultCommandsSayWhatToDo(t *testing.T) {
	env, dir, bare, linked := environment(t), withVault(t), t.TempDir(), t.TempDir()
	if err := os.Symlink(bare, filepath.Join(linked, "vault")); err != nil {
		t.Skip("no links: ", err)
	}
	for _, c := range []struct {
		dir, says string
		code      int
		args      []string
	}{
		{bare, "there is no vault: make the folder", 2, []string{"vault", "ls"}},
		{bare, "there is no vault: make the folder", 2, []string{"vault", "read", "notes/a.md"}},
		{bare, "are: manual; sagasu doctor shows the folders", 1, []string{"call", "vault_ls"}},
		{linked, "is a link out of the workspace", 2, []string{"vault", "ls"}},
		{linked, "the vault is off", 1, []string{"doctor"}},
		{dir, "to drafts/a.md\n", 0, []string{"bridge", "copy", "aoba-nas/06-disk-raid.md:38", "drafts/a.md"}},
		{dir, "to drafts/a.md\n", 0, []string{"bridge", "copy", "aoba-nas/06-disk-raid.md:38", "drafts/a.md"}},
		{dir, "what it held is kept: sagasu vault log drafts/a.md", 0, []string{"bridge", "copy", "aoba-nas/06-disk-raid.md:44", "drafts/a.md"}},
		{dir, "warning: not_json", 0, []string{"bridge", "copy", "aoba-nas/06-disk-raid.md:44", "drafts/a.json"}},
		{dir, "unless ALLOW_FILE_SCOPE is set; copy sections with sagasu bridge copy", 1, []string{"bridge", "copy", "aoba-nas/06-disk-raid.md", "drafts/b.md", "--file"}},
		{dir, "drafts", 0, []string{"vault", "ls", "."}},
		{dir, "DIR must be relative", 2, []string{"vault", "ls", "/etc"}},
		{dir, "LAST must be a line of the file", 1, []string{"vault", "read", "drafts/a.md:2-99"}},
		{dir, "warning: no file of the vault lies in the scope", 0, []string{"vault", "search", "RAID", "--glob", "none/"}},
		{dir, "warning: no file lies in the scope", 1, []string{"search", "RAID", "--glob", "none/"}},
	} {
		cmd := exec.Command(binary, append(c.args, "--workspace", c.dir)...)
		cmd.Env = env
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.says) || c.says == "to drafts/a.md\n" && strings.Contains(string(out), "kept") {
			t.Errorf("%q ends with %d: %s", c.args, code, out)
		}
	}
}
