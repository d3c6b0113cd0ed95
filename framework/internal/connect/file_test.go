package connect

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestUserFiles(t *testing.T) {
	home := t.TempDir()
	in := func(parts ...string) string { return filepath.Join(append([]string{home}, parts...)...) }
	for _, test := range []struct {
		os   string
		env  map[string]string
		want map[string]string
	}{
		{"linux", map[string]string{"HOME": home}, map[string]string{
			"claude-code": in(".claude.json"), "claude-desktop": in(".config", "Claude", "claude_desktop_config.json"),
			"codex": in(".codex", "config.toml"), "cursor": in(".cursor", "mcp.json"),
			"vscode":   in(".config", "Code", "User", "mcp.json"),
			"windsurf": in(".codeium", "windsurf", "mcp_config.json"), "gemini": in(".gemini", "settings.json"),
			"zed": in(".config", "zed", "settings.json")}},
		{"linux", map[string]string{"HOME": in("h"), "XDG_CONFIG_HOME": in("xdg"), "CODEX_HOME": in("codex"),
			"CLAUDE_CONFIG_DIR": in("claude")}, map[string]string{
			"claude-code": in("claude", ".claude.json"), "codex": in("codex", "config.toml"),
			"vscode": in("xdg", "Code", "User", "mcp.json"), "zed": in("xdg", "zed", "settings.json")}},
		{"darwin", map[string]string{"HOME": home, "XDG_CONFIG_HOME": in("xdg")}, map[string]string{
			"claude-desktop": in("Library", "Application Support", "Claude", "claude_desktop_config.json"),
			"vscode":         in("Library", "Application Support", "Code", "User", "mcp.json"),
			"zed":            in(".config", "zed", "settings.json")}},
		{"windows", map[string]string{"USERPROFILE": home, "APPDATA": in("roaming")}, map[string]string{
			"claude-code":    in(".claude.json"),
			"claude-desktop": in("roaming", "Claude", "claude_desktop_config.json"),
			"vscode":         in("roaming", "Code", "User", "mcp.json"),
			"windsurf":       in(".codeium", "windsurf", "mcp_config.json"),
			"zed":            in("roaming", "Zed", "settings.json")}},
		{"linux", map[string]string{"HOME": "relative"}, map[string]string{"codex": "", "zed": ""}},
	} {
		m := Machine{test.os, func(name string) string { return test.env[name] }}
		for _, c := range Clients() {
			if want, ok := test.want[c.Name]; ok && m.userFile(c) != want {
				t.Errorf("%s %v: %s has %s, want %s", test.os, test.env, c.Name, m.userFile(c), want)
			}
		}
	}
}

func TestHas(t *testing.T) {
	home := t.TempDir()
	m := Machine{"linux", func(name string) string { return map[string]string{"HOME": home}[name] }}
	found := func() (names []string) {
		for _, c := range Clients() {
			if m.Has(c) {
				names = append(names, c.Name)
			}
		}
		return names
	}
	if names := found(); names != nil {
		t.Errorf("an empty home has %v", names)
	}
	for _, dir := range []string{".claude", ".codex", ".config/zed"} {
		if err := os.MkdirAll(filepath.Join(home, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff([]string{"claude-code", "codex", "zed"}, found()); diff != "" {
		t.Error(diff)
	}
}

// fixture is a client with a file in a home of its own.
type fixture struct {
	Files
	t      *testing.T
	client Client
	path   string
}

func newFixture(t *testing.T, client string) fixture {
	t.Helper()
	home, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	getenv := func(name string) string {
		return map[string]string{"HOME": filepath.Join(home, "u"), "USERPROFILE": filepath.Join(home, "u")}[name]
	}
	f := fixture{Files: Files{Machine: Machine{"linux", getenv}, StateDir: filepath.Join(home, "state")}, t: t}
	for _, c := range Clients() {
		if c.Name == client {
			f.client = c
		}
	}
	f.path = f.Path(f.client)
	return f
}

func (f fixture) write(text string) {
	f.t.Helper()
	if err := os.MkdirAll(filepath.Dir(f.path), 0o700); err != nil {
		f.t.Fatal(err)
	}
	if err := os.WriteFile(f.path, []byte(text), 0o640); err != nil {
		f.t.Fatal(err)
	}
}

func (f fixture) text() string {
	f.t.Helper()
	text, err := os.ReadFile(f.path)
	if err != nil {
		f.t.Fatal(err)
	}
	return string(text)
}

func (f fixture) merge(args ...string) Change {
	f.t.Helper()
	change, err := f.Merge(f.client, Entry{"/opt/sagasu", args})
	if err == nil && !change.Empty() {
		err = change.Apply()
	}
	if err != nil {
		f.t.Fatal(err)
	}
	return change
}

func (f fixture) undo() error {
	change, err := f.Undo(f.client)
	if err == nil && !change.Empty() {
		err = change.Apply()
	}
	return err
}

func TestApplyAndUndo(t *testing.T) {
	for name, before := range map[string]string{
		"servers":         "{\n  \"mcpServers\": {\n    \"a\": {}\n  }\n}\n",
		"byte order mark": "\ufeff{\r\n\t\"x\": 1\r\n}",
		"blank":           " \n",
		"no bytes":        "",
		"an entry":        `{"mcpServers": {"sagasu": {"command": "mine", "timeout": 1.50e3}}}`,
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, "cursor")
			f.write(before)
			f.merge("mcp")
			if change := f.merge("mcp"); !change.Empty() || change.Diff() != "" {
				t.Errorf("the same entry again changes:\n%s", change.Diff())
			}
			change := f.merge("mcp", "--workspace", "/docs")
			if change.Adds() || !strings.Contains(change.Diff(), `+`) {
				t.Errorf("another entry is no change:\n%s", change.Diff())
			}
			info, err := os.Stat(f.path)
			if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o640 {
				t.Errorf("%v, %v", info.Mode(), err)
			}
			if err := f.undo(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(before, f.text()); diff != "" {
				t.Error(diff)
			}
			if change, err := f.Undo(f.client); err != nil || !change.Empty() {
				t.Errorf("undo again: %v\n%s", err, change.Diff())
			}
		})
	}
}

func TestUndoOfAFileThatWasMade(t *testing.T) {
	f := newFixture(t, "codex")
	f.merge("mcp")
	if err := f.undo(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(f.path); !os.IsNotExist(err) {
		t.Errorf("the file is still there: %v", err)
	}
	f.merge("mcp")
	f.write(f.text() + "[tui]\n")
	if err := f.undo(); err != nil || f.text() != "[tui]\n" {
		t.Errorf("%q, %v", f.text(), err)
	}
	f.write(tomlEntry)
	if change, err := f.Undo(f.client); err != nil || !change.Empty() {
		t.Errorf("an entry of somebody else is undone: %v\n%s", err, change.Diff())
	}
}

func TestUndoGoesBackToWhatTheUserWrote(t *testing.T) {
	f := newFixture(t, "cursor")
	f.write("{}")
	f.merge("mcp")
	own := strings.Replace(f.text(), `"command"`, `"env": {"A": "b"}, "command"`, 1)
	own = strings.Replace(own, "/opt", "/own", 1)
	f.write(own)
	if err := f.undo(); err == nil || !strings.Contains(err.Error(), errChanged.Error()) || f.text() != own {
		t.Errorf("%s: %v", f.text(), err)
	}
	f.merge("mcp")
	if err := f.undo(); err != nil || f.text() != own {
		t.Errorf("%s: %v", f.text(), err)
	}
}

func TestRefusedFiles(t *testing.T) {
	for name, test := range map[string]struct {
		client  string
		prepare func(f fixture)
		want    string
	}{
		"no JSON": {"claude-code", func(f fixture) { f.write("{\n  \"a\": 1,\n}") }, ".claude.json:3:1: "},
		"no TOML": {"codex", func(f fixture) { f.write("a = 1\nb") }, "config.toml:2:"},
		"UTF-16":  {"zed", func(f fixture) { f.write("\xff\xfe{\x00}\x00") }, "is not UTF-8"},
		"read-only": {"cursor", func(f fixture) {
			f.write("{}")
			if err := os.Chmod(f.path, 0o444); err != nil {
				t.Fatal(err)
			}
		}, "is read-only"},
		"a folder": {"cursor", func(f fixture) {
			if err := os.MkdirAll(f.path, 0o700); err != nil {
				t.Fatal(err)
			}
		}, "is no regular file"},
		"a link to nothing": {"cursor", func(f fixture) {
			f.write("")
			link(t, filepath.Join(filepath.Dir(f.path), "gone"), f.path)
		}, "is a link to a file that is not there"},
	} {
		t.Run(name, func(t *testing.T) {
			f := newFixture(t, test.client)
			test.prepare(f)
			if change, err := f.Merge(f.client, sample); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v\n%s\nwant %s", err, change.Diff(), test.want)
			}
		})
	}
}

// link replaces a file with a symbolic link.
func link(t *testing.T, to, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(to, path); err != nil {
		t.Skip(err)
	}
}

func TestLinks(t *testing.T) {
	f := newFixture(t, "cursor")
	f.write("")
	real := filepath.Join(filepath.Dir(filepath.Dir(f.path)), "dotfiles.json")
	if err := os.WriteFile(real, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	link(t, real, f.path)
	if change := f.merge("mcp"); change.Path != real {
		t.Errorf("%s is written", change.Path)
	}
	if info, err := os.Lstat(f.path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link is gone: %v", err)
	}
	if err := f.undo(); err != nil || f.text() != "{}" {
		t.Errorf("%q, %v", f.text(), err)
	}

	f.Project = filepath.Join(filepath.Dir(real), "workspace")
	f.path = f.Path(f.client)
	f.write("")
	link(t, real, f.path)
	if _, err := f.Merge(f.client, sample); err == nil || !strings.Contains(err.Error(), "leads out of the workspace") {
		t.Errorf("a workspace's link is followed: %v", err)
	}
}

func TestApplyOfAFileThatChanged(t *testing.T) {
	f := newFixture(t, "cursor")
	f.write("{}")
	change, err := f.Merge(f.client, sample)
	if err != nil {
		t.Fatal(err)
	}
	f.write(`{"a": 1}`)
	if err := change.Apply(); err == nil || !strings.Contains(err.Error(), "changed in the meantime") {
		t.Error(err)
	}
	if f.text() != `{"a": 1}` {
		t.Error(f.text())
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(f.path), ".sagasu-*"))
	if err != nil || left != nil {
		t.Error(left, err)
	}
}

func TestDiff(t *testing.T) {
	f := newFixture(t, "codex")
	f.write("model = 'x'\n")
	change, err := f.Merge(f.client, sample)
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.ToSlash(f.path)
	want := "--- " + name + "\n+++ " + name + "\n@@ -1,1 +1,5 @@\n model = 'x'\n+\n+" +
		strings.ReplaceAll(strings.TrimSpace(tomlEntry), "\n", "\n+") + "\n"
	if diff := cmp.Diff(want, change.Diff()); diff != "" {
		t.Error(diff)
	}
}
