package workspace_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/app"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/search"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// bench is a workspace and a user's home to load from.
type bench struct {
	t          *testing.T
	root, home string
	env        map[string]string
	flags      workspace.Flags
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{t: t, root: realDir(t), home: realDir(t), env: map[string]string{}, flags: workspace.Flags{Values: map[string]string{}}}
	for _, name := range []string{"HOME", "USERPROFILE", "AppData", "LocalAppData"} {
		b.env[name] = b.home
	}
	return b
}

func realDir(t *testing.T) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func (b *bench) write(path, body string) {
	b.t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) guest(body string) string {
	path := filepath.Join(b.root, workspace.FileName)
	b.write(path, body)
	return path
}

func (b *bench) user(body string) string {
	config, _ := workspace.UserFolders(b.getenv)
	path := filepath.Join(config, "config.toml")
	b.write(path, body)
	return path
}

func (b *bench) getenv(name string) string { return b.env[name] }

func (b *bench) load() (*workspace.Workspace, error) {
	return app.Load(workspace.LoadOptions{Flags: b.flags, Getenv: b.getenv, Dir: b.root, Temp: filepath.Join(b.home, "tmp")}, nil)
}

func (b *bench) mustLoad() *workspace.Workspace {
	b.t.Helper()
	w, err := b.load()
	if err != nil {
		b.t.Fatal(err)
	}
	return w
}

func TestDefaults(t *testing.T) {
	b := newBench(t)
	w := b.mustLoad()
	got := map[string]string{}
	for _, e := range w.Effective() {
		got[e.Name] = e.Value
		if e.Origin != "default" {
			t.Errorf("%s comes from %q, want default", e.Name, e.Origin)
		}
	}
	_, cache := workspace.UserFolders(b.getenv)
	want := map[string]string{
		"WORKSPACE_ROOT": b.root, "MANUALS_ROOT": filepath.Join(b.root, "manuals"), "VAULT_ROOT": filepath.Join(b.root, "vault"), "PUBLICATIONS_ROOT": filepath.Join(b.root, "publications"),
		"VAULT_SCAN_DEFAULT_CHUNK_LINES": "80", "VAULT_SCAN_MAX_CHUNK_LINES": "200", "VAULT_MAX_CHARS": "12000", "VAULT_HISTORY_MAX_MB": "512",
		"COLLECTION_URL": "", "DEFAULT_MANUAL_ID": "", "LOG_LEVEL": "info", "TRACE_MAX_KEEP": "100", "TRACE_TTL_SEC": "1800",
		"ALLOW_FILE_SCOPE": "false", "SPARSE_QUERY_COVERAGE_WEIGHT": "0.35", "LATE_RERANK_TOP_N": "50",
		"LATE_RERANK_ENABLED": "true", "LATE_RERANK_WEIGHT": "0.45",
		"RERANK_URL": "", "RERANK_API": "cohere", "RERANK_MODEL": "", "RERANK_KEY_ENV": "",
		"EMBED_URL": "", "EMBED_MODEL": "", "EMBED_KEY_ENV": "", "EMBED_BATCH": "32", "EMBED_TIMEOUT_MS": "30000",
		"EMBED_DIR": "", "EMBED_MAX_CHARS": "1200", "EMBED_QUERY_PREFIX": "", "EMBED_DOCUMENT_PREFIX": "",
		"JUDGE_URL": "", "JUDGE_API": "openai", "JUDGE_MODEL": "", "JUDGE_KEY_ENV": "", "JUDGE_MAX_CHARS": "1500", "JUDGE_TIME_MS": "20000",
		"RERANK_BATCH": "32", "RERANK_TIMEOUT_MS": "1500", "RERANK_MAX_CHARS": "2000",
		"CORRECTIVE_ENABLED": "true", "CORRECTIVE_COVERAGE_MIN": "0.9", "CORRECTIVE_MARGIN_MIN": "0.15",
		"CORRECTIVE_MIN_CANDIDATES": "3", "CORRECTIVE_ON_CONFLICT": "true",
		"SEM_CACHE_ENABLED": "true", "SEM_CACHE_TTL_SEC": "1800", "SEM_CACHE_MAX_KEEP": "500", "SEM_CACHE_SIM_THRESHOLD": "0.92",
		"SEM_CACHE_MAX_SUMMARY_GAP": "-1", "SEM_CACHE_MAX_SUMMARY_CONFLICT": "-1",
		"ADAPTIVE_TUNING": "true", "ADAPTIVE_STATS_PATH": filepath.Join(w.StateDir(), "adaptive_stats.jsonl"),
		"ADAPTIVE_MIN_RECALL": "0.9", "ADAPTIVE_CANDIDATE_LOW_BASE": "3", "ADAPTIVE_FILE_BIAS_BASE": "0.8",
		"COVERAGE_MIN_RATIO": "0.9", "MARGINAL_GAIN_MIN": "0.02", "IMPORT_NETWORK": "",
		"LOGIC_ROOT": b.root, "LOGIC_CODE_GLOBS": "backend/**", "LOGIC_SPEC_GLOBS": "openspec/specs/**", "LOGIC_CHANGE_GLOBS": "openspec/changes/*/specs/**",
		"LOGIC_QA": "on", "LOGIC_ANSWERER": "extractive", "LOGIC_CHAT_URL": "", "LOGIC_CHAT_MODEL": "",
		"STRATEGY_TIME_MS": "2000", "TOOLSETS": "", "READ_ONLY": "false", "REDIS_URL": "", "REDIS_NAMESPACE": "", "RESULT_FORM": "both", "PLUGIN_PATH": "",
		"SAGASU_CACHE_DIR": cache,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
}

func TestPrecedence(t *testing.T) {
	b := newBench(t)
	name := "TRACE_MAX_KEEP"
	step := func(want int, origin string) {
		t.Helper()
		w := b.mustLoad()
		if w.TraceMaxKeep != want || w.Origin(name) != origin {
			t.Errorf("got %d from %q, want %d from %q", w.TraceMaxKeep, w.Origin(name), want, origin)
		}
	}
	step(100, "default")
	user := b.user("# mine\ntrace_max_keep = 1\n")
	step(1, user+":2")
	guest := b.guest("trace_max_keep = 2\n")
	step(2, guest+":1")
	b.env[name] = "3"
	step(3, "environment")
	b.flags.Values[name] = "4"
	step(4, "flag --trace-max-keep")
}

func TestEveryKindFromTheUsersFile(t *testing.T) {
	b := newBench(t)
	b.user(`
default_manual_id = "yakkan"
allow_file_scope = true
read_only = true
sparse_query_coverage_weight = 1
toolsets = ["manual", "vault"]
plugin_path = ["plugins", "~/more"]
result_form = "text"
[strategies.loose]
weight = 0.5
[strategies]
toc = { enabled = false }
`)
	b.guest("[strategies.loose]\nenabled = false\nweight = 2\n")
	w := b.mustLoad()
	config := w.ConfigHome
	want := []string{filepath.Join(config, "plugins"), filepath.Join(b.home, "more")}
	if diff := cmp.Diff(want, workspace.Of[host.Settings](w).PluginPath); diff != "" {
		t.Errorf("PLUGIN_PATH (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"manual", "vault"}, w.Toolsets); diff != "" {
		t.Errorf("TOOLSETS (-want +got):\n%s", diff)
	}
	own, figures := workspace.Of[manuals.Settings](w), workspace.Of[search.Settings](w)
	if !own.AllowFileScope || !w.ReadOnly || figures.CoverageWeight != 1 || own.DefaultID != "yakkan" || w.ResultForm != "text" {
		t.Errorf("scalars not taken: %+v", w)
	}
	on, off, two, usual := true, false, 2.0, 0.45
	strategies := map[string]workspace.Strategy{
		"loose": {Enabled: &off, Weight: &two}, "toc": {Enabled: &off}, "laterank": {Enabled: &on, Weight: &usual},
	}
	if diff := cmp.Diff(strategies, w.Strategies); diff != "" {
		t.Errorf("strategies (-want +got):\n%s", diff)
	}
	if got := w.Origin("strategies.loose.weight"); got != filepath.Join(b.root, workspace.FileName)+":3" {
		t.Errorf("origin of a weight: %q", got)
	}
}

func TestBadValuesStopWithOneLine(t *testing.T) {
	cases := []struct{ name, value, want string }{
		{"TRACE_MAX_KEEP", "abc", "an integer from 1 to 100000"},
		{"TRACE_MAX_KEEP", "0", "an integer from 1 to 100000"},
		{"TRACE_MAX_KEEP", "1.0", "an integer from 1 to 100000"},
		{"TRACE_TTL_SEC", "-1", "an integer from 1 to 31536000"},
		{"SPARSE_QUERY_COVERAGE_WEIGHT", "NaN", "a number from 0 to 10"},
		{"SPARSE_QUERY_COVERAGE_WEIGHT", "10.5", "a number from 0 to 10"},
		{"ALLOW_FILE_SCOPE", "yes", "true or false"},
		{"LOG_LEVEL", "loud", "one of trace, debug, info, warn, error, off"},
		{"CORRECTIVE_COVERAGE_MIN", "1.01", "a number from 0 to 1"},
		{"CORRECTIVE_MIN_CANDIDATES", "-1", "an integer from 0 to 1000"},
		{"CORRECTIVE_ON_CONFLICT", "maybe", "true or false"},
		{"SEM_CACHE_TTL_SEC", "0", "an integer from 1 to 31536000"},
		{"SEM_CACHE_MAX_SUMMARY_GAP", "-2", "an integer from -1 to 1000"},
		{"ADAPTIVE_CANDIDATE_LOW_BASE", "7", "an integer from 2 to 6"},
		{"ADAPTIVE_FILE_BIAS_BASE", "0.69", "a number from 0.7 to 0.9"},
		{"ADAPTIVE_STATS_PATH", "a\x00b", "a path"},
		{"MARGINAL_GAIN_MIN", "NaN", "a number from 0 to 1"},
		{"LOGIC_CODE_GLOBS", "../other/**", "a list of globs of paths below LOGIC_ROOT"},
		{"LOGIC_SPEC_GLOBS", "/etc/**", "a list of globs of paths below LOGIC_ROOT"},
		{"LOGIC_CHANGE_GLOBS", "a[", "a list of globs of paths below LOGIC_ROOT"},
		{"LOGIC_QA", "maybe", "one of on, off"},
		{"LOGIC_ANSWERER", "gpt", "one of extractive, chat"},
		{"LOGIC_CHAT_MODEL", "a\nb", "text without control characters"},
		{"LOGIC_ROOT", "nowhere", "a folder that exists"},
		{"RESULT_FORM", "xml", "one of both, structured, text"},
		{"DEFAULT_MANUAL_ID", "a\nb", "text without control characters"},
		{"MANUALS_ROOT", "a\x00b", "a path"},
		{"WORKSPACE_ROOT", "nowhere", "a folder that exists"},
		{"MANUALS_ROOT", "nowhere", "a folder that exists"},
	}
	for _, c := range cases {
		b := newBench(t)
		b.env[c.name] = c.value
		_, err := b.load()
		if err == nil {
			t.Errorf("%s=%q was accepted", c.name, c.value)
			continue
		}
		line := err.Error()
		for _, part := range []string{c.name, c.want, "environment"} {
			if !strings.Contains(line, part) {
				t.Errorf("%s=%q: %q does not say %q", c.name, c.value, line, part)
			}
		}
		if strings.ContainsAny(line, "\n\x00") {
			t.Errorf("%s=%q: more than a line: %q", c.name, c.value, line)
		}
	}
}

func TestAFileMayBeginWithAByteOrderMark(t *testing.T) {
	b := newBench(t)
	b.guest("\ufefftrace_ttl_sec = 50\r\n")
	if w := b.mustLoad(); w.TraceTTLSec != 50 {
		t.Errorf("TRACE_TTL_SEC is %v", w.TraceTTLSec)
	}
}

func TestWordsAreReadInAnyCase(t *testing.T) {
	b := newBench(t)
	b.env["LOG_LEVEL"], b.env["READ_ONLY"] = "DEBUG", "TRUE"
	if w := b.mustLoad(); w.LogLevel != "debug" || !w.ReadOnly {
		t.Errorf("LOG_LEVEL %s, READ_ONLY %v", w.LogLevel, w.ReadOnly)
	}
}

func TestPathsStartWhereTheyWereWritten(t *testing.T) {
	b := newBench(t)
	b.write(filepath.Join(b.root, "docs", "a", "x.md"), "# x\n")
	b.write(filepath.Join(b.root, "docs", "other", "x.md"), "# x\n")
	docs := filepath.Join(b.root, "docs")

	b.guest("manuals_root = \"docs\"\n")
	if got := b.mustLoad().ManualsRoot; got != docs {
		t.Errorf("workspace file: %s, want %s", got, docs)
	}
	b.env["MANUALS_ROOT"] = "docs/a"
	if got := b.mustLoad().ManualsRoot; got != filepath.Join(docs, "a") {
		t.Errorf("environment: %s", got)
	}
	b.env["MANUALS_ROOT"] = "${WORKSPACE_ROOT}/docs/other"
	if got := b.mustLoad().ManualsRoot; got != filepath.Join(docs, "other") {
		t.Errorf("with a variable: %s", got)
	}
}
