package evidence_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"go.uber.org/goleak"

	"github.com/sagasu-search/sagasu/framework/internal/logic/answer"
	"github.com/sagasu-search/sagasu/framework/internal/logic/evidence"
	"github.com/sagasu-search/sagasu/framework/internal/logic/repo"
	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// sample is the repository on which the rules were developed.
var sample = filepath.Join("..", "..", "..", "..", "testdata", "logic", "repo")

func open(t *testing.T, root string, live bool) *evidence.Searcher {
	t.Helper()
	s := evidence.New(evidence.Options{Dir: t.TempDir(), Root: root, Globs: repo.DefaultGlobs(), Live: live})
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func find(t *testing.T, s *evidence.Searcher, question string, most int) evidence.Found {
	t.Helper()
	f, err := s.Find(t.Context(), question, most)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range s.ViewsIn(t, f) {
		t.Errorf("%q leaves a view: %s", question, text)
	}
	return f
}

// tree writes files below a new folder.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, src := range files {
		write(t, dir, name, src)
	}
	return dir
}

func write(t *testing.T, dir, name, src string) {
	t.Helper()
	at := filepath.Join(dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(at), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, []byte(src), 0o644); err != nil {
		t.Fatal(err)
	}
}

func paths(f evidence.Found) (all []string) {
	for _, e := range f.Evidence {
		all = append(all, e.Path)
	}
	return all
}

func TestQuestionsOfBothLanguagesFindCodeAndSpecification(t *testing.T) {
	s := open(t, sample, false)
	tests := []struct{ question, code, excerpt, spec string }{
		{"How many failed logins lock an account?", "backend/ts/accounts.ts", "MAX_FAILED_LOGINS", "openspec/specs/accounts/spec.md"},
		{"ログインに何回失敗するとアカウントがロックされますか", "backend/ts/accounts.ts", "MAX_FAILED_LOGINS", "openspec/specs/accounts/spec.md"},
		{"仮予約は何分保持されますか", "backend/py/reservations.py", "", "openspec/changes/hold-seats/specs/reservations/spec.md"},
		{"How large may an uploaded file be?", "backend/ts/uploads.ts", "", "openspec/changes/raise-limits/specs/uploads/spec.md"},
	}
	for _, tt := range tests {
		f := find(t, s, tt.question, 8)
		if got := paths(f); !slices.Contains(got, tt.code) || !slices.Contains(got, tt.spec) {
			t.Errorf("%s: %q, want %s and %s", tt.question, got, tt.code, tt.spec)
		}
		if !slices.ContainsFunc(f.Evidence, func(e evidence.Evidence) bool { return strings.Contains(e.Excerpt, tt.excerpt) }) {
			t.Errorf("%s: no excerpt holds %s", tt.question, tt.excerpt)
		}
	}
}

func TestEvidenceKeepsTheContract(t *testing.T) {
	s := open(t, sample, false)
	const question = "order cancellation refund payment limit"
	all := specs(find(t, s, question, 20))
	if all < 2 {
		t.Fatalf("%d specifications, too few to see their share", all)
	}
	for most := 1; most <= 20; most++ {
		f := find(t, s, question, most)
		check(t, f, most)
		if got, want := specs(f), min(all, (most+2)/3); most > 1 && got < want {
			t.Errorf("%d of %d items are specifications, want %d", got, most, want)
		}
		if f.Evidence[0].Kind != evidence.Code {
			t.Errorf("%d items start with %s, want code", most, f.Evidence[0].Path)
		}
	}
}

func specs(f evidence.Found) (n int) {
	for _, e := range f.Evidence {
		if e.Kind == evidence.Spec {
			n++
		}
	}
	return n
}

func check(t *testing.T, f evidence.Found, most int) {
	t.Helper()
	if len(f.Evidence) == 0 || len(f.Evidence) > most {
		t.Errorf("%d items, want 1 to %d", len(f.Evidence), most)
	}
	ids := map[string]bool{}
	for i, e := range f.Evidence {
		if ids[e.ID] || e.ID == "" || e.Line == nil || e.Excerpt == "" || utf8.RuneCountInString(e.Excerpt) > evidence.MaxExcerpt ||
			e.Relevance < 0 || e.Relevance > 1 || (e.SourcePriority == 1) != (e.Kind == evidence.Code) {
			t.Errorf("item %d: %+v", i, e)
		}
		ids[e.ID] = true
		if i == 0 {
			continue
		}
		last := f.Evidence[i-1]
		if last.SourcePriority > e.SourcePriority || last.SourcePriority == e.SourcePriority && last.Relevance < e.Relevance {
			t.Errorf("item %d is out of order: %+v behind %+v", i, e, last)
		}
	}
}

func TestWhatIsFoundCanBeAsked(t *testing.T) {
	s := open(t, sample, false)
	root, err := rootfs.Open(sample)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	asker := answer.Asker{Files: root, Globs: repo.DefaultGlobs()}
	for _, question := range []string{"When is an order refused?", "パスワードは何文字以上ですか", "session timeout", "who may reopen a ticket", "在庫 引当"} {
		f := find(t, s, question, 20)
		a, err := asker.Ask(t.Context(), question, f.Evidence)
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range a.Unknowns {
			if strings.HasPrefix(u, "stale:") || strings.HasPrefix(u, "unparsed:") {
				t.Errorf("%s: %s", question, u)
			}
		}
		if a.Status != answer.OK {
			t.Errorf("%s: %s", question, a.Status)
		}
	}
}

func TestNoFileIsNotAvailable(t *testing.T) {
	for _, dir := range []string{tree(t, map[string]string{"frontend/a.ts": "let a = 1"}), filepath.Join(t.TempDir(), "none")} {
		_, err := open(t, dir, false).Find(t.Context(), "q", 8)
		f, ok := errors.AsType[*toolset.Error](err)
		if !ok || f.Code != toolset.NotAvailable || !strings.Contains(f.Message, "backend/**") {
			t.Errorf("%v", err)
		}
		if ok && strings.Contains(dir, "none") != strings.Contains(f.Message, "no files at all") {
			t.Errorf("found: %s", f.Message)
		}
	}
}
