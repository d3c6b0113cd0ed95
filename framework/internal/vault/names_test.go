package vault_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

// Names that differ only in case are two files, or one where the file system ignores case: then
// it keeps its name, and has one history.
func TestNamesInOtherCase(t *testing.T) {
	v, dir := newVault(t)
	write := func(path, content, mode string) string {
		t.Helper()
		w, err := v.Write(t.Context(), vault.WriteArgs{Path: rootfs.Path(path), Content: content, Mode: mode})
		must(t, err)
		return w.WrittenPath
	}
	versions := func(path string) int {
		t.Helper()
		all, err := v.Log(path)
		must(t, err)
		return len(all)
	}
	const first, other = "drafts/Sub/Note.md", "drafts/sub/note.MD"
	put(t, dir, first, "one\n")
	_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(other)))
	one := err == nil
	_, err = v.Create(t.Context(), vault.CreateArgs{Path: other, Content: "other\n"})
	if one != (code(err) == toolset.Conflict) || !one && err != nil {
		t.Fatalf("one file: %v; %v", one, err)
	}
	want := map[bool]string{true: first, false: other}[one]
	if path := write(other, "two\n", "overwrite"); path != want {
		t.Errorf("written as %s", path)
	}
	if path := write(other, "three\n", "append"); path != want || get(t, dir, want) != "two\nthree\n" {
		t.Errorf("appended to %s, which holds %q", path, get(t, dir, want))
	}
	write(first, "four\n", "overwrite")
	kept := map[bool]int{true: 2, false: 1}[one]
	if a, b := versions(first), versions(other); a != kept || b != kept {
		t.Errorf("%d versions of the one and %d of the other", a, b)
	}
	if !one {
		return
	}
	aside := filepath.Join(dir, "drafts", "aside") // some systems take a rename to the same file for none
	must(t, os.Rename(filepath.Join(dir, "drafts", "Sub", "Note.md"), aside))
	must(t, os.Rename(aside, filepath.Join(dir, "drafts", "Sub", "note.md")))
	if path := write(first, "five\n", "overwrite"); path != "drafts/Sub/note.md" || versions(path) != 3 {
		t.Errorf("after a rename it is written as %s, with %d versions", path, versions(path))
	}
}

func TestComposedNamesAreOneFile(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "notes/か\u3099いど.md", "NFD")
	if _, err := v.Create(t.Context(), vault.CreateArgs{Path: "notes/がいど.md", Content: "x"}); code(err) != toolset.Conflict {
		t.Errorf("two files of one name: %v", err)
	}
	w, err := v.Write(t.Context(), vault.WriteArgs{Path: "notes/がいど.md", Content: "!", Mode: "append"})
	must(t, err)
	if got := get(t, dir, "notes/か\u3099いど.md"); got != "NFD!" || w.WrittenPath != "notes/か\u3099いど.md" {
		t.Errorf("%+v, %q", w, got)
	}
	w, err = v.Create(t.Context(), vault.CreateArgs{Path: "notes/ハ\u309aス.md", Content: "x"})
	if err != nil || w.WrittenPath != "notes/パス.md" {
		t.Errorf("made as %+v, %v", w, err)
	}
}

// A file that is asked for in the wrong folder is named, by readers and writers.
func TestNamesakesInOtherFolders(t *testing.T) {
	v, dir := newVault(t)
	for _, path := range []string{"artifacts/plan.md", "drafts/plan.md", "notes/x/plan.md", "notes/y/plan.md", ".system/history/plan.md"} {
		put(t, dir, path, "one\n")
	}
	for asked, want := range map[string]any{
		"plan.md": []string{"artifacts/plan.md", "drafts/plan.md", "notes/x/plan.md"}, "vault/notes/y/Plan.md": []string{"notes/y/plan.md", "artifacts/plan.md", "drafts/plan.md"},
		"notes/none.md": nil,
	} {
		_, read := v.Read(t.Context(), vault.ReadArgs{Path: rootfs.Path(asked), Full: true})
		_, wrote := v.Write(t.Context(), vault.WriteArgs{Path: rootfs.Path(asked), Content: "x", Mode: vault.ModeAppend})
		for _, err := range []error{read, wrote} {
			if diff := cmp.Diff(want, toolset.AsError(err).Details["did_you_mean"]); code(err) != toolset.NotFound || diff != "" {
				t.Errorf("%s: %v %s", asked, err, diff)
			}
		}
	}
}

// A write goes to the file that a read of the same path shows.
func TestWriteToOneOfTwoNamesComposedDifferently(t *testing.T) {
	v, dir := newVault(t)
	const composed, decomposed = "notes/が.md", "notes/か\u3099.md"
	put(t, dir, composed, "NFC\n")
	put(t, dir, decomposed, "NFD\n")
	if get(t, dir, composed) != "NFC\n" {
		t.Skip("the file system takes both for one name")
	}
	_, err := v.Write(t.Context(), vault.WriteArgs{Path: decomposed, Content: "new\n", Mode: vault.ModeOverwrite})
	must(t, err)
	if a, b := get(t, dir, composed), get(t, dir, decomposed); a != "NFC\n" || b != "new\n" {
		t.Errorf("%q and %q", a, b)
	}
}
