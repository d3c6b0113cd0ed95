package vault_test

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sagasu-search/sagasu/framework/internal/rootfs"
	"github.com/sagasu-search/sagasu/framework/internal/toolset"
	"github.com/sagasu-search/sagasu/framework/internal/vault"
)

func overwrite(t testing.TB, v *vault.Vault, path, content string) {
	t.Helper()
	_, err := v.Write(t.Context(), vault.WriteArgs{Path: rootfs.Path(path), Content: content, Mode: "overwrite"})
	must(t, err)
}

func TestEarlierVersionsComeBack(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "artifacts/a.md", "one\n")
	for _, text := range []string{"two\n", "three\n", "three\n"} {
		overwrite(t, v, "artifacts/a.md", text)
	}
	_, err := v.Replace(t.Context(), vault.ReplaceArgs{Path: "artifacts/a.md", Find: "three", Replace: "four", MaxReplacements: 1})
	must(t, err)
	versions, err := v.Log("Artifacts/a.md")
	must(t, err)
	want := []string{"three\n", "two\n", "one\n"}
	if len(versions) != len(want) {
		t.Fatalf("%d versions, want %d", len(versions), len(want))
	}
	for i, version := range versions {
		text, _, err := v.Show("artifacts/a.md", version.ID)
		if err != nil || string(text) != want[i] || version.Bytes != int64(len(want[i])) || version.SHA256 != sum(want[i]) {
			t.Errorf("version %d: %q, %+v, %v", i, text, version, err)
		}
	}
	w, err := v.Restore(t.Context(), "artifacts/a.md", versions[2].ID)
	must(t, err)
	if got := get(t, dir, "artifacts/a.md"); got != "one\n" || w.SHA256 != sum("one\n") {
		t.Errorf("restored %q", got)
	}
	must(t, os.Remove(filepath.Join(dir, "artifacts", "a.md")))
	_, err = v.Restore(t.Context(), "artifacts/a.md", versions[1].SHA256[:12])
	must(t, err)
	if got := get(t, dir, "artifacts/a.md"); got != "two\n" {
		t.Errorf("restored after its loss: %q", got)
	}
}

func TestUnknownVersions(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "notes/a.md", "one\n")
	overwrite(t, v, "notes/a.md", "two\n")
	overwrite(t, v, "notes/a.md", "three\n")
	for _, c := range []struct{ path, id string }{{"notes/a.md", "1999"}, {"notes/a.md", "20"}, {"notes/b.md", "20"}, {"notes", "20"}} {
		if _, _, err := v.Show(c.path, c.id); code(err) != toolset.NotFound {
			t.Errorf("%v: %v", c, err)
		}
	}
	if _, err := v.Restore(t.Context(), "../a", "20"); code(err) != toolset.InvalidPath {
		t.Errorf("outside: %v", err)
	}
}

// Some file systems list every name in lower case, whatever it was given as.
func TestVersionsNamedInLowerCase(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "notes/a.md", "one\n")
	for _, text := range []string{"two\n", "three\n"} {
		_, err := v.Write(t.Context(), vault.WriteArgs{Path: "notes/a.md", Content: text, Mode: "overwrite"})
		must(t, err)
		kept, err := filepath.Glob(filepath.Join(dir, ".system", "history", "notes", "a.md", "*Z-*"))
		must(t, err)
		for _, name := range kept {
			folder, base := filepath.Split(name)
			must(t, os.Rename(name, filepath.Join(folder, strings.ToLower(base))))
		}
	}
	versions, err := v.Log("notes/a.md")
	if err != nil || len(versions) != 2 {
		t.Fatalf("%+v, %v", versions, err)
	}
	if text, _, err := v.Show("notes/a.md", versions[0].ID); err != nil || string(text) != "two\n" {
		t.Errorf("the newest holds %q, %v", text, err)
	}
}

func TestADamagedVersionIsNotRestored(t *testing.T) {
	v, dir := newVault(t)
	put(t, dir, "notes/a.md", "one\n")
	overwrite(t, v, "notes/a.md", "two\n")
	files, err := filepath.Glob(filepath.Join(dir, ".system", "history", "notes", "a.md", "*.zst"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	must(t, os.WriteFile(files[0], []byte("garbage"), 0o600))
	if _, err := v.Restore(t.Context(), "notes/a.md", "20"); code(err) != toolset.NotAvailable || !strings.Contains(err.Error(), "notes/a.md") {
		t.Errorf("garbage: %v", err)
	}
	if got := get(t, dir, "notes/a.md"); got != "two\n" {
		t.Errorf("%q", got)
	}
}

// noise does not compress below half its length.
func noise(n int) string {
	b := make([]byte, n/2)
	rand.Read(b)
	return hex.EncodeToString(b)
}

func historySize(t testing.TB, dir string) (bytes int64, versions int) {
	t.Helper()
	must(t, filepath.Walk(filepath.Join(dir, ".system", "history"), func(path string, info os.FileInfo, err error) error {
		if strings.HasSuffix(path, ".zst") {
			bytes, versions = bytes+info.Size(), versions+1
		}
		return err
	}))
	return bytes, versions
}

func TestHistoryIsBounded(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vault")
	o := options(dir)
	o.HistoryBytes = 100 << 10
	v := vault.New(o)
	for i := range 3 {
		put(t, dir, fmt.Sprintf("notes/%d.md", i), noise(8<<10))
	}
	overwrite(t, v, "notes/0.md", noise(8<<10)) // its only earlier version, and the oldest of all
	overwrite(t, v, "notes/1.md", noise(8<<10))
	for range 60 {
		overwrite(t, v, "notes/2.md", noise(8<<10))
		if size, _ := historySize(t, dir); size > o.HistoryBytes {
			t.Fatalf("the history has %d bytes, at most %d", size, o.HistoryBytes)
		}
	}
	for i, least := range []int{1, 1, 10} {
		versions, err := v.Log(fmt.Sprintf("notes/%d.md", i))
		if err != nil || len(versions) < least {
			t.Errorf("file %d has %d earlier versions, %v", i, len(versions), err)
		}
	}
}

func TestTheOnlyEarlierVersionStays(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vault")
	o := options(dir)
	o.HistoryBytes = 50 << 10
	told := 0
	o.Overfull = func(bytes, limit int64) {
		if told++; bytes <= limit || limit != o.HistoryBytes {
			t.Errorf("%d bytes of %d are too many", bytes, limit)
		}
	}
	v := vault.New(o)
	for i := range 5 {
		path := fmt.Sprintf("notes/%d.md", i)
		put(t, dir, path, "precious")
		overwrite(t, v, path, "new")
		overwrite(t, v, path, "newer")
	}
	put(t, dir, "notes/large.md", noise(400<<10))
	w, err := v.Write(t.Context(), vault.WriteArgs{Path: "notes/large.md", Content: "small", Mode: "overwrite"})
	must(t, err)
	if len(w.Warnings) != 1 || told != 1 {
		t.Errorf("%q in the answer, told %d times", w.Warnings, told)
	}
	for _, name := range []string{"0", "1", "2", "3", "4", "large"} {
		versions, err := v.Log("notes/" + name + ".md")
		if err != nil || len(versions) != 1 {
			t.Errorf("%s has %d earlier versions, %v", name, len(versions), err)
		}
	}
	r, err := v.Replace(t.Context(), vault.ReplaceArgs{Path: "notes/0.md", Find: "newer", Replace: "newest", MaxReplacements: 1})
	must(t, err)
	if len(r.Warnings) != 1 || told != 1 {
		t.Errorf("%q in the answer, told %d times", r.Warnings, told)
	}
}

func TestAnOverfullHistoryStillGrowsSlowly(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vault")
	o := options(dir)
	o.HistoryBytes = 50 << 10
	v := vault.New(o)
	for i := range 20 {
		path := fmt.Sprintf("notes/%02d.md", i)
		put(t, dir, path, noise(8<<10))
		overwrite(t, v, path, "new")
	}
	newest, n := historySize(t, dir)
	if n != 20 {
		t.Fatalf("%d newest versions of 20", n)
	}
	for range 40 {
		overwrite(t, v, "notes/00.md", noise(8<<10))
		if size, _ := historySize(t, dir); size > newest+o.HistoryBytes/4 {
			t.Fatalf("%d bytes beside %d that are kept", size-newest, newest)
		}
	}
}

func TestALostSizeIsAddedUpAnew(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "vault")
	o := options(dir)
	o.HistoryBytes = 30 << 10
	v := vault.New(o)
	put(t, dir, "notes/a.md", noise(8<<10))
	for i := range 20 {
		if i%3 == 0 {
			must(t, os.RemoveAll(filepath.Join(dir, ".system", "history.size")))
		} else if i%3 == 1 {
			put(t, dir, ".system/history.size", "no number")
		}
		overwrite(t, v, "notes/a.md", noise(8<<10))
		if size, _ := historySize(t, dir); size > o.HistoryBytes {
			t.Fatalf("%d bytes", size)
		}
	}
}
