package repo_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// tree writes files below a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, src := range files {
		at := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestWalk(t *testing.T) {
	files := map[string]string{
		".gitignore":                               "*.log\n/backend/tmp/\n!keep.log\n# no pattern\n",
		"backend/.gitignore":                       "secret*\nsub/only.go\n",
		"backend/order.go":                         "",
		"backend/order_test.go":                    "",
		"backend/a.log":                            "",
		"backend/keep.log":                         "",
		"backend/tmp/x.go":                         "",
		"backend/src/tmp/x.go":                     "",
		"backend/secret.py":                        "",
		"backend/sub/only.go":                      "",
		"backend/other/sub/only.go":                "",
		"backend/vendor/v.go":                      "",
		"backend/node_modules/m/index.js":          "",
		"backend/tests/a.py":                       "",
		"backend/src/a.spec.ts":                    "",
		"backend/src/api.pb.go":                    "",
		"backend/src/logo.png":                     "",
		"backend/yarn.lock":                        "",
		"backend/.env":                             "",
		"frontend/a.ts":                            "",
		"openspec/specs/order/spec.md":             "",
		"openspec/changes/c1/specs/order/spec.md":  "",
		"openspec/changes/c1/proposal.md":          "",
		"openspec/changes/archive/old/specs/o.md":  "",
		"openspec/changes/archive/specs/odd/o.md":  "",
		"openspec/changes/c2/specs/tests/login.md": "",
	}
	dir := tree(t, files)
	if err := os.Symlink("order.go", filepath.Join(dir, "backend", "link.go")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	found, skips, err := repo.Walk(t.Context(), dir, repo.DefaultGlobs())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]repo.Kind{}
	for _, f := range found {
		got[f.Path] = f.Kind
	}
	want := map[string]repo.Kind{
		"backend/order.go": repo.Code, "backend/keep.log": repo.Code, "backend/src/tmp/x.go": repo.Code,
		"backend/other/sub/only.go": repo.Code, "openspec/specs/order/spec.md": repo.MainSpec,
		"openspec/changes/c1/specs/order/spec.md": repo.ChangeSpec, "openspec/changes/c2/specs/tests/login.md": repo.ChangeSpec,
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files: -want +got\n%s", diff)
	}
	reasons := []toolset.Skip{
		{Path: "backend/.env", Reason: repo.Hidden}, {Path: "backend/.gitignore", Reason: repo.Hidden}, {Path: "backend/a.log", Reason: repo.Ignored}, {Path: "backend/link.go", Reason: repo.Link},
		{Path: "backend/node_modules/", Reason: "vendored"}, {Path: "backend/order_test.go", Reason: repo.Test}, {Path: "backend/secret.py", Reason: repo.Ignored},
		{Path: "backend/src/a.spec.ts", Reason: repo.Test}, {Path: "backend/src/api.pb.go", Reason: "generated"}, {Path: "backend/src/logo.png", Reason: repo.Binary},
		{Path: "backend/sub/only.go", Reason: repo.Ignored}, {Path: "backend/tests/", Reason: repo.Test}, {Path: "backend/tmp/", Reason: repo.Ignored},
		{Path: "backend/vendor/", Reason: "vendored"}, {Path: "backend/yarn.lock", Reason: "lock file"}, {Path: "openspec/changes/archive/", Reason: repo.Archived},
	}
	if diff := cmp.Diff(reasons, skips); diff != "" {
		t.Errorf("left out: -want +got\n%s", diff)
	}
}

func TestGlobsAreChecked(t *testing.T) {
	for _, p := range []string{"", "/etc/**", "../x/**", "a/../../b", "a["} {
		_, _, err := repo.Walk(t.Context(), t.TempDir(), repo.Globs{Code: []string{p}})
		if err == nil || !strings.Contains(err.Error(), "glob") {
			t.Errorf("%q: %v", p, err)
		}
	}
}

func TestAFolderThatIsNotThere(t *testing.T) {
	if _, _, err := repo.Walk(t.Context(), filepath.Join(t.TempDir(), "none"), repo.DefaultGlobs()); err == nil {
		t.Error("no error")
	}
}

// Whatever a .gitignore contains, the walk ends and lists each file once.
func FuzzIgnore(f *testing.F) {
	for _, seed := range []string{"*\n!a.go", "[", "**/**", "{a,b}.go", "\\", "/", "!", "a/\n!a/b.go", "\xff"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, patterns string) {
		dir := tree(t, map[string]string{".gitignore": patterns, "a.go": "", "{a,b}.go": ""})
		found, skips, err := repo.Walk(t.Context(), dir, repo.Globs{Code: []string{"*.go"}})
		if err != nil || len(found)+len(skips) != 2 {
			t.Fatalf("%d files, %d left out, %v", len(found), len(skips), err)
		}
	})
}

func TestHolds(t *testing.T) {
	for name, want := range map[string]bool{"backend/a/b/c.go": true, "openspec/specs/x.md": true, "backend/a_test.go": false, "frontend/a.ts": false, "backend/vendor/a.go": false} {
		if got := repo.Holds(t.Context(), tree(t, map[string]string{name: ""}), repo.DefaultGlobs()); got != want {
			t.Errorf("%s: %v", name, got)
		}
	}
	if repo.Holds(t.Context(), t.TempDir()+"/none", repo.DefaultGlobs()) {
		t.Error("a folder that is not there holds something")
	}
}

func TestWalkAtLooksOnlyThere(t *testing.T) {
	dir := tree(t, map[string]string{
		".gitignore": "secret*\n", "backend/.gitignore": "sub/only.go\n",
		"backend/a.go": "", "backend/sub/b.go": "", "backend/sub/only.go": "", "backend/sub/secret.go": "", "backend/vendor/v/v.go": "", "frontend/a.ts": "",
	})
	tests := []struct {
		at             []string
		files, entered []string
	}{
		{[]string{"backend/sub"}, []string{"backend/sub/b.go"}, []string{"backend/sub"}},
		{[]string{"backend/sub/b.go", "backend/a.go"}, []string{"backend/a.go", "backend/sub/b.go"}, nil},
		{[]string{"backend/sub/only.go", "backend/sub/secret.go", "backend/vendor/v/v.go", "frontend/a.ts", "backend/none", ".git/x"}, nil, nil},
		{[]string{""}, []string{"backend/a.go", "backend/sub/b.go"}, []string{"", "backend", "backend/sub"}},
	}
	for _, tt := range tests {
		var files, entered []string
		found, _, err := repo.WalkAt(t.Context(), dir, repo.DefaultGlobs(), tt.at, func(dir string) { entered = append(entered, dir) })
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found {
			files = append(files, f.Path)
		}
		if diff := cmp.Diff([][]string{tt.files, tt.entered}, [][]string{files, entered}); diff != "" {
			t.Errorf("%q: files, entered -want +got\n%s", tt.at, diff)
		}
	}
}

func TestOnlyWhatCannotBeReadIsUnruled(t *testing.T) {
	for reason, want := range map[string]bool{repo.Ignored: true, repo.Link: true, repo.Test: true, "documentation": true, "cannot be read: x": false} {
		if got := repo.Ruled(toolset.Skip{Path: "a", Reason: reason}); got != want {
			t.Errorf("%s: ruled %t", reason, got)
		}
	}
}

// Globs that name extensions lead into folders of tests, but files there are still left out.
func TestTestsAreLeftOutWhereGlobsNameEndings(t *testing.T) {
	dir := tree(t, map[string]string{
		"app/src/a.ts": "", "app/src/__tests__/e2e/setup.ts": "", "app/seeds/users.ts": "", "Shop.Api.Tests/Orders.cs": "",
		"Shop.Api/Orders.cs": "", "app/MyTests/a.ts": "", "specs/samples/spec.md": "",
	})
	globs := repo.Globs{Code: []string{"app/**/*.ts", "**/*.cs"}, Specs: []string{"specs/**/*.md"}}
	found, _, err := repo.Walk(t.Context(), dir, globs)
	got := []string{}
	for _, f := range found {
		got = append(got, f.Path)
	}
	want := []string{"Shop.Api/Orders.cs", "app/MyTests/a.ts", "app/src/a.ts", "specs/samples/spec.md"}
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v\n-want +got:\n%s", err, diff)
	}
}
