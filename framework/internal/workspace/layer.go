package workspace

import (
	"fmt"
	"path/filepath"
	"strings"
)

// layer is one source of settings.
type layer map[string]given

// given is a value as a source gave it.
type given struct {
	raw      string
	origin   string // as Origin returns it
	base     string // what relative paths start from; "" for the workspace root
	confined bool   // a path must stay inside the workspace
}

// pick takes the value of the first layer that has one, else the default.
func pick(row setting, layers []layer) given {
	for _, l := range layers {
		if g, ok := l[row.name]; ok {
			return g
		}
	}
	return given{raw: row.def, origin: "default"}
}

func flagLayer(o LoadOptions) layer {
	l := layer{}
	for _, s := range settingsOf(new(Workspace)) {
		if raw, ok := o.Flags.Values[s.name]; ok {
			name := s.flag()
			if s.name == rootSetting {
				name = rootFlag
			}
			l[s.name] = given{raw: raw, origin: "flag --" + name, base: o.Dir}
		}
	}
	return l
}

func envLayer(o LoadOptions) layer {
	l := layer{}
	for _, s := range settingsOf(new(Workspace)) {
		if raw := o.Getenv(s.name); raw != "" {
			l[s.name] = given{raw: raw, origin: "environment", base: o.Dir}
		}
	}
	return l
}

// apply sets every setting but the root, which openRoot has set.
func (w *Workspace) apply(layers []layer, h homes) error {
	for _, row := range settingsOf(w) {
		if row.name == rootSetting {
			continue
		}
		g := pick(row, layers)
		g.raw = strings.ReplaceAll(g.raw, "${CACHE}", h.cache)
		if err := w.set(row, g); err != nil {
			return err
		}
	}
	return nil
}

// set checks one value and stores it with its origin.
func (w *Workspace) set(row setting, g given) error {
	w.origins[row.name], w.guests[row.name] = g.origin, g.confined
	if g.raw == "" && g.origin == "default" {
		return nil
	}
	raw := g.raw
	if row.value.path {
		var err error
		if raw, err = w.absolute(row, g); err != nil {
			return err
		}
	}
	if raw == "" || !row.value.set(raw) {
		return g.problem(row, row.value.want)
	}
	return nil
}

// absolute makes the path, or each path of a list, absolute.
func (w *Workspace) absolute(row setting, g given) (string, error) {
	items := []string{g.raw}
	if row.value.list != "" {
		items = split(g.raw, row.value.list)
	}
	for i, item := range items {
		if item == "" || strings.ContainsRune(item, 0) {
			return "", g.problem(row, row.value.want)
		}
		items[i] = w.resolve(item, g.base)
		if g.confined && !w.holds(items[i]) {
			return "", g.problem(row, "a path inside the workspace "+w.Root)
		}
	}
	return strings.Join(items, row.value.list), nil
}

func (w *Workspace) resolve(item, base string) string {
	item = strings.ReplaceAll(item, "${WORKSPACE_ROOT}", w.Root)
	item = strings.ReplaceAll(item, "${VAULT_ROOT}", w.VaultRoot)
	if base == "" {
		base = w.Root
	}
	if !filepath.IsAbs(item) {
		item = filepath.Join(base, item)
	}
	return filepath.Clean(item)
}

// holds reports whether a path stays inside the workspace, also after its links
// are followed.
func (w *Workspace) holds(item string) bool {
	if !below(w.Root, item) {
		return false
	}
	for ; item != w.Root; item = filepath.Dir(item) {
		if real, err := filepath.EvalSymlinks(item); err == nil {
			return below(w.Root, real)
		}
	}
	return true
}

func below(root, item string) bool {
	rel, err := filepath.Rel(root, item)
	return err == nil && filepath.IsLocal(rel)
}

// problem is the one line that stops a start.
func (g given) problem(row setting, want string) error {
	return fmt.Errorf("%s is %q (%s): it must be %s", row.name, g.raw, g.origin, want)
}
