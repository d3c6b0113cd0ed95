package workspace

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sagasu-search/sagasu/framework/internal/toolset"
)

// layer is one source of settings.
type layer map[string]given

// given is a value as a source gave it.
type given struct {
	raw    string
	origin string // as Origin returns it
	base   string // base of relative paths; "" means the workspace root
	guest  bool   // from the workspace's own file
}

// pick returns the value of the first layer that has one, or else the default.
func pick(s setting, layers ...layer) given {
	for _, l := range layers {
		if g, ok := l[s.name]; ok {
			return g
		}
	}
	return given{raw: s.standard(), origin: "default"}
}

// layers returns the settings from the command line and the environment. A flag for an unknown setting is an error.
func (o LoadOptions) layers() (commandLine, environment layer, err error) {
	commandLine, environment = layer{}, layer{}
	known := []string{}
	for _, s := range o.Schema.settings() {
		known = append(known, s.name)
		if raw, ok := o.Flags.Values[s.name]; ok {
			name := s.flag()
			if s.name == rootSetting {
				name = rootFlag
			}
			commandLine[s.name] = given{raw: raw, origin: "flag --" + name, base: o.Dir}
		}
		if slices.Contains(o.Flags.Unset, s.name) {
			commandLine[s.name] = given{raw: s.standard(), origin: "default"}
		}
		if raw := o.Getenv(s.name); raw != "" {
			environment[s.name] = given{raw: raw, origin: "environment", base: o.Dir}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Flags.Values)) {
		if slices.Contains(known, name) {
			continue
		}
		if close := toolset.DidYouMean(name, known, 1); len(close) > 0 {
			return nil, nil, fmt.Errorf("there is no setting %q; did you mean %s?", name, close[0])
		}
		return nil, nil, fmt.Errorf("there is no setting %q; sagasu help settings lists them", name)
	}
	return commandLine, environment, nil
}

// set checks one value and stores it with its origin.
func (w *Workspace) set(s setting, g given) error {
	w.origins[s.name], w.guests[s.name] = g.origin, g.guest
	if g.raw == "" && g.origin == "default" {
		return nil
	}
	raw := g.raw
	if s.isPath() {
		var err error
		if raw, err = w.absolute(s, g); err != nil {
			return err
		}
		w.paths = append(w.paths, "${"+s.name+"}", raw)
	}
	if raw == "" || !s.set(raw) {
		return g.problem(s, s.want())
	}
	return nil
}

// absolute returns the path, or each path of a list, as absolute. It refuses paths that a workspace's own file may not
// name.
func (w *Workspace) absolute(s setting, g given) (string, error) {
	if !s.isList() {
		return w.absolutePath(s, g, g.raw)
	}
	items := split(g.raw, s.separator())
	for i, item := range items {
		var err error
		if items[i], err = w.absolutePath(s, g, item); err != nil {
			return "", err
		}
	}
	return strings.Join(items, s.separator()), nil
}

func (w *Workspace) absolutePath(s setting, g given, item string) (string, error) {
	if item == "" || strings.ContainsRune(item, 0) {
		return "", g.problem(s, s.want())
	}
	path := w.resolve(item, g.base)
	if !g.guest {
		return path, nil
	}
	if !w.Holds(path) {
		return "", g.problem(s, "a path inside the workspace "+w.Root)
	}
	if within := s.Get("guest"); within != "" {
		within = w.resolve(within, "")
		if path == within || !below(within, path) {
			return "", fmt.Errorf("%s is %q (%s): in a workspace's own file it must be a path below %s",
				s.name, path, g.origin, within)
		}
	}
	return path, nil
}

func (w *Workspace) resolve(item, base string) string {
	item = strings.NewReplacer(w.paths...).Replace(item)
	if base == "" {
		base = w.Root
	}
	if !filepath.IsAbs(item) {
		item = filepath.Join(base, item)
	}
	return filepath.Clean(item)
}

// Holds reports whether a path is inside the workspace, even after following links.
func (w *Workspace) Holds(path string) bool {
	return below(w.Root, path) && below(w.Root, resolved(path))
}

func below(root, path string) bool {
	rel, err := filepath.Rel(root, path)
	return err == nil && filepath.IsLocal(rel)
}

// problem returns the error, on one line, that prevents a start.
func (g given) problem(s setting, want string) error {
	if s.private() {
		return fmt.Errorf("%s (%s) must be %s", s.name, g.origin, want)
	}
	return fmt.Errorf("%s is %q (%s): it must be %s", s.name, g.raw, g.origin, want)
}
