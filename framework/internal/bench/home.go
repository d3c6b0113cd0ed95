package bench

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"

	"github.com/sagasu-search/sagasu/framework/internal/corpus"
)

// probeID is the manual that a run edits. It only reads the manuals that it was given.
const probeID = "bench-probe"

// Home is a home folder for the processes that are measured: private folders for configuration, index and state, with
// the manuals named in the configuration. The real user's folders are not touched.
type Home struct {
	Dir  string
	vars map[string]string
}

// newHome makes a home below parent with the given manuals.
func newHome(parent string, manuals []corpus.Manual) (*Home, error) {
	dir, err := os.MkdirTemp(parent, "home-")
	if err != nil {
		return nil, err
	}
	below := func(name string) string { return filepath.Join(dir, name) }
	h := &Home{Dir: dir, vars: map[string]string{
		"HOME": dir, "USERPROFILE": dir, "AppData": below("config"), "LocalAppData": below("local"),
		"XDG_CONFIG_HOME": below("config"), "XDG_CACHE_HOME": below("cache"), "XDG_STATE_HOME": below("state"),
		"WORKSPACE_ROOT": below("workspace"), "MANUALS_ROOT": below("none"), "ADAPTIVE_TUNING": "false",
	}}
	folders := map[string]string{probeID: below("probe")}
	for _, m := range manuals {
		folders[m.ID] = m.Dir
	}
	config, err := toml.Marshal(map[string]any{"manuals": folders})
	return h, errors.Join(err,
		os.Mkdir(below("workspace"), 0o700), os.Mkdir(below("none"), 0o700), os.Mkdir(below("probe"), 0o700),
		writeFile(below("config/sagasu/config.toml"), config),                      // Linux and Windows
		writeFile(below("Library/Application Support/sagasu/config.toml"), config), // macOS
		h.writeProbe("start.md", "# Probe\n\nThis manual is edited while it is searched.\n"))
}

// Getenv returns the environment of the home.
func (h *Home) Getenv(name string) string {
	if v, ours := h.vars[name]; ours {
		return v
	}
	return os.Getenv(name)
}

// environ returns the environment of a process in the home. Of duplicate names, the last value counts.
func (h *Home) environ() []string {
	env := os.Environ()
	for name, value := range h.vars {
		env = append(env, name+"="+value)
	}
	return env
}

// writeProbe replaces a file of the probe as an editor does: it writes a temporary file and renames it.
func (h *Home) writeProbe(name, text string) error {
	temp := filepath.Join(h.Dir, "probe-"+name)
	if err := writeFile(temp, []byte(text)); err != nil {
		return err
	}
	return os.Rename(temp, filepath.Join(h.Dir, "probe", name))
}
