package logic

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
)

// bench provides a workspace and a user's home to load settings from.
type bench struct {
	t          *testing.T
	root, home string
	env        map[string]string
}

func newBench(t *testing.T) *bench {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	home := t.TempDir()
	return &bench{t, root, home, map[string]string{"XDG_CONFIG_HOME": home, "HOME": home, "AppData": home}}
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

func (b *bench) load() *workspace.Workspace {
	b.t.Helper()
	w, err := workspace.Load(workspace.LoadOptions{
		Schema: workspace.Schema{Definition().Settings}, Dir: b.root, Temp: filepath.Join(b.home, "tmp"),
		Getenv: func(name string) string { return b.env[name] },
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return w
}

func TestLogicIsOnByWhatTheGlobsName(t *testing.T) {
	for _, tt := range []struct {
		name, file string
		globs      string
		on         bool
	}{
		{"code", "backend/a/b.go", "", true},
		{"a specification", "openspec/specs/a/spec.md", "", true},
		{"an open change", "openspec/changes/x/specs/a/spec.md", "", true},
		{"neither", "docs/a.md", "", false},
		{"only a test", "backend/a_test.go", "", false},
		{"only an archive", "openspec/changes/archive/x/specs/a.md", "", false},
		{"code elsewhere", "src/a.go", "lib/**,{src,app}/**", true},
	} {
		b := newBench(t)
		b.write(filepath.Join(b.root, filepath.FromSlash(tt.file)), "x\n")
		if tt.globs != "" {
			b.env["LOGIC_CODE_GLOBS"] = tt.globs
		}
		w := b.load()
		if on := exists(w); on != tt.on {
			t.Errorf("%s: logic %v, want %v", tt.name, on, tt.on)
		}
	}
}

func TestLogicSettings(t *testing.T) {
	b := newBench(t)
	b.write(filepath.Join(b.root, "service", "src", "a.go"), "package a\n")
	b.write(filepath.Join(b.root, workspace.FileName), "logic_root = \"service\"\nlogic_code_globs = [\"src/**\", \"{lib,app}/**\"]\n")
	b.write(filepath.Join(b.load().ConfigHome, "config.toml"), "logic_qa = \"off\"\nlogic_answerer = \"chat\"\nlogic_chat_url = \"http://127.0.0.1:1/v1\"\n")
	b.env["LOGIC_CHAT_MODEL"], b.env["LOGIC_CHAT_KEY"] = "tiny", "s3cret"
	w := b.load()
	s := workspace.Of[Settings](w)
	if s.Root != filepath.Join(b.root, "service") || !exists(w) || s.QA != "off" || s.Answerer != "chat" || s.ChatKey != "s3cret" {
		t.Errorf("settings %+v", s)
	}
	if diff := cmp.Diff([]string{"src/**", "{lib,app}/**"}, []string(s.Code)); diff != "" {
		t.Error(diff)
	}
	if all := fmt.Sprint(w.Effective()); strings.Contains(all, "s3cret") {
		t.Error("the key is listed")
	}
}

func TestLogicHintNamesGlobsAndWhatThereIs(t *testing.T) {
	b := newBench(t)
	s := workspace.Of[Settings](b.load())
	hint := func() string { return s.Lacking(t.Context(), s.Root, repo.Code, repo.MainSpec) }
	if hint := hint(); !strings.Contains(hint, "LOGIC_CODE_GLOBS=backend/**") || !strings.Contains(hint, "no files at all") {
		t.Error(hint)
	}
	b.write(filepath.Join(b.root, "src", "a.go"), "")
	b.write(filepath.Join(b.root, "README"), "")
	if hint := hint(); !strings.Contains(hint, "there are src/, README:") {
		t.Error(hint)
	}
	b.write(filepath.Join(b.root, "backend", "a_test.go"), "")
	if hint := hint(); !strings.Contains(hint, "backend/a_test.go (left out: test)") {
		t.Error(hint)
	}
	for n := range 24 {
		b.write(filepath.Join(b.root, "backend", fmt.Sprintf("a%d_test.go", n)), "")
	}
	if hint := hint(); !strings.Contains(hint, ", 16 more") {
		t.Error(hint)
	}
}
