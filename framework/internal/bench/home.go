package bench

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// probeID is the manual that a run edits; the ones it was given it only reads.
const probeID = "bench-probe"

// Home is a user of its own for what is measured: private folders for
// configuration, index and state, with the manuals named in the configuration.
// Nothing of the real user's is touched.
type Home struct {
	Dir   string
	Probe string // folder of a manual to edit
	vars  map[string]string
}

// NewHome makes a home below parent that knows manuals.
func NewHome(parent string, manuals []corpus.Manual) (_ *Home, err error) {
	dir, err := os.MkdirTemp(parent, "home-")
	if err != nil {
		return nil, err
	}
	h := &Home{Dir: dir, Probe: filepath.Join(dir, "probe")}
	below := func(parts ...string) string { return filepath.Join(append([]string{dir}, parts...)...) }
	h.vars = map[string]string{
		"HOME": dir, "USERPROFILE": dir, "AppData": below("config"), "LocalAppData": below("local"),
		"XDG_CONFIG_HOME": below("config"), "XDG_CACHE_HOME": below("cache"), "XDG_STATE_HOME": below("state"),
		"WORKSPACE_ROOT": below("workspace"), "MANUALS_ROOT": below("none"), "ADAPTIVE_TUNING": "false",
	}
	folders := map[string]string{probeID: h.Probe}
	for _, m := range manuals {
		folders[m.ID] = m.Dir
	}
	config, err := toml.Marshal(map[string]any{"manuals": folders})
	if err != nil {
		return nil, err
	}
	for _, d := range []string{h.Probe, below("workspace"), below("none")} {
		err = errors.Join(err, os.MkdirAll(d, 0o700))
	}
	// of Linux and Windows, and of macOS
	for _, d := range []string{below("config"), below("Library", "Application Support")} {
		err = errors.Join(err, writeFile(filepath.Join(d, "sagasu", "config.toml"), config))
	}
	return h, errors.Join(err, h.WriteProbe("start.md", "# Probe\n\nThis manual is edited while it is searched.\n"))
}

// Getenv is the environment of the home.
func (h *Home) Getenv(name string) string {
	if v, ours := h.vars[name]; ours {
		return v
	}
	return os.Getenv(name)
}

// Environ is the environment of a process of the home.
func (h *Home) Environ() []string {
	env := slices.DeleteFunc(os.Environ(), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		return slices.ContainsFunc(slices.Collect(maps.Keys(h.vars)),
			func(ours string) bool { return strings.EqualFold(ours, name) })
	})
	for _, name := range slices.Sorted(maps.Keys(h.vars)) {
		env = append(env, name+"="+h.vars[name])
	}
	return env
}

// WriteProbe replaces a file of the probe as an editor does: written beside it,
// then renamed.
func (h *Home) WriteProbe(name, text string) error {
	temp := filepath.Join(h.Dir, "probe-"+name)
	if err := writeFile(temp, []byte(text)); err != nil {
		return err
	}
	return os.Rename(temp, filepath.Join(h.Probe, name))
}
