package cli

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// attacks are paths that try to get at what is not theirs: out of the vault, into
// what is reserved, around the rules.
func attacks() []string {
	var all []string
	ups := []string{"..", "．．", "..\u200b", "...", "%2e%2e", ".\u2024", "‥", "..;"}
	for _, slash := range []string{"/", `\`, "／", "//", "%2f", "/./"} {
		for _, up := range ups {
			for _, begin := range []string{"", "notes" + slash, "artifacts" + slash + "daily" + slash} {
				all = append(all, begin+up+slash+up+slash+"secret.md")
			}
		}
	}
	for _, system := range []string{".system", ".SYSTEM", ".System", "．system", ".ｓｙｓｔｅｍ", ".sys\u200dtem", ".system.", ".system ", ".syſtem", "./.system", ".system::$INDEX_ALLOCATION", "SYSTEM~1"} {
		for _, rest := range []string{"/x.md", "/history.size", "/locks/history", "/history/notes/own.md/x.zst", "/adaptive_stats.jsonl"} {
			all = append(all, system+rest)
		}
	}
	for _, artifacts := range []string{"artifacts", "Artifacts", "ARTIFACTS", "ａｒｔｉｆａｃｔｓ", "artifacts.", "artifacts ", "art\u00adifacts", "artifactſ", "artifacts/.", "ARTIFA~1"} {
		for _, rest := range []string{
			"/x.sh", "/x.md.exe", "/x.md ", "/x.md.", "/x.MD\u200b", "/x.md::$DATA", "/daily/2026-02-30.md", "/daily/2026-01-31.md", "/DAILY/x.md",
			"/ｄａｉｌｙ/２０２６-01-31.md", "/daily /x.md", "/daily./x.md", "/daily/../daily/2026-01-31.md", "/daily/sub/2026-01-31.md", "／daily/2026-01-31.md",
		} {
			all = append(all, artifacts+rest)
		}
	}
	return append(all, singular()...)
}

// singular are attacks of a kind of their own.
func singular() []string {
	return []string{
		"", " ", ".", "./", "/", "//", `\`, "..", "../", "~/secret.md", "~", "$HOME/secret.md", "/etc/passwd", "/secret.md", `\\server\share\x.md`,
		`\\?\C:\x.md`, "C:/secret.md", "c:secret.md", "C:", "file:///etc/passwd", "notes/\x00.md", "notes/x.md\x00.exe", "notes/x\n.md", "notes/\u0085x.md",
		"notes/\u202exfdp.md", "link-out/secret.md", "link-out", "link-file.md", "link-in/own.md", "link-abs/secret.md", "link-loop", "link-loop/x.md",
		"link-dangling.md", "link-dangling-dir/x.md", "link-daily/2026-01-31.md", "notes/link-up/secret.md", "notes/link-up/vault/notes/own.md",
		"/dev/null", "/proc/self/environ", "/proc/self/root/etc/passwd", "dev/null", "NUL", "notes/CON.md", "notes/aux", ".git/hooks/post-commit", "notes/.GIT/config",
		strings.Repeat("a", 300), strings.Repeat("a/", 3000) + "x.md", strings.Repeat("../", 1000) + "secret.md", "notes/.sagasu-tmp-x", "notes//own.md/x.md", "notes/own.md/",
		"notes/own.md/..", "-rf", "notes/*", "notes/%00.md", "notes/\ufeffown.md", "hard.md",
	}
}

func TestAttacksAreListed(t *testing.T) {
	var list strings.Builder
	for _, a := range attacks() {
		list.WriteString(strconv.QuoteToASCII(a) + "\n")
	}
	golden(t, filepath.Join("testdata", "attacks.txt"), list.String())
	if n := len(attacks()); n < 300 {
		t.Errorf("%d attacks", n)
	}
}

// calls are the calls of every tool that takes a path, with the path in its place.
func attackCalls(path string) []map[string]any {
	call := func(tool string, pairs ...any) map[string]any {
		arguments := map[string]any{}
		for i := 0; i < len(pairs); i += 2 {
			arguments[pairs[i].(string)] = pairs[i+1]
		}
		return map[string]any{"tool": tool, "arguments": arguments}
	}
	ref := map[string]any{"manual_id": "aoba-nas", "path": "06-disk-raid.md"}
	return []map[string]any{
		call("vault_ls", "relative_dir", path, "include_system", true),
		call("vault_read", "path", path, "full", true),
		call("vault_scan", "path", path),
		call("vault_coverage", "path", path, "cited_ranges", []any{}),
		call("artifact_audit", "artifact_path", path, "source_path", "notes/own.md"),
		call("artifact_audit", "artifact_path", "notes/own.md", "source_path", path),
		call("vault_search", "query", "s", "mode", "plain", "relative_dir", path),
		call("vault_search", "query", "s", "mode", "plain", "glob", path),
		call("vault_find", "query", "secret", "scope", map[string]any{"relative_dir": path}),
		call("bridge_copy_section", "from_ref", map[string]any{"manual_id": "aoba-nas", "path": path}, "to_path", "notes/copy.md", "mode", "overwrite"),
		call("bridge_copy_section", "from_ref", map[string]any{"manual_id": path, "path": "x.md"}, "to_path", "notes/copy.md", "mode", "overwrite"),
		call("bridge_copy_file", "manual_id", "aoba-nas", "from_path", path, "to_path", "notes/copy.md", "mode", "overwrite", "limits", map[string]any{"allow_file": true}),
		call("vault_write", "path", path, "content", "overwritten", "mode", "overwrite"),
		call("vault_replace", "path", path, "find", "e", "replace", "E"),
		call("bridge_copy_section", "from_ref", ref, "to_path", path, "mode", "overwrite"),
		call("bridge_copy_file", "manual_id", "aoba-nas", "from_path", "spec.json", "to_path", path, "mode", "overwrite"),
		call("vault_create", "path", path, "content", "created"),
	}
}

// TestAttacks calls every tool that takes a path with every attack; a short run makes
// a quarter of the calls.
func TestAttacks(t *testing.T) {
	dir := withVault(t)
	vault := filepath.Join(dir, "vault")
	besieged(t, dir, vault)
	before := outside(t, dir, vault)
	c := connect(t, environment(t), "--workspace", dir, "--allow-file-scope")
	calls := 0
	for i, path := range attacks() {
		for j, call := range attackCalls(path) {
			if testing.Short() && (i+j)%4 > 0 {
				continue
			}
			var reply json.RawMessage
			failed := c.call(call["tool"].(string), call["arguments"].(map[string]any), &reply)
			calls++
			if strings.Contains(string(reply), "TOP-SECRET") {
				t.Errorf("%v shows what is outside: %s", call, reply)
			}
			var bad struct{ Error struct{ Code string } }
			if err := json.Unmarshal(reply, &bad); err != nil || failed != (bad.Error.Code != "") || bad.Error.Code == "internal" {
				t.Errorf("%v: %s", call, reply)
			}
		}
	}
	c.in.Close()
	c.cmd.Wait()
	if diff := cmp.Diff(before, outside(t, dir, vault)); diff != "" {
		t.Errorf("outside the vault:\n%s", diff)
	}
	checkBesieged(t, vault)
	t.Logf("%d attacks, %d calls", len(attacks()), calls)
}

// besieged puts a secret outside, links to it, and files that rules protect.
func besieged(t *testing.T, dir, vault string) {
	t.Helper()
	for name, text := range map[string]string{
		"secret.md": "TOP-SECRET\n", "manuals/secret.md": "TOP-SECRET\n", "vault/notes/own.md": "# own\n", "vault/artifacts/daily/2026-01-31.md": "- one\n",
	} {
		full := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, target := range map[string]string{
		"link-out": "..", "link-file.md": "../secret.md", "link-in": "notes", "link-abs": dir, "link-loop": "link-loop", "link-dangling.md": "../made.md",
		"link-dangling-dir": "../made", "link-daily": "artifacts/daily", "notes/link-up": "../..",
	} {
		if err := os.Symlink(target, filepath.Join(vault, filepath.FromSlash(name))); err != nil {
			t.Skip("no symbolic links here: ", err)
		}
	}
}

// outside is everything in the workspace but the vault: the files with their text and when they were changed.
func outside(t *testing.T, dir, vault string) map[string]string {
	t.Helper()
	all := map[string]string{}
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case path == vault:
			return filepath.SkipDir
		case d.IsDir():
			all[path] = "folder"
			return nil
		}
		info, err := d.Info()
		if err == nil {
			all[path] = fmt.Sprintln(info.Mode(), info.ModTime(), fileText(t, path))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// checkBesieged holds that the rules of the vault were kept.
func checkBesieged(t *testing.T, vault string) {
	t.Helper()
	if got := fileText(t, vault, "artifacts", "daily", "2026-01-31.md"); got != "- one\n" {
		t.Errorf("the daily file is %q", got)
	}
	if err := filepath.WalkDir(vault, func(path string, d fs.DirEntry, err error) error {
		rel, _ := filepath.Rel(vault, path)
		rel = filepath.ToSlash(rel)
		low := strings.ToLower(rel)
		switch {
		case err != nil || d.IsDir() || d.Type() == fs.ModeSymlink:
		case strings.HasPrefix(rel, ".system/history"), strings.HasPrefix(rel, ".system/locks/"), strings.HasPrefix(rel, ".system/provenance/"), rel == ".system/adaptive_stats.jsonl":
		case strings.HasPrefix(low, ".system"), strings.Contains(low, ".git/"), strings.HasPrefix(low, "artifacts/daily/") && low != "artifacts/daily/2026-01-31.md",
			strings.HasPrefix(low, "artifacts/") && !strings.HasSuffix(low, ".md") && !strings.HasSuffix(low, ".json"):
			t.Errorf("there is %q", rel)
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
}
