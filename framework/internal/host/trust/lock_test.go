package trust

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/sagasu-search/sagasu/framework/internal/host"
	"github.com/sagasu-search/sagasu/sdk"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// plugin returns an entry that a lock may hold.
func plugin(t testing.TB, name string) Plugin {
	t.Helper()
	return Plugin{
		Name: name, Source: "example.com/" + name + "@v1.0.0", Path: filepath.Join(t.TempDir(), name),
		SHA256: strings.Repeat("ab", 32), Installed: time.Unix(1_700_000_000, 0).UTC(),
		Grants: host.Grants{Network: []string{"tcp:443"}, Reads: []string{t.TempDir()}, Env: []string{"A_KEY"}},
		Args:   []string{"--fast"}, Version: "1", Stage: sdk.StageFill, Weight: 0.7, Signals: []string{"x"},
		Corpora: []string{"manual"}, Schema: `{"type":"object"}`,
	}
}

func enter(p ...Plugin) func([]Plugin) ([]Plugin, error) {
	return func(old []Plugin) ([]Plugin, error) { return append(old, p...), nil }
}

func TestLockKeepsEverything(t *testing.T) {
	home := filepath.Join(t.TempDir(), "not", "made", "yet")
	if got, err := Read(home); err != nil || len(got) > 0 {
		t.Fatalf("without a lock: %v, %v", got, err)
	}
	b, a := plugin(t, "b"), plugin(t, "a")
	must(t, Change(t.Context(), home, enter(b, a)))
	got, err := Read(home)
	must(t, err)
	if diff := cmp.Diff([]Plugin{a, b}, got, cmpopts.EquateEmpty()); diff != "" {
		t.Error(diff)
	}
	files, err := os.ReadDir(home)
	must(t, err)
	if len(files) != 2 { // the lock, and what is locked while it changes
		t.Errorf("%v", files)
	}
	info, err := os.Stat(filepath.Join(home, FileName))
	must(t, err)
	if runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
}

func TestChangesDoNotLoseEachOther(t *testing.T) {
	home := t.TempDir()
	var all sync.WaitGroup
	for i := range 20 {
		p := plugin(t, fmt.Sprintf("p%d", i))
		all.Go(func() {
			if err := Change(context.Background(), home, enter(p)); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if got, err := Read(home); err != nil || len(got) != 20 {
		t.Errorf("%d entries, %v", len(got), err)
	}
}

func TestFailedChangeLeavesTheLock(t *testing.T) {
	home := t.TempDir()
	must(t, Change(t.Context(), home, enter(plugin(t, "a"))))
	unpinned, twice := plugin(t, "b"), plugin(t, "a")
	unpinned.SHA256 = ""
	for _, edit := range []func([]Plugin) ([]Plugin, error){
		enter(unpinned), enter(twice),
		func([]Plugin) ([]Plugin, error) { return nil, errors.New("on purpose") },
	} {
		if Change(t.Context(), home, edit) == nil {
			t.Error("it was written")
		}
		if got, err := Read(home); err != nil || len(got) != 1 || got[0].Name != "a" {
			t.Errorf("%v, %v", got, err)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	must(t, Change(ctx, home, func(old []Plugin) ([]Plugin, error) {
		cancel()
		if Change(ctx, home, enter()) == nil {
			t.Error("two changed it at once")
		}
		return old, nil
	}))
}

func TestLockThatCannotBeReliedOn(t *testing.T) {
	whole := func(p Plugin) string {
		return fmt.Sprintf("version = 1\n[[plugin]]\nname = %q\npath = %q\nsha256 = %q\n", p.Name, p.Path, p.SHA256)
	}
	good := plugin(t, "a")
	for src, want := range map[string]string{
		"plugin":                                    "line 1",
		"version = 2":                               "its version is 2",
		"":                                          "its version is 0",
		"version = 1\nnetwerk = 1":                  "line 2: unknown key netwerk",
		whole(good) + "nework = [\"x\"]\n":          "unknown key plugin.nework",
		whole(good) + "network = [\"udp:53\"]\n":    "udp:53",
		whole(good) + "reads = [\"relative\"]\n":    "is not absolute",
		whole(good) + "env = [\"A B\"]\n":           "is none",
		strings.Replace(whole(good), "ab", "zz", 1): "is not pinned",
		strings.Replace(whole(good), `"a"`, `"A/../B"`, 1):   "strategy name",
		strings.Replace(whole(good), good.Path, "", 1):       "has no executable",
		strings.Replace(whole(good), good.Path, "bin/it", 1): "is not absolute",
	} {
		home := t.TempDir()
		path := filepath.Join(home, FileName)
		must(t, os.WriteFile(path, []byte(src), 0o600))
		if _, err := Read(home); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), path) {
			t.Errorf("%q gave %v, want %q", src, err, want)
		}
	}
}

func TestLockThatOthersMayWrite(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no modes")
	}
	for name, c := range map[string]struct {
		file, folder os.FileMode
		refused      bool
	}{
		"its user's alone":           {0o600, 0o700, false},
		"read by all":                {0o644, 0o755, false},
		"its group's":                {0o620, 0o700, true},
		"everybody's":                {0o602, 0o700, true},
		"in a folder of a group":     {0o600, 0o770, false},
		"in a folder of everybody":   {0o600, 0o777, true},
		"in a folder such as /tmp":   {0o600, 0o777 | os.ModeSticky, false},
		"everybody's, in such a one": {0o666, 0o777 | os.ModeSticky, true},
	} {
		home := t.TempDir()
		must(t, os.WriteFile(filepath.Join(home, FileName), []byte("version = 1"), 0o600))
		must(t, os.Chmod(filepath.Join(home, FileName), c.file))
		must(t, os.Chmod(home, c.folder))
		if _, err := Read(home); (err != nil) != c.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte("version = 1\n[[plugin]]\nname = \"a\"\npath = \"/x\"\nsha256 = \"" + strings.Repeat("00", 32) + "\"\n"))
	f.Add([]byte("version = 1\nplugin = 3"))
	f.Fuzz(func(t *testing.T, src []byte) {
		plugins, err := parse(src)
		for i := range plugins {
			if err == nil && plugins[i].check() != nil {
				t.Errorf("%q passed", src)
			}
		}
	})
}

func TestWhatAHostStarts(t *testing.T) {
	p := plugin(t, "a")
	e := p.Entry([]byte(`{}`))
	if e.Known == nil || e.Known.Weight != 0.7 || string(e.Known.ConfigSchema) != p.Schema || len(e.Known.Corpora) != 1 {
		t.Errorf("known is %+v", e.Known)
	}
	var again Plugin
	again.Describe(*e.Known)
	if diff := cmp.Diff(p.Description(), again.Description()); diff != "" {
		t.Error(diff)
	}
	if p.Stage = sdk.StageRetrieve; p.Entry(nil).Known != nil {
		t.Error("one that every search calls does not start with the others")
	}
	if w := p.StartWeight(); w != StartWeight {
		t.Errorf("it starts at %v", w)
	}
	if p.Weight = 0.1; p.StartWeight() != 0.1 {
		t.Error("it starts above what it asks for")
	}
}
