package mismatch_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/logic/code"
	"github.com/sagasu-search/sagasu/framework/internal/logic/mismatch"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
)

const sample = "../../../../testdata/logic/repo"

func survey(t *testing.T, ctx context.Context, dir string, progress func(done, total int)) (mismatch.Surveyed, error) {
	t.Helper()
	files, _, err := repo.Walk(t.Context(), dir, repo.DefaultGlobs())
	if err != nil {
		t.Fatal(err)
	}
	tree, err := repo.OpenTree(dir, repo.DefaultGlobs(), code.MaxSize+1)
	if err != nil {
		t.Fatal(err)
	}
	defer tree.Close()
	return mismatch.Survey(ctx, tree, files, progress)
}

func TestSurvey(t *testing.T) {
	told := 0
	s, err := survey(t, t.Context(), sample, func(done, total int) { told = total - done })
	if err != nil || told != 0 {
		t.Fatalf("%v, %d files to go", err, told)
	}
	if diff := cmp.Diff(map[repo.Kind]int{repo.Code: 10, repo.ChangeSpec: 3, repo.MainSpec: 10}, s.Files); diff != "" {
		t.Error(diff)
	}
	if len(s.Code.Conflicts) != 0 || len(s.Specs.Conflicts) != 2 || len(s.Unparsed) != 0 {
		t.Errorf("%d mismatches, %d conflicts, %v", len(s.Code.Conflicts), len(s.Specs.Conflicts), s.Unparsed)
	}
	if diff := cmp.Diff(mismatch.Read{Requirements: 81, Scenarios: 1, SpecValues: 37, CodeValues: 41}, s.Read); diff != "" {
		t.Error(diff)
	}
	again, err := survey(t, t.Context(), sample, nil)
	if diff := cmp.Diff(s, again); diff != "" || err != nil {
		t.Errorf("a second survey differs: %v\n%s", err, diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := survey(t, ctx, sample, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestSurveyTellsWhatItCouldNotRead(t *testing.T) {
	dir := t.TempDir()
	for name, src := range map[string]string{
		"backend/a.go": "package a\n\nconst defaultPollSeconds = 5\n\nfunc f( {", "backend/b.go": "\x00\x01",
		"openspec/specs/a/spec.md": "# \x00\n", "openspec/specs/b/spec.md": "- `poll_seconds` defaults to 10\n",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte(src), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	s, err := survey(t, t.Context(), dir, nil)
	if diff := cmp.Diff([]string{"unparsed:backend/b.go", "unparsed:openspec/specs/a/spec.md"}, s.Unparsed); diff != "" || err != nil || s.Files[repo.Code] != 1 || len(s.Code.Conflicts) != 1 {
		t.Errorf("%+v, %v", s, err)
	}
}
