package doctor_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hashicorp/go-hclog"
	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/framework/internal/doctor"
	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/framework/internal/manuals"
	"github.com/sagasu-search/sagasu/framework/internal/module"
	"github.com/sagasu-search/sagasu/framework/internal/workspace"
	"github.com/sagasu-search/sagasu/sdk/x/dict"
)

func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "plugin" { // started as a strategy
		fmt.Fprintln(os.Stderr, "cannot find my model")
		os.Exit(3)
	}
	goleak.VerifyTestMain(m)
}

// examine examines a workspace of the given files with one strategy, which does not start.
func examine(t *testing.T, files map[string]string) *doctor.Report {
	t.Helper()
	dir, home := t.TempDir(), t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must(t, os.MkdirAll(filepath.Dir(path), 0o700))
		must(t, os.WriteFile(path, []byte(text), 0o600))
	}
	env := map[string]string{"HOME": home, "USERPROFILE": home, "LOCALAPPDATA": home, "APPDATA": home}
	w, err := workspace.Load(workspace.LoadOptions{
		Schema: workspace.Schema{manuals.Settings{}}, Dir: dir, Getenv: func(name string) string { return env[name] },
	})
	must(t, err)
	h, err := host.New(host.Options{
		Entries: []host.Entry{{Name: "sick"}}, IndexDir: t.TempDir(), StateDir: t.TempDir(), MemoryLimit: -1,
		Bundled: func(names ...string) []string { return append([]string{"plugin", "serve"}, names...) },
	})
	must(t, err)
	defer h.Close()
	check := func(ctx context.Context, r *doctor.Report) error {
		return manuals.Definition().Check(ctx, &module.Env{Workspace: w, Logger: hclog.NewNullLogger()}, r)
	}
	own, mistakes := dict.Load(os.DirFS(dir), "dict")
	r, err := doctor.Examine(t.Context(), doctor.Options{
		Workspace: w, Host: h, Dictionary: own, Mistakes: mistakes, Checks: []func(context.Context, *doctor.Report) error{check},
	})
	must(t, err)
	return r
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// hinted returns the hint that contains text.
func hinted(t *testing.T, r *doctor.Report, text string) doctor.Hint {
	t.Helper()
	for _, h := range r.Hints {
		if strings.Contains(h.What+"\n"+h.Do, text) {
			return h
		}
	}
	t.Errorf("nothing tells of %q: %+v", text, r.Hints)
	return doctor.Hint{}
}

func TestStrategyThatDoesNotStart(t *testing.T) {
	r := examine(t, map[string]string{"manuals/guide/a.md": "# A\ntext\n"})
	h := hinted(t, r, "cannot find my model")
	if !r.Broken || !h.Broken || !strings.HasPrefix(h.What, "strategy sick: ") {
		t.Errorf("broken %v, %+v", r.Broken, h)
	}
	if s := r.Strategies[0]; s.State != host.StateFailed || s.Failures != 1 {
		t.Errorf("status %+v", s)
	}
	if !r.Hints[0].Broken || r.Hints[len(r.Hints)-1].Broken {
		t.Errorf("what is broken does not come first: %+v", r.Hints)
	}
	hinted(t, r, "there is no index yet")
}

func TestDictionaryMistakes(t *testing.T) {
	r := examine(t, map[string]string{
		"manuals/guide/a.md": "# A\n", "dict/synonyms.txt": "a, b\nalone\n", "dict/exceptions.txt": "except\n",
	})
	if h := hinted(t, r, "dict/synonyms.txt:2: "); !h.Broken {
		t.Errorf("%+v", h)
	}
	if len(r.Dictionaries) != 2 {
		t.Errorf("dictionaries %+v", r.Dictionaries)
	}
}

func TestPlainFolder(t *testing.T) {
	r := examine(t, map[string]string{
		"a.md": "# A\n", "sub/b.MD": "# B\n", "node_modules/x/c.md": "", ".git/d.md": "", "package.json": "{}",
	})
	if h := hinted(t, r, "2 Markdown files"); !h.Broken || !strings.Contains(h.Do, "--manuals ") {
		t.Errorf("%+v", h)
	}
	if r := examine(t, map[string]string{"package.json": "{}"}); !strings.Contains(hinted(t, r, "no manuals in").Do,
		"--manuals DIR") {
		t.Errorf("%+v", r.Hints)
	}
}

func TestReportHasNoNull(t *testing.T) {
	text, err := json.Marshal(examine(t, nil))
	must(t, err)
	if strings.Contains(string(text), "null") {
		t.Errorf("a list is null: %s", text)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	h, err := host.New(host.Options{IndexDir: t.TempDir(), StateDir: t.TempDir()})
	must(t, err)
	defer h.Close()
	w, err := workspace.Load(workspace.LoadOptions{Dir: t.TempDir()})
	must(t, err)
	if r, err := doctor.Examine(ctx, doctor.Options{Workspace: w, Host: h}); err == nil || r != nil {
		t.Errorf("a cancelled examination gave %+v, %v", r, err)
	}
}
