package workspace_test

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// statsWant is the message when ADAPTIVE_STATS_PATH is refused.
const statsWant = ":1): in a workspace's own file it must be a path below "

// A workspace may come from a stranger: its file must not reach outside it,
// and a refusal names file, line and key.
func TestStrangersFile(t *testing.T) {
	cases := []struct{ name, body, want string }{
		{"outside root", "manuals_root = \"../other\"", ":1): it must be a path inside the workspace"},
		{"absolute root", "manuals_root = \"/etc\"", ":1): it must be a path inside the workspace"},
		{"through a link", "vault_root = \"link/vault\"", ":1): it must be a path inside the workspace"},
		{"statistics outside", "adaptive_stats_path = \"../x.jsonl\"", ":1): it must be a path inside the workspace"},
		{"statistics in an outer vault", "adaptive_stats_path = \"${VAULT_ROOT}/../../x.jsonl\"", ":1): it must be a path inside the workspace"},
		{"statistics over a file", "adaptive_stats_path = \".git/config\"", statsWant},
		{"statistics in the vault", "adaptive_stats_path = \"vault/notes/x.jsonl\"", statsWant},
		{"statistics beside", "adaptive_stats_path = \"vault/.system/../x.jsonl\"", statsWant},
		{"statistics as a folder", "adaptive_stats_path = \"vault/.system\"", statsWant},
		{"statistics elsewhere", "adaptive_stats_path = \".system/x.jsonl\"", statsWant},
		{"plugin path", "# x\nplugin_path = [\"plugins\"]", ":2: plugin_path may not be set"},
		{"cache", "sagasu_cache_dir = \"c\"", ":1: sagasu_cache_dir may not be set"},
		{"a service", "rerank_url = \"http://elsewhere/rerank\"", ":1: rerank_url may not be set"},
		{"a key", "rerank_key_env = \"SECRET\"", ":1: rerank_key_env may not be set"},
		{"logic outside", "logic_root = \"..\"", ":1): it must be a path inside the workspace"},
		{"globs outside", "logic_code_globs = [\"../**\"]", ":1): it must be a list of globs"},
		{"logic on", "logic_qa = \"on\"", ":1: logic_qa may not be set"},
		{"answerer", "logic_answerer = \"chat\"", ":1: logic_answerer may not be set"},
		{"chat service", "logic_chat_url = \"http://evil.example/v1\"", ":1: logic_chat_url may not be set"},
		{"chat model", "logic_chat_model = \"m\"", ":1: logic_chat_model may not be set"},
		{"chat key", "logic_chat_key = \"k\"", ":1: unknown key logic_chat_key"},
		{"file scope", "allow_file_scope = true", ":1: allow_file_scope may not be set"},
		{"workspace", "workspace_root = \"..\"", ":1: workspace_root may not be set"},
		{"manuals", "\n\n[manuals]\nx = \"/etc\"", ":3: manuals may not be set"},
		{"unknown", "trace_max_kep = 3", ":1: unknown key trace_max_kep; did you mean trace_max_keep?"},
		{"upper case", "TRACE_MAX_KEEP = 3", ":1: unknown key TRACE_MAX_KEEP; did you mean trace_max_keep?"},
		{"far off", "zzzzqqqq = 3", ":1: unknown key zzzzqqqq; the keys are adaptive_candidate_low_base, adaptive_file_bias_base, adaptive_min_recall, adaptive_stats_path,"},
		{"executable", "[strategies.x]\ncommand = \"rm\"", ":2: unknown key strategies.x.command; the keys are config, enabled, weight"},
		{"strategy name", "[strategies.\"a b\"]\nweight = 1", ":1: strategies.a b must be a table named"},
		{"weight", "[strategies.x]\nweight = -1", ":2: strategies.x.weight is -1: it must be a number from 0 to 100"},
		{"infinite weight", "[strategies.x]\nweight = inf", ":2: strategies.x.weight"},
		{"enabled", "[strategies.x]\nenabled = 1", ":2: strategies.x.enabled is 1: it must be true or false"},
		{"strategies value", "strategies = 1", ":1: strategies must be tables"},
		{"wrong type", "trace_max_keep = \"5\"", ":1: trace_max_keep is 5: it must be an integer"},
		{"out of range", "trace_max_keep = 0", ":1): it must be an integer from 1 to"},
		{"syntax", "a = 1\n= 2", ":2: not valid TOML"},
		{"twice", "trace_max_keep = 1\ntrace_max_keep = 2", "not valid TOML"},
		{"control characters", "\"a\\u001bb\" = 1", ":1: unknown key a\uFFFDb"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			if err := os.Symlink(b.home, filepath.Join(b.root, "link")); err != nil {
				t.Skip("no symbolic links here:", err)
			}
			path := b.guest(c.body)
			_, err := b.load()
			if err == nil {
				t.Fatal("accepted")
			}
			if line := err.Error(); !strings.Contains(line, path) || !strings.Contains(line, c.want) || strings.Contains(line, "\n") {
				t.Errorf("got %q, want one line with %s and %q", line, path, c.want)
			}
		})
	}
}

func TestStrangersFileIsNoLinkOutside(t *testing.T) {
	b := newBench(t)
	outside := filepath.Join(b.home, "secret.toml")
	b.write(outside, "trace_max_keep = 5\n")
	if err := os.Symlink(outside, filepath.Join(b.root, workspace.FileName)); err != nil {
		t.Skip("no symbolic links here:", err)
	}
	if _, err := b.load(); err == nil || !strings.Contains(err.Error(), workspace.FileName) {
		t.Errorf("a link out of the workspace was followed: %v", err)
	}
}

func TestHugeFile(t *testing.T) {
	b := newBench(t)
	b.guest("#" + strings.Repeat("x", workspace.MaxFileBytes))
	if _, err := b.load(); err == nil || !strings.Contains(err.Error(), "larger than") {
		t.Errorf("got %v", err)
	}
}

// TestLongKey counts the bytes that a long key takes, which is as little as its length.
func TestLongKey(t *testing.T) {
	b := newBench(t)
	b.guest("a" + strings.Repeat(".a", 20_000) + " = 1\n")
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := b.load()
	runtime.ReadMemStats(&after)
	if err == nil || !strings.Contains(err.Error(), ":1: unknown key a;") {
		t.Error(err)
	}
	if n := (after.TotalAlloc - before.TotalAlloc) >> 20; n > 64 {
		t.Errorf("%d MB", n)
	}
}

// FuzzDocument checks that no file makes the reader panic or return an error of more than one line.
func FuzzDocument(f *testing.F) {
	for _, seed := range []string{
		"", "trace_max_keep = 5\n[strategies.loose]\nweight = 0.3\n", "strategies = {a = {weight = 1}}",
		"[[strategies]]\n", "a.b.c = 1\n", "manuals_root = [\"x\"]", "x = 1979-05-27", "\"\\n\" = 1",
	} {
		f.Add(seed)
	}
	root := f.TempDir()
	f.Fuzz(func(t *testing.T, body string) {
		if err := os.WriteFile(filepath.Join(root, workspace.FileName), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := workspace.ReadGuest(root, os.DirFS(root)); err != nil && strings.Contains(err.Error(), "\n") {
			t.Errorf("more than a line: %q", err)
		}
	})
}

func TestManualsThatLinkOutOfTheWorkspace(t *testing.T) {
	b := newBench(t)
	outside := realDir(t)
	if err := os.Symlink(outside, filepath.Join(b.root, "manuals")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	if _, err := b.load(); err == nil || !strings.Contains(err.Error(), "--manuals") {
		t.Errorf("a link out of the workspace was followed: %v", err)
	}
	b.flags.Manuals = []string{filepath.Join(b.root, "manuals")}
	if _, err := b.load(); err != nil {
		t.Errorf("a link that the user names is refused: %v", err)
	}
}
