package host

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestNewRefuses(t *testing.T) {
	hash := hex.EncodeToString(make([]byte, 32))
	for what, change := range map[string]func(*Options){
		"name":         func(o *Options) { o.Entries[0].Name = "../x" },
		"twice":        func(o *Options) { o.Entries = append(o.Entries, o.Entries[0]) },
		"unpinned":     func(o *Options) { o.Entries[0].Path = "/bin/true" },
		"short hash":   func(o *Options) { o.Entries[0].Path, o.Entries[0].SHA256 = "/bin/true", hash[2:] },
		"relative":     func(o *Options) { o.Entries[0].Path, o.Entries[0].SHA256 = "true", hash },
		"not bundled":  func(o *Options) { o.Bundled = nil },
		"network":      func(o *Options) { o.Entries[0].Network = []string{"udp:53"} },
		"port":         func(o *Options) { o.Entries[0].Network = []string{"tcp:0"} },
		"environment":  func(o *Options) { o.Entries[0].Env = []string{"A=B"} },
		"config":       func(o *Options) { o.Entries[0].Config = json.RawMessage(`{`) },
		"little data":  func(o *Options) { o.MemoryLimit = MinMemoryLimit - 1 },
		"no index dir": func(o *Options) { o.IndexDir = "" },
		"no state dir": func(o *Options) { o.StateDir = "" },
	} {
		o := options(t, "actor")
		change(&o)
		h, err := New(o)
		if err == nil {
			t.Errorf("%s: accepted", what)
			must(t, h.Close())
		}
	}
}

// installed copies the test binary as a third party's executable.
func installed(t *testing.T) Entry {
	t.Helper()
	self, err := os.Executable()
	must(t, err)
	data, err := os.ReadFile(self)
	must(t, err)
	path := filepath.Join(t.TempDir(), "strategy.exe")
	must(t, os.WriteFile(path, data, 0o700))
	sum := sha256.Sum256(data)
	return Entry{Name: "actor", Path: path, Args: []string{partServe, "actor"}, SHA256: hex.EncodeToString(sum[:])}
}

func TestInstalled(t *testing.T) {
	o := options(t)
	o.Entries = []Entry{installed(t)}
	h, snap := start(t, o)
	ask(t, h, snap, "pid")
	if got := h.Status()[0].Path; got != o.Entries[0].Path {
		t.Errorf("path %q", got)
	}
}

func TestChangedExecutableDoesNotStart(t *testing.T) {
	o := options(t)
	o.Entries = []Entry{installed(t)}
	h, snap := start(t, o)
	f, err := os.OpenFile(o.Entries[0].Path, os.O_APPEND|os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteString("x")
	must(t, errors.Join(err, f.Close()))
	if _, err := h.Search(t.Context(), "actor", request(snap, "find")); !errors.Is(err, ErrUnpinned) {
		t.Errorf("a changed executable gave %v", err)
	}
	must(t, os.Remove(o.Entries[0].Path))
	if _, failures := h.Strategies(t.Context()); len(failures) != 1 || !errors.Is(failures[0], os.ErrNotExist) {
		t.Errorf("a removed executable gave %v", failures)
	}
}
