package vault_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

// TestClockJumps writes after the clock has gone back by a year: what was replaced later stands
// first in the log, and no version is lost.
func TestClockJumps(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "notes/a.md", "one\n")
	write := func(text string) {
		t.Helper()
		_, err := v.Write(t.Context(), vault.WriteArgs{Path: "notes/a.md", Content: text, Mode: "overwrite"})
		must(t, err)
	}
	write("two\n")
	kept, err := filepath.Glob(filepath.Join(dir, ".system", "history", "notes", "a.md", "*.zst"))
	if must(t, err); len(kept) != 1 {
		t.Fatalf("versions %q", kept)
	}
	ahead := time.Now().UTC().AddDate(1, 0, 0).Format("20060102T150405.000000000Z")
	folder, name := filepath.Split(kept[0])
	must(t, os.Rename(kept[0], filepath.Join(folder, ahead+name[len(ahead):])))
	write("three\n")
	write("four\n")
	versions, err := v.Log(t.Context(), "notes/a.md")
	must(t, err)
	var texts []string
	for _, version := range versions {
		text, _, err := v.Show(t.Context(), "notes/a.md", version.ID)
		must(t, err)
		texts = append(texts, string(text))
	}
	if len(texts) != 3 || texts[0] != "three\n" || texts[1] != "two\n" || texts[2] != "one\n" {
		t.Errorf("the versions, newest first, are %q", texts)
	}
}
