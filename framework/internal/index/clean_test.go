package index

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/sagasu-search/sagasu/sdk/snapshot"
)

func TestClean(t *testing.T) {
	b := newBench(t)
	base := t.TempDir()
	dirs := map[string]string{}
	for _, name := range []string{"used", "kept", "left"} {
		dirs[name] = Dir(base, snapshot.KindManual, name)
		opts := b.options()
		opts.Dir, opts.Live = dirs[name], false
		x, err := Open(opts)
		if err != nil {
			t.Fatal(err)
		}
		b.ensure(x)
		if name == "used" {
			defer x.Close()
		} else {
			x.Close()
		}
	}
	stray := filepath.Join(dirs["kept"], "manual-000000.seg")
	if err := os.WriteFile(stray, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	empty := filepath.Join(base, dirName, "0123456789abcdef01234569")
	if err := os.Mkdir(empty, 0o700); err != nil {
		t.Fatal(err)
	}
	strangers := []string{
		filepath.Join(base, dirName, "src", "main.go"), filepath.Join(base, dirName, "0123456789abcdef01234567", "main.go"),
		filepath.Join(dirs["left"]+"x", useFile), filepath.Join(base, dirName, "0123456789abcdef01234568", useFile, "kept"),
	}
	for _, path := range strangers {
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("mine"), 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	got, err := Clean(t.Context(), base, dirs["kept"])
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([][]string{slices.Sorted(slices.Values([]string{dirs["left"], empty})), {dirs["used"]}}, [][]string{got.Removed, got.InUse}); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for dir, want := range map[string]bool{dirs["left"]: false, dirs["used"]: true, dirs["kept"]: true, stray: false} {
		if _, err := os.Stat(dir); (err == nil) != want {
			t.Errorf("%s: %v", dir, err)
		}
	}
	for _, path := range strangers {
		if _, err := os.Stat(path); err != nil {
			t.Errorf("what is not an index was removed: %v", err)
		}
	}
	if got.Bytes < 1000 {
		t.Errorf("%d bytes freed", got.Bytes)
	}
	if again, err := Clean(t.Context(), t.TempDir()); err != nil || len(again.Removed) > 0 {
		t.Errorf("without any index: %+v, %v", again, err)
	}
}
