package repo_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
)

func TestClassify(t *testing.T) {
	tests := []struct {
		path   string
		kind   repo.Kind
		reason string
	}{
		{"backend/a/b.ts", repo.Code, ""}, {"openspec/specs/a/spec.md", repo.MainSpec, ""},
		{"openspec/changes/x/specs/a/spec.md", repo.ChangeSpec, ""}, {"openspec/changes/archive/specs/a.md", 0, repo.Archived},
		{"backend/a.test.ts", 0, repo.Test}, {"backend/node_modules/a.js", 0, "vendored"}, {"backend/.git/a", 0, repo.Hidden},
		{"backend/src/orders/tests.rs", 0, repo.Test}, {"backend/src/orders_tests.rs", 0, repo.Test}, {"backend/src/contests.rs", repo.Code, ""},
		{"backend/src/OrderTest.kt", 0, repo.Test}, {"backend/prisma/seed.ts", 0, repo.Test}, {"backend/seeding.ts", repo.Code, ""}, {"backend/README.md", 0, "documentation"}, {"backend/app.scss", 0, "style sheet"},
		{"backend/src/locales/en.ts", 0, "translation"}, {"openspec/specs/locales/spec.md", repo.MainSpec, ""},
		{"openspec/specs/test/spec.md", repo.MainSpec, ""}, {"frontend/a.ts", 0, ""}, {"openspec/changes/x/tasks.md", 0, ""},
	}
	for _, tt := range tests {
		if kind, reason := repo.DefaultGlobs().Classify(tt.path); kind != tt.kind || reason != tt.reason {
			t.Errorf("%s: %d %q, want %d %q", tt.path, kind, reason, tt.kind, tt.reason)
		}
	}
}

func TestSplit(t *testing.T) {
	for list, want := range map[string][]string{
		"": {}, " , ": {}, "a/**": {"a/**"}, "a/**, b/*.go": {"a/**", "b/*.go"}, "{a,b}/**,c": {"{a,b}/**", "c"}, "}a,b": {"}a", "b"},
	} {
		if diff := cmp.Diff(want, repo.Split(list)); diff != "" {
			t.Errorf("%q: %s", list, diff)
		}
	}
}
