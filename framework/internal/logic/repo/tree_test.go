package repo_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestTreeReadsWhatAWalkLists(t *testing.T) {
	dir := tree(t, map[string]string{
		".gitignore": "*.log\n/backend/tmp/\n", "backend/.gitignore": "secret*\n!secret_ok.go\n", "backend/a.go": "package a\n",
		"backend/tmp/x.go": "x", "backend/deep/secret.py": "x", "backend/secret_ok.go": "y", "backend/a.log": "x",
	})
	if err := os.Symlink("a.go", filepath.Join(dir, "backend", "link.go")); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	r, err := repo.OpenTree(dir, repo.DefaultGlobs(), 7)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for name, want := range map[string]string{"backend/a.go": "package", "backend/secret_ok.go": "y"} {
		if src, err := r.ReadFile(name); err != nil || string(src) != want {
			t.Errorf("%s: %q, %v", name, src, err)
		}
	}
	for name, want := range map[string]toolset.Code{
		"backend/tmp/x.go": toolset.OutOfScope, "backend/deep/secret.py": toolset.OutOfScope, "backend/a.log": toolset.OutOfScope,
		"backend/link.go": toolset.Forbidden, "backend/none.go": toolset.NotFound, "../x": toolset.InvalidPath,
	} {
		_, err := r.ReadFile(name)
		if f, ok := errors.AsType[*toolset.Error](err); !ok || f.Code != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}
