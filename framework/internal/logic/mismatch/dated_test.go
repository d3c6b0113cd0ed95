package mismatch_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/logic/mismatch"
	"github.com/sagasu-search/sagasu/framework/internal/logic/rule"
)

// folder provides the files below it.
type folder string

func (f folder) ReadFile(path string) ([]byte, error) {
	return os.ReadFile(filepath.Join(string(f), path))
}

// commit writes a file and commits it with a given date.
func (f folder) commit(t *testing.T, path, text, date string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(string(f), path), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "."}, {"commit", "-q", "-m", "m"}} {
		cmd := exec.Command("git", append([]string{"-C", string(f), "-c", "user.name=t", "-c", "user.email=t@example.org", "-c", "core.autocrlf=false"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

func side(path string, line int) rule.Side { return rule.Side{Path: path, Line: line} }

var twoConflicts = mismatch.Mismatches{
	Code: rule.Compared{Conflicts: []rule.Conflict{
		{Has: side("b.go", 1), Wants: side("new.md", 1)},
		{Has: side("a.go", 1), Wants: side("old.md", 1)},
		{Has: side("a.go", 2), Wants: side("old.md", 1)}, // its line is not committed
		{Has: side("b.go", 9), Wants: side("old.md", 1)}, // there is no such line
	}},
	Specs: rule.Compared{Conflicts: []rule.Conflict{{Has: side("new.md", 1), Wants: side("old.md", 1)}}},
}

func ids(all []mismatch.Contradiction) (out []string) {
	for _, c := range all {
		out = append(out, c.ID)
	}
	return out
}

func TestDate(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git here")
	}
	dir := folder(t.TempDir())
	dir.commit(t, "old.md", "one\n", "2020-01-01T00:00:00Z")
	dir.commit(t, "a.go", "one\n", "2021-01-01T00:00:00Z")
	dir.commit(t, "b.go", "one\n", "2022-01-01T00:00:00Z")
	dir.commit(t, "new.md", "one\n", "2023-01-01T00:00:00Z")
	if err := os.WriteFile(filepath.Join(string(dir), "a.go"), []byte("one\ntwo\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := mismatch.Date(t.Context(), string(dir), dir, twoConflicts)
	if diff := cmp.Diff([]string{"mismatch:old.md:a.go", "mismatch:old.md:a.go", "mismatch:new.md:b.go", "mismatch:old.md:b.go"}, ids(got.Mismatches)); diff != "" || got.AgesUnknown != "" {
		t.Fatalf("%s %s", got.AgesUnknown, diff)
	}
	if diff := cmp.Diff([]string{"spec_conflict:new.md:old.md"}, ids(got.SpecConflicts)); diff != "" {
		t.Error(diff)
	}
	since2021, uncommitted, since2023, unknown := got.Mismatches[0], got.Mismatches[1], got.Mismatches[2], got.Mismatches[3]
	if w := since2021.Has.Written; w == nil || (*w)[:4] != "2021" || *since2021.OpenDays != *since2021.Has.AgeDays {
		t.Errorf("open since the younger line: %+v", since2021)
	}
	if uncommitted.Has.Written != nil || *uncommitted.OpenDays != 0 {
		t.Errorf("a line that is not committed: %+v", uncommitted)
	}
	if *since2023.OpenDays >= *since2021.OpenDays || *got.OldestOpenDays != *since2021.OpenDays {
		t.Errorf("open for %d and %d days, the oldest for %d", *since2023.OpenDays, *since2021.OpenDays, *got.OldestOpenDays)
	}
	if unknown.OpenDays != nil || unknown.Has.AgeDays != nil {
		t.Errorf("a line that is not there: %+v", unknown)
	}
}

func TestDateWithoutHistory(t *testing.T) {
	dir := folder(t.TempDir())
	got := mismatch.Date(t.Context(), string(dir), dir, twoConflicts)
	if got.AgesUnknown == "" || got.OldestOpenDays != nil || len(got.Mismatches) != 4 || got.Mismatches[0].OpenDays != nil {
		t.Errorf("%+v", got)
	}
}
