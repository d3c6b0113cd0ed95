package workspace

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"unicode"

	"github.com/sagasu-search/sagasu/framework/internal/convert"
)

// FileName is the name of a workspace's own configuration file, in its root.
const FileName = "sagasu.toml"

// Workspace is the effective configuration of a run. Every path is absolute.
type Workspace struct {
	Settings
	Strategies map[string]Strategy
	Plugins    map[string]Plugin // by name; installed ones are recorded elsewhere

	Documents  *convert.Set // reads the documents of manuals; nil for none
	ConfigHome string       // the user's sagasu configuration folder
	StateHome  string       // holds traces and statistics

	parts       []any             // pointers to the structs of the schema, Settings first
	paths       []string          // pairs of "${NAME}" and value, of the paths set so far
	manualRoots []string          // folders of manuals given by --manuals; nil means ManualsRoot
	manualDirs  map[string]string // manuals elsewhere: id to folder
	placed      []place           // when the workspace was loaded
	origins     map[string]string
	guests      map[string]bool // settings from the workspace's own file
}

// LoadOptions are the sources of a configuration. The zero value reads the process's environment and working directory.
type LoadOptions struct {
	Schema Schema // settings besides the workspace's own
	Flags  Flags
	Getenv func(string) string // nil means os.Getenv; an empty value counts as missing
	// Dir is the base of relative paths in flags and environment; "" means the working directory.
	Dir string
	// Documents, if not nil, returns what reads the documents of manuals.
	Documents func(*Workspace) *convert.Set
	Temp      string // parent of the private folder used without a home; "" means os.TempDir()
}

// Load reads all sources. A flag overrides the environment, which overrides sagasu.toml in the workspace, the user's
// configuration file and the default, in this order. Its error is one line with the setting, the value and what it must
// be.
func Load(o LoadOptions) (*Workspace, error) {
	o, err := o.complete()
	if err != nil {
		return nil, err
	}
	homes, err := findHomes(runtime.GOOS, o.Getenv, o.Temp)
	if err != nil {
		return nil, err
	}
	w := &Workspace{
		ConfigHome: homes.config, StateHome: homes.state, Strategies: map[string]Strategy{},
		origins: map[string]string{}, guests: map[string]bool{},
	}
	w.parts = o.Schema.bind(&w.Settings)
	user, err := readUserFile(o.Schema, homes)
	if err != nil {
		return nil, err
	}
	commandLine, environment, err := o.layers()
	if err != nil {
		return nil, err
	}
	if err := w.openRoot(o.Dir, homes, commandLine, environment, user.settings); err != nil {
		return nil, err
	}
	guest, err := readGuestFile(o.Schema, w.Root)
	if err != nil {
		return nil, err
	}
	for _, s := range settingsOf(w.parts) {
		if s.name == rootSetting {
			continue
		}
		if err := w.set(s, pick(s, commandLine, environment, guest.settings, user.settings)); err != nil {
			return nil, err
		}
	}
	w.mergeStrategies(user, guest)
	w.Plugins = user.plugins
	maps.Copy(w.Plugins, guest.plugins) // the workspace overrides the user
	w.readSecrets(o.Getenv)
	if o.Documents != nil {
		w.Documents = o.Documents(w)
	}
	if err := w.placeManuals(o, user); err != nil {
		return nil, err
	}
	w.placed = w.places()
	for _, part := range w.parts {
		if c, ok := part.(Checker); ok {
			if err := c.CheckSettings(w); err != nil {
				return nil, err
			}
		}
	}
	if err := w.checkOverlaps(); err != nil {
		return nil, err
	}
	if err := w.checkWritten(); err != nil {
		return nil, err
	}
	return w, nil
}

// Origin returns where the value of a setting such as "TRACE_MAX_KEEP" came from: a flag, the environment, a file with
// its line, or "default".
func (w *Workspace) Origin(name string) string { return w.origins[name] }

func (o LoadOptions) complete() (LoadOptions, error) {
	if o.Getenv == nil {
		o.Getenv = os.Getenv
	}
	if o.Temp == "" {
		o.Temp = os.TempDir()
	}
	dir, err := filepath.Abs(o.Dir)
	if err != nil {
		return o, fmt.Errorf("find the working directory: %w", err)
	}
	o.Dir = dir
	return o, nil
}

// openRoot sets WORKSPACE_ROOT, which must be known before the workspace's
// own file can be read.
func (w *Workspace) openRoot(dir string, h homes, outer ...layer) error {
	s := settingsOf(w.parts)[0]
	g := pick(s, outer...)
	if g.base == "" {
		g.base = dir
	}
	if err := w.set(s, g); err != nil {
		return err
	}
	root, err := existingDir(w.Root)
	if err != nil {
		return g.problem(s, "a folder that exists")
	}
	w.Root = root
	w.paths = []string{"${CACHE}", h.cache, "${" + rootSetting + "}", root}
	return nil
}

// existingDir resolves the links of a path that must be a folder.
func existingDir(path string) (string, error) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(real)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s is not a folder", path)
	}
	return real, nil
}

// StateDir returns the folder for this workspace's traces and statistics. It may not exist yet; whoever creates it must
// use mode 0700.
func (w *Workspace) StateDir() string {
	sum := sha256.Sum256([]byte(w.Root))
	return filepath.Join(w.StateHome, readable(filepath.Base(w.Root))+"-"+hex.EncodeToString(sum[:8]))
}

// Sources identifies what is indexed: the folders of manuals, and the manuals elsewhere with their ids.
func (w *Workspace) Sources() []string {
	sources := slices.Clone(w.roots())
	for _, id := range slices.Sorted(maps.Keys(w.manualDirs)) {
		sources = append(sources, id, w.manualDirs[id])
	}
	return sources
}

// readable returns the letters and digits of a name, at most 32, for people who look into the folder.
func readable(name string) string {
	kept := []rune{}
	for _, r := range name {
		if len(kept) < 32 && (r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)) {
			kept = append(kept, r)
		}
	}
	if len(kept) == 0 {
		return "workspace"
	}
	return string(kept)
}
